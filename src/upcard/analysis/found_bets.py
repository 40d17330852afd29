"""Errors of bets that were found from the rounds by which they are valued.

Other rounds would have given other bets. So a figure moves twice with the rounds: with what they
win at each count, and with the bets that follow from it. A unit that follows from a bank is twice
the example: it goes with EV / variance, and what it wins with EV^2 / variance.

Everything is to first order: the mean G of the net and the mean Q of its square at each count move
a little, and the counts stay bounded, or joined, as they are. With r = G / Q of a block of counts:

- A block between the bounds bets k r.
- The blocks at the bounds, L and S L, are one block with the weights 1 and S.
- Where the least bet is given, k is (sum of Q bet^2) / (sum of G bet) over the blocks at the
  bounds; where a bank sizes the bets it is the bank of full Kelly and the mean win of a round.

Bets in whole chips move as those of any amounts, and a lowest count that was found (`wong best`)
stays where it is.
Source: the delta method; A. Davison, Statistical Models, chapter 4.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from upcard.analysis.figures import Betting, Measurement

if TYPE_CHECKING:
    from upcard.analysis.count_rows import CountedGame

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Places: TypeAlias = np.ndarray[Any, np.dtype[np.intp]]

_EVEN: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """How bets were found from the rounds. Amounts are in money."""

    bank: float | None
    """Bank that sizes the bets, times its Kelly fraction; None where the least bet is given."""
    bounds: tuple[float, float] | None
    """The least and the largest bet between which the ramp was found; None for a given ramp."""
    is_least_free: bool
    """Whether the least bet follows from the bank; false where it is one chip, or given."""


class Slope(NamedTuple):
    """Change of a figure with the mean net and the mean square of each count, per round seen."""

    net: Floats
    square: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundBetting:
    """Results of bets whose errors count that they were found."""

    betting: Betting
    least_error: float
    """Standard error of the least bet, in money."""
    ev_slope: tuple[float, ...]
    """Change of the EV a round with the mean net of each count."""


class _Means:
    """The counts of a game as arrays, and the covariance of sums over them."""

    def __init__(self, game: CountedGame) -> None:
        moments = np.array([row.moments for row in game.rows], float).reshape(-1, 4)
        self.share = np.array([row.rounds for row in game.rows], float) / game.seen
        self.one, self.two, self.three, self.four = moments.T
        self.net, self.square = self.share * self.one, self.share * self.two
        self.added = np.array([row.added for row in game.rows], float)
        self.spots, self.seen, self.shoes = game.spots, game.seen, max(game.shoes, 1)

    def covary(self, one: Slope, other: Slope) -> float:
        """Return the covariance of two figures; between counts only shoes are independent."""
        product = one.net * other.net * self.two + one.square * other.square * self.four
        product += (one.net * other.square + one.square * other.net) * self.three
        means = [each.net * self.one + each.square * self.two for each in (one, other)]
        crossed = float(self.share @ (means[0] * means[1]))
        within = float(self.share @ product) - crossed
        between = crossed - float(self.share @ means[0]) * float(self.share @ means[1])
        return within / self.seen + between / self.shoes

    def error(self, slope: Slope) -> float:
        """Return the standard error of a figure."""
        return math.sqrt(max(self.covary(slope, slope), 0.0))


def count_choice(game: CountedGame, given: Betting, finding: Finding) -> FoundBetting:
    """Add to the errors of given bets, in money, those of having found them from the same rounds.

    A bet that wins nothing is never found, so the EV of `given` is over 0 where a bank sizes it.
    """
    if finding.bounds is None:
        return _count_unit(given)
    means, bets = _Means(game), np.array(given.bets, float)
    moved = _move_bets(means, given, finding)

    def sum_of(weights: Floats) -> Slope:
        """Return how a sum over the bets moves with them."""
        return Slope(weights @ moved.net, weights @ moved.square)

    through = sum_of(means.net)
    ev = Slope(bets + through.net, through.square)
    through = sum_of(2 * means.square * bets)
    variance = Slope(
        through.net - 2 * given.ev * ev.net, bets**2 + through.square - 2 * given.ev * ev.square
    )
    played = float(means.share @ (bets > 0))
    spots, all_bets = means.share * means.spots, means.share * (means.spots + means.added)

    def widen(known: Measurement, slope: Slope) -> Measurement:
        error = known.standard_error
        found = None if error is None else math.hypot(error, means.error(slope))
        return Measurement(known.value, found)

    def quotient(known: Measurement, staked: Measurement, weights: Floats) -> Measurement:
        of_bets, ratio = sum_of(weights), known.value
        slope = Slope(
            (ev.net - ratio * of_bets.net) / staked.value,
            (ev.square - ratio * of_bets.square) / staked.value,
        )
        return Measurement(ratio, means.error(slope))

    least = int(np.flatnonzero(bets > 0)[0])
    betting = replace(
        given,
        covariance=(
            means.covary(ev, ev),
            means.covary(ev, variance),
            means.covary(variance, variance),
        ),
        average_bet=widen(given.average_bet, sum_of(means.share / played)),
        initial=widen(given.initial, sum_of(spots)),
        action=widen(given.action, sum_of(all_bets)),
        ev_per_bet=quotient(given.ev_per_bet, given.initial, spots),
        ev_per_action=quotient(given.ev_per_action, given.action, all_bets),
    )
    return FoundBetting(
        betting=betting,
        least_error=means.error(Slope(moved.net[least], moved.square[least])),
        ev_slope=tuple(ev.net.tolist()),
    )


def _count_unit(given: Betting) -> FoundBetting:
    """Count that the unit of a given ramp follows from a bank: it goes with EV / variance."""
    first, both, second = given.covariance
    ev, variance = given.ev, given.variance
    # With side bets a run has no error of the variance, which is far smaller than that of EV.
    known = (both, second) if math.isfinite(second) else (0.0, 0.0)
    crossed, own = known
    share = first / ev**2 + own / variance**2 - 2 * crossed / (ev * variance)
    unit_error = math.sqrt(max(share, 0.0))
    ratio = ev / variance
    ev_variance = 4 * first + ratio**2 * own - 4 * ratio * crossed
    is_known = math.isfinite(second)
    betting = replace(
        given,
        covariance=(
            ev_variance,
            ev_variance / ratio if is_known else math.nan,
            ev_variance / ratio**2 if is_known else math.nan,
        ),
        average_bet=_widen_by_share(given.average_bet, unit_error),
        initial=_widen_by_share(given.initial, unit_error),
        action=_widen_by_share(given.action, unit_error),
    )
    smallest = min(bet for bet in given.bets if bet)
    return FoundBetting(
        betting=betting,
        least_error=smallest * unit_error,
        ev_slope=tuple(2 * bet + 2 * ev * ratio * bet for bet in given.bets),
    )


def _widen_by_share(known: Measurement, share: float) -> Measurement:
    error = known.standard_error
    return Measurement(
        known.value, None if error is None else math.hypot(error, share * known.value)
    )


def _move_bets(means: _Means, given: Betting, finding: Finding) -> Slope:
    """Return how the bet of each count, by row, moves with each count, by column."""
    bets = np.array(given.bets, float)
    moved = Slope(np.zeros((len(bets),) * 2), np.zeros((len(bets),) * 2))
    low, high = finding.bounds or (0.0, 0.0)
    inner: list[Floats] = []
    outer = np.zeros(len(bets))
    for rows in _runs_of(bets):
        if bets[rows[0]] <= low * (1 + _EVEN) or bets[rows[0]] >= high * (1 - _EVEN):
            outer[rows] = bets[rows] / low
        else:
            inner.append((np.arange(len(bets))[:, None] == rows).any(axis=1).astype(float))
    kappa, of_kappa = _move_scale(means, given, finding, inner, outer)
    blocks = [*inner, *([outer] if finding.is_least_free and outer.any() else [])]
    for weights in blocks:
        gain, square = float(weights @ means.net), float(weights**2 @ means.square)
        if not square:
            continue
        ratio = gain / square
        bet = Slope(
            kappa * weights / square + ratio * of_kappa.net,
            -kappa * ratio * weights**2 / square + ratio * of_kappa.square,
        )
        moved.net[:] += np.outer(weights, bet.net)
        moved.square[:] += np.outer(weights, bet.square)
    return moved


def _move_scale(
    means: _Means, given: Betting, finding: Finding, inner: Sequence[Floats], outer: Floats
) -> tuple[float, Slope]:
    """Return the number k to which the bets between the bounds are proportional, and its slope."""
    bets, ev, variance = np.array(given.bets, float), given.ev, given.variance
    bank = finding.bank
    if bank is not None and finding.is_least_free:
        # The win is the bank times EV^2 / variance, which is stationary in the ramp.
        net = 2 * bets * (1 + ev**2 / variance)
        return bank + ev, Slope(net, -(ev / variance) * bets**2)
    ratios = [float(one @ means.net) / float(one @ means.square) for one in inner]
    through = math.fsum(
        ratio * float(one @ means.net) for ratio, one in zip(ratios, inner, strict=True)
    )
    if bank is not None:
        kappa = bank + ev
        net, square = bets.copy(), np.zeros(len(bets))
        for ratio, one in zip(ratios, inner, strict=True):
            net += kappa * ratio * one
            square -= kappa * ratio**2 * one
        return kappa, Slope(net / (1 - through), square / (1 - through))
    placed = bets * (outer > 0)
    gain = float(placed @ means.net)
    if gain <= 0:  # nothing is bounded by what it wins: the sizes do not move
        return 0.0, Slope(np.zeros(len(bets)), np.zeros(len(bets)))
    kappa = float(placed**2 @ means.square) / gain
    return kappa, Slope(-kappa * placed / gain, placed**2 / gain)


def _runs_of(bets: Floats) -> Iterator[Places]:
    """Iterate over the rows of neighbours with one bet; those without a bet are left out."""
    start = 0
    for end in range(1, len(bets) + 1):
        if end == len(bets) or bets[end] != bets[start]:
            if bets[start] > 0:
                yield np.arange(start, end)
            start = end
