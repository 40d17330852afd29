"""Hands and removed cards as indexed sets: every multiset of ranks with a hard total up to 21.

A chance of the dealer's cards is a product over ranks, divided by a product that depends on the
number of cards left. So sets with the same low cards and the same number of cards, a group, share
everything that depends on the dealer's low cards; sets with the same high cards share the rest.

There are 3,072 of two cards or more; the empty hand and the ten single cards come before them. The
index grows with the number of cards, so going through it backwards reaches every hand after all
the hands that one more card makes of it.
"""

from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import RANKS
from upcard.core.hands import BUST_LIMIT, AceRule, hand_table
from upcard.kernels.jit import Floats, Integers

FIRST_HIGH: Final = 4
"""Ranks below are low. With aces, twos and threes as low cards the dealer's work is least."""
_BITS: Final = 6


class RemovedSets(NamedTuple):
    """Sets of removed cards, s of them."""

    counts: Floats
    """s x 11: number of cards of each rank that have left."""
    group: Integers
    """The same for sets of one group only."""
    high: NDArray[np.int32]
    """Number of the high cards of each set, from 0."""
    high_kinds: int
    """How many there are."""


def group_sets(counts: Floats) -> RemovedSets:
    """Find what sets of removed cards share. Shape: s x 11."""
    shift = 1 << _BITS
    cards = counts[:, 1:].sum(axis=1)
    group = counts[:, 1:FIRST_HIGH] @ np.array([1, shift, shift**2]) + cards * shift**3
    highs = counts[:, FIRST_HIGH:] @ np.array([shift**place for place in range(7)])
    kinds, high = np.unique(highs, return_inverse=True)
    return RemovedSets(counts, group.astype(np.int64), high.astype(np.int32), kinds.size)


EMPTY: Final = 0
NO_HAND: Final = -1
# A multiset as one integer, six bits per rank: adding a card is adding its unit.
UNITS: Final = tuple(0 if rank == 0 else 1 << (_BITS * (rank - 1)) for rank in range(11))


class HandArrays(NamedTuple):
    """The hands as arrays. Shapes: n hands; columns 1 to 10 are ranks, 0 is unused."""

    counts: Floats
    """n x 11: number of cards of each rank."""
    next_hand: NDArray[np.int32]
    """n x 11: the hand after one more card, -1 if it busts."""
    total: Integers
    cards: Integers
    """Number of cards."""


class PlayerHands(NamedTuple):
    """The hands, by index."""

    codes: Integers
    """The number of cards of each rank, six bits per rank."""
    arrays: HandArrays
    is_soft: NDArray[np.bool_]
    facts: tuple[tuple[int, bool, int], ...]
    """Total, whether it is soft, and number of cards of each hand."""

    @property
    def counts(self) -> Floats:
        """The number of cards of each rank, n x 11."""
        return self.arrays.counts

    @property
    def next_hand(self) -> NDArray[np.int32]:
        """The hand after one more card, n x 11."""
        return self.arrays.next_hand

    @property
    def total(self) -> Integers:
        """The total of each hand."""
        return self.arrays.total

    @property
    def cards(self) -> Integers:
        """The number of cards in each hand."""
        return self.arrays.cards

    def find(self, ranks: tuple[int, ...]) -> int:
        """Return the index of a hand, -1 if it is bust."""
        return _find(ranks)


@cache
def player_hands() -> PlayerHands:
    """Enumerate the hands by number of cards, from the hand table of `core`."""
    table = hand_table(AceRule.BEST)
    next_state, totals = np.array(table.next_state), np.array(table.total)
    units = np.array(UNITS)
    layer, states = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    codes, all_states, rows = [], [], []
    known = 0
    while layer.size:
        codes.append(layer)
        all_states.append(states)
        known += layer.size
        after = next_state[states]
        fits = (after >= 0) & (totals[after] <= BUST_LIMIT)
        fits[:, 0] = False
        made = (layer[:, None] + units)[fits]
        _, first, which = np.unique(made, return_index=True, return_inverse=True)
        arrival = np.argsort(first)  # numbered in the order in which they are first made
        number = np.empty(arrival.size, dtype=np.int32)
        number[arrival] = np.arange(known, known + arrival.size)
        row = np.full(fits.shape, NO_HAND, dtype=np.int32)
        row[fits] = number[which]
        rows.append(row)
        layer, states = made[first[arrival]], after[fits][first[arrival]]
    state = np.concatenate(all_states)
    code = np.concatenate(codes)
    counts = count_ranks(code)
    arrays = HandArrays(
        counts=counts,
        next_hand=np.concatenate(rows),
        total=totals[state],
        cards=counts.sum(axis=1).astype(np.int64),
    )
    is_soft = np.array(table.is_soft)[state]
    facts = zip(arrays.total.tolist(), is_soft.tolist(), arrays.cards.tolist(), strict=True)
    return PlayerHands(codes=code, arrays=arrays, is_soft=is_soft, facts=tuple(facts))


@cache
def hands_with_busts() -> PlayerHands:
    """Return the hands, and after them the busted hands that one more card makes of them.

    The hands have the same numbers as without; no card is added to a busted hand.
    """
    hands = player_hands()
    played = np.flatnonzero(hands.cards >= 2)
    made = hands.codes[played][:, None] + np.array(UNITS)
    busts = hands.next_hand[played] == NO_HAND
    busts[:, 0] = False
    codes, which = np.unique(made[busts], return_inverse=True)
    next_hand = hands.next_hand.copy()
    rows, ranks = np.nonzero(busts)
    next_hand[played[rows], ranks] = len(hands.codes) + which
    none = np.full((codes.size, next_hand.shape[1]), NO_HAND, dtype=np.int32)
    counts = count_ranks(codes)
    cards = counts.sum(axis=1).astype(np.int64)
    totals = (counts @ np.arange(11)).astype(np.int64)
    arrays = HandArrays(
        counts=np.concatenate([hands.counts, counts]),
        next_hand=np.concatenate([next_hand, none]),
        total=np.concatenate([hands.total, totals]),
        cards=np.concatenate([hands.cards, cards]),
    )
    facts = zip(totals.tolist(), [False] * codes.size, cards.tolist(), strict=True)
    return PlayerHands(
        codes=np.concatenate([hands.codes, codes]),
        arrays=arrays,
        is_soft=np.concatenate([hands.is_soft, np.zeros(codes.size, dtype=np.bool_)]),
        facts=(*hands.facts, *facts),
    )


@lru_cache(maxsize=4096)
def _find(ranks: tuple[int, ...]) -> int:
    next_hand = player_hands().next_hand
    hand = EMPTY
    for rank in ranks:
        hand = int(next_hand[hand, rank])
        if hand == NO_HAND:
            return NO_HAND
    return hand


class RemovedCards(NamedTuple):
    """The distinct sets of cards that leave the shoe, and the hands that share them."""

    sets: RemovedSets
    in_order: Integers
    """The sets, those of each group one after another."""
    of_hand: NDArray[np.int32]
    """The set of each hand that was not split: its own index."""
    of_split: NDArray[np.int32]
    """11 x m x n: by rank of the split pair, and by extra cards of the rank that have left, from 1;
    -1 for a hand without the rank."""


@cache
def removed_cards(most_extra: int, with_busts: bool = False) -> RemovedCards:  # noqa: FBT001, FBT002
    """Index the cards that leave with each hand, with up to `most_extra` more of a split pair.

    Many hands share their sets, as 8 8 5 with one extra eight and 8 5 with two, so each set is
    stored once. The sets for fewer extra cards come first, with the same index.
    """
    hands = hands_with_busts() if with_busts else player_hands()
    code, counts = hands.codes, hands.counts
    which = [np.flatnonzero((counts[:, rank] >= 1) & (hands.cards >= 2)) for rank in RANKS]
    split = np.concatenate(which)
    pair = np.repeat(RANKS, [hands_of.size for hands_of in which])
    extra = np.arange(1, most_extra + 1)[:, None]
    every = np.concatenate([code, (code[split] + extra * np.array(UNITS)[pair]).ravel()])
    _, first, index = np.unique(every, return_index=True, return_inverse=True)
    arrival = np.argsort(first)
    number = np.empty(arrival.size, dtype=np.int32)
    number[arrival] = np.arange(arrival.size)
    of_split = np.full((11, most_extra, code.size), NO_HAND, dtype=np.int32)
    of_split[pair, extra - 1, split] = number[index[code.size :]].reshape(most_extra, split.size)
    of_hand = np.arange(code.size, dtype=np.int32)
    sets = group_sets(count_ranks(every[first[arrival]]))
    return RemovedCards(sets, np.argsort(sets.group, kind="stable"), of_hand, of_split)


def count_ranks(codes: Integers) -> Floats:
    """Return the number of cards of each rank, n x 11."""
    shifts = np.array([_BITS * (rank - 1) for rank in RANKS])
    counts = np.zeros((codes.size, 11))
    counts[:, 1:] = (codes[:, None] >> shifts) & ((1 << _BITS) - 1)
    return counts
