"""Means and standard errors of a tally, worked out in whole numbers and divided once at the end."""

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
    """A mean over rounds, with its error. Everything is NaN where no round was played."""

    ev: float
    standard_error: float
    standard_deviation: float
    """Of one round, over all its spots."""
    rounds: int


def estimate_flat(tally: Tally, *, seats: Sequence[int] = PLAYED) -> Estimate:
    """Return the EV per initial bet of flat bets, and the SD of a round in units of one bet.

    `seats` are (1,) for the rounds that were played and (0, 1) for all that were dealt. The error
    takes rounds as independent; the spots of a round need not be.
    """
    by_net = tally.rounds[:, list(seats)].sum(axis=(0, 1, 2))
    nets = tally.nets
    count = int(by_net.sum())
    return _estimate(
        count,
        Fraction(int(by_net @ nets)),
        Fraction(int(by_net @ (nets * nets))),
        scale=tally.unit,
        spots=tally.spots,
    )


def estimate_ramp(tally: Tally, ramp: BetRamp) -> Estimate:
    """Return the EV of a round dealt, in betting units over all spots, by the bets of a ramp.

    A round that is sat out, by the count or by a bet of 0, wins nothing and is a round still.

    Raises: RulesError if the ramp tells counts apart that the tally keeps together.
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
    """Refuse a ramp whose bets still change beyond the counts that a tally keeps.

    Raises: RulesError.
    """
    least, most = tally.least_count, tally.least_count + tally.rounds.shape[2] - 1
    low = {ramp.bet(count) for count in range(min(ramp.least, least), least + 1)}
    high = {ramp.bet(count) for count in range(most, max(ramp.least + len(ramp.bets), most) + 1)}
    if len(low) > 1 or len(high) > 1:
        msg = f"the ramp {ramp} changes beyond the counts a run keeps apart, {least} to {most}"
        raise RulesError(msg)


def _estimate(
    count: int, total: Fraction, squares: Fraction, *, scale: int, spots: int
) -> Estimate:
    """Return mean and errors from exact sums; `scale` is what makes one unit."""
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
    """The rounds that were played at one count, bet flat."""

    label: str
    """The count; `<= -40` and `>= 40` where the tally's ends stand for those beyond."""
    count: int
    share: float
    """Of the rounds played."""
    added: float
    """Bets added by doubling, splitting and insurance, per initial bet."""
    flat: Estimate
    """Per initial bet; the SD is that of a round."""


def estimate_counts(tally: Tally) -> list[CountEstimate]:
    """Return the EV of flat bets at every count that came up, lowest first."""
    rows = tally.by_count()
    last = len(rows.count) - 1
    estimates = []
    for place in range(len(rows.count)):
        played, count = int(rows.rounds[place]), int(rows.count[place])
        if not played:
            continue
        end = "<= " if place == 0 and last else ">= " if place == last and last else ""
        estimates.append(
            CountEstimate(
                label=f"{end}{count:+d}" if count else f"{end}0",
                count=count,
                share=played / tally.played,
                added=int(rows.added[place]) / (2 * played * tally.spots),
                flat=_estimate(
                    played,
                    Fraction(int(rows.net_sum[place])),
                    Fraction(int(rows.square_sum[place])),
                    scale=tally.unit,
                    spots=tally.spots,
                ),
            )
        )
    return estimates
