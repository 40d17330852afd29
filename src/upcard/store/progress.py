"""How far long work of the store is, for whoever wants to show it: nobody, until one listens."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Listener = Callable[[str, int, int], object]

_listeners: list[Listener] = []


def listen(listener: Listener | None) -> None:
    """Call a function with what is done, how far it is and how far it goes; None stops that."""
    _listeners[:] = [] if listener is None else [listener]


def tell(what: str, done: int, total: int) -> None:
    """Tell the listener, if there is one."""
    for listener in _listeners:
        listener(what, done, total)
