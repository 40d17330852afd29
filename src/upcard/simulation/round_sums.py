"""The sums that the compiled loops fill."""

from __future__ import annotations

from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from upcard.simulation.job import Job
from upcard.simulation.lower import Lowered
from upcard.simulation.tally import Tally

Integers = NDArray[np.int64]
_TOTALS: Final = 3
ROUNDS_TO_LOAD: Final = 4_000_000
"""Fewer rounds gain less in lockstep than it takes to load its machine code and its automaton."""


class RoundSums(NamedTuple):
    """Flat sums of the loop."""

    tally: Integers
    """Rounds by depth, seat, count and net."""
    added: Integers
    """Half bets added, by depth, seat and count."""
    totals: Integers
    """Shoes, cards, and rounds of the last call."""

    @classmethod
    def zeros(cls, lowered: Lowered) -> Self:
        """Return the sums of no rounds."""
        depths, seats, counts, nets = lowered.shape
        rows = depths * seats * counts
        return cls(*(np.zeros(size, np.int64) for size in (rows * nets, rows, _TOTALS)))

    def to_tally(self, lowered: Lowered, job: Job) -> Tally:
        """Shape the flat sums into a tally."""
        game = lowered.game
        return Tally(
            unit=game.unit,
            least_net=game.least_net,
            least_count=game.least_count,
            spots=job.spots,
            rounds=self.tally.reshape(lowered.shape),
            added=self.added.reshape(lowered.shape[:3]),
            shoes=int(self.totals[0]),
            cards=int(self.totals[1]),
        )

    def add(self, other: Self) -> None:
        """Add the sums of other rounds."""
        self.tally[:] += other.tally
        self.added[:] += other.added
        self.totals[:] += other.totals
