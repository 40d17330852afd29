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
ROUNDS_TO_LOAD: Final = 6_000_000
"""Fewer rounds gain less in lockstep than it takes to load its machine code and its automaton.

On one thread of an AMD Zen 3, new processes called `play_chunk` both ways in turn. The calls took
0.37 s and 0.40 s of the processor for 4 million flat rounds, 0.50 and 0.47 for 6, 0.57 and 0.50 for
8; with the Illustrious 18 they took 0.64 and 0.73 s for 6 million and 0.77 and 0.73 for 8 (medians
of five).
"""


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
