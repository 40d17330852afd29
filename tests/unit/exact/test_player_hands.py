"""The tables of hands, and of the cards that leave the shoe with them."""

import numpy as np
import pytest

from upcard.core.cards import RANKS
from upcard.core.hands import BUST_LIMIT
from upcard.exact.kernels.hand_sets import NO_HAND, player_hands, removed_cards


def test_every_hand_with_a_hard_total_up_to_21_is_there_once_and_one_more_card_leads_to_it():
    hands = player_hands()
    counts = [tuple(map(int, row)) for row in hands.counts]
    index = {cards: hand for hand, cards in enumerate(counts)}
    assert len(index) == len(counts) == 3072 + 11
    for hand, cards in enumerate(counts):
        assert sum(rank * cards[rank] for rank in RANKS) <= BUST_LIMIT
        for rank in RANKS:
            more = (*cards[:rank], cards[rank] + 1, *cards[rank + 1 :])
            after = int(hands.next_hand[hand, rank])
            assert after == index.get(more, NO_HAND)
            assert after == NO_HAND or after > hand


@pytest.mark.parametrize("most_extra", [0, 6])
def test_the_cards_that_leave_are_those_of_the_hand_and_the_extra_pair_cards(most_extra):
    hands, removed = player_hands(), removed_cards(most_extra)
    counts = removed.sets.counts
    assert len(np.unique(counts, axis=0)) == len(counts)
    assert (counts[removed.of_hand] == hands.counts).all()
    for rank in RANKS if most_extra else ():
        wanted = (hands.counts[:, rank] >= 1) & (hands.cards >= 2)
        for extra, of_hand in enumerate(removed.of_split[rank], start=1):
            assert ((of_hand >= 0) == wanted).all()
            added = counts[of_hand[wanted]] - hands.counts[wanted]
            assert (added == extra * np.eye(11)[rank]).all()


def test_sets_for_fewer_extra_cards_keep_their_index_when_there_are_more():
    few, more = removed_cards(2), removed_cards(4)
    assert (more.sets.counts[: len(few.sets.counts)] == few.sets.counts).all()
    assert (more.of_split[:, :2] == few.of_split).all()
