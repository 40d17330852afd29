"""Lockstep: shoes side by side must be the direct loop's, in every integer, for random jobs."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from campaign.case import Subject
from campaign.choosing import use_tests
from upcard.core.errors import EmptyShoeError, RulesError, UnsupportedRuleError
from upcard.simulation.kernels.lockstep.automaton import NoFitError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from campaign.case import Case
    from upcard.simulation.job import Job
    from upcard.simulation.kernel_rounds import RoundSums

_MOST_ROUNDS: Final = 60_000
_AGAIN: Final = 0.1


def compare_loops(case: Case) -> None:
    """Play a chunk of a random job by both loops, whole shoes first and then the rest.

    Raises: FindingError.
    """
    rng = case.rng
    job = _choose_job(rng)
    chunk, rounds = rng.randrange(2**20), int(_MOST_ROUNDS ** rng.uniform(0.3, 1))
    where = f"rules {job.rules}, seed {job.seed}, chunk {chunk}, {rounds} rounds: {job.to_json()}"
    try:
        direct = _play_directly(job, chunk, rounds)
    except (EmptyShoeError, UnsupportedRuleError) as error:
        _require_the_same_end(case, job, chunk, rounds, error)
        return
    try:
        both = _play_in_lockstep(case, job, chunk, rounds)
    except NoFitError as misfit:
        from random_jobs import fit_lockstep

        # Three doubles with a rescue may end in more ways than a lane holds.
        fits = job == fit_lockstep(job) and not (job.system or "outcomes" in str(misfit))
        case.require(not fits, f"a chart does not fit, {misfit}: {where}")
        case.count("jobs that are left to the direct loop")
        return
    _require_equal(case, both, direct, where)
    case.count("rounds", rounds)
    case.count("jobs with a count" if job.system else "jobs by a chart")
    if rng.random() < _AGAIN:
        _require_equal(case, _play_in_lockstep(case, job, chunk, rounds), direct, f"again: {where}")
        _compare_runs(case, job, rounds, where)


def _choose_job(rng: random.Random) -> Job:
    from random_jobs import choose_job

    while True:
        try:
            job: Job = choose_job(
                rng.choice, is_counted=rng.random() < 0.6, seed=rng.randrange(2**64)
            )
            if job.rules.decks is None or rng.random() < 0.3:
                return job
            penetration = Fraction(rng.randint(30, 100), 100)
            return job.replace(spots=1, rules=job.rules.replace(penetration=penetration))
        except RulesError:  # settings that clash
            continue


def _play_directly(job: Job, chunk: int, rounds: int) -> RoundSums:
    from upcard.simulation.kernel_rounds import RoundSums, play_rounds
    from upcard.simulation.lower import lower

    lowered = lower(job)
    sums = RoundSums.zeros(lowered)
    play_rounds(job, lowered, chunk, rounds, sums=sums)
    return sums


def _play_in_lockstep(case: Case, job: Job, chunk: int, rounds: int) -> RoundSums:
    """Play as a long run does: what lockstep leaves over is played by the direct loop."""
    from upcard.simulation.kernel_rounds import RoundSums, play_rounds, play_whole_shoes
    from upcard.simulation.lower import lower

    lowered = lower(job)
    sums = RoundSums.zeros(lowered)
    shoes = play_whole_shoes(job, chunk, rounds, sums)
    played = int(sums.totals[2])
    case.require(0 <= played <= rounds, f"{played} of {rounds} rounds were played: {job}")
    case.count("rounds in lockstep", played)
    if played < rounds:
        play_rounds(job, lowered, chunk, rounds - played, sums=sums, first_shoe=shoes)
    return sums


def _require_equal(case: Case, both: RoundSums, direct: RoundSums, where: str) -> None:
    for name, mine, theirs in (
        ("tallies", both.tally, direct.tally),
        ("sums", both.added, direct.added),
        ("shoes and cards", both.totals[:2], direct.totals[:2]),
    ):
        differ = int((mine != theirs).sum())
        case.require(
            not differ, f"{name} differ from the direct loop's in {differ} places: {where}"
        )


def _require_the_same_end(case: Case, job: Job, chunk: int, rounds: int, error: Exception) -> None:
    """Require that lockstep refuses a chunk with the words of the direct loop."""
    try:
        _play_in_lockstep(case, job, chunk, rounds)
    except NoFitError:
        return
    except (EmptyShoeError, UnsupportedRuleError) as other:
        case.require(str(other) == str(error), f"{error}, and in lockstep {other}: {job}")
        case.count("jobs that are refused")
        return
    case.require(False, f"lockstep plays what the direct loop refuses, {error}: {job}")


def _compare_runs(case: Case, job: Job, rounds: int, where: str) -> None:
    """Play a chunk as a run does, once in lockstep and once by the direct loop alone."""
    from unittest import mock

    from upcard.simulation import kernel_rounds
    from upcard.simulation import kernel_rounds as whole_shoes

    found = []
    for least in (0, 10**15):
        with (
            mock.patch.object(kernel_rounds, "ROUNDS_TO_LOAD", least),
            mock.patch.object(whole_shoes, "ROUNDS_TO_COMPILE", 0),
        ):
            found.append(kernel_rounds.play_chunk(job, 0, rounds, run_rounds=rounds).to_json())
    case.require(found[0] == found[1], f"a run differs from the direct loop's: {where}")
    case.count("chunks of runs")


def start(folder: Path) -> Callable[[Case], None]:
    """Prepare to compare."""
    del folder
    use_tests()
    return compare_loops


SUBJECT: Final = Subject(
    name="lockstep",
    about="random simulations: shoes side by side must be the direct loop's in every integer",
    unit="jobs",
    quick=200,
    long=4000,
    start=start,
    patience=300.0,
)
