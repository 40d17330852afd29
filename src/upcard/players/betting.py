"""Betting systems by name, to be combined with any player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from upcard.core.errors import RulesError, quote
from upcard.core.numbers import whole_number
from upcard.players.systems import (
    LABOUCHERE_LINE,
    MOST_AT_RANDOM,
    WAITS_FOR,
    AtRandom,
    Cancellation,
    Fibonacci,
    Flat,
    Martingale,
    OneThreeTwoSix,
    WaitingMartingale,
)

if TYPE_CHECKING:
    import random
    from fractions import Fraction

    from upcard.players.systems import Progression

_MOST: Final = 999_999


class BettingSystem(Protocol):
    """A system that decides the bet of each round."""

    def next_bet(self) -> Fraction:
        """Return the bet of the next round, in chips; asking again changes nothing."""

    def record(self, net: Fraction) -> None:
        """Take in the net of a round in chips: over 0 won, under 0 lost, 0 pushed."""


_LINES: Final = {
    "flat": "the unit, always",
    "martingale": "doubles after each loss, back to the unit after a win",
    "1-3-2-6": "1, 3, 2, then 6 units on wins in a row, back to 1 after a loss",
    "fibonacci": "1, 1, 2, 3, 5, 8, ... units, on after a loss, back to 1 after a win",
    "cancellation": "first and last of a line together: cancellation or cancellation:1,2,3",
    "waiting": "the unit until N losses in a row, then martingale until a win: waiting:3",
    "random": "1 to N units by chance (default: 10): random or random:4",
}


def betting_names() -> dict[str, str]:
    """Return the betting systems by name, with one line about each."""
    return dict(_LINES)


def make_betting(
    text: str,
    *,
    unit: Fraction | int | str = 1,
    limit: Fraction | int | str | None = None,
    rng: random.Random | None = None,
) -> BettingSystem:
    """Create a betting system from its name and, after a colon, its numbers.

    Units: `unit` and `limit` in chips. Only `random` uses `rng`.

    Raises: RulesError naming the systems that exist, or the invalid number.

    >>> str(make_betting("martingale", unit=5, limit=100).next_bet())
    '5'
    """
    name, colon, numbers = str(text).strip().lower().partition(":")
    name = name.strip()
    if name not in _LINES:
        msg = f"no betting system is called {str(text)!r}: one of {', '.join(_LINES)}"
        raise RulesError(msg)
    if name in _PLAIN:
        if colon:
            msg = f"betting system {str(text)!r}: {name} takes no numbers"
            raise RulesError(msg)
        return _PLAIN[name](unit, limit)
    if name == "cancellation":
        line = _read_numbers(text, numbers, colon, LABOUCHERE_LINE)
        return Cancellation(unit, limit, line=line)
    if name == "waiting":
        return WaitingMartingale(unit, limit, losses=_read_number(text, numbers, colon, WAITS_FOR))
    return AtRandom(unit, limit, most=_read_number(text, numbers, colon, MOST_AT_RANDOM), rng=rng)


_PLAIN: Final[dict[str, type[Progression]]] = {
    "flat": Flat,
    "martingale": Martingale,
    "1-3-2-6": OneThreeTwoSix,
    "fibonacci": Fibonacci,
}


def _read_number(text: str, numbers: str, colon: str, default: int) -> int:
    """Read the single number of a system."""
    read = _read_numbers(text, numbers, colon, (default,))
    if len(read) > 1:
        msg = f"betting system {text!r}: one number after the colon, not {len(read)}"
        raise RulesError(msg)
    return read[0]


def _read_numbers(text: str, numbers: str, colon: str, default: tuple[int, ...]) -> tuple[int, ...]:
    """Read the numbers after the colon: whole, over 0."""
    if not colon:
        return default
    words = [word.strip() for word in numbers.split(",")]
    read = tuple(whole_number(word) or 0 for word in words)
    if not all(1 <= number <= _MOST for number in read):
        msg = f"betting system {quote(text)}: after the colon come whole numbers, 1 to {_MOST}"
        raise RulesError(msg)
    return read
