"""How we measure: the median of several runs, and the yardstick of the same minutes.

The yardstick is a fixed loop of plain Python. On a busy or a slow machine it takes longer too, so
that figures in yardsticks can be compared where seconds cannot.
"""

from __future__ import annotations

import contextlib
import os
import platform
import statistics
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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


def describe_machine() -> str:
    """Describe when and where something is measured, and on what: figures of two may differ."""
    processor = platform.machine()
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, Python {platform.python_version()},"
        f" {os.cpu_count()} cores of {processor}{load}"
    )


@contextlib.contextmanager
def on_one_processor() -> Iterator[None]:
    """Keep this thread on one processor, where the system can: others may be busier or slower."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


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
