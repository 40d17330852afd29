"""`play_chunk`, a piece of a run; calls of the compiled loop, and its errors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from upcard.core.errors import EmptyShoeError, UnsupportedRuleError
from upcard.kernels import codes
from upcard.kernels.game import MOST_HANDS, Probe
from upcard.kernels.room import make_room
from upcard.kernels.simulator import simulate
from upcard.simulation.job import Engine, Job, check_versions
from upcard.simulation.lower import Lowered, lower
from upcard.simulation.round_sums import ROUNDS_TO_LOAD, Integers, RoundSums
from upcard.simulation.support import ENGINE
from upcard.simulation.tally import Tally


def play_rounds(  # noqa: PLR0913 (what is not asked for is not compiled in)
    job: Job,
    lowered: Lowered,
    chunk: int,
    rounds: int,
    *,
    sums: RoundSums,
    first_shoe: int = 0,
    script: NDArray[np.uint8] | None = None,
    log: Integers | None = None,
    probe: Probe | None = None,
    outcomes: NDArray[np.int32] | None = None,
) -> bool:
    """Play rounds of a chunk and add them up; return whether the log, if any, was long enough.

    `lowered` is the job's, or a similar one; `kernels.simulator` describes the arrays.

    Raises: UnsupportedRuleError for more hands than the loop holds, EmptyShoeError for too few
    cards.
    """
    # Compiling takes seconds, so there are few variants: one for all logs, and a faster one for
    # players who do not count.
    is_plain = log is None and probe is None and outcomes is None
    with np.errstate(over="ignore"):
        ending = simulate(
            lowered.game,
            make_room(lowered.game),
            np.uint64(job.seed),
            np.uint64(chunk),
            np.uint64(first_shoe),
            rounds,
            *sums,
            script,
            log,
            probe,
            None if job.spots == 1 and log is None else sums.totals,
            outcomes,
            sums.totals if is_plain and job.system is None else None,
        )
    refuse_ending(ending, job, lowered)
    return ending != codes.LOG_FULL


def refuse_ending(ending: int, job: Job, lowered: Lowered) -> None:
    """Refuse rounds that a loop could not play to their end.

    Raises: UnsupportedRuleError for more hands than a loop holds, EmptyShoeError for too few cards.
    """
    if ending == codes.TOO_MANY_HANDS:
        reason = (
            f"a hand was split into more than {MOST_HANDS}, the most it holds: simulate"
            " with SP8, or with --engine table"
        )
        raise UnsupportedRuleError(ENGINE, "SPINF", reason)
    if ending == codes.TOO_FEW_CARDS:
        raise EmptyShoeError(
            f"a round of {job.spots} spots needed more than the {len(lowered.game.deck)} cards"
            " there are: the round cannot go on"
        )


def play_chunk(job: Job, chunk: int, rounds: int, *, run_rounds: int = 0) -> Tally:
    """Play the first `rounds` rounds of a chunk.

    `run_rounds`, those that the run still needs, decides how they are played, and changes no
    result: see `whole_shoes.plays_side_by_side`.

    Raises: VersionsDifferError if the job is of another version; UnsupportedRuleError for a rule
    that the engine cannot honour; EmptyShoeError if a round needs more cards than there are.
    """
    check_versions(job.version, job.kernel_version, "the job comes from")
    if job.engine is Engine.TABLE:
        from upcard.simulation.table_engine import play_table_chunk

        return play_table_chunk(job, chunk, rounds)
    lowered = lower(job)
    sums = RoundSums.zeros(lowered)
    shoes = 0
    if run_rounds >= ROUNDS_TO_LOAD:
        from upcard.simulation.whole_shoes import play_whole_shoes, plays_side_by_side

        if plays_side_by_side(job, run_rounds):
            shoes = play_whole_shoes(job, chunk, rounds, sums)
    left = rounds - int(sums.totals[2])
    if left > 0:
        play_rounds(job, lowered, chunk, left, sums=sums, first_shoe=shoes)
    return sums.to_tally(lowered, job)
