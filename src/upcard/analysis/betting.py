"""Results of bets by count: mean and variance per round, bets and action, each with its error."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from upcard.analysis.errors import AnalysisError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from upcard.analysis.count_rows import CountedGame, CountRow


class Measurement(NamedTuple):
    """A figure and its standard error; None if unknown."""

    value: float
    standard_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Betting:
    """A round under a bet ramp, per round seen: rounds sat out count, with no bet and no win.

    Units: those of the bets; `scale` converts them to money.
    """

    bets: tuple[float, ...]
    """Bet on each spot, by row of the game."""
    rounds: int
    """Rounds seen."""
    ev: float
    variance: float
    covariance: tuple[float, float, float]
    """Of the estimates of `ev` and `variance`: of the first, of both, of the second.

    The first assumes independent rounds, as the run does. In the others, the part that depends on
    the count alone is taken shoe by shoe, as in `CountedGame.share_error`.
    """
    played: Measurement
    """Share of the rounds seen with a bet on them."""
    average_bet: Measurement
    """Bet on each spot, mean over rounds played."""
    initial: Measurement
    """First bets on all spots."""
    action: Measurement
    """All bets: first bets, doubles, splits, insurance. Its error is an upper bound."""
    ev_per_bet: Measurement
    """Net per unit of first bets."""
    ev_per_action: Measurement
    """Net per unit of action."""

    @property
    def sd(self) -> float:
        """Standard deviation of a round."""
        return math.sqrt(self.variance)

    @property
    def standard_error(self) -> float:
        """Standard error of `ev`."""
        return math.sqrt(self.covariance[0])

    def scale(self, unit: float) -> Betting:
        """Return the same bets with a unit worth `unit`."""
        first, both, second = self.covariance
        return replace(
            self,
            bets=tuple(bet * unit for bet in self.bets),
            ev=self.ev * unit,
            variance=self.variance * unit**2,
            covariance=(first * unit**2, both * unit**3, second * unit**4),
            average_bet=_times(self.average_bet, unit),
            initial=_times(self.initial, unit),
            action=_times(self.action, unit),
        )


def bet_by_count(game: CountedGame, bets: Sequence[float]) -> Betting:
    """Compute the results of a round with `bets[i]` on every spot at the count of row `i`.

    Raises: AnalysisError if it never bets.
    """
    placed = [row.rounds * (bet > 0) for row, bet in zip(game.rows, bets, strict=True)]
    if not any(placed):
        msg = "this ramp never bets at a count that came up: there is nothing to compute"
        raise AnalysisError(msg)
    seen, spots, shoes = game.seen, game.spots, max(game.shoes, 1)
    pairs = list(zip(game.rows, bets, strict=True))
    one, two, three, four = (
        _mean(game, ((row, bet**power * row.moments[power - 1]) for row, bet in pairs))
        for power in (1, 2, 3, 4)
    )
    variance = two - one**2
    third = three - 3 * one * two + 2 * one**3
    fourth = four - 4 * one * three + 6 * one**2 * two - 3 * one**4
    # Means of (net - EV) and (net - EV)^2 by count: the part that depends on the count alone.
    drifts = [(row, bet * row.moments[0] - one) for row, bet in pairs]
    squares = [
        bet**2 * row.moments[1] - 2 * one * bet * row.moments[0] + one**2 for row, bet in pairs
    ]
    idle = 1 - game.played / seen
    between = _mean(game, ((row, each**2) for (row, _), each in zip(pairs, squares, strict=True)))
    between += idle * one**4 - variance**2
    crossed = _mean(
        game, ((row, drift * each) for (row, drift), each in zip(drifts, squares, strict=True))
    )
    crossed -= idle * one**3
    share = sum(placed) / seen
    bet = _mean(game, pairs)
    spread = _mean(game, ((row, bet * bet) for row, bet in pairs)) - bet**2
    average = bet / share
    # A mean over the rounds played is a quotient: its deviations are those from itself.
    uneven = _mean(game, ((row, (each - average) ** 2 * (each > 0)) for row, each in pairs))
    action = _mean(game, ((row, bet * (spots + row.added)) for row, bet in pairs))
    return Betting(
        bets=tuple(bets),
        rounds=seen,
        ev=one,
        variance=variance,
        covariance=(
            variance / seen,
            (third - crossed) / seen + crossed / shoes,
            max(fourth - variance**2 - between, 0.0) / seen + max(between, 0.0) / shoes,
        ),
        played=Measurement(share, game.share_error(share * (1 - share))),
        average_bet=Measurement(average, game.share_error(uneven) / share),
        initial=Measurement(bet * spots, spots * game.share_error(spread)),
        action=Measurement(action, _action_error(game, bets, action)),
        ev_per_bet=_quotient(game, bets, [float(spots)] * len(bets)),
        ev_per_action=_quotient(game, bets, [spots + row.added for row in game.rows]),
    )


def _mean(game: CountedGame, values: Iterable[tuple[CountRow, float]]) -> float:
    """Average over the rounds seen; a round that was not played counts as 0."""
    return math.fsum(row.rounds * value for row, value in values) / game.seen


def _quotient(game: CountedGame, bets: Sequence[float], per_unit: Sequence[float]) -> Measurement:
    """Divide the net by the bets.

    The error is the delta method's for a quotient of means, without the bets of a round beyond its
    count's mean: the quotient is near 0, so that their share is under a hundredth.
    """
    rows = list(zip(game.rows, bets, per_unit, strict=True))
    won = _mean(game, ((row, bet * row.ev) for row, bet, _ in rows))
    staked = _mean(game, ((row, bet * each) for row, bet, each in rows))
    ratio = won / staked
    squares = (
        (row, bet**2 * (row.moments[1] - 2 * ratio * each * row.ev + (ratio * each) ** 2))
        for row, bet, each in rows
    )
    square = _mean(game, squares)
    return Measurement(ratio, math.sqrt(square / game.seen) / staked)


def _action_error(game: CountedGame, bets: Sequence[float], action: float) -> float | None:
    """Bound the error of the action, of which a tally has the sum but not the squares.

    A round adds from 0 to a known most, so its square is at most that times itself. Between counts
    the rounds of a shoe are correlated; see `CountedGame.share_error`.
    """
    if game.most_added is None:
        return None
    spots, most = game.spots, game.most_added
    rows = list(zip(game.rows, bets, strict=True))
    within = _mean(game, ((row, bet**2 * row.added * (most - row.added)) for row, bet in rows))
    between = _mean(game, ((row, (bet * (spots + row.added)) ** 2) for row, bet in rows))
    error = game.share_error(between - action**2)
    return math.sqrt(within / game.seen + error**2)


def _times(estimate: Measurement, factor: float) -> Measurement:
    error = estimate.standard_error
    return Measurement(estimate.value * factor, None if error is None else error * factor)
