"""A table as a front-end shows it."""

import json

import pytest

from upcard.core.actions import Action
from upcard.core.numbers import to_json
from upcard.rules.model import Rules
from upcard.session.game_session import GameSession
from upcard.session.plan import TablePlan
from upcard.session.table_view import view_session
from upcard.table.events import Board
from upcard.table.shoe import ScriptedShoe


def sit_down(cards, rules="6D LS", **plan):
    found = Rules.parse(rules)
    table = TablePlan(rules=found, title="a table", **plan)
    session = GameSession.practise(table, chips=100, shoe=ScriptedShoe(cards))
    board = Board(found)
    session.listeners.append(board.hear)
    return session, board


def test_a_view_is_json_with_cards_and_amounts_as_text():
    session, board = sit_down("8S TH 8D 6C")
    session.place(10)
    shown = json.loads(json.dumps(to_json(view_session(session, board))))
    assert shown["dealer"] == {"cards": ["TH", None], "total": "10"}
    assert (shown["balance"], shown["on_table"]) == ("90", "10")
    assert shown["asked"]["answers"] == {
        "hit": "h",
        "stand": "s",
        "double": "d",
        "split": "p",
        "surrender": "r",
    }
    assert shown["hands"][0]["name"] == "you"
    assert shown["hands"][0]["is_active"]


def test_your_hands_are_numbered_beside_company():
    session, board = sit_down("5 " * 12, hands=2, company="mimic martingale; you; lott-simple")
    session.place(10)
    names = [hand.name for hand in view_session(session, board).hands]
    assert names == ["mimic", "you 1", "you 2", "lott-simple"]


def test_the_hole_card_is_not_in_a_view_before_it_is_turned_up():
    views = []
    for hole in ("6C", "9D"):
        session, board = sit_down(f"8S TH 8D {hole}")
        session.place(10)
        views.append(to_json(view_session(session, board)))
    assert views[0] == views[1]


@pytest.mark.parametrize(
    ("cards", "actions", "result", "word"),
    [
        ("T 9 8 T", [Action.STAND], "You lose 10.", "lose −10"),
        ("A 9 T T", [], "Blackjack! You win 15.", "natural +15"),
        ("T 9 9 T", [Action.STAND], "Push: your bet comes back.", "push"),
    ],
)
def test_a_view_says_how_the_round_ended(cards, actions, result, word):
    session, board = sit_down(cards)
    session.place(10)
    for action in actions:
        session.act(action)
    shown = view_session(session, board)
    assert (shown.result, shown.hands[0].word, shown.asked) == (result, word, None)
