"""Parts of a run's document, each validated before it is used: a file may hold anything.

Every fault ends here as one `RunError` that names the part.
"""

from __future__ import annotations

import base64
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from upcard.core.errors import BlackjackError
from upcard.simulation.errors import RunError
from upcard.simulation.estimates import check_ramp
from upcard.simulation.goal import MOST_ROUNDS, Goal
from upcard.simulation.job import Job
from upcard.simulation.journal import JournalEntry
from upcard.simulation.json_values import take, take_whole, whole
from upcard.simulation.packing import unpack
from upcard.simulation.state import Point
from upcard.simulation.tally import Tally
from upcard.simulation.versions import check_versions
from upcard.strategy.ramp import BetRamp, read_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator


_NUMBER: Final = (int, float, type(None))


@contextmanager
def reading(part: str) -> Iterator[None]:
    """Raise whatever error a faulty part causes as a RunError that names the part."""
    try:
        yield
    except RunError:
        raise
    except (
        BlackjackError,
        ArithmeticError,
        AttributeError,
        LookupError,
        MemoryError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise RunError(f"its {part} cannot be read: {error}") from None


@contextmanager
def naming_file(path: object) -> Iterator[None]:
    """Add the name of the file to errors about the run in it.

    Raises: RunError, VersionsDifferError.
    """
    try:
        yield
    except RunError as error:
        raise type(error)(f"cannot use the run '{path}': {error}") from None


def read_job(document: dict[str, Any], *, of_this_version: bool = False) -> Job:
    """Read the job of a run.

    Raises: RunError if it is invalid; VersionsDifferError if it must be `of_this_version`.
    """
    with reading("job"):
        written = take(document, "job", dict)
        if of_this_version:
            # Checked first: another version may have other settings.
            version, kernel = take(written, "version", str), take(written, "kernel_version", int)
            check_versions(version, kernel, "this run was made by")
        return Job.from_json(written)


def read_own_ramp(document: dict[str, Any], job: Job) -> BetRamp | None:
    """Read the ramp that a run is quoted with; None for flat bets. Raises: RunError."""
    with reading("ramp"):
        written = take(document, "ramp", str, type(None))
        if written is None:
            return None
        if job.system is None:
            raise ValueError("a ramp needs a count to bet by, and the run has none")
        return read_pairs(written)


def read_tally(document: dict[str, Any], job: Job, ramp: BetRamp | None) -> Tally | None:
    """Read the rounds of a run; None before the first. Raises: RunError."""
    with reading("tally"):
        written = take(document, "tally", dict, type(None))
        if written is None:
            return None
        tally = Tally.from_json(written)
        if tally.spots != job.spots:
            raise ValueError(f"{tally.spots} spots there, and {job.spots} in the job")
        if ramp is not None:
            check_ramp(tally, ramp)
        return tally


def read_goal(document: dict[str, Any]) -> Goal:
    """Read the goal of a run. Raises: RunError."""
    with reading("goal"):
        return Goal.from_json(take(document, "goal", dict))


def read_chunks(document: dict[str, Any]) -> tuple[int, JournalEntry | None, list[JournalEntry]]:
    """Read the number of chunks added up, the short last one, and the waiting ones.

    Raises: RunError.
    """
    with reading("chunks"):
        chunks = take(document, "chunks", dict)
        short = take(chunks, "short", dict, type(None))
        waiting = take(chunks, "waiting", list)
        return (
            take_whole(chunks, "done", 0 if short is None else 1, MOST_ROUNDS),
            None if short is None else _read_entry(short),
            [_read_entry(entry) for entry in waiting],
        )


def read_points(document: dict[str, Any]) -> list[Point]:
    """Read the recorded estimates. Raises: RunError."""
    with reading("progress"):
        points = []
        for rounds, ev, error in take(document, "progress", list):
            for number in (ev, error):
                if isinstance(number, bool) or not isinstance(number, _NUMBER):
                    raise TypeError(f"{str(number)[:40]!r} is no number")
            points.append(Point(whole(rounds, "rounds", 1, MOST_ROUNDS), ev, error))
        return points


def _read_entry(document: dict[str, Any]) -> JournalEntry:
    packed = base64.b64decode(take(document, "packed", str), validate=True)
    unpack(packed)  # now, not in the middle of the run
    return JournalEntry(
        take_whole(document, "chunk", 0, MOST_ROUNDS),
        take_whole(document, "rounds", 1, MOST_ROUNDS),
        packed,
    )
