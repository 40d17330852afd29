"""Whole shoes of a chunk side by side, in lockstep: which runs are played so, and the call.

The lockstep plays what the direct loop would, about twice as fast, and is compiled apart from it.
What it does not hold is left to the direct loop: rounds of several spots, logs, probes, scripts and
results in their order, and the last rounds of a chunk, of which it is not certain that a whole shoe
fits.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from upcard.kernels import codes
from upcard.kernels.automaton import Automaton, NoFitError, build_automaton
from upcard.kernels.game import ROUNDS_A_FRESH_SHOE, LoweredGame
from upcard.kernels.jit import is_compiled
from upcard.kernels.lanes import check_fit, make_lanes
from upcard.kernels.lockstep import play_shoes
from upcard.kernels.rare_steps import gather_rare_tables
from upcard.simulation.job import Job
from upcard.simulation.lower import lower
from upcard.simulation.round_sums import ROUNDS_TO_LOAD, Integers, RoundSums

ROUNDS_TO_COMPILE: Final = 30_000_000
"""A run of this length compiles the lockstep where the machine does not have it yet."""


def plays_side_by_side(job: Job, rounds: int) -> bool:
    """Whether a run that still needs `rounds` rounds plays whole shoes in lockstep.

    It does so where the machine has the lockstep compiled, and compiles it for
    `ROUNDS_TO_COMPILE` rounds.
    """
    if find_misfit(job) is not None:
        return False
    return rounds >= ROUNDS_TO_COMPILE or is_compiled(play_shoes, _flat(job, np.empty(0, np.int64)))


def describe_loop(job: Job, rounds: int) -> str:
    """Describe how a run of the kernel that needed `rounds` rounds was played, and why so."""
    if rounds < ROUNDS_TO_LOAD:
        return "shoe by shoe"
    misfit = find_misfit(job)
    if misfit is not None:
        return f"shoe by shoe: {misfit}"
    if not plays_side_by_side(job, rounds):
        return "shoe by shoe: the loop of long runs is not compiled yet"
    return "shoes side by side"


def find_misfit(job: Job) -> str | None:
    """Return why the lockstep does not hold a job of the kernel; None if it does."""
    automaton = _lower_automaton(job)
    return str(automaton) if isinstance(automaton, NoFitError) else None


def play_whole_shoes(job: Job, chunk: int, rounds: int, sums: RoundSums) -> int:
    """Play whole shoes of a chunk, as many as surely fit into `rounds`; return their number.

    The sums receive their rounds, and `totals` the number of these. They are not touched if a
    round fails: then the direct loop meets the same round, and raises.

    Raises: NoFitError for a job that does not fit.
    """
    lowered = lower(job)
    game = lowered.game
    automaton = _lower_automaton(job)
    if isinstance(automaton, NoFitError):
        raise automaton
    lanes = make_lanes(game, automaton, len(sums.added))
    played = RoundSums.zeros(lowered)
    with np.errstate(over="ignore"):
        ending = play_shoes(
            game,
            automaton,
            lanes,
            gather_rare_tables(game, automaton, lanes, played.tally, played.added),
            np.uint64(job.seed),
            np.uint64(chunk),
            rounds,
            _most_rounds(game),
            *played,
            _flat(job, played.totals),
        )
    if ending != codes.DONE:
        return 0
    sums.add(played)
    shoes = int(played.totals[0])
    return shoes // ROUNDS_A_FRESH_SHOE if game.is_fresh else shoes


@lru_cache(maxsize=32)
def _lower_automaton(job: Job) -> Automaton | NoFitError:
    lowered = lower(job)
    depths, seats, counts, _ = lowered.shape
    try:
        automaton = build_automaton(lowered.game)
        check_fit(lowered.game, depths * seats * counts)
    except NoFitError as error:
        return error
    return automaton


def _most_rounds(game: LoweredGame) -> int:
    """Return an upper bound of the rounds of a shoe."""
    return ROUNDS_A_FRESH_SHOE if game.is_fresh else -(-game.cut // game.dealt)


def _flat(job: Job, array: Integers) -> Integers | None:
    """Return the last argument of the loops: None if the player counts."""
    return array if job.system is None else None
