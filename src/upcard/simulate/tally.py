"""`Tally`: what simulated rounds came to, as whole numbers, so that tallies add up in any order.

Rounds are counted at one unit bet a spot. Bets move no cards, so whatever bets are asked about
afterwards, their result follows from the rounds by count: one simulation answers for every ramp.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from upcard.core.errors import RulesError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers: TypeAlias = NDArray[np.int64]

_SHAPE: Final = ("unit", "least_net", "least_count", "spots")


@dataclass(frozen=True, slots=True, eq=False)
class CountRows:
    """Rounds by count, all depths together. Each array has one entry a count."""

    count: Integers
    """The betting count before the deal; the first stands for less too, the last for more."""
    rounds: Integers
    net_sum: Integers
    """Sum of the rounds' nets, in 1/unit of a bet."""
    square_sum: Integers
    """Sum of the squares of the rounds' nets, in 1/unit squared."""
    added: Integers
    """Half bets added by doubling, splitting and insurance."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tally:
    """Rounds by depth, seat, count and net.

    Shapes: `rounds` is (depths, 2, counts, nets), `added` (depths, 2, counts). Depth is the share
    of the cards before the cut card that were dealt when the round began, in equal steps; seat 1
    are the rounds that were played, seat 0 those that were sat out by the count.
    """

    unit: int
    """Nets are whole numbers of 1/unit of a bet."""
    least_net: int
    """The net of the first net column, in 1/unit."""
    least_count: int
    """The count of the first count row."""
    spots: int
    rounds: Integers
    added: Integers
    shoes: int
    """How many times the cards were shuffled."""
    cards: int
    """How many cards were dealt."""

    def __add__(self, other: Tally) -> Tally:
        """Add the rounds of two tallies of the same game.

        Raises: RulesError if they count different things.
        """
        ours, theirs = (tuple(getattr(tally, name) for name in _SHAPE) for tally in (self, other))
        if ours != theirs or self.rounds.shape != other.rounds.shape:
            msg = f"tallies of different games cannot be added: {ours} and {theirs}"
            raise RulesError(msg)
        return Tally(
            unit=self.unit,
            least_net=self.least_net,
            least_count=self.least_count,
            spots=self.spots,
            rounds=self.rounds + other.rounds,
            added=self.added + other.added,
            shoes=self.shoes + other.shoes,
            cards=self.cards + other.cards,
        )

    def __eq__(self, other: object) -> bool:
        """Compare every number."""
        if not isinstance(other, Tally):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, item.name), getattr(other, item.name))
            for item in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]  # it holds arrays

    @property
    def played(self) -> int:
        """The number of rounds that were played."""
        return int(self.rounds[:, 1].sum())

    @property
    def seen(self) -> int:
        """The number of rounds that were dealt, those sat out too."""
        return int(self.rounds.sum())

    @property
    def nets(self) -> Integers:
        """The nets of the columns, in 1/unit of a bet."""
        return np.arange(self.least_net, self.least_net + self.rounds.shape[3], dtype=np.int64)

    def by_count(self) -> CountRows:
        """Return the played rounds by betting count."""
        return self._rows(self.rounds[:, 1].sum(axis=0), self.added[:, 1].sum(axis=0))

    def by_count_at(self, depth: int) -> CountRows:
        """Return the played rounds by betting count at one depth of the shoe."""
        return self._rows(self.rounds[depth, 1], self.added[depth, 1])

    def _rows(self, rounds: Integers, added: Integers) -> CountRows:
        nets = self.nets
        counts = np.arange(self.least_count, self.least_count + len(rounds), dtype=np.int64)
        return CountRows(counts, rounds.sum(axis=1), rounds @ nets, rounds @ nets**2, added)

    def to_json(self) -> dict[str, Any]:
        """Write the tally sparsely: for each depth, seat and count its rounds by net."""
        cells: list[list[Any]] = []
        for depth, seat, row in np.argwhere(self.rounds.any(axis=3)).tolist():
            line = self.rounds[depth, seat, row]
            columns = np.flatnonzero(line)
            nets = {str(int(column) + self.least_net): int(line[column]) for column in columns}
            added = int(self.added[depth, seat, row])
            cells.append([depth, seat, row + self.least_count, added, nets])
        return {
            "unit": self.unit,
            "spots": self.spots,
            "shape": list(self.rounds.shape),
            "least_net": self.least_net,
            "least_count": self.least_count,
            "shoes": self.shoes,
            "cards": self.cards,
            "cells": cells,
        }

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Tally:
        """Read what `to_json` wrote.

        Raises: RulesError if it is no tally.
        """
        try:
            rounds = np.zeros([int(size) for size in document["shape"]], np.int64)
            added = np.zeros(rounds.shape[:3], np.int64)
            least_net, least_count = int(document["least_net"]), int(document["least_count"])
            for depth, seat, count, more, nets in document["cells"]:
                row = _place(count - least_count)
                added[depth, seat, row] = more
                for net, number in nets.items():
                    rounds[depth, seat, row, _place(int(net) - least_net)] = number
            return cls(
                unit=int(document["unit"]),
                least_net=least_net,
                least_count=least_count,
                spots=int(document["spots"]),
                rounds=rounds,
                added=added,
                shoes=int(document["shoes"]),
                cards=int(document["cards"]),
            )
        except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
            msg = f"this is no tally: {type(error).__name__} {error}"
            raise RulesError(msg) from None


def _place(index: int) -> int:
    """Return an index that does not count from the end.

    Raises: IndexError if it would.
    """
    if index < 0:
        raise IndexError(index)
    return index
