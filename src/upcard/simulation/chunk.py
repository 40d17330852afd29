"""`play_chunk`: a piece of a run, as a pure function of the job and the chunk's number."""

from __future__ import annotations

from upcard.simulation.job import Engine, Job, check_versions
from upcard.simulation.kernel_rounds import RoundSums, play_rounds
from upcard.simulation.lower import lower
from upcard.simulation.tally import Tally


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
    return sums.to_tally(lowered, job)
