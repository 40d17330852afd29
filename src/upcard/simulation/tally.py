"""`Tally`: results of simulated rounds as whole numbers that add in any order, and what they mean.

Rounds are counted at one unit bet a spot. Bets move no cards, so the result of any bets follows
from the rounds by count: one simulation serves every ramp. Means and standard errors are computed
from exact sums; `check_exactly` compares the mean with the exact value of the chart. `pack` writes
a tally in few bytes, for workers.
"""

from __future__ import annotations

import json
import math
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from upcard.core import figure
from upcard.core.errors import BlackjackError, RulesError
from upcard.core.numbers import fields_of, finite
from upcard.core.wager import Wager
from upcard.rules.settings import DealerRule, Shuffle
from upcard.simulation.job import Job, take, take_whole
from upcard.strategy.ramp import BetRamp

if TYPE_CHECKING:
    from upcard.rules.side_bets import SideBet

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
_HEAD_LENGTH: Final = struct.Struct("<I")
_LEVEL: Final = 1
"""Compression level: tallies are mostly zeros, so more effort saves little."""


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
class SideSums:
    """Results of a unit on every side bet of every spot, in every round, as whole numbers.

    Shapes: `counts` is (depths, 2, counts, bets, outcomes), `products` (depths, 2, counts,
    products). Side bets share cards with the main bet and with each other, so that their variances
    do not add: `products` holds the sums from which any joint variance follows exactly.
    """

    unit: int
    """Nets are whole numbers of 1/unit of a bet."""
    codes: tuple[str, ...]
    """Short names of the bets."""
    outcomes: tuple[tuple[tuple[str, int], ...], ...]
    """By bet, the loss first: the rows that pay, `lost` if none does, and the net in 1/unit."""
    counts: Integers
    """How often, over all spots; unused columns are 0."""
    products: Integers
    """Sums of products of nets of a round, over its spots, in the order of `pairs`; main nets are
    in the unit of the tally."""

    @classmethod
    def of(cls, bets: Sequence[SideBet], shape: tuple[int, ...]) -> SideSums:
        """Return the sums of no rounds; `shape` is that of `Tally.added`."""
        from upcard.simulation.kernels.side_tables import find_side_unit, list_outcomes

        unit, size = find_side_unit(bets), len(bets)
        outcomes = tuple(
            tuple((one.name, int(one.net * unit)) for one in list_outcomes(bet)) for bet in bets
        )
        return cls(
            unit=unit,
            codes=tuple(bet.code for bet in bets),
            outcomes=outcomes,
            counts=np.zeros((*shape, size, max(map(len, outcomes))), np.int64),
            products=np.zeros((*shape, len(pairs(size))), np.int64),
        )

    @property
    def nets(self) -> Integers:
        """Nets of the outcomes, in 1/unit: (bets, outcomes)."""
        nets = np.zeros(self.counts.shape[3:], np.int64)
        for bet, outcomes in enumerate(self.outcomes):
            nets[bet, : len(outcomes)] = [net for _, net in outcomes]
        return nets

    @property
    def _bets(self) -> tuple[object, ...]:
        return self.codes, self.outcomes, self.unit

    def __add__(self, other: SideSums) -> SideSums:
        """Add the sums of other rounds of the same house.

        Raises: RulesError for another house, and for sums beyond 64 bits.
        """
        if self._bets != other._bets:
            raise RulesError("tallies of different side bets cannot be added")
        found = replace(
            self, counts=self.counts + other.counts, products=self.products + other.products
        )
        found.check()
        return found

    def __neg__(self) -> SideSums:
        return replace(self, counts=-self.counts, products=-self.products)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SideSums):
            return NotImplemented
        is_alike = self._bets == other._bets and np.array_equal(self.counts, other.counts)
        return is_alike and np.array_equal(self.products, other.products)

    __hash__ = None  # type: ignore[assignment]  # it holds arrays

    def check(self) -> None:
        """Refuse sums that over all rounds are near the end of 64 bits."""
        if np.abs(self.products.astype(float)).sum(axis=(0, 1, 2)).max() > _MOST_SUM / 2:
            raise RulesError("the sums of the side bets are too large: play fewer rounds")

    def to_json(self, least_count: int) -> dict[str, Any]:
        """Write the sums sparsely: for each depth, seat and count those of the bets."""
        cells = []
        for depth, seat, row in np.argwhere(self.counts.any(axis=(3, 4))).tolist():
            counts = self.counts[depth, seat, row]
            by_bet = [
                line[: len(outcomes)].tolist()
                for line, outcomes in zip(counts, self.outcomes, strict=True)
            ]
            products = self.products[depth, seat, row].tolist()
            cells.append([depth, seat, row + least_count, by_bet, products])
        bets = [
            {"name": code, "outcomes": [list(outcome) for outcome in outcomes]}
            for code, outcomes in zip(self.codes, self.outcomes, strict=True)
        ]
        return {"unit": self.unit, "bets": bets, "cells": cells}

    @classmethod
    def from_json(
        cls, document: dict[str, Any], shape: tuple[int, ...], least_count: int
    ) -> SideSums:
        """Read what `to_json` wrote. Raises: errors of faulty values, such as ValueError."""
        bets = take(document, "bets", list)
        codes = tuple(take(bet, "name", str) for bet in bets)
        outcomes = tuple(
            tuple((str(name), int(net)) for name, net in take(bet, "outcomes", list))
            for bet in bets
        )
        size, width = len(bets), max(map(len, outcomes))
        if not 0 < math.prod(shape) * size * (width + size) <= _MOST_CELLS:
            raise ValueError("it has too many side bets")
        counts = np.zeros((*shape, size, width), np.int64)
        products = np.zeros((*shape, len(pairs(size))), np.int64)
        for depth, seat, count, by_bet, sums in take(document, "cells", list):
            row = depth, seat, count - least_count
            if min(row) < 0 or len(by_bet) != size:
                raise ValueError("it has side bets outside its shape")
            for bet, line in enumerate(by_bet):
                counts[(*row, bet)][: len(outcomes[bet])] = line
            products[row] = sums
        if counts.min() < 0:
            raise ValueError("a tally has no numbers under 0")
        unit = take_whole(document, "unit", 1, 10**6)
        found = cls(unit=unit, codes=codes, outcomes=outcomes, counts=counts, products=products)
        found.check()
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LuckSums:
    """The luck of the cards in the rounds of a tally, and what errors without it need.

    Rounds of a shoe share what its cards are worth, so that without luck they are not independent:
    errors are those of sums over shoes. Shapes: `luck` is (depths, 2, counts), as `Tally.added`;
    `products` (3, slots, slots), a slot for each count, and the last one for all rounds sat out.
    """

    bits: int
    """Luck is in 1/(unit * 2**bits) of a bet, with the unit of the tally."""
    product_bits: int
    """The same of the nets in `products`."""
    luck: Integers
    products: Integers
    """Sums over shoes: rounds by rounds, nets without luck by rounds, nets by nets."""

    def __add__(self, other: LuckSums) -> LuckSums:
        """Add the sums of other shoes. Raises: RulesError for another game."""
        ours, theirs = ((one.bits, one.product_bits, one.luck.shape) for one in (self, other))
        if ours != theirs:
            raise RulesError("luck of different games cannot be added")
        added = replace(self, luck=self.luck + other.luck, products=self.products + other.products)
        if np.abs(self.products.astype(float) + other.products).max() > _MOST_SUM / 2:
            raise RulesError("the sums without luck are too large: play fewer rounds")
        return added

    def __neg__(self) -> LuckSums:
        return replace(self, luck=-self.luck, products=-self.products)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LuckSums):
            return NotImplemented
        is_alike = (self.bits, self.product_bits) == (other.bits, other.product_bits)
        return is_alike and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in _LUCK_ARRAYS
        )

    __hash__ = None  # type: ignore[assignment]  # it holds arrays

    def write(self) -> dict[str, Any]:
        """Write the sums sparsely, each number after its places."""
        cells = {
            name: [[*place, int(array[tuple(place)])] for place in np.argwhere(array).tolist()]
            for name in _LUCK_ARRAYS
            for array in (getattr(self, name),)
        }
        return {**fields_of(self, "bits", "product_bits"), **cells}

    @classmethod
    def read(cls, document: dict[str, Any], shape: tuple[int, ...]) -> LuckSums:
        """Read what `write` wrote. Raises: errors of faulty values, such as ValueError."""
        slots = shape[2] + 1
        shapes = {"luck": shape, "products": (3, slots, slots)}
        arrays = {}
        for name, size in shapes.items():
            arrays[name] = np.zeros(size, np.int64)
            for *place, number in take(document, name, list):
                if len(place) != len(size) or {*map(type, (*place, number))} != {int}:
                    raise ValueError("its luck is not of whole numbers at their places")
                if min(place) < 0:
                    raise ValueError("it has luck outside its shape")
                arrays[name][tuple(place)] = number
        return cls(
            bits=take_whole(document, "bits", 0, 60),
            product_bits=take_whole(document, "product_bits", -60, 60),
            **arrays,
        )

    def estimate(
        self, tally: Tally, bets: Sequence[float], counted: Sequence[float]
    ) -> tuple[float, float | None]:
        """Return the mean of a counted round with bets by slot, and its standard error.

        `counted` is 1 for the slots whose rounds count, else 0. Too few shoes show no error: None.
        """
        rounds = tally.rounds.sum(axis=(0, 3))
        nets = ((tally.rounds @ tally.nets).astype(object) << self.bits) - self.luck
        by_slot = [*nets[:, 1].sum(axis=0), nets[:, 0].sum()]
        scale = tally.unit << self.bits
        won = sum(Fraction(bet) * int(net) for bet, net in zip(bets, by_slot, strict=True) if bet)
        number = int(np.array([*rounds[1], rounds[0].sum()]) @ np.array(counted, np.int64))
        if not number:
            return math.nan, math.nan
        mean = float(Fraction(won) / (scale * number))
        unit = tally.unit * 2.0**self.product_bits
        of_rounds, mixed, of_nets = self.products.astype(float)
        placed, mask = np.array(bets, float), np.array(counted, float)
        spread = (
            placed @ of_nets @ placed / unit**2
            - 2 * mean * (placed @ mixed @ mask) / unit
            + mean**2 * (mask @ of_rounds @ mask)
        )
        # The number of equal shoes with as much spread of the bets.
        placed_rounds = placed * [*rounds[1], rounds[0].sum()]
        shoes = float(placed_rounds.sum() ** 2 / max(placed @ of_rounds @ placed, 1e-9))
        if shoes < _FEWEST_SHOES:
            return mean, None
        return mean, math.sqrt(max(spread, 0.0) * shoes / (shoes - 1)) / number


_LUCK_ARRAYS: Final = ("luck", "products")
_FEWEST_SHOES: Final = 10


def pairs(bets: int) -> list[tuple[int, int]]:
    """Return the products of a round in their order; the main bet is 0, and the side bets follow.

    A side bet is multiplied by the main bet, then by its own net and those after it.
    """
    return [(bet, other) for bet in range(1, bets + 1) for other in (0, *range(bet, bets + 1))]


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
    side: SideSums | None = None
    """Results of the side bets, if the house has any."""
    luck: LuckSums | None = None
    """The luck of the cards, if it was taken out."""

    def __add__(self, other: Tally) -> Tally:
        ours, theirs = (tuple(getattr(tally, name) for name in _SHAPE) for tally in (self, other))
        if ours != theirs or self.rounds.shape != other.rounds.shape:
            raise RulesError(f"tallies of different games cannot be added: {ours} and {theirs}")
        if (self.side is None) != (other.side is None):
            raise RulesError("tallies with and without side bets cannot be added")
        if (self.luck is None) != (other.luck is None):
            raise RulesError("tallies with and without luck cannot be added")
        return replace(
            self,
            rounds=self.rounds + other.rounds,
            added=self.added + other.added,
            shoes=self.shoes + other.shoes,
            cards=self.cards + other.cards,
            side=None if self.side is None or other.side is None else self.side + other.side,
            luck=None if self.luck is None or other.luck is None else self.luck + other.luck,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return (self.side, self.luck) == (other.side, other.luck) and all(
            np.array_equal(getattr(self, item.name), getattr(other, item.name))
            for item in fields(self)
            if item.name not in ("side", "luck")
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
            **fields_of(self, "unit", "spots"),
            "shape": list(self.rounds.shape),
            **fields_of(self, "least_net", "least_count", "shoes", "cards"),
            "cells": cells,
            **({} if self.side is None else {"side": self.side.to_json(self.least_count)}),
            **({} if self.luck is None else {"luck": self.luck.write()}),
        }

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Tally:
        """Read what `to_json` wrote."""
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
            side = None
            if "side" in document:
                written = take(document, "side", dict)
                side = SideSums.from_json(written, shape[:3], numbers["least_count"])
            luck = None
            if "luck" in document:
                luck = LuckSums.read(take(document, "luck", dict), shape[:3])
            tally = cls(rounds=rounds, added=added, side=side, luck=luck, **numbers)
            if min(rounds.min(), added.min()) < 0:
                raise ValueError("a tally has no numbers under 0")  # noqa: TRY301
            # As floating-point numbers, since whole ones might overflow.
            squares = rounds.sum(axis=(0, 1, 2), dtype=float) @ (tally.nets.astype(float) ** 2)
            if max(squares, added.sum(dtype=float)) > _MOST_SUM:
                raise ValueError("the numbers of a tally are too large")  # noqa: TRY301
        except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as error:
            raise RulesError(f"this is not a tally: {error}") from None
        return tally


PLAYED = (1,)
DEALT = (0, 1)


class JointSums(NamedTuple):
    """Sums over rounds from which the result of any bets follows, exactly, in units.

    The main bet comes first, then the side bets; each is one unit on every spot.
    """

    rounds: int
    nets: tuple[Fraction, ...]
    products: tuple[tuple[Fraction, ...], ...]
    """Sums of the products of two nets, in both orders."""

    def of(self, main: Fraction, side: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
        """Return the sums of the net of these bets, and of its square."""
        bets = [(place, bet) for place, bet in enumerate((main, *side)) if bet]
        net = sum((bet * self.nets[place] for place, bet in bets), Fraction(0))
        square = (one * two * self.products[a][b] for a, one in bets for b, two in bets)
        return net, sum(square, Fraction(0))

    def means(self) -> tuple[float, ...]:
        """Return the mean net of each bet; zeros if there was no round."""
        return tuple(float(net / max(self.rounds, 1)) for net in self.nets)

    def mean_products(self) -> tuple[tuple[float, ...], ...]:
        """Return the means of the products."""
        rounds = max(self.rounds, 1)
        return tuple(tuple(float(one / rounds) for one in row) for row in self.products)

    def correlate(self, one: int, other: int) -> float:
        """Return the correlation of two bets; NaN if a bet does not vary."""

        def covary(a: int, b: int) -> Fraction:
            return self.products[a][b] * self.rounds - self.nets[a] * self.nets[b]

        spread = covary(one, one) * covary(other, other)
        return float(covary(one, other)) / math.sqrt(spread) if spread > 0 else math.nan


def _codes(tally: Tally) -> tuple[str, ...]:
    return () if tally.side is None else tally.side.codes


def join_counts(tally: Tally, *, seats: Sequence[int] = PLAYED) -> Iterator[JointSums]:
    """Iterate over the joint sums of all bets, a count each."""
    chosen, nets = list(seats), tally.nets
    rounds = tally.rounds[:, chosen].sum(axis=(0, 1))
    sums, squares, number = rounds @ nets, rounds @ nets**2, rounds.sum(axis=1)
    side = tally.side
    if side is not None:
        counts = side.counts[:, chosen].sum(axis=(0, 1))
        side_sums = (counts * side.nets).sum(axis=-1)
        products = side.products[:, chosen].sum(axis=(0, 1))
        places = pairs(len(side.codes))
    for row in range(len(number)):
        means = [Fraction(int(sums[row]), tally.unit)]
        square = Fraction(int(squares[row]), tally.unit**2)
        if side is None:
            yield JointSums(int(number[row]), tuple(means), ((square,),))
            continue
        units = (tally.unit, *(side.unit for _ in side.codes))
        means += [Fraction(int(one), side.unit) for one in side_sums[row]]
        matrix = [[square] * len(units) for _ in units]
        for (one, other), product in zip(places, products[row].tolist(), strict=True):
            matrix[one][other] = matrix[other][one] = Fraction(product, units[one] * units[other])
        yield JointSums(int(number[row]), tuple(means), tuple(map(tuple, matrix)))


def join_rounds(tally: Tally, *, seats: Sequence[int] = PLAYED) -> JointSums:
    """Return the joint sums of all bets over all counts."""
    rows = list(join_counts(tally, seats=seats))

    def add(lines: Iterable[tuple[Fraction, ...]]) -> tuple[Fraction, ...]:
        return tuple(sum(each, Fraction(0)) for each in zip(*lines, strict=True))

    products = zip(*(row.products for row in rows), strict=True)
    return JointSums(
        sum(row.rounds for row in rows), add(row.nets for row in rows), tuple(map(add, products))
    )


class Estimate(NamedTuple):
    """A mean over rounds, with its error. All fields are NaN if no round was played."""

    ev: float
    standard_error: float
    standard_deviation: float
    """Standard deviation of one round, over all its spots."""
    rounds: int


def estimate_flat(tally: Tally, *, seats: Sequence[int] = PLAYED) -> Estimate:
    """Return the EV per initial bet of flat bets, and the SD of a round in units of one bet.

    `seats` are (1,) for the rounds that were played and (0, 1) for all that were dealt. With luck
    the error assumes independent rounds, without it independent shoes; the spots of a round need
    not be.
    """
    by_net = tally.rounds[:, list(seats)].sum(axis=(0, 1, 2))
    nets = tally.nets
    count = int(by_net.sum())
    total, squares = Fraction(int(by_net @ nets)), Fraction(int(by_net @ (nets * nets)))
    found = _estimate(count, total, squares, scale=tally.unit, spots=tally.spots)
    counted = [1.0] * tally.rounds.shape[2] + [float(0 in seats)]
    return _calm(tally, found, counted, counted, spots=tally.spots)


def estimate_ramp(tally: Tally, ramp: BetRamp) -> Estimate:
    """Return the EV of a round dealt, in betting units over all spots, with the bets of a ramp.

    A round that is sat out, by the count or by a bet of 0, counts as a round with no win.
    """
    check_ramp(tally, ramp)
    total = squares = Fraction(0)
    for place, moments in enumerate(join_counts(tally)):
        wager = ramp.wager(tally.least_count + place)
        if wager.main:
            more, square = moments.of(wager.main, [wager.on(code) for code in _codes(tally)])
            total, squares = total + more, squares + square
    unit = tally.unit  # in whole numbers, as in every version, so that no last bit changes
    found = _estimate(tally.seen, total * unit, squares * unit**2, scale=unit, spots=1)
    wagers = [ramp.wager(tally.least_count + place) for place in range(tally.rounds.shape[2])]
    if any(wager.on(code) for wager in wagers for code in _codes(tally)):
        return found  # the luck of side bets is not taken out
    bets = [float(wager.main) for wager in wagers]
    return _calm(tally, found, [*bets, 0.0], [1.0] * (len(bets) + 1), spots=1)


def _calm(
    tally: Tally, found: Estimate, bets: Sequence[float], counted: Sequence[float], *, spots: int
) -> Estimate:
    """Return an estimate without luck, where the tally has none; a round's SD keeps its luck.

    So does the error if the rounds are of too few shoes.
    """
    if tally.luck is None or not found.rounds:
        return found
    mean, error = tally.luck.estimate(tally, bets, counted)
    error = found.standard_error if error is None else error / spots
    return found._replace(ev=mean / spots, standard_error=error)


def check_ramp(tally: Tally, ramp: BetRamp) -> None:
    """Refuse a ramp whose bets still change beyond the counts of a tally."""
    least, most = tally.least_count, tally.least_count + tally.rounds.shape[2] - 1
    first, last = ramp.ends
    low = {ramp.wager(count) for count in range(min(first, least), least + 1)}
    high = {ramp.wager(count) for count in range(most, max(last + 1, most) + 1)}
    if len(low) > 1 or len(high) > 1:
        msg = f"the ramp {ramp} changes beyond the counts a run distinguishes, {least} to {most}"
        raise RulesError(msg)


def _estimate(
    count: int, total: Fraction, squares: Fraction, *, scale: int, spots: int
) -> Estimate:
    """Return mean and errors from exact sums; `scale` is the value of one unit."""
    if count == 0:
        return Estimate(math.nan, math.nan, math.nan, 0)
    mean = total / count
    spread = squares / count - mean * mean
    if count > 1:
        spread = spread * count / (count - 1)
    deviation = math.sqrt(spread) / scale
    return Estimate(
        ev=float(mean / (scale * spots)),
        standard_error=deviation / math.sqrt(count) / spots if count > 1 else math.nan,
        standard_deviation=deviation,
        rounds=count,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CountEstimate:
    """Rounds played at one count, with flat bets."""

    label: str
    """The count; `<= -40` and `>= 40` for the ends of the tally, which include those beyond."""
    count: int
    share: float
    """Share of the rounds played."""
    added: float
    """Bets added by doubling, splitting and insurance, per initial bet."""
    flat: Estimate
    """EV per initial bet; the SD is that of a round."""


def estimate_counts(tally: Tally) -> list[CountEstimate]:
    """Return the EV of flat bets at every count that occurred, lowest first."""
    rows = tally.by_count()
    last = len(rows.count) - 1
    estimates = []
    for place in range(len(rows.count)):
        played, count = int(rows.rounds[place]), int(rows.count[place])
        if not played:
            continue
        sums = (Fraction(int(each[place])) for each in (rows.net_sum, rows.square_sum))
        own = [float(slot == place) for slot in range(last + 2)]
        flat = _estimate(played, *sums, scale=tally.unit, spots=tally.spots)
        end = "<= " if place == 0 and last else ">= " if place == last and last else ""
        estimates.append(
            CountEstimate(
                label=f"{end}{count:+d}" if count else f"{end}0",
                count=count,
                share=played / tally.played,
                added=int(rows.added[place]) / (2 * played * tally.spots),
                flat=_calm(tally, flat, own, own, spots=tally.spots),
            )
        )
    return estimates


def tabulate_counts(tally: Tally | None, ramp: BetRamp | None) -> figure.AnswerTable:
    """Return the rounds by count; deviations and shares in full are for programs."""
    return figure.AnswerTable(
        title="By count before the deal, EV of flat bets",
        columns=(
            *(figure.number("count", is_shown=False), figure.label("label", "count")),
            *(figure.number("rounds", is_shown=False), figure.share("frequency", "rounds")),
            figure.percent("ev", "EV", digits=3),
            figure.share("standard_error", "±", unit=figure.BET),
            figure.real("standard_deviation", "SD", is_shown=False),
            figure.real("added", is_shown=False),
            figure.amount("bet", unit="", is_shown=ramp is not None),
        ),
        rows=tuple(
            (
                *(row.count, row.label, row.flat.rounds, row.share, finite(row.flat.ev)),
                *(finite(row.flat.standard_error), finite(row.flat.standard_deviation)),
                *(row.added, Fraction(1) if ramp is None else ramp.bet(row.count)),
            )
            for row in ([] if tally is None else estimate_counts(tally))
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SideEstimate:
    """A side bet, placed in every round that was played, on every spot."""

    code: str
    placed: Estimate
    """EV per unit bet; the SD is that of a round, over all its spots."""
    hit: float
    """Share of the bets that win; those returned do not."""
    correlation: float
    """Correlation with the main bet, flat, over the rounds; NaN if a bet does not vary."""
    rows: tuple[tuple[str, float, int], ...]
    """By outcome, the loss first: its name, its net per unit, and how often it came up."""


def estimate_side(tally: Tally, *, seats: Sequence[int] = PLAYED) -> tuple[SideEstimate, ...]:
    """Return the results of the side bets of a tally."""
    side = tally.side
    if side is None:
        return ()
    joint = join_rounds(tally, seats=seats)
    counts = side.counts[:, list(seats)].sum(axis=(0, 1, 2))
    found = []
    for place, (code, outcomes) in enumerate(zip(side.codes, side.outcomes, strict=True)):
        often = [int(number) for number in counts[place, : len(outcomes)]]
        won = sum(number for number, (_, net) in zip(often, outcomes, strict=True) if net > 0)
        own = place + 1
        sums = joint.nets[own], joint.products[own][own]
        found.append(
            SideEstimate(
                code=code,
                placed=_estimate(joint.rounds, *sums, scale=1, spots=tally.spots),
                hit=won / max(sum(often), 1) if sum(often) else math.nan,
                correlation=joint.correlate(0, own),
                rows=tuple(
                    (name, net / side.unit, number)
                    for (name, net), number in zip(outcomes, often, strict=True)
                ),
            )
        )
    return tuple(found)


def estimate_wager(tally: Tally, wager: Wager, *, seats: Sequence[int] = PLAYED) -> Estimate:
    """Return the net of a round with the same wager on every spot, with its joint SD, in its chips.

    The spots of a round count together.
    """
    placed = wager.in_order(_codes(tally))
    joint = join_rounds(tally, seats=seats)
    sums = joint.of(placed.main, [placed.on(code) for code in _codes(tally)])
    return _estimate(joint.rounds, *sums, scale=1, spots=1)


SUSPICIOUS_Z: Final = 4.0
_TELLING_ERRORS: Final = 3.0
_EXACT_DECIMALS: Final = 13
"""Digits of an exact value in a run: NumPy versions sum in different orders, so that the last bits
differ, and a run must have the same bytes with all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactCheck:
    """The exact solver's value of a simulated game with flat bets, or the reason for having none.

    All dealt rounds count, including those sat out: they are the same game.
    """

    exact_ev: float | None
    """EV of the first round after a shuffle, per initial bet; None if there is no exact value."""
    difference: float | None = None
    """Simulated minus exact EV."""
    standard_error: float | None = None
    """Standard error of the difference."""
    is_fresh: bool = False
    """Whether every round is a first one, so that the two must agree."""
    reason: str = ""
    """Reason for having no exact value."""
    json_keys = """
        ev=exact_ev is_same_game=is_fresh difference standard_error z cut_card_effect
        reason=told_reason
    """

    @property
    def z(self) -> float | None:
        """Difference in standard errors; None unless the two must agree."""
        if not self.is_fresh or self.difference is None or not self.standard_error:
            return None
        return self.difference / self.standard_error

    @property
    def is_suspicious(self) -> bool:
        """Whether the two differ by more than chance explains."""
        return self.z is not None and abs(self.z) > SUSPICIOUS_Z

    @property
    def cut_card_effect(self) -> float | None:
        """Effect of playing on until the cut card; None unless that is the difference."""
        return None if self.is_fresh else self.difference

    @property
    def is_told_from_chance(self) -> bool:
        """Whether the difference is at least three standard errors."""
        if self.difference is None or not self.standard_error:
            return False
        return abs(self.difference) >= _TELLING_ERRORS * self.standard_error

    @property
    def told_reason(self) -> str | None:
        """The same reason; None if there is an exact value."""
        return self.reason or None


def check_exactly(job: Job, tally: Tally) -> ExactCheck:
    """Compare a run's flat EV with the exact EV of its chart on a fresh shoe."""
    from upcard.cache.exact import expected_value

    if reason := find_obstacle(job):
        return ExactCheck(exact_ev=None, reason=reason)
    try:
        exact_ev = expected_value(job.rules.main_game, strategy=job.strategy)
    except BlackjackError as error:
        return ExactCheck(exact_ev=None, reason=str(error))
    exact_ev = round(exact_ev, _EXACT_DECIMALS)
    if not math.isfinite(exact_ev):
        return ExactCheck(exact_ev=None, reason="its value is infinite")
    flat = estimate_flat(tally, seats=DEALT)
    is_known = flat.rounds > 1
    return ExactCheck(
        exact_ev=exact_ev,
        difference=flat.ev - exact_ev if is_known else None,
        standard_error=flat.standard_error if is_known else None,
        is_fresh=job.rules.shuffle is Shuffle.EVERY_ROUND,
    )


def find_obstacle(job: Job) -> str:
    """Return why a job has no exact value; empty if it may have one.

    The spots of a round share the dealer and the cards, but each alone is worth the same: the cards
    ahead in a shuffled shoe do not depend on how many were taken before. Rules by which one spot's
    cards affect another's are the exception.
    """
    rules = job.rules
    if job.strategy is None:
        return f"player {job.player} follows no chart"
    if job.deviations is not None:
        return "with index plays a hand is not played by the chart alone"
    if job.spots > 1 and rules.dealer_rule is not DealerRule.TO_17:
        return "with several spots, what the dealer draws depends on all of them"
    if job.spots > 1 and rules.max_total_hands is not None:
        return "with several spots, a split at one takes hands from the others"
    return ""


def pack(tally: Tally) -> bytes:
    """Write a tally as compressed bytes; `unpack` reads them back."""
    flat = tally.rounds.ravel()
    places = np.flatnonzero(flat)
    numbers = {name: getattr(tally, name) for name in NUMBERS}
    side = None if tally.side is None else tally.side.to_json(tally.least_count)
    shape = tally.rounds.shape
    luck = None if tally.luck is None else tally.luck.write()
    more = {"shape": shape, "cells": len(places), "side": side, "luck": luck}
    head = json.dumps(numbers | more).encode()
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
    cells, shape, side, luck = (head.pop(name) for name in ("cells", "shape", "side", "luck"))
    if luck is not None:
        luck = LuckSums.read(luck, tuple(shape[:3]))
    if side is not None:
        side = SideSums.from_json(side, tuple(shape[:3]), head["least_count"])
    places = np.cumsum(np.frombuffer(data, "<i4", cells, start), dtype=np.int64)
    start += 4 * cells
    flat = np.zeros(math.prod(shape), np.int64)
    flat[places] = np.frombuffer(data, "<i8", cells, start)
    added = np.frombuffer(data, "<i8", -1, start + 8 * cells).reshape(shape[:3])
    added = added.astype(np.int64)
    return Tally(rounds=flat.reshape(shape), added=added, side=side, luck=luck, **head)
