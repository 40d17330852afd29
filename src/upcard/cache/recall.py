"""Results that were computed before, or are computed now and saved: the one way to saved values."""

from __future__ import annotations

from contextlib import suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, TypeVar

from upcard.cache.entry import (
    REFUSALS,
    SavedQuestion,
    SavedRefusal,
    read_content,
    read_entry,
    write_content,
    write_entry,
)
from upcard.cache.folder import CacheFolder
from upcard.cache.form import MalformedError
from upcard.cache.place import cache_folder, is_off
from upcard.cache.shipped import find_shipped
from upcard.cache.stamp import program_stamp

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")
_only_saved: Final[ContextVar[bool]] = ContextVar("only_saved", default=False)


class _NotSavedError(Exception):
    """A value that would have to be computed."""


def open_folder() -> CacheFolder:
    """Return the folder of values saved by this program. Raises: as `cache_folder` does."""
    return CacheFolder(cache_folder(), program_stamp())


def recall(question: SavedQuestion[Result]) -> Result:
    """Return the result of a question: shipped, saved, or computed and saved.

    Raises: what the solver raises; its refusals are saved too.
    """
    folder = None if is_off() else open_folder()
    outcome: Result | SavedRefusal | None = None
    if folder is not None:
        outcome = _look_up(question, folder)
    if outcome is None:
        if _only_saved.get():
            raise _NotSavedError
        if folder is None:
            return question.compute()
        outcome = _compute(question)
        with suppress(MalformedError):
            content = write_content(question, outcome)
            outcome = read_content(question, content)  # as who asks later gets it
            folder.write(question.name, write_entry(question, content))
    if isinstance(outcome, SavedRefusal):
        raise outcome.error
    return outcome


def peek(find: Callable[[], Result]) -> Result | None:
    """Return what `find` returns if saved values are enough for that; None if it would compute.

    `find` may ask several questions, and does nothing else that takes time.
    """
    token = _only_saved.set(True)
    try:
        return find()
    except _NotSavedError:
        return None
    finally:
        _only_saved.reset(token)


def _look_up(question: SavedQuestion[Result], folder: CacheFolder) -> Result | SavedRefusal | None:
    with suppress(MalformedError):
        shipped = find_shipped(question.name)
        if shipped is not None:
            return read_content(question, shipped)
    with suppress(MalformedError):  # a damaged file is computed and replaced
        data = folder.read(question.name)
        if data is not None:
            outcome = read_entry(question, data)
            folder.count_hit(question.kind)
            return outcome
    return None


def _compute(question: SavedQuestion[Result]) -> Result | SavedRefusal:
    try:
        return question.compute()
    except REFUSALS as error:
        return SavedRefusal(error)
