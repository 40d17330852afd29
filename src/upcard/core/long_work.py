"""Long work in the middle of something else reports how far it is, and a front-end shows it.

Packages below the front-ends write to no terminal. Work that may keep a person waiting, such as
compiling machine code or a split with full memory, passes a `Report` to `tell`, and the listener
shows it. A process has one listener: that of `import upcard` writes to terminals, the command line
sets its own, and a program may set another, or None for silence:

    >>> reports = []
    >>> listen(reports.append)
    >>> tell(Report(COMPILING, "the solver", seconds_left=30.0))
    >>> reports[0].about
    'the solver'
    >>> listen(None)

Work that is started in order to be followed takes a function instead, as `watch` of `simulate`: it
gets the state of its own run, and a process may have several runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

COMPILING: Final = "compiling"
"""The compilation of machine code; one report for each engine, if it takes longer than a moment."""
FULL_MEMORY: Final = "full memory"
"""Splits with full memory; a report every second, and one at the end."""


class Report(NamedTuple):
    """The progress of a long task."""

    task: str
    """`COMPILING` or `FULL_MEMORY`."""
    about: str = ""
    """The engine that is compiled, or the split that is worked on."""
    done: float = 0.0
    """Share of the task that is done, 0 to 1, if it is known."""
    seconds_left: float = 0.0
    """Estimated time until the task is done."""
    is_over: bool = False
    """Whether this is the last report of a task that was reported."""


Listener: TypeAlias = "Callable[[Report], object]"
_listeners: Final[list[Listener]] = []


def listen(listener: Listener | None) -> None:
    """Set the function that gets every report from now on, from any thread.

    It replaces the one before; None is for silence.
    """
    _listeners[:] = [] if listener is None else [listener]


def tell(report: Report) -> None:
    """Pass a report to the listener, if there is one."""
    for listener in _listeners:
        listener(report)
