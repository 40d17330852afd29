"""Betting systems by name, to be combined with any player.

A bet is a function of earlier wins and losses. Only whether a round was won or lost counts, not how
much: a natural, a double or a lost surrender is one win or loss. A push changes nothing. A system
that asks for more than the table's limit bets the limit.
"""

import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, Protocol, TypeAlias

from upcard.core.errors import RulesError, quote
from upcard.core.numbers import whole_number
from upcard.core.wager import read_bet

Chips: TypeAlias = Fraction | int | str

LABOUCHERE_LINE: Final = tuple(range(1, 10))
WAITS_FOR: Final = 3
MOST_AT_RANDOM: Final = 10
_1326: Final = (1, 3, 2, 6)
_MOST: Final = 999_999


class BettingSystem(Protocol):
    """A system that decides the bet of each round."""

    def next_bet(self) -> Fraction:
        """Return the bet of the next round, in chips; asking again changes nothing."""

    def record(self, net: Fraction) -> None:
        """Take in the net of a round in chips: over 0 won, under 0 lost, 0 pushed."""


class Progression:
    """The common part of the systems: a number of units to bet, changed by a win or a loss."""

    def __init__(self, unit: Chips = 1, limit: Chips | None = None) -> None:
        """Bet in `unit` chips; never more than `limit`."""
        self.unit = read_bet(unit)
        self.limit = None if limit is None else read_bet(limit)
        if self.limit is not None and self.limit < self.unit:
            raise RulesError(f"a limit of {limit} is under the unit of {unit}: the unit must fit")

    def next_bet(self) -> Fraction:
        """Return the bet of the next round, in chips."""
        bet = self.unit * self._units()
        return bet if self.limit is None else min(bet, self.limit)

    def record(self, net: Fraction) -> None:
        """Take in the net of a round."""
        if net > 0:
            self._win()
        elif net < 0:
            self._lose()

    def _units(self) -> Fraction | int:
        """Return the next bet in units, before the limit is applied."""
        return 1

    def _win(self) -> None: ...

    def _lose(self) -> None: ...


class Flat(Progression):
    """Always bets the unit."""


class Martingale(Progression):
    """Doubles the bet after each loss, back to the unit after a win.

    At the limit it bets the limit, loss after loss, until a win.
    """

    _doublings = 0

    def _units(self) -> int:
        return 1 << self._doublings

    def _win(self) -> None:
        self._doublings = 0

    def _lose(self) -> None:
        if self.limit is None or self.unit * self._units() < self.limit:
            self._doublings += 1


class OneThreeTwoSix(Progression):
    """Bets 1, 3, 2, then 6 units on wins in a row; after a loss or the fourth win 1 again."""

    _wins = 0

    def _units(self) -> int:
        return _1326[self._wins]

    def _win(self) -> None:
        self._wins = (self._wins + 1) % len(_1326)

    def _lose(self) -> None:
        self._wins = 0


class Fibonacci(Progression):
    """Bets 1, 1, 2, 3, 5, 8, ... units: one number on after each loss, back to 1 after a win.

    Beyond the limit the numbers continue, and only the bet stays at the limit.
    """

    _previous, _recent = 0, 1

    def _units(self) -> int:
        return self._recent

    def _win(self) -> None:
        self._previous, self._recent = 0, 1

    def _lose(self) -> None:
        self._previous, self._recent = self._recent, self._previous + self._recent


class Cancellation(Progression):
    """Bets the sum of the first and last number of a line (Labouchere).

    A win crosses both out, a loss adds the bet at the end, in units, as it was placed: at the
    limit that is the limit. An empty line starts again.
    """

    def __init__(
        self, unit: Chips = 1, limit: Chips | None = None, *, line: Sequence[int] = LABOUCHERE_LINE
    ) -> None:
        """Start with the numbers of `line`, in units."""
        super().__init__(unit, limit)
        self._start = tuple(line)
        self.line: list[Fraction] = list(map(Fraction, self._start))

    def _units(self) -> Fraction:
        return self.line[0] if len(self.line) == 1 else self.line[0] + self.line[-1]

    def _win(self) -> None:
        self.line = self.line[1:-1] or list(map(Fraction, self._start))

    def _lose(self) -> None:
        self.line.append(self.next_bet() / self.unit)


class WaitingMartingale(Martingale):
    """Bets the unit until `losses` rounds in a row are lost; then plays a Martingale until a win.

    The Martingale starts with the unit, as always. A push does not interrupt the row.
    """

    def __init__(
        self, unit: Chips = 1, limit: Chips | None = None, *, losses: int = WAITS_FOR
    ) -> None:
        super().__init__(unit, limit)
        self._waits_for = losses
        self._lost = 0

    def _win(self) -> None:
        self._lost = 0
        super()._win()

    def _lose(self) -> None:
        if self._lost < self._waits_for:
            self._lost += 1
        else:
            super()._lose()


class AtRandom(Progression):
    """Bets a random whole number of units, from 1 to `most`, all equally likely."""

    def __init__(
        self,
        unit: Chips = 1,
        limit: Chips | None = None,
        *,
        most: int = MOST_AT_RANDOM,
        rng: random.Random | None = None,
    ) -> None:
        """Bet at most `most` units; without `rng` the system's random numbers are used."""
        super().__init__(unit, limit)
        self._most = most if self.limit is None else min(most, int(self.limit / self.unit))
        self._rng = rng or random.SystemRandom()
        self._drawn = self._draw()

    def record(self, net: Fraction) -> None:  # noqa: ARG002
        """Draw again, after a push too."""
        self._drawn = self._draw()

    def _units(self) -> int:
        return self._drawn

    def _draw(self) -> int:
        return 1 + int(self._rng.random() * self._most)


_LINES: Final = {
    "flat": "the unit, always",
    "martingale": "doubles after each loss, back to the unit after a win",
    "1-3-2-6": "1, 3, 2, then 6 units on wins in a row, back to 1 after a loss",
    "fibonacci": "1, 1, 2, 3, 5, 8, ... units, on after a loss, back to 1 after a win",
    "cancellation": "first and last of a line together: cancellation or cancellation:1,2,3",
    "waiting": "the unit until N losses in a row, then martingale until a win: waiting:3",
    "random": "1 to N units by chance (default: 10): random or random:4",
}
_PLAIN: Final[dict[str, type[Progression]]] = {
    "flat": Flat,
    "martingale": Martingale,
    "1-3-2-6": OneThreeTwoSix,
    "fibonacci": Fibonacci,
}


def betting_names() -> dict[str, str]:
    """Return the betting systems by name, with one line about each."""
    return dict(_LINES)


def make_betting(
    text: str, *, unit: Chips = 1, limit: Chips | None = None, rng: random.Random | None = None
) -> BettingSystem:
    """Create a betting system from its name and, after a colon, its numbers.

    Units: `unit` and `limit` in chips. Only `random` uses `rng`.

    >>> str(make_betting("martingale", unit=5, limit=100).next_bet())
    '5'
    """
    name, colon, numbers = str(text).strip().lower().partition(":")
    name = name.strip()
    if name not in _LINES:
        raise RulesError(f"no betting system is called {str(text)!r}: one of {', '.join(_LINES)}")
    if name in _PLAIN:
        if colon:
            raise RulesError(f"betting system {str(text)!r}: {name} takes no numbers")
        return _PLAIN[name](unit, limit)
    if name == "cancellation":
        return Cancellation(unit, limit, line=_read_numbers(text, numbers, colon, LABOUCHERE_LINE))
    if name == "waiting":
        return WaitingMartingale(unit, limit, losses=_read_number(text, numbers, colon, WAITS_FOR))
    return AtRandom(unit, limit, most=_read_number(text, numbers, colon, MOST_AT_RANDOM), rng=rng)


def _read_number(text: str, numbers: str, colon: str, default: int) -> int:
    read = _read_numbers(text, numbers, colon, (default,))
    if len(read) > 1:
        raise RulesError(f"betting system {text!r}: one number after the colon, not {len(read)}")
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
