"""Figures of bets: formulas with their sources, risk of ruin, and results with their errors.

Units: `ev` and `variance` are per round seen, in units or in money; `bankroll` is in the same.
A measure without a value for a losing game is 0 or infinite, as its docstring says.

The bank is modelled as a Brownian motion with the drift `ev` and the variance `variance` per round,
which is accurate if bets are small relative to the bank. All amounts are in one unit; a goal is an
amount to win, on top of the bank.
"""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, TypeVar

from upcard.core.errors import AnalysisError
from upcard.core.numbers import with_error

if TYPE_CHECKING:
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
    the count alone is taken shoe by shoe, as in `CountedGame.share_error`. They are NaN with side
    bets, since a run has their products of two nets, and not of four.
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


def bet_by_count(
    game: CountedGame, bets: Sequence[float], side: Sequence[Sequence[float]] = ()
) -> Betting:
    """Compute the results of a round with `bets[i]` on every spot at the count of row `i`.

    `side[i]` are the side bets there, in the order of `game.side`; their variance is joint with
    that of the main bets.
    """
    placed = [row.rounds * (bet > 0) for row, bet in zip(game.rows, bets, strict=True)]
    if not any(placed):
        msg = "this ramp never bets at a count that came up: there is nothing to compute"
        raise AnalysisError(msg)
    seen, spots, shoes = game.seen, game.spots, max(game.shoes, 1)
    pairs = list(zip(game.rows, bets, strict=True))
    placed_side = [tuple(units) for units in side] or [()] * len(pairs)
    # What the side bets add to the mean, and to the mean square: 0 where there are none.
    extras = [
        row.weigh_side(bet, units) for (row, bet), units in zip(pairs, placed_side, strict=True)
    ]
    stakes = [spots * math.fsum(units) for units in placed_side]
    placed_rows = [(*pair, *extra) for pair, extra in zip(pairs, extras, strict=True)]
    one = _mean(game, ((row, bet * row.moments[0] + more) for row, bet, more, _ in placed_rows))
    two = _mean(game, ((row, bet**2 * row.moments[1] + more) for row, bet, _, more in placed_rows))
    three, four = (
        _mean(game, ((row, bet**power * row.moments[power - 1]) for row, bet in pairs))
        for power in (3, 4)
    )
    if any(stakes):
        three = four = math.nan
    variance = two - one**2
    third = three - 3 * one * two + 2 * one**3
    fourth = four - 4 * one * three + 6 * one**2 * two - 3 * one**4
    # Means of (net - EV) and (net - EV)^2 by count: the part that depends on the count alone.
    drifts = [bet * row.moments[0] + more - one for row, bet, more, _ in placed_rows]
    squares = [
        (bet**2 * row.moments[1] + square)
        - 2 * one * bet * row.moments[0]
        - 2 * one * more
        + one**2
        for row, bet, more, square in placed_rows
    ]
    idle = 1 - game.played / seen
    between = _mean(game, zip(game.rows, (each**2 for each in squares), strict=True))
    between += idle * one**4 - variance**2
    crossed = _mean(game, zip(game.rows, map(operator.mul, drifts, squares), strict=True))
    crossed -= idle * one**3
    share = sum(placed) / seen
    bet = _mean(game, pairs)
    spread = _mean(game, ((row, bet * bet) for row, bet in pairs)) - bet**2
    average = bet / share
    # A mean over the rounds played is a quotient: its deviations are those from itself.
    uneven = _mean(game, ((row, (each - average) ** 2 * (each > 0)) for row, each in pairs))
    action = _mean(game, ((row, bet * (spots + row.added)) for row, bet in pairs))
    both = list(zip(extras, stakes, strict=True))
    on_side = _mean(game, zip(game.rows, stakes, strict=True))
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
        initial=Measurement(
            bet * spots + on_side, None if on_side else spots * game.share_error(spread)
        ),
        action=Measurement(
            action + on_side, None if on_side else _action_error(game, bets, action)
        ),
        ev_per_bet=_quotient(game, bets, [float(spots)] * len(bets), both),
        ev_per_action=_quotient(game, bets, [spots + row.added for row in game.rows], both),
    )


def _mean(game: CountedGame, values: Iterable[tuple[CountRow, float]]) -> float:
    """Average over the rounds seen; a round that was not played counts as 0."""
    return math.fsum(row.rounds * value for row, value in values) / game.seen


def _quotient(
    game: CountedGame,
    bets: Sequence[float],
    per_unit: Sequence[float],
    side: Sequence[tuple[tuple[float, float], float]],
) -> Measurement:
    """Divide the net by the bets; `side` has what side bets add to mean, square and bets.

    The error is the delta method's for a quotient of means, without the bets of a round beyond its
    count's mean: the quotient is near 0, so that their share is under a hundredth.
    """
    rows = list(zip(game.rows, bets, per_unit, side, strict=True))
    won = _mean(game, ((row, bet * row.ev + extra[0]) for row, bet, _, (extra, _) in rows))
    staked = _mean(game, ((row, bet * each + stake) for row, bet, each, (_, stake) in rows))
    ratio = won / staked

    def square_left(row: CountRow, bet: float, each: float, extra: float, stake: float) -> float:
        """Return what side bets add to the mean square of the net less `ratio` times the bets."""
        net, bets = bet * row.ev + extra, bet * each + stake
        return 2 * ratio * (bet * each * bet * row.ev - bets * net) + ratio**2 * (
            bets**2 - (bet * each) ** 2
        )

    squares = (
        (
            row,
            bet**2 * (row.moments[1] - 2 * ratio * each * row.ev + (ratio * each) ** 2)
            + (extra[1] + square_left(row, bet, each, extra[0], stake) if stake else 0.0),
        )
        for row, bet, each, (extra, stake) in rows
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
    return math.sqrt(within / game.seen + game.share_error(between - action**2) ** 2)


def _times(estimate: Measurement, factor: float) -> Measurement:
    error = estimate.standard_error
    return Measurement(estimate.value * factor, None if error is None else error * factor)


Computation: TypeAlias = Callable[..., float]
Function = TypeVar("Function", bound=Callable[..., float])


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A function of named numbers, as text.

    The text uses the names of the inputs; `N` is the standard normal distribution function, `^` a
    power. Tests compute the text where possible and compare it with the function.
    """

    name: str
    text: str
    source: str
    inputs: tuple[str, ...]
    compute: Computation

    def choose(self, given: Mapping[str, float]) -> dict[str, float]:
        """Return the inputs of the formula among `given` numbers."""
        return {name: given[name] for name in self.inputs}


FORMULAS: Final[dict[str, Formula]] = {}
"""Every formula, by the name of its function."""


def formula(text: str, *, source: str) -> Callable[[Function], Function]:
    """Enter a function of keywords into `FORMULAS`."""

    def enter(function: Function) -> Function:
        name = function.__name__
        FORMULAS[name] = Formula(
            name=name,
            text=text,
            source=source,
            inputs=tuple(inspect.signature(function).parameters),
            compute=function,
        )
        return function

    return enter


_ATTACK: Final = "D. Schlesinger, Blackjack Attack"
_HARRIS: Final = "B. Harris, The Theory of Optimal Betting Spreads"


@formula("sqrt(variance)", source="definition")
def sd_per_round(*, variance: float) -> float:
    """Return the standard deviation of a round."""
    return math.sqrt(variance)


@formula("ev * rounds", source="definition; means add up")
def expected_win(*, ev: float, rounds: float) -> float:
    """Return the expected win over a number of rounds."""
    return ev * rounds


@formula("sqrt(variance * rounds)", source="definition; variances of independent rounds add up")
def sd_of_rounds(*, variance: float, rounds: float) -> float:
    """Return the standard deviation of the win over a number of rounds."""
    return math.sqrt(variance * rounds)


@formula(
    "1000000 * ev^2 / variance",
    source=f"{_ATTACK}: won in 100 rounds with a bank of 10 000, a risk of ruin of 13.5 % and the"
    " bets that go with them",
)
def score(*, ev: float, variance: float) -> float:
    """Return SCORE, which compares games by risk and expectation; 0 for a losing game."""
    return 1e6 * ev**2 / variance if ev > 0 else 0.0


@formula("1000 * ev / sqrt(variance)", source=f"{_ATTACK}: DI^2 = SCORE")
def desirability_index(*, ev: float, variance: float) -> float:
    """Return the edge per standard deviation (DI); negative for a losing game."""
    return 1000 * ev / math.sqrt(variance)


@formula(
    "variance / ev^2", source=f"{_HARRIS}; rounds until the expected win is one standard deviation"
)
def n0(*, ev: float, variance: float) -> float:
    """Return the rounds until luck and skill weigh the same; infinite for a losing game."""
    return variance / ev**2 if ev > 0 else math.inf


@formula(
    "rounds * (ev - variance / (2 * kelly * bankroll))",
    source="J. Kelly 1956, with the logarithm expanded to its second term; Schlesinger, Blackjack"
    " Attack, on the certainty equivalent",
)
def certainty_equivalent(
    *, ev: float, variance: float, bankroll: float, kelly: float, rounds: float
) -> float:
    """Return the sure win that a bettor of this Kelly fraction values like the risky one."""
    return rounds * (ev - variance / (2 * kelly * bankroll))


@formula(
    "variance / (kelly * ev)",
    source=f"{_HARRIS}: the bank for which these bets are Kelly's; for kelly = 1 the equivalent"
    " Kelly bankroll",
)
def kelly_bankroll(*, ev: float, variance: float, kelly: float) -> float:
    """Return the bank for which bets are that fraction of Kelly's; infinite for a losing game."""
    return variance / (kelly * ev) if ev > 0 else math.inf


@formula("kelly * bankroll * ev / variance", source=f"{_HARRIS}: the same, solved for the bets")
def kelly_unit(*, ev: float, variance: float, bankroll: float, kelly: float) -> float:
    """Return the unit of a ramp for a Kelly fraction; `ev` and `variance` are in units.

    0 for a losing game: the best bet is nothing.
    """
    return kelly * bankroll * ev / variance if ev > 0 else 0.0


@formula(
    "-2 / log(risk)",
    source="from risk = exp(-2 * ev * bankroll / variance) and bankroll = variance / (kelly * ev)",
)
def kelly_of_risk(*, risk: float) -> float:
    """Return the Kelly fraction whose bets, never resized, have this risk of ruin."""
    return -2 / math.log(risk)


@formula("exp(-2 / kelly)", source="the same, the other way")
def risk_of_kelly(*, kelly: float) -> float:
    """Return the risk of ruin of bets that start as a Kelly fraction and are never resized."""
    return math.exp(-2 / kelly)


@formula(
    "-variance * log(risk) / (2 * ev)", source=f"the risk of ruin solved for the bank; {_ATTACK}"
)
def bankroll_for_risk(*, ev: float, variance: float, risk: float) -> float:
    """Return the bank that these bets need for a risk of ruin; infinite for a losing game."""
    return -variance * math.log(risk) / (2 * ev) if ev > 0 else math.inf


@formula(
    "bankroll / ev",
    source="mean of the inverse Gaussian distribution (first passage of a drifting Brownian"
    " motion); ruin is left aside",
)
def rounds_to_double(*, ev: float, bankroll: float) -> float:
    """Return the expected rounds to double the bank with fixed bets; infinite if it loses."""
    return bankroll / ev if ev > 0 else math.inf


_FAR: Final = 30.0
"""Standard deviations beyond which the normal tail is computed from its series."""
_TINY: Final = 1e-18
_SLOW: Final = 0.2
"""Variance of the whole time over the barriers' distance squared from which waves beat images."""


@formula(
    "exp(-2 * ev * bankroll / variance)",
    source="P. Sileo; D. Schlesinger, Blackjack Attack, p. 112; gambler's ruin in the limit of"
    " small steps",
)
def risk_of_ruin(*, ev: float, variance: float, bankroll: float) -> float:
    """Return the chance of ever losing the bank; 1 for a losing game."""
    return math.exp(-2 * ev * bankroll / variance) if ev > 0 else 1.0


@formula(
    "(1 - exp(-2 * ev * goal / variance))"
    " / (exp(2 * ev * bankroll / variance) - exp(-2 * ev * goal / variance))",
    source="gambler's ruin in the limit of small steps, W. Feller, An Introduction to Probability"
    " Theory I, chapter XIV; D. Schlesinger, Blackjack Attack, p. 139",
)
def risk_before_goal(*, ev: float, variance: float, bankroll: float, goal: float) -> float:
    """Return the chance of losing the bank before the goal is won, without a limit of time."""
    rate = 2 * ev / variance
    if abs(rate) * (bankroll + goal) < 1e-9:
        return goal / (bankroll + goal)
    # Both forms are the same formula; each has negative exponents.
    if rate > 0:
        low = math.exp(-rate * bankroll)
        return low * -math.expm1(-rate * goal) / -math.expm1(-rate * (bankroll + goal))
    return math.expm1(rate * goal) / math.expm1(rate * (bankroll + goal))


@formula(
    "N((-bankroll - ev * rounds) / sqrt(variance * rounds)) + exp(-2 * ev * bankroll / variance)"
    " * N((-bankroll + ev * rounds) / sqrt(variance * rounds))",
    source="first passage of a drifting Brownian motion, inverse Gaussian (E. Schroedinger 1915);"
    " trip ruin in D. Schlesinger, Blackjack Attack, p. 132",
)
def risk_in_time(*, ev: float, variance: float, bankroll: float, rounds: float) -> float:
    """Return the chance of losing the bank within a number of rounds (trip ruin)."""
    if rounds <= 0:
        return 0.0
    sd = math.sqrt(variance * rounds)
    low = _tail(0.0, (-bankroll - ev * rounds) / sd)
    return min(low + _tail(-2 * ev * bankroll / variance, (-bankroll + ev * rounds) / sd), 1.0)


@formula(
    "exp(-ev * bankroll / variance) * sum over whole k of sign(y) * (exp(-|ev * y| / variance)"
    " * N((|ev| * rounds - |y|) / sqrt(variance * rounds)) + exp(|ev * y| / variance)"
    " * N((-|ev| * rounds - |y|) / sqrt(variance * rounds))), y = bankroll + 2 * k * (bankroll"
    " + goal)",
    source="method of images, D. Cox and H. Miller, The Theory of Stochastic Processes, chapter 5;"
    " the double barrier of D. Schlesinger, Blackjack Attack, p. 137",
)
def risk_before_goal_in_time(
    *, ev: float, variance: float, bankroll: float, goal: float, rounds: float
) -> float:
    """Return the chance of losing the bank before the goal is won and the time is over."""
    if rounds <= 0:
        return 0.0
    if variance * rounds > _SLOW * (bankroll + goal) ** 2:
        risk = _sum_waves(ev, variance, bankroll, goal, rounds)
    else:
        risk = _sum_images(ev, variance, bankroll, goal, rounds)
    return min(max(risk, 0.0), 1.0)


@formula(
    "risk_before_goal_in_time with ev = -ev, bankroll = goal, goal = bankroll",
    source="the same, with the barriers exchanged",
)
def chance_of_goal_in_time(
    *, ev: float, variance: float, bankroll: float, goal: float, rounds: float
) -> float:
    """Return the chance of winning the goal before the bank is lost and the time is over."""
    return risk_before_goal_in_time(
        ev=-ev, variance=variance, bankroll=goal, goal=bankroll, rounds=rounds
    )


@formula("N(ev * rounds / sqrt(variance * rounds))", source="central limit theorem")
def chance_ahead(*, ev: float, variance: float, rounds: float) -> float:
    """Return the chance of being ahead after a number of rounds, with an unlimited bank."""
    return _tail(0.0, ev * rounds / math.sqrt(variance * rounds))


def _sum_images(ev: float, variance: float, bankroll: float, goal: float, rounds: float) -> float:
    """Sum images of the start in both barriers: few are needed after a short time."""
    drift, sd = abs(ev), math.sqrt(variance * rounds)
    front = -ev * bankroll / variance
    total, k = 0.0, 0
    while True:
        parts = []
        for step in {k, -k}:
            y = bankroll + 2 * step * (bankroll + goal)
            far = drift * abs(y) / variance
            part = _tail(front - far, (drift * rounds - abs(y)) / sd)
            part += _tail(front + far, (-drift * rounds - abs(y)) / sd)
            parts.append(math.copysign(part, y))
        total += math.fsum(parts)
        if max(map(abs, parts)) < _TINY:
            return total
        k += 1


def _sum_waves(ev: float, variance: float, bankroll: float, goal: float, rounds: float) -> float:
    """Sum the decaying waves between the barriers: few are needed after a long time.

    The paths that have met neither barrier yet are the difference to `risk_before_goal`.
    Source: the same problem by separation of variables; Feller I, chapter XIV.
    """
    width = bankroll + goal
    front = math.pi * variance / width**2
    drift = ev**2 / (2 * variance)
    total, n = 0.0, 0
    while True:
        n += 1
        rate = drift + (n * math.pi / width) ** 2 * variance / 2
        # Both exponents are added first: that of the drift alone may be too large for a float.
        decay = math.exp(-ev * bankroll / variance - rate * rounds)
        total += front * n * math.sin(n * math.pi * bankroll / width) * decay / rate
        if front * n * decay / rate < _TINY:
            break
    return risk_before_goal(ev=ev, variance=variance, bankroll=bankroll, goal=goal) - total


def _tail(exponent: float, z: float) -> float:
    """Return exp(exponent) * N(z), where the first may be too large for a float."""
    if z > -_FAR:
        # N(z) is over 1e-198 here, so its logarithm is exact and only the sum matters.
        return math.exp(min(exponent + math.log(math.erfc(-z / math.sqrt(2)) / 2), 700.0))
    series = 1 - 1 / z**2 + 3 / z**4 - 15 / z**6
    log_tail = -z * z / 2 - math.log(-z * math.sqrt(2 * math.pi)) + math.log(series)
    return math.exp(min(exponent + log_tail, 700.0))


_LEAST: Final = 1e-12


class Kind(StrEnum):
    """Kind of quantity, which determines the format."""

    AMOUNT = "amount"
    """Units, or money."""
    SQUARE = "square"
    """Units or money squared."""
    SHARE = "share"
    """A share or a chance, written in percent."""
    ROUNDS = "rounds"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormulaValue:
    """A figure of a ramp, with its formula."""

    name: str
    """Name of the figure, such as `score`."""
    title: str
    """The figure in words."""
    kind: Kind
    """`amount`, `square`, `share`, `rounds` or `number`."""
    value: float
    """The figure; infinite where no bank, or no number of rounds, is enough."""
    standard_error: float | None
    """Its standard error; None if it is not known or not finite."""
    text: str
    """The figure with its error and unit."""
    formula: str
    """The formula in text."""
    inputs: dict[str, float] = field(default_factory=dict)
    """Inputs of the formula; empty for a sum over counts."""
    source: str = "definition"
    """The publication that the formula is from."""

    @classmethod
    def of(  # noqa: PLR0913 (each is named in the call)
        cls,
        law: Formula,
        given: Mapping[str, float],
        *,
        name: str,
        title: str,
        kind: Kind,
        standard_error: float | None,
    ) -> FormulaValue:
        """Apply a formula to those of the `given` numbers that it takes."""
        inputs = law.choose(given)
        value = law.compute(**inputs)
        return cls(
            name=name,
            title=title,
            kind=kind,
            value=value,
            standard_error=standard_error,
            text=write_value(kind, value, standard_error),
            formula=law.text,
            inputs=inputs,
            source=law.source,
        )

    def with_error(self, error: float | None) -> FormulaValue:
        """Return the same figure with another standard error."""
        return replace(self, standard_error=error, text=write_value(self.kind, self.value, error))


def state(name: str, title: str, kind: Kind, estimate: Measurement, formula: str) -> FormulaValue:
    """Make a figure from a sum over the counts, which `formula` describes."""
    value, error = estimate
    return FormulaValue(
        name=name,
        title=title,
        kind=kind,
        value=value,
        standard_error=error,
        text=write_value(kind, value, error),
        formula=formula,
    )


_LEAST_SHARE: Final = 1e-8
"""Smaller chances are shown as less than this."""


def write_value(kind: Kind, value: float, error: float | None) -> str:
    """Write a value of a kind with its error."""
    if math.isinf(value):
        return "never" if kind is Kind.ROUNDS else "no bank is enough"
    if kind is not Kind.SHARE:
        return with_error(value, error)
    if 0 < value < _LEAST_SHARE:
        return f"< {100 * _LEAST_SHARE:.6f}%"
    return with_error(100 * value, None if error is None else 100 * error, "%")


def compute(
    formula: str, betting: Betting, *, name: str, title: str, kind: Kind, **fixed: float
) -> FormulaValue:
    """Apply a formula to a betting's mean and variance, and to `fixed`.

    The error is the delta method's: the change of the result when the estimate of `ev` or of
    `variance` changes by its standard error, up and down, with their covariance.
    """
    law = FORMULAS[formula]
    given = {"ev": betting.ev, "variance": betting.variance, **fixed}
    error = _propagate(law, law.choose(given), betting)
    return FormulaValue.of(law, given, name=name, title=title, kind=kind, standard_error=error)


def _propagate(law: Formula, inputs: dict[str, float], betting: Betting) -> float | None:
    first, both, second = betting.covariance
    if math.isnan(second):
        if "variance" in inputs:
            return None
        both = second = 0.0
    errors = {"ev": math.sqrt(first), "variance": math.sqrt(second)}
    moves = {}
    for each, error in errors.items():
        if each not in inputs:
            moves[each] = 0.0
            continue
        low, high = inputs[each] - error, inputs[each] + error
        if each == "variance":
            low = max(low, _LEAST * high)
        moves[each] = (
            law.compute(**inputs | {each: high}) - law.compute(**inputs | {each: low})
        ) / 2
    if not all(map(math.isfinite, moves.values())):
        return None
    bound = errors["ev"] * errors["variance"]
    correlation = both / bound if bound else 0.0
    one, two = moves.values()
    return math.sqrt(max(one**2 + two**2 + 2 * correlation * one * two, 0.0))
