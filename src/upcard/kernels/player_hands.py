"""The player's hands as an indexed set: every multiset of ranks with a hard total up to 21.

There are 3,072 of two cards or more; the empty hand and the ten single cards come before them. The
index grows with the number of cards, so going through it backwards reaches every hand after all
the hands that one more card makes of it.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import RANKS
from upcard.core.hands import BUST_LIMIT, AceRule, hand_table

EMPTY: Final = 0
NO_HAND: Final = -1
_BITS: Final = 6
# A multiset as one integer, six bits per rank: adding a card is adding its unit.
UNITS: Final = tuple(0 if rank == 0 else 1 << (_BITS * (rank - 1)) for rank in range(11))


class HandArrays(NamedTuple):
    """The hands as arrays. Shapes: n hands; columns 1 to 10 are ranks, 0 is unused."""

    counts: NDArray[np.float64]
    """n x 11: number of cards of each rank."""
    next_hand: NDArray[np.int32]
    """n x 11: the hand after one more card, -1 if it busts."""
    total: NDArray[np.int64]
    cards: NDArray[np.int64]
    """Number of cards."""


class PlayerHands(NamedTuple):
    """The hands, by index."""

    codes: tuple[int, ...]
    arrays: HandArrays
    is_soft: NDArray[np.bool_]

    @property
    def counts(self) -> NDArray[np.float64]:
        """The number of cards of each rank, n x 11."""
        return self.arrays.counts

    @property
    def next_hand(self) -> NDArray[np.int32]:
        """The hand after one more card, n x 11."""
        return self.arrays.next_hand

    @property
    def total(self) -> NDArray[np.int64]:
        """The total of each hand."""
        return self.arrays.total

    @property
    def cards(self) -> NDArray[np.int64]:
        """The number of cards in each hand."""
        return self.arrays.cards

    def find(self, ranks: tuple[int, ...]) -> int:
        """Return the index of a hand, -1 if it is bust."""
        hand = EMPTY
        for rank in ranks:
            hand = int(self.next_hand[hand, rank])
            if hand == NO_HAND:
                return NO_HAND
        return hand


@cache
def player_hands() -> PlayerHands:
    """Enumerate the hands, breadth first, from the hand table of `core`."""
    table = hand_table(AceRule.BEST)
    codes, states = [0], [0]
    ranks_of: list[tuple[int, ...]] = [(0,) * 11]
    index = {0: EMPTY}
    rows: list[list[int]] = []
    for hand, code in enumerate(codes):  # grows during the loop
        row = [NO_HAND] * 11
        for rank in RANKS:
            state = table.next_state[states[hand]][rank]
            if table.total[state] > BUST_LIMIT:
                continue
            after = code + UNITS[rank]
            if after not in index:
                index[after] = len(codes)
                codes.append(after)
                counts = list(ranks_of[hand])
                counts[rank] += 1
                ranks_of.append(tuple(counts))
                states.append(state)
            row[rank] = index[after]
        rows.append(row)
    counts_array = np.array(ranks_of, dtype=np.float64)
    arrays = HandArrays(
        counts=counts_array,
        next_hand=np.array(rows, dtype=np.int32),
        total=np.array([table.total[state] for state in states], dtype=np.int64),
        cards=counts_array.sum(axis=1).astype(np.int64),
    )
    is_soft = np.array([table.is_soft[state] for state in states], dtype=np.bool_)
    return PlayerHands(codes=tuple(codes), arrays=arrays, is_soft=is_soft)


class RemovedCards(NamedTuple):
    """The distinct sets of cards that leave the shoe, and the hands that share them."""

    counts: NDArray[np.float64]
    """s x 11: number of cards of each rank that have left."""
    of_hand: NDArray[np.int32]
    """c x n: the set of context c for hand n, -1 where it is not needed."""


@cache
def removed_cards(contexts: tuple[tuple[int, int, bool], ...]) -> RemovedCards:
    """Index the cards that leave with each hand in each context.

    A context (rank, extra, one_card) is a split hand of that rank while `extra` more cards of the
    rank have left the shoe; `one_card` restricts it to two-card hands (aces that get one card
    each). Context (0, 0, False) is a hand that was not split. Many contexts share their sets, as 8
    8 5 with no extra eight and 8 5 with one, so each set is stored once.
    """
    hands = player_hands()
    index: dict[int, int] = {}
    rows = np.full((len(contexts), len(hands.codes)), NO_HAND, dtype=np.int32)
    for number, (rank, extra, one_card) in enumerate(contexts):
        wanted = np.ones(len(hands.codes), dtype=np.bool_)
        if rank:
            wanted = (hands.counts[:, rank] >= 1) & (hands.cards >= 2)
            if one_card:
                wanted &= hands.cards == 2
        added = extra * UNITS[rank]
        row = rows[number]
        for hand in np.flatnonzero(wanted):
            row[hand] = index.setdefault(hands.codes[hand] + added, len(index))
    codes = list(index)
    mask = (1 << _BITS) - 1
    counts = np.zeros((len(codes), 11))
    for rank in RANKS:
        counts[:, rank] = [(code >> (_BITS * (rank - 1))) & mask for code in codes]
    return RemovedCards(counts, rows)
