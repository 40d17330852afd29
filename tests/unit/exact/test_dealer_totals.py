"""Games with one shoe share the dealer's totals."""

import pytest

import upcard
from upcard.exact.dealer_totals import dealer_totals
from upcard.exact.shoe import full_decks

GAMES = ("1D S17 NDAS", "1D S17 DAS RSA HSA", "1D S17 SP2 LS", "1D S17 ENHC", "1D H17")


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
    from upcard.exact.prepared_shoe import PreparedShoe

    first, second, other = (
        PreparedShoe(upcard.Rules.parse(game), full_decks(1)).totals
        for game in ("1D S17 NDAS LS", "1D S17 DAS RSA HSA 6:5", "1D H17")
    )
    assert first is second
    assert first is not other
