from itertools import product

import naive
import pytest

from upcard.core.cards import RANKS
from upcard.core.hands import AceRule, hand_table

NAIVE_RULE = {AceRule.BEST: "best", AceRule.ONE_SOFTENED: "one softened"}


@pytest.mark.parametrize("rule", AceRule)
def test_the_table_counts_every_hand_of_up_to_five_cards_as_a_naive_count_does(rule):
    table = hand_table(rule)
    for length in range(1, 6):
        for ranks in product(RANKS, repeat=length):
            state = table.state_of(ranks)
            if state == -1:  # it was bust with fewer cards
                continue
            assert table.total[state] == naive.hand_total(list(ranks), NAIVE_RULE[rule]), ranks


def test_soft_18_plus_5_is_hard_13():
    table = hand_table(AceRule.BEST)
    soft = table.state_of([1, 7])
    assert (table.total[soft], table.is_soft[soft]) == (18, True)
    hard = table.next_state[soft][5]
    assert (table.total[hard], table.is_soft[hard]) == (13, False)


def test_order_does_not_matter_by_the_ordinary_rule():
    table = hand_table(AceRule.BEST)
    assert table.state_of([1, 5, 10]) == table.state_of([10, 5, 1])


def test_order_matters_when_only_an_opening_ace_can_be_softened():
    table = hand_table(AceRule.ONE_SOFTENED)
    opening, late = table.state_of([1, 9, 5]), table.state_of([5, 4, 1])
    assert table.total[opening] == 15
    assert table.total[late] == 20
    assert table.total[table.next_state[late][5]] == 25


@pytest.mark.parametrize("rule", AceRule)
def test_a_bust_hand_takes_no_card(rule):
    table = hand_table(rule)
    for state, total in enumerate(table.total):
        assert (table.next_state[state][5] == -1) == (total > 21)
    assert table.state_of([10, 10, 10, 5]) == -1
