"""Sets of removed cards, and what they share when the dealer's hand is worked out for all of them.

A chance of the dealer's cards is a product over ranks, divided by a product that depends on the
number of cards left. So sets with the same low cards and the same number of cards, a group, share
everything that depends on the dealer's low cards; sets with the same high cards share the rest.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

FIRST_HIGH: Final = 4
"""Ranks below are low. With aces, twos and threes as low cards the dealer's work is least."""
_BITS: Final = 6


class RemovedSets(NamedTuple):
    """Sets of removed cards, s of them."""

    counts: NDArray[np.float64]
    """s x 11: number of cards of each rank that have left."""
    group: NDArray[np.int64]
    """The same for sets of one group only."""
    high: NDArray[np.int32]
    """Number of the high cards of each set, from 0."""
    high_kinds: int
    """How many there are."""


def group_sets(counts: NDArray[np.float64]) -> RemovedSets:
    """Find what sets of removed cards share. Shape: s x 11."""
    shift = 1 << _BITS
    cards = counts[:, 1:].sum(axis=1)
    group = counts[:, 1:FIRST_HIGH] @ np.array([1, shift, shift**2]) + cards * shift**3
    highs = counts[:, FIRST_HIGH:] @ np.array([shift**place for place in range(7)])
    kinds, high = np.unique(highs, return_inverse=True)
    return RemovedSets(counts, group.astype(np.int64), high.astype(np.int32), kinds.size)
