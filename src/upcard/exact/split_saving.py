"""Saving of values of splits with full memory, for a program that saves them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, NamedTuple

from upcard.rules.model import Rules

Asked = tuple[Any, ...]
"""All that the value depends on besides the rules, as JSON values."""


class SplitSaver(NamedTuple):
    """A way to find and to save the value of a split."""

    find: Callable[[Rules, Asked], float | None]
    save: Callable[[Rules, Asked, float], object]


_saver: Final[ContextVar[SplitSaver | None]] = ContextVar("split_saver", default=None)


@contextmanager
def save_splits(saver: SplitSaver) -> Iterator[None]:
    """Save the splits that are computed meanwhile."""
    token = _saver.set(saver)
    try:
        yield
    finally:
        _saver.reset(token)


def find_split(rules: Rules, asked: Asked) -> float | None:
    """Return a saved value, None if there is none."""
    saver = _saver.get()
    return None if saver is None else saver.find(rules, asked)


def save_split(rules: Rules, asked: Asked, value: float) -> None:
    """Save a value, if that is asked for."""
    saver = _saver.get()
    if saver is not None:
        saver.save(rules, asked, value)
