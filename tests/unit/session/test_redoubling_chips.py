"""Chips of hands that double again: what it takes, and what the board shows."""

from fractions import Fraction

import upcard
from upcard.analysis.count_rows import most_added
from upcard.core.actions import Action
from upcard.players.play_rounds import covered_actions, extra_bet
from upcard.table.events import Board

RULES = upcard.Rules.parse("6D RD3 RE")


def play(answers):
    table = upcard.Table(RULES, "2 9 3 T 2 A 2 3 8")
    board = Board(RULES)
    table.listeners.append(board.hear)
    table.start([10])
    for answer in answers.split():
        table.act(answer)
    return table, board


def test_each_double_takes_what_the_hand_stakes():
    for answers, taken in (("", 10), ("double", 20), ("double double", 40)):
        table, board = play(answers)
        assert extra_bet(RULES, Action.DOUBLE, table.view().hand) == taken
        assert board.bets == [taken] == [table.view().hand.stake]


def test_chips_that_do_not_cover_it_leave_the_double_out():
    table, _ = play("double double")
    view, legal = table.view(), table.legal_actions()
    assert Action.DOUBLE in covered_actions(view, legal, Fraction(80))
    assert covered_actions(view, legal, Fraction(79)) == (Action.STAND, Action.SURRENDER)


def test_most_that_a_round_adds():
    assert most_added(upcard.Rules.parse("6D SP1 RD3")) == 7.5
    assert most_added(upcard.Rules.parse("6D SP1")) == 1.5
