"""A comparison of games as front-ends show it: figures, tables, and the sentence that decides."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Final

from upcard._version import __version__
from upcard.analysis.ramp_plan import RampQuestion
from upcard.answers.edge import EdgeAnswer
from upcard.answers.ramp_report import PlanAnswer, has_money, write_hour
from upcard.core import figure, numbers
from upcard.exact.solver_results import CellCost

SAME: Final = 1e-9
"""Smaller differences of exact values are rounding errors."""
_SURE: Final = 2
"""Standard errors from which two games differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedGame:
    """A game of a comparison. `ev_per_hour` and what follows are None where no bets win."""

    name: Annotated[str, figure.text(title="game")]
    """Its letter."""
    title: str
    """Its main rules in words."""
    rules: Annotated[str, figure.text(is_shown=False)]
    edge: EdgeAnswer
    """The edge by the best play, in words."""
    house_edge: Annotated[float, figure.share(digits=4, least_digits=3)]
    """The house's win per initial bet, by the best play."""
    chart_cost: Annotated[
        float | None, figure.share(title="your chart costs", digits=4, least_digits=3)
    ]
    """Loss of the chart that the player knows against the best chart, per initial bet.

    None if that chart is not for this game.
    """
    cells_changed: Annotated[int | None, figure.number(title="cells that change")]
    """Number of cells of the known chart that cost something here."""
    cells: tuple[CellCost, ...]
    """These cells, the costliest first; the cost is per round."""
    why_no_cost: str = ""
    """Why the known chart is not for this game, if it is not."""
    ev_per_hour: float | None = None
    ev_per_hour_standard_error: float | None = None
    sd_per_hour: float | None = None
    score: float | None = None
    score_standard_error: float | None = None
    n0: float | None = None
    ruin: float | None = None
    """Risk of ruin, playing on for ever."""
    ev_behind: float | None = None
    """EV an hour less than that of the best game."""
    ev_behind_standard_error: float | None = None
    same_shoes: bool = False
    """Whether that error is of the same shoes in both games."""
    plan: PlanAnswer | None = None
    """The bets and all their figures."""
    why_no_plan: str = ""
    """Why no bets win, if there are none."""
    json_keys = """
        name title rules house_edge chart_cost cells_changed cells why_no_cost
        ev_per_hour?is_counted ev_per_hour_standard_error?is_counted sd_per_hour?is_counted
        score?is_counted score_standard_error?is_counted n0?is_counted ruin?is_counted
        ev_behind?is_counted ev_behind_standard_error?is_counted same_shoes?is_counted
        plan?is_counted why_no_plan?is_counted
    """

    @property
    def is_counted(self) -> bool:
        """Whether bets by a count were looked for."""
        return self.plan is not None or bool(self.why_no_plan)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutGame:
    """A game that is not compared."""

    name: str
    """Its letter."""
    rules: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name} ({self.rules}): {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameComparison(figure.Displayed):
    """Games side by side, in the order given, and which one to play.

    Edges and costs are shares of the first bet; amounts an hour are in the money of the bankroll or
    unit, or in units without either.
    """

    games: tuple[RankedGame, ...]
    """The games; where counts are compared, one game by each count."""
    best: int
    """Index of the game that costs least, or with a count earns most."""
    sentences: tuple[str, ...]
    """Which game to play, and what that asks of the player."""
    notes: tuple[str, ...]
    """Assumptions, a sentence each."""
    noun: str = field(default="game", metadata={"json": False})
    """The kind compared: `game`, or `count` in one game."""
    left_out: tuple[LeftOutGame, ...] = ()
    """The other games, and why they are not compared."""
    count: str | None = None
    """The counting system, or systems with commas between; None without a count."""
    indices: str | None = None
    seed: int | None = None
    rounds_per_hour: float | None = None
    """Rounds of an hour; None without a count."""
    version: str = __version__

    def tables(self) -> list[figure.AnswerTable]:
        """Return the exact values, the cells, and the figures of the count if there is one."""
        if self.noun == "count":
            return [self._tabulate_count()]
        title = "Exact, in percent of the bet"
        tables = [figure.tabulate_fields(title, RankedGame, self.games), self._tabulate_cells()]
        return tables if self.count is None else [*tables, self._tabulate_count()]

    def table(self) -> figure.AnswerTable:
        """Return the figures of the count, or without one the exact values."""
        return self.tables()[0 if self.count is None else -1]

    def _tabulate_count(self) -> figure.AnswerTable:
        amount = partial(figure.real, digits=2)
        columns = (
            figure.text("name", self.noun),
            amount("ev_per_hour", "EV an hour", error="ev_per_hour_standard_error"),
            amount("ev_per_hour_standard_error", is_shown=False),
            amount("ev_behind", "behind", error="ev_behind_standard_error"),
            amount("ev_behind_standard_error", is_shown=False),
            amount("sd_per_hour", "SD an hour", digits=1),
            amount("score", "SCORE", error="score_standard_error"),
            amount("score_standard_error", is_shown=False),
            *(figure.number("n0", "N0"), figure.share("ruin", digits=1)),
        )
        title = "With the count" if self.noun == "game" else self.games[0].rules
        title += "" if self.rounds_per_hour is None else f", {write_hour(self.rounds_per_hour)}"
        return figure.make_table(title, columns, tabulate_counted(columns, self.games))

    def _tabulate_cells(self) -> figure.AnswerTable:
        columns = (
            *(figure.text("name", "game"), figure.text("hand"), figure.text("upcard")),
            *(figure.text("cell", "you play"), figure.text("better", "best there")),
            figure.real("price", "price in 100 rounds", digits=4, unit="bets"),
        )
        rows = (
            (game.name, one.hand, one.upcard, one.cell, one.better, 100 * one.cost)
            for game in self.games
            for one in game.cells
        )
        return figure.make_table("Cells of your chart that change, in bets", columns, rows)


def tabulate_counted(
    columns: Iterable[figure.TableColumn], games: Iterable[object]
) -> Iterator[tuple[figure.Value, ...]]:
    """Iterate over the rows of games by the names of columns, with N0 in whole rounds."""
    for game in games:
        row = {one.name: getattr(game, one.name) for one in columns}
        if row["n0"] is not None:
            row["n0"] = round(row["n0"]) if math.isfinite(row["n0"]) else "infinite"
        yield tuple(row.values())


class ComparisonInterruptedError(KeyboardInterrupt):
    """Ctrl-C ended a comparison; `found` has the games that were finished, None if under two."""

    def __init__(self, found: GameComparison | None) -> None:
        self.found = found
        done = "no two games were finished" if found is None else "the others are in .found"
        super().__init__(f"interrupted; {done}")


def word_choice(
    ranked: Sequence[RankedGame], question: RampQuestion | None, noun: str
) -> Iterator[str]:
    """Say which game to play or count to learn, or which are too close, and what that takes."""
    best, runner_up = ranked[:2]
    if noun == "count":
        if not (best.ev_per_hour or 0.0) > 0:
            yield "With these bets no count wins: bet differently."
        elif runner_up.ev_per_hour is None:
            yield f"Learn {best.name}: no other count wins with these bets."
        else:
            yield _word_win(ranked, best, runner_up, question, noun)
        return
    if best.why_no_plan or (best.ev_per_hour or 0.0) < 0:
        yield "With these bets no game can be beaten: play for the least cost, or bet differently."
    if best.ev_per_hour is None:
        yield from _word_cost(ranked)
    elif runner_up.ev_per_hour is None:
        yield f"Play {best.name}: no other game can be beaten with these bets{_word_cells(best)}."
    else:
        yield _word_win(ranked, best, runner_up, question, noun)
    if best.chart_cost:
        cost = figure.write_percent(best.chart_cost, 4, sign="")
        yield f"Until you know these cells your chart gives away {cost} of each bet in {best.name}."


def _word_cost(ranked: Sequence[RankedGame]) -> Iterator[str]:
    best, runner_up = ranked[:2]
    equal = [one.name for one in ranked if one.house_edge - best.house_edge < SAME]
    if len(equal) > 1:
        yield f"{join(equal)} cost the same."
        return
    less = figure.write_percent(runner_up.house_edge - best.house_edge, 4, sign="")
    yield (
        f"Play {best.name}: it costs {less} of the bet less than {runner_up.name}"
        f"{_word_cells(best)}."
    )


def _word_win(
    ranked: Sequence[RankedGame],
    best: RankedGame,
    runner_up: RankedGame,
    question: RampQuestion | None,
    noun: str,
) -> str:
    def differs(one: RankedGame) -> bool:
        return (one.ev_behind or 0.0) > _SURE * (one.ev_behind_standard_error or 0.0)

    is_money = question is not None and has_money(question)
    bank = "at your bank " if question is not None and question.bankroll else ""
    more = numbers.with_error(runner_up.ev_behind or 0.0, runner_up.ev_behind_standard_error)
    verb, sign = ("earns", "more") if (best.ev_per_hour or 0.0) > 0 else ("loses", "less")
    earns = f"{verb} {more}{'' if is_money else ' units'} {sign} an hour than {runner_up.name}"
    if differs(runner_up):
        choice, cells = ("Play", _word_cells(best)) if noun == "game" else ("Learn", "")
        return f"{choice} {best.name}: {bank}it {earns}{cells}."
    alike = [one.name for one in ranked if one.ev_behind is not None and not differs(one)]
    return (
        f"{join(alike)} are too close to call: {best.name} {earns}, which is less than two standard"
        " errors. More rounds may decide."
    )


def _word_cells(best: RankedGame) -> str:
    if best.cells_changed is None:
        return ", with a chart of its own"
    if not best.cells_changed:
        return ", and your chart stays as it is"
    changes = "changes" if best.cells_changed == 1 else "change"
    return f", and {numbers.count_of(best.cells_changed, 'cell')} of your chart {changes}"


def join(names: Sequence[str]) -> str:
    """Write letters as `A`, `A and B`, `A, B and C`."""
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"
