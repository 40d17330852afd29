"""A swap of the second cards at the table."""

from dataclasses import replace

import pytest

import upcard
from upcard.coach.adviser import Coach
from upcard.core.actions import Action
from upcard.core.errors import IllegalActionError, RulesError
from upcard.exact.solve import value_swap
from upcard.players.bots import ChartPlayer
from upcard.table.events import Board
from upcard.table.state import HandStatus, Phase


def start(cards, rules="switch", bets=(10, 10)):
    table = upcard.Table(rules, cards)
    board = Board(table.rules)
    table.listeners.append(board.hear)
    table.start(bets)
    return table, board


def test_a_swap_is_asked_once_after_the_look():
    table, _ = start("A T 6 5 9 7")
    assert table.state.phase is Phase.SWITCH
    assert table.legal_actions() == (Action.SWITCH, Action.NO_SWITCH)
    table.act("no switch")
    assert table.state.phase is Phase.PLAY


def test_second_cards_are_swapped_on_the_table_and_the_board():
    table, board = start("A T 6 5 9 7")
    table.act("switch")
    assert [[str(card) for card in hand.cards] for hand in table.view().hands] == [
        ["A", "9"],
        ["T", "5"],
    ]
    assert [hand.total for hand in table.view().hands] == [20, 15] == board.totals
    assert [list(map(str, hand)) for hand in board.hands] == [["A", "9"], ["T", "5"]]
    assert table.view().hands[0].is_soft


def test_a_swapped_ace_and_ten_is_21_and_no_natural():
    table, _ = start("A 9 6 5 T 7 T")
    table.act("switch")
    assert [hand.status for hand in table.view().hands] == [
        HandStatus.TWENTY_ONE,
        HandStatus.PLAYING,
    ]
    table.act("stand")
    assert table.state.results[0][1] == 10  # even money, and the dealer busts


def test_a_natural_can_be_swapped_away():
    table, _ = start("A 9 6 T 9 7 T")
    assert table.view().hands[0].status is HandStatus.NATURAL
    table.act("switch")
    assert [hand.total for hand in table.view().hands] == [20, 19]


def test_a_swapped_21_wins_at_once_where_every_21_does():
    table, _ = start("A 9 6 5 T 7 T", "switch W21")
    table.act("switch")
    assert table.view().hands[0].status is HandStatus.WON


def test_a_dealers_natural_ends_the_round_before_the_swap():
    table, _ = start("A 9 T T 5 A")
    assert table.state.is_over
    assert [net for _, net in table.state.results] == [0, -10]


@pytest.mark.parametrize(
    ("bets", "message"),
    [((10,), "1 spots: switch take 2"), ((10, 5), "the bets of the two hands are equal")],
)
def test_two_equal_bets_are_needed(bets, message):
    with pytest.raises(RulesError, match=message):
        start("A T 6 5 9 7", bets=bets)


def test_other_answers_are_refused():
    table, _ = start("A T 6 5 9 7")
    with pytest.raises(IllegalActionError, match="the table asks about switching"):
        table.act("hit")
    table.act("no switch")
    with pytest.raises(IllegalActionError, match="switch is not being offered"):
        table.act("switch")


def test_the_coach_values_both_hands_together():
    table, _ = start("5 T 9 T 6 7")
    advice = Coach(table.rules).advise(table.view(), table.legal_actions())
    shoe = tuple(map(float, table.rules.full_shoe.counts))
    assert advice.ev == pytest.approx(
        value_swap(table.rules, shoe, ((5, 10), (10, 6)), 9), abs=1e-12
    )
    assert advice.best is Action.SWITCH
    assert str(advice.judge(Action.NO_SWITCH)).startswith(
        "You did not switch 5T and T6 v 9. Switch was better: a blunder, "
    )


@pytest.mark.parametrize(
    ("cards", "answer"),
    [
        ("5 T 9 T 6 7", Action.SWITCH),  # 15 and 16 become 11 and 20
        ("T 5 6 6 A 7", Action.SWITCH),  # 16 and 16 become 21 and 11
        ("A 6 6 T 5 7", Action.NO_SWITCH),  # a natural and 11
    ],
)
def test_a_chart_answers_by_what_two_cards_are_worth(cards, answer):
    table, _ = start(cards)
    chart = upcard.basic_strategy("switch")
    player = ChartPlayer(chart)
    assert player.decide(table.view(), table.legal_actions()) is answer
    keeps = ChartPlayer(replace(chart, worths=()))
    assert keeps.decide(table.view(), table.legal_actions()) is Action.NO_SWITCH


def test_a_scripted_round():
    played = upcard.play_round(
        upcard.Rules.parse("switch"), "5 T 9 T 6 7 A 5", decisions="switch stand hit", bets=[10, 10]
    )
    assert [hand.total for hand in played.hands] == [11, 21]
