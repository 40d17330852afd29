"""Simulated ruin compared with the formulas, with EV and variance from the same rounds.

The errors assume only that paths are independent: EV and variance are quotients of sums over paths,
and the influence of each path on them is known. So the error of (simulated less formula) accounts
for lucky rounds that both save banks and raise the EV.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from upcard.analysis.count_rows import read_rows
from upcard.analysis.figures import FORMULAS, Betting, FormulaValue, Kind, bet_by_count
from upcard.core import figure
from upcard.core.numbers import fields_of
from upcard.simulation import bank_paths, betting_sessions

Floats = NDArray[np.float64]

MOST_Z: Final = 3.0
"""Difference between simulation and formula, in standard errors, that counts as one."""
_Z95: Final = 1.959964
_STEP: Final = 1e-4
_FEW: Final = 5
"""Number of events under which a share is not near normal."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share of the paths."""

    number: int
    of: int
    json_keys = "paths=number share=value standard_error interval_95=interval"

    @property
    def value(self) -> float:
        """The share."""
        return self.number / self.of

    @property
    def standard_error(self) -> float:
        """Its binomial standard error."""
        return math.sqrt(self.value * (1 - self.value) / self.of)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the underlying chance.

        Source: E. Wilson, Journal of the American Statistical Association 22 (1927).
        """
        square = _Z95**2 / self.of
        middle = self.value + square / 2
        half = math.sqrt(square * (self.value * (1 - self.value) + square / 4))
        low = (middle - half) / (1 + square) if self.number else 0.0
        high = (middle + half) / (1 + square) if self.number < self.of else 1.0
        return low, high


@dataclass(frozen=True, slots=True)
class Comparison:
    """A share of the paths compared with formulas."""

    name: str
    title: str
    simulated: Share
    formula: FormulaValue
    z: float
    """Difference between them in standard errors; 0 if both are certain."""
    moved: FormulaValue | None
    """The formula with the barriers where the paths really ended; None if none ended."""
    moved_z: float | None
    json_keys = "name simulated=simulated.value formula z agrees moved moved_z"

    @property
    def agrees(self) -> bool:
        """Whether the unmoved formula is within errors."""
        return abs(self.z) <= MOST_Z

    @property
    def agrees_moved(self) -> bool:
        """Whether the formula with moved barriers is within errors."""
        return self.moved_z is not None and abs(self.moved_z) <= MOST_Z


@dataclass(frozen=True, slots=True)
class PathSample(betting_sessions.Sample):
    """Mean and quantiles of a number that each path has."""

    json_keys = "paths=size mean standard_error quantiles=by_share"

    @property
    def by_share(self) -> dict[str, float]:
        """The number by the share of the paths that have less."""
        shares = (f"{share:g}" for share in betting_sessions.QUANTILES)
        return dict(zip(shares, self.quantiles, strict=True))


def describe(numbers: NDArray[Any]) -> PathSample:
    """Compute mean and quantiles of a number that each path has."""
    values = numbers.astype(np.float64)
    deviation = float(np.std(values, ddof=1)) if len(numbers) > 1 else None
    quantiles = tuple(float(each) for each in np.quantile(values, betting_sessions.QUANTILES))
    return PathSample(len(numbers), float(values.mean()), deviation, quantiles)


@dataclass(frozen=True, kw_only=True)
class PathsAnswer(figure.Displayed, figure.Pictured):
    """Results of the paths of a bank; amounts are in money."""

    paths: bank_paths.BankPaths
    json_keys = """
        rules=paths.plan.job.rules seed=paths.plan.job.seed version=paths.plan.job.version
        system=paths.plan.job.system.name deviations=paths.plan.job.deviations.name
        spots=paths.plan.job.spots enter=paths.plan.job.enter leave=paths.plan.job.leave
        ramp=paths.plan.ramp unit=paths.plan.unit.__float__
        bankroll=paths.plan.bankroll.__float__ goal=paths.plan.goal.__float__
        rounds=paths.plan.rounds paths=paths.plan.paths dealt shares spreads=all_spreads
        comparisons unlimited=unlimited_by_name notes
    """

    @cached_property
    def betting(self) -> Betting:
        """EV, variance and bets of a round seen, in money, from all rounds dealt for the paths."""
        plan, game = self.paths.plan, read_rows(self.paths.tally, self.paths.plan.job.rules)
        betting = bet_by_count(game, [float(plan.bet(row.count)) for row in game.rows])
        rises, squares = self._influences
        first, both, second = (
            float((one * other).sum()) * self._small_sample
            for one, other in ((rises, rises), (rises, squares), (squares, squares))
        )
        return replace(betting, covariance=(first, both, second))

    @cached_property
    def ruined(self) -> Share:
        """The paths that were ruined."""
        return Share(int(self.paths.is_ruined.sum()), self.paths.plan.paths)

    @cached_property
    def at_goal(self) -> Share:
        """The paths that reached the goal."""
        return Share(int(self.paths.is_at_goal.sum()), self.paths.plan.paths)

    @property
    def undecided(self) -> Share:
        """The paths that the limit of time ended."""
        total = self.paths.plan.paths
        return Share(total - self.ruined.number - self.at_goal.number, total)

    @cached_property
    def spreads(self) -> dict[str, PathSample]:
        """Bank at the end, lowest and highest point, rounds, and rounds to ruin and goal."""
        paths = self.paths
        found = {
            "final": describe(paths.money(paths.final)),
            "lowest": describe(paths.money(paths.lowest)),
            "highest": describe(paths.money(paths.highest)),
            "rounds": describe(paths.rounds),
        }
        if self.ruined.number:
            found["rounds_to_ruin"] = describe(paths.rounds[paths.is_ruined])
        if self.at_goal.number:
            found["rounds_to_goal"] = describe(paths.rounds[paths.is_at_goal])
        return found

    @cached_property
    def left_at_ruin(self) -> PathSample | None:
        """Bank of the ruined paths; None if there are none."""
        paths = self.paths
        return describe(paths.money(paths.final[paths.is_ruined])) if self.ruined.number else None

    @cached_property
    def over_goal(self) -> PathSample | None:
        """Amount beyond the goal of the paths that reached it; None if there are none."""
        paths, plan = self.paths, self.paths.plan
        if plan.goal is None or not self.at_goal.number:
            return None
        end = float(plan.bankroll + plan.goal)
        return describe(paths.money(paths.final[paths.is_at_goal]) - end)

    @cached_property
    def variance_ratio(self) -> tuple[float, float]:
        """Variance between paths over that of independent rounds, and its standard error.

        Over 1 if the rounds of a shoe are correlated, which no formula includes.
        """
        paths, betting = self.paths, self.betting
        drift = paths.net_sum - betting.ev * paths.dealt
        squares = drift**2 * self._small_sample
        scale = betting.variance * float(paths.dealt.sum())
        error = float(np.std(squares)) * math.sqrt(len(squares)) / scale
        return float(squares.sum()) / scale, error

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Ruin, and the goal if any, compared with the formula with the same limit of time."""
        if self.paths.plan.goal is None:
            return (self._compare("ruined", "Ruined", "risk_in_time"),)
        return (
            self._compare("ruined", "Ruined", "risk_before_goal_in_time"),
            self._compare("at_goal", "At the goal", "chance_of_goal_in_time"),
        )

    @cached_property
    def unlimited(self) -> tuple[FormulaValue, ...]:
        """Formulas without a limit of time, which no path can be compared with."""
        found = [self._state("risk_of_ruin", "to be ruined some day", self._given)]
        if self.paths.plan.goal is not None:
            title = "to be ruined before the goal"
            found.append(self._state("risk_before_goal", title, self._given))
        return tuple(found)

    def trace_ruin(self) -> tuple[NDArray[np.int64], list[Share], list[float], list[float]]:
        """Return ruin over time: rounds, simulated, by formula, by formula with barriers moved."""
        paths = self.paths
        law = FORMULAS[self.comparisons[0].formula.name]
        ruined = paths.count_ruined(paths.marks)
        curves = [
            [law.compute(**law.choose(given | {"rounds": float(mark)})) for mark in paths.marks]
            for given in (self._given, self._moved)
        ]
        simulated = [Share(int(count), paths.plan.paths) for count in ruined]
        return paths.marks, simulated, curves[0], curves[1]

    def notes(self) -> list[str]:
        """Return whether simulation and formula agree, and why not."""
        notes = [note for each in self.comparisons for note in self._explain(each)]
        ratio, error = self.variance_ratio
        if abs(ratio - 1) > MOST_Z * error:
            notes.append(
                f"The rounds of a shoe are correlated: between paths the variance was {ratio:.3f}"
                f" ± {error:.3f} times that of independent rounds, which the formulas assume."
            )
        betting = self.betting
        if betting.ev <= 0:
            notes.append("These bets lose, so ruin is certain with any bank if play never ends.")
        elif betting.ev < MOST_Z * betting.standard_error:
            notes.append("Whether these bets win is not settled by these rounds: play more paths.")
        return notes

    def _explain(self, each: Comparison) -> list[str]:
        title = each.title
        if each.agrees:
            return [f"{title}: simulation and formula agree within errors."]
        if each.agrees_moved:
            return [f"{title}: they differ because bets are whole. {self._say_where_paths_end()}"]
        plan = self.paths.plan
        largest = max(self.betting.bets) * plan.job.spots
        note = (
            f"{title}: they differ, and moving the barriers does not explain it. The formula takes"
            f" the bank for a Brownian motion; here {plan.rounds:,} rounds and a bank of"
            f" {float(plan.bankroll) / largest:,.3g} times the largest bet are too few for that, or"
            " the variance comes in bursts, shoe by shoe."
        )
        return [note]

    def _say_where_paths_end(self) -> str:
        words = []
        if self.left_at_ruin is not None:
            words.append(f"the ruined had {self.left_at_ruin.mean:,.4g} left on average")
        if self.over_goal is not None:
            words.append(f"the goal was passed by {self.over_goal.mean:,.4g}")
        return f"Moved by that ({', '.join(words)}), the formula agrees."

    def table(self) -> figure.AnswerTable:
        """Return the share of each ending beside the formula, as given and with barriers moved."""
        columns = [figure.text("ending", "")]
        for name in ("simulated", "formula", "moved"):
            title, error = "barriers moved" if name == "moved" else name, f"{name}_error"
            columns.append(figure.share(name, title, digits=6, error=error))
            columns.append(figure.share(error, "±", is_shown=False))
            if name != "simulated":
                z = "z" if name == "formula" else "moved_z"
                columns.append(figure.signed(z, "z", digits=1))
        rows: list[tuple[figure.Value, ...]] = []
        for each in self.comparisons:
            share, formula, moved = each.simulated, each.formula, each.moved
            known = (share.value, share.standard_error, formula.value, formula.standard_error)
            last = None if moved is None else (moved.value, moved.standard_error, each.moved_z)
            rows.append((each.title, *known, each.z, *(last or (None,) * 3)))
        neither = "Neither" if len(rows) > 1 else "Not ruined"
        share = self.undecided
        rows.append((neither, share.value, share.standard_error, *(None,) * 6))
        title = "Simulated, and by formula (± is one standard error, z their difference)"
        plan = self.paths.plan
        about = figure.caption(plan.job.rules, seed=plan.job.seed, paths=plan.paths)
        return figure.make_table(title, columns, rows, about)

    @property
    def dealt(self) -> dict[str, float]:
        """The rounds that were dealt for the paths, and their figures."""
        betting, (ratio, ratio_error) = self.betting, self.variance_ratio
        return {
            "rounds": betting.rounds,
            "ev": betting.ev,
            "ev_standard_error": betting.standard_error,
            "variance": betting.variance,
            "variance_standard_error": math.sqrt(betting.covariance[2]),
            "average_bet": betting.average_bet.value,
            "variance_between_paths": ratio,
            "variance_between_paths_standard_error": ratio_error,
        }

    @property
    def shares(self) -> dict[str, Share]:
        """The share of each ending."""
        return fields_of(self, "ruined", "at_goal", "undecided")

    @property
    def all_spreads(self) -> dict[str, PathSample]:
        """The spreads, those at the ends too."""
        ends = {"left_at_ruin": self.left_at_ruin, "over_goal": self.over_goal}
        found = {**self.spreads, **ends}
        return {name: one for name, one in found.items() if one is not None}

    @property
    def unlimited_by_name(self) -> dict[str, FormulaValue]:
        """The formulas without a limit of time by their names."""
        return {one.name: one for one in self.unlimited}

    @cached_property
    def _small_sample(self) -> float:
        """Factor that makes a variance over paths unbiased."""
        number = self.paths.plan.paths
        return number / (number - 1)

    @cached_property
    def _influences(self) -> tuple[Floats, Floats]:
        """Influence of each path on the estimates of EV and variance."""
        paths = self.paths
        total = float(paths.dealt.sum())
        ev, square = float(paths.net_sum.sum()) / total, float(paths.square_sum.sum()) / total
        rises = (paths.net_sum - ev * paths.dealt) / total
        squares = (paths.square_sum - square * paths.dealt) / total - 2 * ev * rises
        return rises, squares

    @cached_property
    def _given(self) -> dict[str, float]:
        plan = self.paths.plan
        given = {
            "ev": self.betting.ev,
            "variance": self.betting.variance,
            "bankroll": float(plan.bankroll),
            "rounds": float(plan.rounds),
        }
        return given if plan.goal is None else given | {"goal": float(plan.goal)}

    @cached_property
    def _moved(self) -> dict[str, float]:
        """The same with each barrier where the paths that met it ended on average.

        Source: the correction by the mean overshoot of D. Siegmund, Advances in Applied
        Probability 11 (1979).
        """
        given = dict(self._given)
        if self.left_at_ruin is not None:
            # A path ruined with more than the bank leaves none for the formula.
            least = float(self.paths.chip)
            given["bankroll"] = max(given["bankroll"] - self.left_at_ruin.mean, least)
        if self.over_goal is not None:
            given["goal"] += self.over_goal.mean
        return given

    def _compare(self, name: str, title: str, formula: str) -> Comparison:
        share = self.ruined if name == "ruined" else self.at_goal
        reached = self.paths.is_ruined if name == "ruined" else self.paths.is_at_goal
        figure, moved, moved_z = self._state(formula, title, self._given), None, None
        if self.left_at_ruin is not None or self.over_goal is not None:
            moved = self._state(formula, title, self._moved, moved=True)
            moved_z = self._measure(share, reached, moved, self._moved, moved=True)
        z = self._measure(share, reached, figure, self._given)
        return Comparison(name, title, share, figure, z, moved, moved_z)

    def _state(
        self, formula: str, title: str, given: dict[str, float], *, moved: bool = False
    ) -> FormulaValue:
        error = float(np.sqrt((self._move(formula, given, moved=moved) ** 2).sum()))
        error *= math.sqrt(self._small_sample)
        law, kind = FORMULAS[formula], Kind.SHARE
        return FormulaValue.of(
            law, given, name=formula, title=title, kind=kind, standard_error=error
        )

    def _measure(
        self,
        share: Share,
        reached: NDArray[np.bool_],
        figure: FormulaValue,
        given: dict[str, float],
        *,
        moved: bool = False,
    ) -> float:
        """Return the difference between a share and a formula in standard errors."""
        own = (reached - share.value) / share.of
        apart = own - self._move(figure.name, given, moved=moved)
        square = float((apart**2).sum()) * self._small_sample
        if not _FEW <= share.number <= share.of - _FEW:
            # Rare events hardly determine their own error; the formula does.
            square += figure.value * (1 - figure.value) / share.of
        difference = share.value - figure.value
        return difference / math.sqrt(square) if square > 0 else 0.0

    def _move(self, formula: str, given: dict[str, float], *, moved: bool) -> Floats:
        """Return the influence of each path on the result of a formula, to first order."""
        law, paths = FORMULAS[formula], self.paths
        rises, squares = self._influences
        moves: dict[str, Floats] = {"ev": rises, "variance": squares}
        if moved and self.left_at_ruin is not None:
            moves["bankroll"] = -_mean_influence(paths.money(paths.final), paths.is_ruined)
        if moved and self.over_goal is not None:
            moves["goal"] = _mean_influence(paths.money(paths.final), paths.is_at_goal)
        inputs = law.choose(given)
        total = np.zeros(paths.plan.paths)
        for name, influence in moves.items():
            if name not in inputs:
                continue
            # An EV may be 0, but its error is not.
            step = _STEP * max(abs(inputs[name]), self.betting.standard_error)
            low, high = (inputs | {name: inputs[name] + side * step} for side in (-1, 1))
            slope = (law.compute(**high) - law.compute(**low)) / (2 * step)
            total += slope * influence
        return total


def _mean_influence(values: Floats, chosen: NDArray[np.bool_]) -> Floats:
    """Return the influence of each path on the mean over the chosen ones."""
    mean = float(values[chosen].mean())
    return np.where(chosen, values - mean, 0.0) / int(chosen.sum())
