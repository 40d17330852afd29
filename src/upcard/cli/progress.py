"""Progress on a terminal or in a notebook: reports of long work, steps, the live line of a run.

All of it is on standard error.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final, Self, TextIO

from upcard.core.long_work import COMPILING, FULL_MEMORY, Report

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import ProgressColumn, TaskID

    from upcard.simulation.run_state import RunProgress

_SECONDS: Final = 0.2
_HALF_A_MINUTE: Final = 30.0
_SELDOM_SECONDS: Final = 15.0
"""Time between lines of progress in a file or a pipe, and before the first."""
_CLEAR_LINE: Final = "\r\033[K"
_NOTEBOOKS: Final = ("ipykernel", "marimo", "pyodide_kernel")
"""Packages whose standard error is shown below a cell, where `\\r` starts a line again."""
_CELL_WIDTH: Final = 100


class SeldomLines:
    """Lines about long work where nothing can be erased, now and then, each on its own."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _SELDOM_SECONDS

    def write(self, words: Callable[[], str]) -> None:
        """Write what `words` returns, if the last line is old enough."""
        now, stream = time.monotonic(), sys.stderr
        if now < self._next or stream is None:
            return
        self._next = now + _SELDOM_SECONDS
        with suppress(OSError, ValueError):  # a line that has no reader
            stream.write(f"upcard: {words()}\n")
            stream.flush()


_seldom: Final[dict[str, SeldomLines]] = {}
"""Lines of the tasks under way, by the task."""


def _write_seldom(report: Report) -> None:
    if report.is_over:
        _seldom.pop(report.task, None)
        return
    lines = _seldom.setdefault(report.task, SeldomLines())
    lines.write(lambda: _write_progress(report).replace("  ", " "))


def show(report: Report, *, is_for_all: bool = False) -> None:
    """Write a report of long work to standard error, if that is a terminal or below a cell.

    With `is_for_all`, a line about compiling is written to files and pipes too, and now and then a
    line about other work.
    """
    stream = sys.stderr
    if stream is None:
        return
    with suppress(OSError, ValueError):  # a line that has no reader
        is_compiling = report.task == COMPILING
        if is_compiling and not (report.done or report.is_over):
            if is_for_all or _shows_lines(stream):
                stream.write(_announce_compiling(report))
        # A bar of Rich moves too: nothing is added to it.
        elif _shows_lines(stream) and not type(stream).__module__.startswith("rich"):
            write = _write_compiling if is_compiling else _write_progress
            line = "" if report.is_over else write(report)
            if stream.isatty():
                stream.write(f"{_CLEAR_LINE}{line[: get_terminal_size().columns - 1]}")
            else:  # a cell knows no escape sequences
                stream.write(f"\r{line:<{_CELL_WIDTH}}" + "\r" * report.is_over)
        elif is_for_all and not is_compiling and not stream.isatty():
            _write_seldom(report)
        stream.flush()


def _shows_lines(stream: TextIO) -> bool:
    """Whether a stream is a terminal or the output of a cell, and not a file or a pipe."""
    return stream.isatty() or type(stream).__module__.partition(".")[0] in _NOTEBOOKS


def _announce_compiling(report: Report) -> str:
    wait = "about half a minute" if report.seconds_left >= _HALF_A_MINUTE else "some seconds"
    return f"Compiling {report.about}, once on this machine: {wait} ...\n"


def _write_compiling(report: Report) -> str:
    left = math.ceil(report.seconds_left)
    return f"Compiling: about {left} s left" if left else "Compiling: almost done"


def _write_progress(report: Report) -> str:
    if report.task != FULL_MEMORY:
        return f"{report.task.capitalize()}: {report.done:.0%}  {report.about}"
    from upcard.exact.full_memory.values import write_duration

    left = write_duration(report.seconds_left)
    return f"Full memory: {report.about}, {report.done:.0%} done, {left} left"


class LiveBar:
    """A progress line on standard error, which appears with the first update.

    On a terminal it is erased at the end; in a file or a pipe there is a line now and then.
    """

    def __init__(self) -> None:
        self._is_shown = sys.stderr.isatty()
        self._lines = SeldomLines()
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            with suppress(OSError):  # the terminal may be gone, and there are files to write
                self._bar.stop()

    def columns(self) -> tuple[ProgressColumn, ...]:
        """Return the columns of the line; `task.fields[what]` is the text passed to `move`."""
        raise NotImplementedError

    def move(self, what: str, share: float) -> None:
        """Show the share that is done, 0 to 1."""
        if not self._is_shown:
            self._lines.write(lambda: f"{share:.0%} {what}")
            return
        bar = self._bar or self._start()
        if self._task is not None:
            bar.update(self._task, completed=share, what=what)

    def _start(self) -> Bar:
        from rich.console import Console
        from rich.progress import Progress as Bar

        bar = Bar(*self.columns(), console=Console(stderr=True), transient=True, expand=True)
        self._bar = bar
        self._task = bar.add_task("", total=1.0, what="")
        bar.start()
        return bar


class LiveTask(LiveBar):
    """Progress of a task in parts: the name of the part, and its share done."""

    def columns(self) -> tuple[ProgressColumn, ...]:
        """Return the name, a bar, the percentage and the time left."""
        from rich.progress import BarColumn, TextColumn, TimeRemainingColumn

        return (
            TextColumn("{task.fields[what]:<13}"),
            BarColumn(bar_width=None),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeRemainingColumn(),
        )


class LiveProgress(LiveBar):
    """Progress of a run; callable as its `watch`."""

    def __init__(self) -> None:
        super().__init__()
        self._shown = -math.inf
        self.played = 0
        """Rounds played, as last reported."""
        self.seconds = 0.0
        """Their duration."""
        self.about = ""
        """Words before those of the run, where there are several."""

    def columns(self) -> tuple[ProgressColumn, ...]:
        """Return a bar, the percentage, and the rest in words."""
        from rich.progress import BarColumn, TextColumn

        return (
            BarColumn(bar_width=None),
            TextColumn("{task.percentage:>3.0f}% {task.fields[what]}"),
        )

    def __call__(self, progress: RunProgress) -> None:
        """Show an update, at most a few times a second."""
        self.played, self.seconds = progress.played, progress.seconds
        now = time.monotonic()
        if now - self._shown < _SECONDS:
            return
        self._shown = now
        from upcard.simulation.run_state import describe, measure_progress

        self.move(f"{self.about}{describe(progress)}", measure_progress(progress))
