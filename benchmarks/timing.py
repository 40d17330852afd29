"""How we measure: the median of several runs, and the yardstick of the same minutes.

The yardstick is a fixed loop of plain Python. On a busy or a slow machine it takes longer too, so
that figures in yardsticks can be compared where seconds cannot.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_STEPS: Final = 500_000
_MODULUS: Final = 1 << 31


class Figure(NamedTuple):
    """A measured duration. Units: seconds, and yardsticks."""

    seconds: float
    yardsticks: float


def run_yardstick() -> int:
    """Draw pseudo-random numbers and look up a table with them, as our own loops do."""
    table = tuple(range(256))
    number = total = 1
    for _ in range(_STEPS):
        number = (number * 1103515245 + 12345) % _MODULUS
        total += table[number >> 23]
    return total


def measure(job: Callable[[], object], *, runs: int) -> Figure:
    """Time a job and the yardstick in turn; return the medians."""
    job()  # what is computed once only is computed now
    taken, yardsticks = [], []
    for _ in range(runs):
        yardsticks.append(time_once(run_yardstick))
        taken.append(time_once(job))
    seconds = statistics.median(taken)
    return Figure(seconds, seconds / statistics.median(yardsticks))


def time_once(job: Callable[[], object]) -> float:
    """Return the seconds that a job takes."""
    start = time.perf_counter()
    job()
    return time.perf_counter() - start


def run_python(code: str, arguments: Sequence[str] = ()) -> str:
    """Run code in a new interpreter, as a user's command would; return what it prints."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
