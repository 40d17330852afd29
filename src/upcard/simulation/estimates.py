"""Means and standard errors of a tally, computed in whole numbers and divided once at the end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from upcard.core.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from upcard.simulation.tally import Tally
    from upcard.strategy.ramp import BetRamp

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

    Raises: RulesError if the ramp distinguishes counts that the tally does not.
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
    """Refuse a ramp whose bets still change beyond the counts of a tally. Raises: RulesError."""
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
