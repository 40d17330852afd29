"""Messages of the table, and when they end."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

_MOST: Final = 200


class Until(Enum):
    """When a message ends."""

    KEY = auto()
    """At the next key: refusals, and what a key changed."""
    SETTLED = auto()
    """When the round is settled: the steps of the round."""
    NEXT_BET = auto()
    """When the next bet is placed or changed: how the round ended."""


class _Message(NamedTuple):
    words: str
    until: Until


class Messages:
    """Messages that are shown, and a log of those that were."""

    def __init__(self) -> None:
        self._shown: list[_Message] = []
        self._log: deque[str] = deque(maxlen=_MOST)

    def add(self, words: str, until: Until, *, is_logged: bool = False) -> None:
        """Show a message, and log it unless it is; what is shown already is not repeated."""
        if until is Until.KEY:
            self.end(Until.KEY)
        message = _Message(words, until)
        if message in self._shown:
            self._shown.remove(message)
        elif not is_logged:
            self.note(words)
        self._shown.append(message)

    def note(self, words: str) -> None:
        """Log what is shown elsewhere."""
        self._log.append(words)

    def end(self, *moments: Until) -> bool:
        """End the messages that last until these moments; whether there were any."""
        left = [message for message in self._shown if message.until not in moments]
        had_any = len(left) < len(self._shown)
        self._shown = left
        return had_any

    @property
    def notice(self) -> str:
        """Message about the last key; empty if there is no message."""
        return next((one.words for one in self._shown if one.until is Until.KEY), "")

    @property
    def story(self) -> list[str]:
        """Messages about the round, the newest last."""
        return [one.words for one in self._shown if one.until is not Until.KEY]

    def __iter__(self) -> Iterator[str]:
        return iter(self._log)
