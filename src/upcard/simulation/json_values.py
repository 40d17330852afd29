"""Values from untrusted JSON, each checked before it is used.

All functions raise ValueError, which the readers of jobs, goals and tallies convert.
"""

from __future__ import annotations

from typing import Any, Final

_LONGEST: Final = 60


def take(document: object, key: str, *kinds: type) -> Any:  # noqa: ANN401 (any JSON value)
    """Return the value of a key, if it has one of these types. Raises: ValueError."""
    if not isinstance(document, dict):
        msg = f"{_show(document)} is no JSON object with {key!r}"
        raise ValueError(msg)  # noqa: TRY004 (it is the file's fault, not the caller's)
    if key not in document:
        raise ValueError(f"{key!r} is missing")
    value = document[key]
    # A bool is not a number in JSON.
    if (isinstance(value, bool) and bool not in kinds) or not isinstance(value, kinds):
        raise ValueError(f"{key!r} cannot be {_show(value)}")
    return value


def take_whole(document: object, key: str, least: int, most: int) -> int:
    """Return the whole number under a key. Raises: ValueError naming the key and the range."""
    return whole(take(document, key, int), key, least, most)


def whole(value: object, what: str, least: int, most: int) -> int:
    """Return a whole number from `least` to `most`. Raises: ValueError."""
    if type(value) is not int or not least <= value <= most:
        msg = f"{what!r} cannot be {_show(value)}: it is a whole number from {least} to {most}"
        raise ValueError(msg)
    return value


def _show(value: object) -> str:
    try:
        text = repr(value)
    except ValueError:  # a number of more digits than Python writes
        return "a number that long"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
