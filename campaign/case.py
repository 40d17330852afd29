"""What a campaign is made of: a `Subject` runs numbered cases, and a `Case` counts what it did."""

from __future__ import annotations

import random
import traceback
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


_SHOWN: Final = 300


class FindingError(Exception):
    """upcard broke a promise: the text says which, on what input."""


def describe_error(error: BaseException) -> str:
    """Write an error with the place in upcard that it comes from."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/upcard/" in frame.filename] or list(frames)
    places = [f"{frame.filename.rpartition('src/')[2]}:{frame.lineno}" for frame in ours[-3:]]
    where = " < ".join(reversed(places))
    return f"{str(error)[:_SHOWN]}\n{type(error).__name__} at {where}"


@dataclass(slots=True, kw_only=True)
class Case:
    """One numbered attempt. The number and the seed decide everything that is random in it."""

    seed: int
    number: int
    folder: Path
    """A scratch folder of the worker, kept from case to case."""
    rng: random.Random
    counts: Counter[str] = field(default_factory=Counter)

    def count(self, what: str, amount: int = 1) -> None:
        """Count something that was tried."""
        self.counts[what] += amount

    def require(self, holds: object, finding: str) -> None:
        """Report a finding unless something holds.

        Raises: FindingError.
        """
        if not holds:
            raise FindingError(finding)


def make_case(subject: str, *, seed: int, number: int, folder: Path) -> Case:
    """Return a case; its random choices follow from the subject, the seed and the number."""
    rng = random.Random(f"{subject}/{seed}/{number}")
    return Case(seed=seed, number=number, folder=folder, rng=rng)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A kind of attempt."""

    name: str
    about: str
    unit: str
    """What a case is, in the plural."""
    quick: int
    """How many cases without --count, --long or --minutes: one to three minutes on two cores."""
    long: int
    """How many with --long: the figures that docs/reliability.md states."""
    start: Callable[[Path], Callable[[Case], None]]
    """Prepares a worker process in its folder; returns what runs a case."""
    patience: float = 60.0
    """Seconds after which a case counts as hanging, and its worker is killed."""
    waits: bool = False
    """Whether a case mostly waits, so that twice as many workers as asked for are of use."""
    megabytes: int | None = None
    """Address space a worker may add to what it has at its start."""
