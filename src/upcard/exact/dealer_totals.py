"""The dealer's final totals for every set of cards that can leave a shoe, computed when required.

They depend on the cards and on S17 or H17 alone, so that games with one shoe share them: another
rule about doubling or splitting finds most of them computed.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import RANKS, Rank
from upcard.kernels.dealer import fill_dealer_totals, list_marked
from upcard.kernels.dealer_tree import COLUMNS, dealer_tree
from upcard.kernels.player_hands import removed_cards

SHARED_EXTRA: Final = (0, 6, 14)
"""Pair cards that can be out beside a hand: without splits, and in splits to four and eight hands.

All games of a class share totals.
"""
_MOST_SHOES: Final = 4


class DealerTotals:
    """Chances of the dealer's totals on one shoe, for hands with up to `most_extra` pair cards out.

    Threads may share it: they can compute the same values twice, never different ones.
    """

    def __init__(self, shoe: tuple[float, ...], hits_soft_17: bool, most_extra: int) -> None:  # noqa: FBT001
        """Index the sets of removed cards; nothing is computed yet."""
        self.removed = removed_cards(most_extra)
        sets = len(self.removed.sets.counts)
        self.outcomes = np.empty((11, sets, COLUMNS))
        """By upcard and set: 17 to 21, and a natural; anything until it is required."""
        self._known = np.zeros((11, sets), dtype=np.bool_)
        self._counts = np.array(shoe, dtype=np.float64)
        self._hits_soft_17 = hits_soft_17

    def adopt(self, other: DealerTotals) -> None:
        """Take over what is known for fewer extra pair cards: the sets have the same index."""
        for upcard in RANKS:
            known = np.flatnonzero(other._known[upcard])
            self.outcomes[upcard, known] = other.outcomes[upcard, known]
            self._known[upcard, known] = True

    def no_sets(self) -> NDArray[np.bool_]:
        """Return a mask of the sets, with none marked."""
        return np.zeros(len(self.removed.sets.counts), dtype=np.bool_)

    def require(self, wanted: NDArray[np.bool_], against: Collection[Rank]) -> None:
        """Fill in what is missing for the sets marked in `wanted`, against these upcards.

        `wanted` may be shorter than the list of sets.
        """
        is_missing, size = self.no_sets(), len(wanted)
        for upcard in against:
            is_missing[:size] |= wanted & ~self._known[upcard, :size]
        sets = self.removed.sets
        missing = list_marked(self.removed.in_order, is_missing)
        for upcard in against if missing.size else ():
            tree, outcomes = dealer_tree(self._hits_soft_17, upcard), self.outcomes[upcard]
            fill_dealer_totals(self._counts, sets, missing, upcard, tree, outcomes)
            self._known[upcard] |= is_missing


@lru_cache(maxsize=_MOST_SHOES)
def dealer_totals(shoe: tuple[float, ...], hits_soft_17: bool, most_extra: int) -> DealerTotals:  # noqa: FBT001 (keys of the cache)
    """Return the totals of a shoe; those of the last few shoes are remembered."""
    totals = DealerTotals(shoe, hits_soft_17, most_extra)
    if most_extra > SHARED_EXTRA[1]:
        totals.adopt(dealer_totals(shoe, hits_soft_17, SHARED_EXTRA[1]))
    return totals
