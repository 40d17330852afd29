"""Long work in the middle of something else reports how far it is, and a front-end shows it.

Packages below the front-ends write to no terminal. Work that may keep a person waiting, such as
compiling machine code or a split with full memory, passes a `Report` to `tell`, and the listener
shows it. A process has one listener: that of `import upcard` writes to terminals, the command line
sets its own, and a program may set another, or None for silence.

Work that is started in order to be followed takes a function instead, as `watch` of `simulate`: it
gets the state of its own run, and a process may have several runs. A run that nothing watches
reports to the listener too, if it plays in the main thread (`following`).

Work whose result is not wanted any more ends: its loops ask `check`, which raises once the event of
`until` is set. Reports ask too.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Final, NamedTuple, TypeAlias

COMPILING: Final = "compiling"
"""The compilation of machine code; one report for each engine, if it takes longer than a moment."""
FULL_MEMORY: Final = "full memory"
"""Splits with full memory; a report every second, and one at the end."""
SIMULATION: Final = "simulation"
"""A run that nothing watches; a report every second, and one at the end."""
SWITCH: Final = "switch"
"""The values of both hands of a game with a swap; reports as of a run."""
REMOVAL: Final = "effects of removal"
"""The effect of each rank that leaves a shoe; reports as of a run."""
INDICES: Final = "indices"
"""A search for indices that nothing watches; reports as of a run."""
REPORT_SECONDS: Final = 1.0


class Report(NamedTuple):
    """The progress of a long task."""

    task: str
    """`COMPILING`, `FULL_MEMORY`, `SIMULATION`, `SWITCH`, `REMOVAL` or `INDICES`."""
    about: str = ""
    """The engine that is compiled, the split that is worked on, or how far a run is."""
    done: float = 0.0
    """Share of the task that is done, 0 to 1, if it is known."""
    seconds_left: float = 0.0
    """Estimated time until the task is done."""
    is_over: bool = False
    """Whether this is the last report of a task that was reported."""


class AbandonedError(BaseException):
    """The result of this work is not wanted any more; like Ctrl-C, no error of the work itself."""


_abandoned: Final[ContextVar[threading.Event | None]] = ContextVar("abandoned", default=None)


@contextmanager
def until(abandoned: threading.Event) -> Iterator[None]:
    """Let the work of this thread end at its next `check` once an event is set."""
    token = _abandoned.set(abandoned)
    try:
        yield
    finally:
        _abandoned.reset(token)


def check() -> None:
    """End work that is not wanted any more. Raises: AbandonedError."""
    abandoned = _abandoned.get()
    if abandoned is not None and abandoned.is_set():
        raise AbandonedError


Listener: TypeAlias = "Callable[[Report], object]"
_listeners: Final[list[Listener]] = []


def listen(listener: Listener | None) -> None:
    """Set the function that gets every report from now on, from any thread.

    It replaces the one before; None is for silence.
    """
    _listeners[:] = [] if listener is None else [listener]


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Pass every report to one listener more, until the context ends."""
    _listeners.append(listener)
    try:
        yield
    finally:
        with suppress(ValueError):  # `listen` replaced it
            _listeners.remove(listener)


def tell(report: Report) -> None:
    """Pass a report to the listener, if there is one."""
    for listener in [*_listeners]:
        listener(report)


class PartedWork:
    """A long task in parts, whose durations were estimated; it reports once a second."""

    def __init__(self, task: str, *, parts: int, seconds: float) -> None:
        """Begin a task that was estimated at this number of seconds."""
        self._task = task
        self._parts = parts
        self._estimated = seconds
        self._number = 0
        self._about = ""
        self._before = self._share = 0.0
        self._begun = self._told = time.monotonic()
        self._is_told = False

    def begin(self, about: str, seconds: float) -> None:
        """Begin the next part, estimated at this number of seconds; the one before is done.

        Raises: AbandonedError, as `check` does.
        """
        check()
        self._number += 1
        of_all = f" ({self._number} of {self._parts})" if self._parts > 1 else ""
        self._about = f"{about}{of_all}"
        self._before += self._share
        self._share = seconds / self._estimated

    def tell(self, share: float, about: str = "") -> None:
        """Report that a share of this part is done, if the last report is old enough.

        Raises: AbandonedError, as `check` does.
        """
        check()
        self._about = about or self._about
        now = time.monotonic()
        if now - self._told < REPORT_SECONDS:
            return
        self._told, self._is_told = now, True
        done = min(self._before + share * self._share, 1.0)
        passed = now - self._begun
        left = passed / done - passed if done > 0 else self._estimated
        tell(Report(self._task, self._about, done, left))

    def end(self) -> None:
        """Report the end, if anything was reported."""
        if self._is_told:
            tell(Report(self._task, is_over=True))


@contextmanager
def following(task: str) -> Iterator[Callable[[str, float], None]]:
    """Yield a function that reports how far a task is, in words and as a share of it.

    In other threads than the main one it reports nothing: several tasks may run there. The function
    ends abandoned work.
    """
    work = PartedWork(task, parts=1, seconds=1.0)
    work.begin("", 1.0)
    is_main = threading.current_thread() is threading.main_thread()
    try:
        yield lambda about, share: work.tell(share, about) if is_main else check()
    finally:
        work.end()


@contextmanager
def wakeup_file() -> Iterator[int]:
    """Open a file that can be read after every signal, to wait for beside the input.

    The system may give a signal to any thread, and Python answers it in the main one, which waits
    on if another got it. Only the main thread may ask for this.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        yield reader
    finally:
        signal.set_wakeup_fd(before)
        os.close(reader)
        os.close(writer)
