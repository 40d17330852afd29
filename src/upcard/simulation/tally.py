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
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from upcard.core.errors import BlackjackError, RulesError
from upcard.core.numbers import fields_of
from upcard.rules.settings import DealerRule, Shuffle
from upcard.simulation.job import Job, take, take_whole
from upcard.strategy.ramp import BetRamp

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

    def __add__(self, other: Tally) -> Tally:
        """Add two tallies of the same game."""
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
            **fields_of(self, "least_net", "least_count", "shoes", "cards"),
            "cells": cells,
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
            tally = cls(rounds=rounds, added=added, **numbers)
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


class Estimate(NamedTuple):
    """A mean over rounds, with its error. All fields are NaN if no round was played."""

    ev: float
    standard_error: float
    standard_deviation: float
    """Standard deviation of one round, over all its spots."""
    rounds: int


def estimate_flat(tally: Tally, *, seats: Sequence[int] = PLAYED) -> Estimate:
    """Return the EV per initial bet of flat bets, and the SD of a round in units of one bet.

    `seats` are (1,) for the rounds that were played and (0, 1) for all that were dealt. The error
    assumes independent rounds; the spots of a round need not be.
    """
    by_net = tally.rounds[:, list(seats)].sum(axis=(0, 1, 2))
    nets = tally.nets
    count = int(by_net.sum())
    total, squares = Fraction(int(by_net @ nets)), Fraction(int(by_net @ (nets * nets)))
    return _estimate(count, total, squares, scale=tally.unit, spots=tally.spots)


def estimate_ramp(tally: Tally, ramp: BetRamp) -> Estimate:
    """Return the EV of a round dealt, in betting units over all spots, with the bets of a ramp.

    A round that is sat out, by the count or by a bet of 0, counts as a round with no win.
    """
    check_ramp(tally, ramp)
    rows = tally.by_count()
    bets = [Fraction(ramp.bet(int(count))) for count in rows.count]
    total = sum((bet * int(net) for bet, net in zip(bets, rows.net_sum, strict=True)), Fraction())
    squares = sum(
        (bet * bet * int(square) for bet, square in zip(bets, rows.square_sum, strict=True)),
        Fraction(),
    )
    return _estimate(tally.seen, total, squares, scale=tally.unit, spots=1)


def check_ramp(tally: Tally, ramp: BetRamp) -> None:
    """Refuse a ramp whose bets still change beyond the counts of a tally."""
    least, most = tally.least_count, tally.least_count + tally.rounds.shape[2] - 1
    low = {ramp.bet(count) for count in range(min(ramp.least, least), least + 1)}
    high = {ramp.bet(count) for count in range(most, max(ramp.least + len(ramp.bets), most) + 1)}
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
        end = "<= " if place == 0 and last else ">= " if place == last and last else ""
        estimates.append(
            CountEstimate(
                label=f"{end}{count:+d}" if count else f"{end}0",
                count=count,
                share=played / tally.played,
                added=int(rows.added[place]) / (2 * played * tally.spots),
                flat=_estimate(played, *sums, scale=tally.unit, spots=tally.spots),
            )
        )
    return estimates


SUSPICIOUS_Z: Final = 4.0
_TELLING_ERRORS: Final = 2.0
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
        """Whether the difference is at least two standard errors."""
        if self.difference is None or not self.standard_error:
            return False
        return abs(self.difference) >= _TELLING_ERRORS * self.standard_error

    def to_json(self) -> dict[str, Any]:
        """Return all fields as JSON values."""
        return {
            "ev": self.exact_ev,
            "is_same_game": self.is_fresh,
            **fields_of(self, "difference", "standard_error", "z", "cut_card_effect"),
            "reason": self.reason or None,
        }


def check_exactly(job: Job, tally: Tally) -> ExactCheck:
    """Compare a run's flat EV with the exact EV of its chart on a fresh shoe."""
    from upcard.cache.exact import expected_value

    reason = find_obstacle(job)
    if reason:
        return ExactCheck(exact_ev=None, reason=reason)
    try:
        exact_ev = expected_value(job.rules, strategy=job.strategy)
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
