"""Exact numbers of hands and sequences, known from elsewhere, reached through our own tables."""

from collections import Counter

import pytest

from upcard.core.cards import RANKS
from upcard.core.hands import AceRule, hand_table

TABLE = hand_table(AceRule.BEST)


def cards_of(rank, decks):
    return (16 if rank == 10 else 4) * decks


@pytest.mark.parametrize(("decks", "expected"), [(1, 2008), (2, 2796), (4, 3060), (6, 3072)])
def test_distinct_player_hands_of_two_cards_or_more_with_a_hard_total_up_to_21(decks, expected):
    """E. Farmer's and others' counts of player hands: 2,008 in one deck, 3,072 in six or more."""

    def count(least_rank, hard, cards):
        found = int(sum(cards.values()) >= 2)
        for rank in range(least_rank, 11):
            if hard + rank <= 21 and cards[rank] < cards_of(rank, decks):
                cards[rank] += 1
                found += count(rank, hard + rank, cards)
                cards[rank] -= 1
        return found

    assert count(1, 0, Counter()) == expected


@pytest.mark.parametrize(("hits_soft_17", "expected"), [(False, 26_700), (True, 32_845)])
def test_ordered_dealer_sequences_of_one_deck_that_do_not_bust(hits_soft_17, expected):
    def count(state, cards):
        total, soft = TABLE.total[state], TABLE.is_soft[state]
        if total > 21:
            return 0
        if total > 17 or (total == 17 and not (soft and hits_soft_17)):
            return 1
        found = 0
        for rank in RANKS:
            if cards[rank] < cards_of(rank, 1):
                cards[rank] += 1
                found += count(TABLE.next_state[state][rank], cards)
                cards[rank] -= 1
        return found

    assert count(0, Counter()) == expected
