"""Every front-end has the same conversation with a seat: one script, the same updates.

The script has insurance, refusals, an answer taken back, count questions, and a void round.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from cli.driving import talk
from screen_driver import drive, plan_for, press, text_of
from table_client import TableClient, run_site

from upcard.core.actions import Action
from upcard.rules.house import load_house
from upcard.session import game_session
from upcard.session.count_check import CountCheck
from upcard.session.game_session import GameSession
from upcard.session.plan import TablePlan
from upcard.session.seat import Due, Seat
from upcard.table import rounds
from upcard.table.events import SideBetSettled
from upcard.table.shoe import ScriptedShoe
from upcard.tui.app import ScreenOptions

RULES = "6D LS"
CARDS = "T A 6 8 3  T 9 9 8  T 6 2 T 2"
COUNT = "hi-lo:1"
BET = Fraction(10)
SCRIPT = (
    ("bet", BET),
    ("act", Action.NO_INSURANCE),
    ("act", Action.SPLIT),  # a ten and a six: refused
    ("act", Action.HIT),
    ("act", Action.DOUBLE),  # three cards: refused
    ("undo",),
    ("act", Action.HIT),
    ("act", Action.STAND),
    ("answer_count", "5"),
    ("bet", BET),
    ("act", Action.STAND),
    ("answer_count", ""),
    ("bet", BET),
    ("act", Action.HIT),
    ("act", Action.HIT),  # no card is left: void
)
MOVES = ("bet", "act", "undo", "answer_count", "play_hands", "bring_chips")


class Heard:
    """The moves that were made at seats, and their updates."""

    def __init__(self, monkeypatch):
        self.moves, self.updates = [], []
        for name in MOVES:
            monkeypatch.setattr(Seat, name, self.listen(name, getattr(Seat, name)))

    def listen(self, name, method):
        def heard(seat, *arguments):
            update = method(seat, *arguments)
            self.moves.append((name, *arguments))
            self.updates.append(comparable(update))
            return update

        return heard


def comparable(update):
    """Return what an update says; errors are equal if they are of one type and say the same."""
    fault, void = (
        None if error is None else (type(error), str(error))
        for error in (update.fault, update.void)
    )
    said = (update.refusal, update.bet_remark, update.count_remark, update.notes, update.brought)
    return (update.due, update.events, update.ends_round, fault, void, *said)


@pytest.fixture
def heard(monkeypatch):
    return Heard(monkeypatch)


def at_the_seat(moves, plan=None, cards=CARDS, count=COUNT):
    """Make moves at a seat itself, and return the updates."""
    plan = plan_for(RULES) if plan is None else plan
    session = GameSession.practise(plan, chips=Fraction(100), shoe=ScriptedShoe(cards))
    seat = Seat(session, check=CountCheck.of(replace(plan, count=count or ""), cards))
    seat.begin()
    return [getattr(seat, name)(*arguments) for name, *arguments in moves]


def on_the_screen(_):
    keys = ("enter", "n", "p", "h", "d", "u", "h", "s", "5", "enter", "enter", "s", "escape")

    async def script(pilot, app):
        await press(pilot, *keys, "enter", "h", "h")
        assert "this round does not count" in " ".join(text_of(app).split())

    opening = ScreenOptions(
        plan=plan_for(RULES, count=COUNT),
        coach="silent",
        keep="practice",
        cards=CARDS,
    )
    drive(script, opening)


def in_the_browser(_):
    with run_site(cards=CARDS) as client:
        table = TableClient(client, rules=RULES, count=COUNT)
        for name, *arguments in SCRIPT:
            field = {"bet": "bet", "act": "do", "answer_count": "count"}.get(name, "")
            move = "count" if name == "answer_count" else name
            form = {field: str(arguments[0])} if arguments else {}
            if table.post(move, **form).status_code == 200:
                table.look()
        assert "This round does not count" in table.view["said"].replace("; this", ". This")


def typed(words):
    named = {"bet": str, "undo": lambda: words["undo"]}
    named |= {"act": lambda action: words.get(action, str(action)), "answer_count": str}
    return [named[name](*arguments) for name, *arguments in SCRIPT]


def line_by_line(_):
    letters = {Action.NO_INSURANCE: "n", Action.SPLIT: "p", Action.HIT: "h", "undo": "u"}
    letters |= {Action.DOUBLE: "d", Action.STAND: "s"}
    answer = talk(
        ["play", "--rules", RULES, "--cards", CARDS, "--ask-count", COUNT], typed(letters)
    )
    assert "this round does not count" in answer.out


def as_json_lines(_):
    options = ["--rules", RULES, "--cards", CARDS, "--ask-count", COUNT, "--json"]
    answer = talk(["play", *options], typed({"undo": "undo"}))
    assert "this round does not count" in answer.out


FRONT_ENDS = (on_the_screen, in_the_browser, line_by_line, as_json_lines)


@pytest.mark.parametrize("play", FRONT_ENDS)
def test_a_front_end_has_the_conversation_of_the_seat(play, heard):
    play(heard)
    made, told = heard.moves[:], heard.updates[:]
    changes = [one for one in told if one[5] is None and one[3] is None]
    heard.moves.clear()
    heard.updates.clear()
    updates = at_the_seat(SCRIPT)
    assert [update.refusal is not None for update in updates].count(True) == 2
    assert updates[-1].void is not None
    assert [update.due for update in updates if update.ends_round] == [Due.COUNT, Due.COUNT]
    assert changes == [one for one in heard.updates if one[5] is None and one[3] is None]
    if play is not on_the_screen:  # whose keys are off while they are refused
        assert told == heard.updates
    assert len(made) == len(told)


SIDE_RULES = "6D +21+3(9) +BUST(2/2/4/12/50/250)"
SIDE_CARDS = "8S TH 9D 6C 3H 5D TS"
SIDE_SCRIPT = (
    ("bet", "10 21+3 2 bust 1"),
    ("act", Action.HIT),
    ("act", Action.STAND),
)


def side_bets_on_the_screen():
    async def script(pilot, app):
        await press(pilot, "tab", "2", "tab", "1", "enter", "h", "s")
        assert "21+3" in text_of(app)

    plan = plan_for(SIDE_RULES)
    drive(script, ScreenOptions(plan=plan, keep="practice", cards=SIDE_CARDS))


def side_bets_in_the_browser():
    with run_site(cards=SIDE_CARDS) as client:
        table = TableClient(client, rules=SIDE_RULES)
        table.move("bet", bet="10", **{"side.21+3": "2", "side.bust": "1"})
        table.act("hit")
        table.act("stand")


def side_bets_line_by_line():
    talk(["play", "--rules", SIDE_RULES, "--cards", SIDE_CARDS], ["10 21+3 2 bust 1", "h", "s"])


def side_bets_as_json_lines():
    options = ["--rules", SIDE_RULES, "--cards", SIDE_CARDS, "--json"]
    talk(["play", *options], ["10 21+3 2 bust 1", "hit", "stand"])


@pytest.mark.parametrize(
    "play",
    [
        side_bets_on_the_screen,
        side_bets_in_the_browser,
        side_bets_line_by_line,
        side_bets_as_json_lines,
    ],
)
def test_a_front_end_places_side_bets_as_the_seat_does(play, heard):
    play()
    told = heard.updates[:3]
    heard.updates.clear()
    updates = at_the_seat(SIDE_SCRIPT, plan_for(SIDE_RULES), SIDE_CARDS, count=None)
    settled = [
        event.bet
        for update in updates
        for event in update.events
        if isinstance(event, SideBetSettled)
    ]
    assert settled == ["21+3", "bust"]
    assert told == heard.updates


TYPED = {
    "deshmukh": ("100 10 2 2 1 10 1 2 2 2", "T 9 9 8 5 T 9 9 8 5"),
    "seven-hands": ("y 2 10 10 1 2 2 2 2 y 1 5 2", "T 9 5 6 9 8 2 3 T 9 8 T 9 5"),
    "roanoke": ("Ann h s y s", "T 5 9 8 2 T 9 9 8 3"),
}


@pytest.mark.parametrize("house", TYPED)
def test_the_dialogue_of_a_document_has_the_conversation_of_the_seat(house, heard):
    answers, cards = TYPED[house]
    talk(["play", "--house", house, "--cards", cards], answers.split())
    made, told = heard.moves[:], heard.updates[:]
    heard.moves.clear()
    heard.updates.clear()
    rules = load_house(house).rules
    at_the_seat(made, TablePlan(rules=rules, title=house), cards, count=None)
    assert any(name == "act" for name, *_ in made)
    assert told == heard.updates


def test_a_key_asks_once_what_is_legal_and_what_is_seen(monkeypatch):
    counted = Counter()

    def count(module, name):
        found = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *each: counted.update([name]) or found(*each))

    count(game_session, "covered_actions")
    count(rounds, "legal_actions")
    count(rounds, "view")

    async def script(pilot, _):
        await press(pilot, "enter")
        counted.clear()
        await press(pilot, "h")

    plan = plan_for(RULES)
    drive(script, ScreenOptions(plan=plan, keep="practice", cards="5 6 6 8 3 T"))
    assert 0 < counted["covered_actions"] <= 4
    assert 0 < counted["legal_actions"] <= 4
    assert 0 < counted["view"] <= 6
