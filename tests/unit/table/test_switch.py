"""A round of two hands whose second cards may be swapped: cards in the order dealt."""

from fractions import Fraction

import pytest

from upcard import Action, IllegalActionError, NotationError, Rules, RulesError, Table
from upcard.table.events import Board
from upcard.table.rounds import CardList, RoundRecord, play_round
from upcard.table.shoe import ScriptedShoe
from upcard.table.state import Phase, start_round

GAME = "6D H17 1:1 NOINS P22 SWITCH"


def play(cards, decisions=(), words="", bets=(2, 2)):
    return play_round(f"{GAME} {words}", cards, decisions=decisions, bets=bets)


@pytest.mark.parametrize(
    ("cards", "decisions", "totals", "nets"),
    [
        ("T 5 6 6 T T 9 5", "switch stand double", (20, 20), (-2, -4)),
        ("T 5 6 6 T T 9 5", "keep stand stand", (16, 15), (2, 2)),
        # As dealt an ace with a ten is a natural, swapped it is a 21 that pushes against a 22.
        ("A 5 6 T T T 6", "keep stand", (21, 15), (2, 0)),
        ("A 5 6 6 T T 6", "switch stand", (21, 11), (0, 0)),
        ("A T 6 9 T T 5", "switch stand", (21, 19), (0, -2)),
        # Both are naturals until they are swapped.
        ("A A 6 T T T 5", "keep", (21, 21), (2, 2)),
        ("A A 6 T T T 5", "switch", (21, 21), (0, 0)),
        # Swapped cards make a pair, which is split as any other.
        ("8 T 6 T 8 T T T 9", "switch split stand stand stand", (18, 18, 20), (2, 2, 2)),
    ],
)
def test_round_with_a_switch(cards, decisions, totals, nets):
    result = play(cards, decisions)
    assert tuple(hand.total for hand in result.hands) == totals
    assert tuple(hand.net for hand in result.hands) == nets


def test_a_dealer_natural_ends_the_round_before_the_switch_and_settles_the_hands_dealt():
    result = play("A 5 A T T T")
    assert [hand.net for hand in result.hands] == [0, -2]
    assert not any(type(event).__name__ == "Acted" for event in result.events)


def test_other_decisions_decline_the_switch():
    assert play("T 5 6 6 T T 9", "stand stand").hands[0].total == 16


def test_a_21_by_a_switch_wins_at_once_where_every_21_does():
    assert play("A 5 6 6 T T 5", "switch stand", "W21").hands[0].net == 2


def test_late_surrender_comes_after_the_switch():
    assert play("T 6 9 6 T T", "switch stand surrender", "LS").hands[1].net == -1


def test_the_table_asks_once_after_the_look():
    table = Table(GAME, ScriptedShoe("T 5 T 6 T 7 9"))
    state = table.start([1, 1])
    assert (state.phase, state.active) == (Phase.SWITCH, 0)
    assert state.legal == (Action.SWITCH, Action.NO_SWITCH)
    with pytest.raises(IllegalActionError, match="the table asks about switching"):
        table.act("hit")
    state = table.act("switch")
    assert (state.phase, state.active) == (Phase.PLAY, 0)
    with pytest.raises(IllegalActionError, match="cannot switch"):
        table.act("switch")


def test_the_board_swaps_the_cards():
    table, board = Table(GAME, ScriptedShoe("A 5 6 6 T T 6")), Board(Rules.parse(GAME))
    table.listeners.append(board.hear)
    table.start([1, 1])
    table.act("switch")
    assert [" ".join(map(str, hand)) for hand in board.hands] == ["A T", "5 6"]
    assert board.totals == [21, 11]


@pytest.mark.parametrize(
    ("bets", "message"),
    [
        ((1,), "1 spot: these rules take 2"),
        ((1, 1, 1), "3 spots: these rules take 2"),
        ((1, Fraction(3, 2)), "bets 1 and 3/2: these rules take equal bets"),
    ],
)
def test_two_equal_bets_are_placed(bets, message):
    with pytest.raises(RulesError, match=message):
        start_round(Rules.parse(GAME), bets)


def test_a_record_plays_the_round_again():
    record = RoundRecord(
        rules=Rules.parse(GAME),
        bets=(1, 1),
        source=CardList(ScriptedShoe("T 5 6 6 T T 9 5").cards),
        actions=(Action.SWITCH, Action.STAND, Action.DOUBLE),
    )
    assert record.result.net == -3


@pytest.mark.parametrize(
    ("words", "clash"),
    [
        ("INS", "insurance"),
        ("even_money=first", "even_money=first"),
        ("ENHC", "hole_card=none"),
        ("hole_card=no-peek", "hole_card=no-peek"),
        ("ES", "surrender=early"),
        ("ES10", "surrender=early-v-ten"),
        ("turn_order=round-robin", "turn_order=round-robin"),
        ("turn_order=splits-first", "turn_order=splits-first"),
        ("dealer_rule=until-ahead", "dealer_rule=until-ahead"),
        ("betting=false", "betting=false"),
        ("max_spots=3", "max_spots=3"),
    ],
)
def test_rules_that_clash_with_it_are_named(words, clash):
    words = words if words == "INS" else f"NOINS {words}"
    with pytest.raises(NotationError, match=clash):
        Rules.parse(f"6D 1:1 P22 SWITCH {words}")
    with pytest.raises(NotationError, match=r"switch clashes|even_money=first clashes"):
        Rules.parse(f"6D 1:1 P22 SWITCH {words}")


def test_the_word_says_two_hands():
    rules = Rules.parse(GAME)
    assert (rules.switch, rules.min_spots, rules.max_spots) == (True, 2, 2)
    assert str(rules) == "6D H17 PEEK DOA DAS SP4 NRSA NS 1:1 NOINS P22 SWITCH"
