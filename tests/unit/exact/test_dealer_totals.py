"""Games with one shoe share the dealer's totals."""

import numpy as np
import pytest

import upcard
from upcard.exact.dealer_totals import dealer_totals
from upcard.exact.prepared_shoe import PreparedShoe
from upcard.exact.shoe import full_decks
from upcard.kernels.dealer import fill_dealer_totals
from upcard.kernels.dealer_tree import COLUMNS, dealer_tree, dealer_tree_against

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
    shoes = [full_decks(decks) for decks in range(1, 9)]
    for shoe in shoes:
        dealer_totals(shoe, False, 0)
    assert dealer_totals.cache_info().currsize < len(shoes)


def test_rules_that_leave_the_dealer_alone_share_totals():
    first, second, other = (
        PreparedShoe(upcard.Rules.parse(game), full_decks(1)).totals
        for game in ("1D S17 NDAS LS", "1D S17 DAS RSA HSA 6:5", "1D H17")
    )
    assert first is second
    assert first is not other


@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_fewer_upcards_need_fewer_draws_of_the_dealer_for_the_same_chances(hits_soft_17):
    whole = dealer_tree(hits_soft_17)
    shoe = np.array(full_decks(2), dtype=np.float64)
    removed, rows = np.eye(11)[2:6], np.arange(4)
    every, some = np.zeros((11, 4, COLUMNS)), np.zeros((11, 4, COLUMNS))
    fill_dealer_totals(shoe, removed, rows, whole, np.arange(1, 11), every)
    for upcards in ((7, 8), (1,)):
        tree = dealer_tree_against(hits_soft_17, upcards)
        assert len(tree.parent) < len(whole.parent)
        fill_dealer_totals(shoe, removed, rows, tree, np.array(upcards), some)
        assert (some[list(upcards)] == every[list(upcards)]).all()
