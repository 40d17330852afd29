"""Rules of thumb: every cell of document 003's simple player, the mimic, and who never busts."""

from __future__ import annotations

import random

import pytest

import upcard
from upcard import Action, UnsupportedRuleError
from upcard.documents.lott import DealerMimic, NeverBust, SimpleBlackjackPlayer, make_hand
from upcard.players.betting_systems import make_betting
from upcard.players.play_rounds import play_rounds
from upcard.table import ScriptedShoe, Table, make_shoe

UPCARDS = ["2", "3", "4", "5", "6", "7", "8", "9", "T", "A"]
# One letter an upcard, 2 to 6 then 7 to ace, as in the table of document 003.
HARD = {
    **dict.fromkeys(range(4, 10), "HHHHHHHHHH"),
    10: "HHHHHDDDDD",
    11: "HHHHHDDDDD",
    **dict.fromkeys(range(12, 17), "SSSSSHHHHH"),
    **dict.fromkeys(range(17, 21), "SSSSSSSSSS"),
}
SOFT = {
    **dict.fromkeys(range(12, 17), "HHHHHHHHHH"),
    **dict.fromkeys(range(17, 21), "SSSSSSSSSS"),
}
ACTIONS = {"H": Action.HIT, "S": Action.STAND, "D": Action.DOUBLE}
PLAY = (Action.HIT, Action.STAND, Action.DOUBLE)


def ask(player, cards, up, legal=PLAY, rules=None):
    """Ask a player about a hand against an upcard."""
    table = Table(rules or upcard.house("mdp"), ScriptedShoe(f"2 3 {up} 7"))
    table.start()
    view = table.view()._replace(hands=(make_hand(cards),))
    return player.decide(view, legal)


def hard_hand(total):
    """Write cards without an ace that count a hard total."""
    if total <= 11:
        return f"2 {total - 2}"
    return f"T {total - 10}" if total < 20 else "T 8 2"


@pytest.mark.parametrize("up", UPCARDS)
@pytest.mark.parametrize("total", HARD)
def test_003_17_hard_totals(total, up):
    expected = ACTIONS[HARD[total][UPCARDS.index(up)]]
    assert ask(SimpleBlackjackPlayer(), hard_hand(total), up) is expected


@pytest.mark.parametrize("up", UPCARDS)
@pytest.mark.parametrize("total", SOFT)
def test_003_17_soft_totals(total, up):
    cards = "A A" if total == 12 else f"A {total - 11}"
    expected = ACTIONS[SOFT[total][UPCARDS.index(up)]]
    assert ask(SimpleBlackjackPlayer(), cards, up) is expected


@pytest.mark.parametrize("up", UPCARDS)
@pytest.mark.parametrize("rank", ["A", *"23456789T"])
def test_003_17_only_aces_and_eights_are_split(rank, up):
    answer = ask(SimpleBlackjackPlayer(), f"{rank} {rank}", up, (*PLAY, Action.SPLIT))
    assert (answer is Action.SPLIT) is (rank in ("A", "8"))


def test_003_17_insurance_and_even_money_are_rejected():
    player = SimpleBlackjackPlayer()
    insurance = (Action.INSURANCE, Action.NO_INSURANCE)
    even_money = (Action.EVEN_MONEY, Action.NO_EVEN_MONEY)
    assert ask(player, "T 9", "A", insurance) is Action.NO_INSURANCE
    assert ask(player, "A K", "A", even_money) is Action.NO_EVEN_MONEY


def test_003_17_the_table_wins_over_the_sentence():
    """The sentence would double every 11 or less against 7 to ace; the table doubles 10 and 11."""
    assert ask(SimpleBlackjackPlayer(), "5 4", "7") is Action.HIT


@pytest.mark.parametrize("up", UPCARDS)
def test_003_17_ten_and_eleven_hit_where_no_double_is_offered(up):
    assert ask(SimpleBlackjackPlayer(), "5 6", up, (Action.HIT, Action.STAND)) is Action.HIT


def test_the_simple_player_refuses_a_hidden_upcard():
    rules = upcard.house("seven-hands").replace(shows_upcard=False)
    with pytest.raises(UnsupportedRuleError, match="Simple cannot honour shows_upcard=false"):
        ask(SimpleBlackjackPlayer(), "T 6", "9", rules=rules)


@pytest.mark.parametrize(
    ("rules", "cards", "answer"),
    [
        ("6D S17", "T 6", Action.HIT),
        ("6D S17", "T 7", Action.STAND),
        ("6D S17", "A 5", Action.HIT),
        ("6D S17", "A 6", Action.STAND),
        ("6D H17", "A 6", Action.HIT),
        ("6D H17", "T 7", Action.STAND),
        ("6D H17", "A 7", Action.STAND),
        ("6D H17", "T A 6", Action.STAND),
    ],
)
def test_the_mimic_plays_as_the_dealer_of_the_house(rules, cards, answer):
    table = Table(upcard.Rules.parse(rules), ScriptedShoe("2 9 3 7"))
    table.start()
    view = table.view()._replace(hands=(make_hand(cards),))
    assert DealerMimic().decide(view, (*PLAY, Action.SPLIT, Action.SURRENDER)) is answer


@pytest.mark.parametrize(
    ("cards", "answer"),
    [
        ("5 6", Action.HIT),
        ("T 2", Action.STAND),
        ("A 5 6", Action.STAND),
        ("A 6", Action.HIT),
        ("A 8", Action.STAND),
    ],
)
def test_never_bust_hits_what_no_card_can_bust(cards, answer):
    assert ask(NeverBust(), cards, "9") is answer


def test_never_bust_never_busts():
    rules = upcard.house("lott")
    table = Table(rules, make_shoe(rules, random.Random(3)))
    for played in play_rounds(table, NeverBust(), betting=make_betting("flat"), rounds=300):
        assert all(hand.outcome != "bust" for hand in played.result.hands)
