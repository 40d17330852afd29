"""The dealer's final totals for every set of cards that can leave a shoe, computed when required.

They depend on the cards and on S17 or H17 alone, so that games with one shoe share them: another
rule about doubling or splitting finds most of them computed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import Rank
from upcard.kernels.dealer import fill_dealer_totals
from upcard.kernels.dealer_tree import COLUMNS, dealer_tree
from upcard.kernels.player_hands import removed_cards

_MOST_SHOES: Final = 4


class DealerTotals:
    """Chances of the dealer's totals on one shoe, for hands with up to `most_extra` pair cards out.

    Threads may share it: they can compute the same values twice, never different ones.
    """

    def __init__(self, shoe: tuple[float, ...], hits_soft_17: bool, most_extra: int) -> None:  # noqa: FBT001
        """Index the sets of removed cards; nothing is computed yet."""
        self.removed = removed_cards(most_extra)
        sets = len(self.removed.counts)
        self.outcomes = np.zeros((11, sets, COLUMNS))
        """By upcard and set: 17 to 21, and a natural."""
        self._known = np.zeros((11, sets), dtype=np.bool_)
        self._counts = np.array(shoe, dtype=np.float64)
        self._tree = dealer_tree(hits_soft_17)

    def no_sets(self) -> NDArray[np.bool_]:
        """Return a mask of the sets, with none marked."""
        return np.zeros(len(self.removed.counts), dtype=np.bool_)

    def require(self, wanted: NDArray[np.bool_], against: tuple[Rank, ...]) -> None:
        """Fill in what is missing for the sets marked in `wanted`, against these upcards.

        `wanted` may be shorter than the list of sets.
        """
        is_missing = np.zeros_like(wanted)
        for upcard in against:
            is_missing |= ~self._known[upcard, : len(wanted)]
        missing = np.flatnonzero(is_missing & wanted)
        if not missing.size:
            return
        upcards, counts = np.array(against), self.removed.counts
        fill_dealer_totals(self._counts, counts, missing, self._tree, upcards, self.outcomes)
        for upcard in against:
            self._known[upcard, missing] = True


@lru_cache(maxsize=_MOST_SHOES)
def dealer_totals(shoe: tuple[float, ...], hits_soft_17: bool, most_extra: int) -> DealerTotals:  # noqa: FBT001 (keys of the cache)
    """Return the totals of a shoe; those of the last few shoes are remembered."""
    return DealerTotals(shoe, hits_soft_17, most_extra)
