"""Errors of saved games.

StoreError
  StoreDamagedError   the file is not a store, or damaged; it is unchanged
  StoreBusyError      another program holds the file; nothing was changed
  StoreNewerError     a newer upcard made it; it is unchanged
  NotCoveredError     the chips do not cover a bet
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from upcard.core.errors import BlackjackError

_START: Final = "the store is damaged: "
_ODD: Final = (
    *(BlackjackError, ArithmeticError, AttributeError, LookupError, RecursionError),
    *(TypeError, ValueError),
)


class StoreError(BlackjackError):
    """The database cannot be opened, read or written."""


class StoreDamagedError(StoreError):
    """The file is not a store of upcard, or is damaged."""


class StoreBusyError(StoreError):
    """Another program holds the file for too long; nothing was changed."""


class StoreNewerError(StoreError):
    """The file is of a newer upcard, with unknown tables."""


class NotCoveredError(StoreError):
    """The free chips do not cover a bet; those on other tables of the profile are not free."""


def damaged(what: str) -> StoreDamagedError:
    """Make the error for a damaged part."""
    return StoreDamagedError(f"{_START}{what}")


@contextmanager
def reading(row: str) -> Iterator[None]:
    """Convert errors to a StoreDamagedError that names the row, such as `round 5`."""
    try:
        yield
    except _ODD as error:
        what = f"{row}: {str(error).removeprefix(_START)}"
        raise damaged(what) from None
