"""Progress of long tasks of the store, for an optional listener."""

from __future__ import annotations

from collections.abc import Callable

Listener = Callable[[str, int, int], object]

_listeners: list[Listener] = []


def listen(listener: Listener | None) -> None:
    """Call a function with the task, the progress and the total; None to stop."""
    _listeners[:] = [] if listener is None else [listener]


def tell(what: str, done: int, total: int) -> None:
    """Report progress to the listener, if there is one."""
    for listener in _listeners:
        listener(what, done, total)
