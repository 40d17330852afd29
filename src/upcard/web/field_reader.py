"""Fields of a form, read one by one: what each holds, or what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from upcard.core.errors import BlackjackError, as_sentence

if TYPE_CHECKING:
    from collections.abc import Callable

    Read = TypeVar("Read")

_MOST_FAULTS: Final = 3


class FieldReader:
    """Reads fields that are not empty, and notes what is wrong with each."""

    def __init__(self, form: object) -> None:
        self._form = form
        self.faults: dict[str, str] = {}

    def read(self, name: str, read: Callable[[str], Read]) -> Read | None:
        """Return what a field holds; None if it is empty or faulty."""
        text = getattr(self._form, name)
        if not text:
            return None
        try:
            return read(text)
        except BlackjackError as error:
            self.faults[name] = _shorten(error)
        return None


def _shorten(error: BlackjackError) -> str:
    """Write the first faults of a text as a sentence; a chart can have one a line."""
    faults = getattr(error, "faults", None) or (str(error),)
    more = len(faults) - _MOST_FAULTS
    shown = "; ".join(faults[:_MOST_FAULTS])
    return as_sentence(f"{shown}; and {more} more" if more > 0 else shown)
