"""`play_chunk`: a piece of a run, as a pure function of the job and the chunk's number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.simulation.job import Engine, Job
from upcard.simulation.kernel_rounds import RoundSums, play_rounds
from upcard.simulation.lower import Lowered, lower
from upcard.simulation.tally import Tally
from upcard.simulation.versions import check_versions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_SHOES, _CARDS = 0, 1


def play_chunk(job: Job, chunk: int, rounds: int) -> Tally:
    """Play the first `rounds` rounds of a chunk.

    Raises: VersionsDifferError if the job is of another version; UnsupportedRuleError for a rule
    that the engine cannot honour; EmptyShoeError if a round needs more cards than there are.
    """
    check_versions(job.version, job.kernel_version, "the job comes from")
    if job.engine is Engine.TABLE:
        from upcard.simulation.table_engine import play_table_chunk

        return play_table_chunk(job, chunk, rounds)
    lowered = lower(job)
    sums = RoundSums.zeros(lowered)
    play_rounds(job, lowered, chunk, rounds, sums=sums)
    return make_tally(lowered, job, *sums)


def make_tally(
    lowered: Lowered,
    job: Job,
    tally: NDArray[np.int64],
    added: NDArray[np.int64],
    totals: NDArray[np.int64],
) -> Tally:
    """Shape the kernel's flat sums into a tally."""
    return Tally(
        unit=lowered.game.unit,
        least_net=lowered.game.least_net,
        least_count=lowered.game.least_count,
        spots=job.spots,
        rounds=tally.reshape(lowered.shape),
        added=added.reshape(lowered.shape[:3]),
        shoes=int(totals[_SHOES]),
        cards=int(totals[_CARDS]),
    )
