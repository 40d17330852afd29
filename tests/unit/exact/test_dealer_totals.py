"""Games with one shoe share the dealer's totals."""

import numpy as np
import pytest

import upcard
from upcard.exact.finite_shoe import PreparedShoe, dealer_totals
from upcard.exact.kernels.dealer_hands import (
    COLUMNS,
    dealer_tree,
    fill_dealer_totals,
    list_marked,
)
from upcard.exact.kernels.hand_sets import group_sets, removed_cards
from upcard.rules.deck import full_shoe

GAMES = ("1D S17 NDAS", "1D S17 DAS RSA HSA", "1D S17 SP2 LS", "1D S17 ENHC", "1D SP8", "1D H17")


@pytest.fixture(autouse=True)
def nothing_is_known():
    dealer_totals.cache_clear()


@pytest.mark.slow
def test_a_game_is_worth_the_same_to_the_last_bit_whatever_was_solved_before():
    alone = {}
    for game in GAMES:
        dealer_totals.cache_clear()
        alone[game] = upcard.expected_value(upcard.Rules.parse(game))
    dealer_totals.cache_clear()
    for game in (*GAMES, *reversed(GAMES)):
        assert upcard.expected_value(upcard.Rules.parse(game)) == alone[game]


def test_only_a_few_shoes_are_remembered():
    shoes = [full_shoe(decks).counts for decks in range(1, 9)]
    for shoe in shoes:
        dealer_totals(shoe, False, 0)
    assert dealer_totals.cache_info().currsize < len(shoes)


def test_rules_that_leave_the_dealer_alone_share_totals():
    first, second, other = (
        PreparedShoe(upcard.Rules.parse(game), full_shoe(1).counts).totals
        for game in ("1D S17 NDAS LS", "1D S17 DAS RSA HSA 6:5", "1D H17")
    )
    assert first is second
    assert first is not other


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_marked_sets_are_listed_in_order(share):
    in_order = removed_cards(2).in_order
    marked = np.random.default_rng(1).random(len(in_order)) < share
    assert list_marked(in_order, marked).tolist() == in_order[marked[in_order]].tolist()


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize("start", [(1,), (2,), (10,), (1, 5), (2, 10), (3, 3)])
def test_a_set_has_the_same_chances_whatever_is_computed_beside_it(hits_soft_17, start):
    tree, known = dealer_tree(hits_soft_17, start), np.array(start)
    shoe = np.array(full_shoe(1).counts, dtype=np.float64)
    removed = removed_cards(2)
    every, alone = np.zeros((2, len(removed.sets.counts), COLUMNS))
    fill_dealer_totals(shoe, removed.sets, removed.in_order, known, tree, every)
    for row in range(0, len(every), 331):
        fill_dealer_totals(shoe, removed.sets, np.array([row]), known, tree, alone)
        assert (alone[row] == every[row]).all()
    for rank in start:  # no such card is left
        assert not every[(removed.sets.counts + start.count(rank) > shoe + 1)[:, rank]].any()


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize("start", [(1,), (3,), (5,), (10,), (1, 5), (3, 7), (5, 5), (7, 10)])
def test_the_dealer_finishes_as_in_every_order_of_cards(hits_soft_17, start):
    shoe, removed = np.array([0, 2, 1, 3, 0, 2, 1, 2, 0, 1, 3.0]), np.zeros((3, 11))
    removed[1, [1, 3, 9]] = 1
    removed[2, [1, 10]] = 2, 3
    outcomes = np.zeros((3, COLUMNS))
    tree, known = dealer_tree(hits_soft_17, start), np.array(start)
    fill_dealer_totals(shoe, group_sets(removed), np.arange(3), known, tree, outcomes)
    for cards, chances in zip(removed, outcomes, strict=True):
        left = list((shoe - cards).astype(int))
        for rank in start:
            left[rank] -= 1
        expected = finish(left, [*start], hits_soft_17) if min(left) >= 0 else {}
        assert chances.tolist() == pytest.approx([expected.get(end, 0) for end in ENDS])


ENDS = (17, 18, 19, 20, 21, "natural")


def finish(left, hand, hits_soft_17):
    """Return the dealer's ends with their chances, drawing from `left` card by card."""
    hard = sum(hand)
    is_soft = 1 in hand and hard <= 11
    total = hard + 10 * is_soft
    if total > 17 or (total == 17 and not (is_soft and hits_soft_17)):
        return {"natural" if total == 21 and len(hand) == 2 else total: 1.0}
    chances = {}
    for rank in range(1, 11):
        if left[rank] > 0:
            share = left[rank] / sum(left)
            left[rank] -= 1
            for end, chance in finish(left, [*hand, rank], hits_soft_17).items():
                chances[end] = chances.get(end, 0) + share * chance
            left[rank] += 1
    return chances
