"""`Tally`: results of simulated rounds as whole numbers that add in any order, and as few bytes.

Rounds are counted at one unit bet a spot. Bets move no cards, so the result of any bets follows
from the rounds by count: one simulation serves every ramp.
"""

from __future__ import annotations

import json
import math
import struct
import zlib
from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from upcard.core.errors import RulesError
from upcard.simulation.job import take, take_whole

Integers: TypeAlias = NDArray[np.int64]

_SHAPE: Final = ("unit", "least_net", "least_count", "spots")
# Limits for a tally from a file: far more than any game's, but they bound the memory.
_MOST_CELLS: Final = 2**24
_MOST_NUMBER: Final = 2**62
_MOST_SUM: Final = 2.0**63
NUMBERS: Final = {
    "unit": (1, 10**6),
    "least_net": (-(10**6), 10**6),
    "least_count": (-10_000, 10_000),
    "spots": (1, 7),
    "shoes": (0, _MOST_NUMBER),
    "cards": (0, _MOST_NUMBER),
}
"""The single numbers of a tally, with their limits."""


@dataclass(frozen=True, slots=True, eq=False)
class CountRows:
    """Rounds by count, for all depths. Each array has one entry a count."""

    count: Integers
    """Betting count before the deal; the first and the last include counts beyond."""
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
    of the cards before the cut card dealt when the round began, in equal steps; seat 1 are the
    rounds that were played, seat 0 those sat out by the count.
    """

    unit: int
    """Nets are whole numbers of 1/unit of a bet."""
    least_net: int
    """Net of the first net column, in 1/unit."""
    least_count: int
    """Count of the first count row."""
    spots: int
    rounds: Integers
    added: Integers
    shoes: int
    """Number of shuffles."""
    cards: int
    """Number of cards dealt."""

    def __add__(self, other: Tally) -> Tally:
        """Add two tallies of the same game. Raises: RulesError if the games differ."""
        ours, theirs = (tuple(getattr(tally, name) for name in _SHAPE) for tally in (self, other))
        if ours != theirs or self.rounds.shape != other.rounds.shape:
            raise RulesError(f"tallies of different games cannot be added: {ours} and {theirs}")
        return replace(
            self,
            rounds=self.rounds + other.rounds,
            added=self.added + other.added,
            shoes=self.shoes + other.shoes,
            cards=self.cards + other.cards,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return all(
            np.array_equal(getattr(self, item.name), getattr(other, item.name))
            for item in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]  # it holds arrays

    @property
    def played(self) -> int:
        """Number of rounds that were played."""
        return int(self.rounds[:, 1].sum())

    @property
    def seen(self) -> int:
        """Number of rounds that were dealt, including those sat out."""
        return int(self.rounds.sum())

    @property
    def nets(self) -> Integers:
        """Nets of the columns, in 1/unit of a bet."""
        return np.arange(self.least_net, self.least_net + self.rounds.shape[3], dtype=np.int64)

    def by_count(self) -> CountRows:
        """Return the played rounds by betting count."""
        rounds, added, nets = self.rounds[:, 1].sum(axis=0), self.added[:, 1].sum(axis=0), self.nets
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
        """Read what `to_json` wrote. Raises: RulesError if it is not a tally."""
        try:
            shape = tuple(take(document, "shape", list))
            if len(shape) != 4 or shape[1] != 2 or not 0 < math.prod(shape) <= _MOST_CELLS:
                raise ValueError(f"its shape cannot be {str(shape)[:40]}")  # noqa: TRY301 (as all)
            rounds, added = np.zeros(shape, np.int64), np.zeros(shape[:3], np.int64)
            numbers = {
                name: take_whole(document, name, *limits) for name, limits in NUMBERS.items()
            }
            for depth, seat, count, more, by_net in take(document, "cells", list):
                row = depth, seat, count - numbers["least_count"]
                columns = [int(net) - numbers["least_net"] for net in by_net]
                if min(*row, *columns) < 0:
                    raise ValueError("it has a cell outside its shape")  # noqa: TRY301
                added[row] = more
                rounds[row][columns] = list(by_net.values())
            tally = cls(rounds=rounds, added=added, **numbers)
            if min(rounds.min(), added.min()) < 0:
                raise ValueError("a tally has no numbers under 0")  # noqa: TRY301
            # As floating-point numbers, since whole ones might overflow.
            squares = rounds.sum(axis=(0, 1, 2), dtype=float) @ (tally.nets.astype(float) ** 2)
            if max(squares, added.sum(dtype=float)) > _MOST_SUM:
                raise ValueError("the numbers of a tally are too large")  # noqa: TRY301
        except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as error:
            raise RulesError(f"this is no tally: {error}") from None
        return tally


_HEAD_LENGTH: Final = struct.Struct("<I")
_LEVEL: Final = 1
"""Compression level: tallies are mostly zeros, so more effort saves little."""


def pack(tally: Tally) -> bytes:
    """Write a tally as compressed bytes; `unpack` reads them back."""
    flat = tally.rounds.ravel()
    places = np.flatnonzero(flat)
    numbers = {name: getattr(tally, name) for name in NUMBERS}
    head = json.dumps(numbers | {"shape": tally.rounds.shape, "cells": len(places)}).encode()
    parts = (
        _HEAD_LENGTH.pack(len(head)),
        head,
        np.diff(places, prepend=0).astype("<i4").tobytes(),
        flat[places].astype("<i8").tobytes(),
        tally.added.astype("<i8").tobytes(),
    )
    return zlib.compress(b"".join(parts), _LEVEL)


def unpack(packed: bytes) -> Tally:
    """Read what `pack` wrote, in this process or in a worker."""
    data = zlib.decompress(packed)
    (length,) = _HEAD_LENGTH.unpack_from(data)
    start = _HEAD_LENGTH.size + length
    head = json.loads(data[_HEAD_LENGTH.size : start])
    cells, shape = head.pop("cells"), head.pop("shape")
    places = np.cumsum(np.frombuffer(data, "<i4", cells, start), dtype=np.int64)
    start += 4 * cells
    flat = np.zeros(math.prod(shape), np.int64)
    flat[places] = np.frombuffer(data, "<i8", cells, start)
    added = np.frombuffer(data, "<i8", -1, start + 8 * cells).reshape(shape[:3])
    return Tally(rounds=flat.reshape(shape), added=added.astype(np.int64), **head)
