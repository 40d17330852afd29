"""`play_chunk`: a piece of a run, a pure function of the job and the chunk's number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from upcard._version import __version__
from upcard.core.errors import BlackjackError, EmptyShoeError, UnsupportedRuleError
from upcard.kernels import game as kernel
from upcard.kernels.jit import announce_compiling
from upcard.kernels.simulator import simulate
from upcard.simulate.job import KERNEL_VERSION, Engine
from upcard.simulate.lower import lower
from upcard.simulate.support import ENGINE
from upcard.simulate.tally import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from upcard.simulate.job import Job
    from upcard.simulate.lower import Lowered

_SHOES, _CARDS = 0, 1
_TOTALS: Final = 3


class VersionMismatchError(BlackjackError):
    """A worker is not of the version that the run began with."""


def play_chunk(job: Job, chunk: int, rounds: int) -> Tally:
    """Play the first `rounds` rounds of a chunk.

    Raises: VersionMismatchError if this is another version than the job's; UnsupportedRuleError
    for what the engine cannot honour; EmptyShoeError if a round needs more cards than there are.
    """
    ours = (__version__, KERNEL_VERSION)
    if (job.version, job.kernel_version) != ours:
        msg = (
            f"this worker is upcard {__version__} (kernel {KERNEL_VERSION}), the run is of upcard"
            f" {job.version} (kernel {job.kernel_version}): install one version everywhere"
        )
        raise VersionMismatchError(msg)
    if job.engine is Engine.TABLE:
        from upcard.simulate.table_engine import play_table_chunk

        return play_table_chunk(job, chunk, rounds)
    lowered = lower(job)
    depths, seats, counts, nets = lowered.shape
    tally = np.zeros(depths * seats * counts * nets, np.int64)
    added = np.zeros(depths * seats * counts, np.int64)
    totals = np.zeros(_TOTALS, np.int64)
    with announce_compiling("the simulator"), np.errstate(over="ignore"):
        failure = simulate(
            lowered.game,
            np.uint64(job.seed),
            np.uint64(chunk),
            np.uint64(0),
            rounds,
            tally,
            added,
            totals,
            None,
            None,
            None,
            None if job.spots == 1 else totals,
            None,
            None if job.system is not None else totals,
        )
    check_end(failure, job)
    return make_tally(lowered, job, tally, added, totals)


def make_tally(
    lowered: Lowered,
    job: Job,
    tally: NDArray[np.int64],
    added: NDArray[np.int64],
    totals: NDArray[np.int64],
) -> Tally:
    """Give the kernel's flat sums their shape and meaning."""
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


def check_end(failure: int, job: Job) -> None:
    """Raise what the kernel reports.

    Raises: UnsupportedRuleError for more hands than it holds, EmptyShoeError for too few cards.
    """
    if failure == kernel.TOO_MANY_HANDS:
        reason = (
            f"a hand was split into more than {kernel.MOST_HANDS}, the most it holds: simulate"
            " with SP8, or with --engine table"
        )
        raise UnsupportedRuleError(ENGINE, "SPINF", reason)
    if failure == kernel.TOO_FEW_CARDS:
        msg = (
            f"a round of {job.spots} spots needed more than the {len(lower(job).game.deck)} cards"
            " there are: the round cannot go on"
        )
        raise EmptyShoeError(msg)
