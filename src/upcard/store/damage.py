"""Damage found while reading, reported with the row that has it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from upcard.core.errors import BlackjackError
from upcard.store.errors import StoreDamagedError

if TYPE_CHECKING:
    from collections.abc import Iterator

_START: Final = "the store is damaged: "
_ODD: Final = (
    BlackjackError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


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
