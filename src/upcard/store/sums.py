"""Exact sums of rounds and decisions, saved so that they need not be counted again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from typing import Any, Final, NamedTuple, Self

from upcard.store.amounts import read_amount, write_amount

NOTHING: Final = Fraction(0)


@dataclass(slots=True)
class ExactSums:
    """Sums whose fields are columns of the store: counts are numbers, chips exact texts."""

    @classmethod
    @cache
    def columns(cls) -> dict[str, bool]:
        """Return the names of the sums, and whether each is a count."""
        return {field.name: isinstance(field.default, int) for field in fields(cls)}

    @classmethod
    def read(cls, cells: Iterable[Any]) -> Self:
        """Make the sums from their columns. Raises: StoreDamagedError; ValueError; TypeError."""
        kinds = zip(cls.columns().values(), cells, strict=True)
        return cls(*(int(cell) if is_count else read_amount(cell) for is_count, cell in kinds))

    def write(self) -> Iterator[int | str]:
        """Iterate over the columns."""
        for name, is_count in self.columns().items():
            cell = getattr(self, name)
            yield cell if is_count else write_amount(cell)

    def __add__(self, other: Self) -> Self:
        names = self.columns()
        return type(self)(*(getattr(self, name) + getattr(other, name) for name in names))


@dataclass(slots=True)
class SessionSums(ExactSums):
    """Sums of the rounds of a session: the person's own bets, nets and decisions, in chips.

    The squares and products are those of each round. They give the variance of luck, for the luck
    of a round is its net, less its bets times the value of the game, plus its cost.
    """

    rounds: int = 0
    won: int = 0
    lost: int = 0
    decisions: int = 0
    judged: int = 0
    mistakes: int = 0
    bets: Fraction = NOTHING
    net: Fraction = NOTHING
    cost: Fraction = NOTHING
    bets_squared: Fraction = NOTHING
    net_squared: Fraction = NOTHING
    cost_squared: Fraction = NOTHING
    bets_net: Fraction = NOTHING
    bets_cost: Fraction = NOTHING
    net_cost: Fraction = NOTHING

    def count(self, bets: Fraction, net: Fraction, cost: Fraction, times: int = 1) -> None:
        """Add `times` rounds with the same bets, net and cost; a negative number subtracts them."""
        self.rounds += times
        self.won += times * (net > 0)
        self.lost += times * (net < 0)
        self.bets += times * bets
        self.net += times * net
        self.bets_squared += times * bets * bets
        self.net_squared += times * net * net
        self.bets_net += times * bets * net
        if cost:
            self.cost += times * cost
            self.cost_squared += times * cost * cost
            self.bets_cost += times * bets * cost
            self.net_cost += times * net * cost

    def squared_luck(self, value: Fraction) -> Fraction:
        """Return the sum of the squares of each round's luck, at the value of the game."""
        return (
            self.net_squared
            + self.cost_squared
            + 2 * self.net_cost
            + value * value * self.bets_squared
            - 2 * value * (self.bets_net + self.bets_cost)
        )


@dataclass(slots=True)
class SituationSums(ExactSums):
    """Sums of judged decisions of one kind, in chips; the squares are those of each decision."""

    asked: int = 0
    mistakes: int = 0
    cost: Fraction = NOTHING
    cost_squared: Fraction = NOTHING

    def count(self, cost: Fraction, times: int = 1) -> None:
        """Add a decision; negative `times` subtract it."""
        self.asked += times
        self.mistakes += times * (cost > 0)
        self.cost += times * cost
        self.cost_squared += times * cost * cost


class DecisionKind(NamedTuple):
    """A kind of decision: its rules, its situation, and its class of leaks."""

    rules: str
    situation: str
    """Name by the coach: `hard 16 v T`."""
    category: str
