"""Exact sums of rounds and decisions, saved so that they need not be counted again."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Final, NamedTuple

NOTHING: Final = Fraction(0)
_COUNTS: Final = ("rounds", "won", "lost", "decisions", "asked", "judged", "mistakes")


@dataclass(slots=True)
class SessionSums:
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

    def __add__(self, other: object) -> SessionSums:
        """Add up two sessions."""
        if not isinstance(other, SessionSums):
            return NotImplemented
        return SessionSums(*(getattr(self, name) + getattr(other, name) for name in SUMS))

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
class SituationSums:
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

    def __add__(self, other: object) -> SituationSums:
        """Add up two kinds."""
        if not isinstance(other, SituationSums):
            return NotImplemented
        names = SITUATION_SUMS
        return SituationSums(*(getattr(self, name) + getattr(other, name) for name in names))


class DecisionKind(NamedTuple):
    """A kind of decision: its rules, its situation, and its class of leaks."""

    rules: str
    name: str
    """Name by the coach: `hard 16 v T`."""
    category: str


SUMS: Final = tuple(field.name for field in fields(SessionSums))
SITUATION_SUMS: Final = tuple(field.name for field in fields(SituationSums))


def is_count(name: str) -> bool:
    """Whether a sum is a count, not chips."""
    return name in _COUNTS
