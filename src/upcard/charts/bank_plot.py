"""The picture of a bank's paths: the banks over time, and ruin compared with the formula.

SVG and PNG need the extra `plots`; text needs nothing.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from upcard.analysis.ruin_paths import PathsAnswer
from upcard.charts.plot_data import Caption
from upcard.charts.plots import (
    GUTTER,
    INNER,
    MEDIAN,
    OUTER,
    STAKE,
    WIDTH,
    draw_bands,
    spread_columns,
    write_picture,
)
from upcard.simulation.betting_sessions import QUANTILES

_LINES: Final = 40
_COLUMNS: Final = 68


@dataclass(frozen=True, slots=True, kw_only=True)
class PathLine:
    """One path: rounds and the bank after them."""

    rounds: tuple[int, ...]
    banks: tuple[float, ...]
    is_ruined: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PathsPlot:
    """Banks over time. Amounts are in money."""

    caption: Caption
    rounds: int
    bankroll: float
    goal: float | None
    """The bank at which a path ends."""
    marks: tuple[int, ...]
    bands: tuple[tuple[float, ...], ...]
    """For each mark the bank at the shares of `QUANTILES`; an ended path stays at its last bank."""
    lines: tuple[PathLine, ...]
    ruined: tuple[tuple[float, float, float], ...]
    """For each mark the share of the paths ruined so far, and its 95% interval."""
    formula: tuple[float, ...]
    """The values of the formula at the marks."""


def read_paths_plot(answer: PathsAnswer) -> PathsPlot:
    """Read the data of a picture from an answer."""
    paths, plan = answer.paths, answer.paths.plan
    banks = paths.money(paths.kept)
    marks, shares, formula, _ = answer.trace_ruin()
    bands = np.quantile(banks, QUANTILES, axis=0).T
    ramp = "flat bets" if plan.ramp is None else f"ramp {plan.ramp}"
    system = "" if plan.job.system is None else f", {plan.job.system.title}"
    of = answer.ruined.of
    bank = f"A bank of {float(plan.bankroll):,.10g}, a unit of {float(plan.unit):,.10g}"
    bands_are = (
        f"Grey: the middle 90% and the middle 50% of {_say_how_many(len(banks), of)}; lines: the"
        f" first {min(_LINES, of)}."
    )
    goal = None if plan.goal is None else float(plan.bankroll + plan.goal)
    ends = "with a cross if ruined" if goal is None else "with a cross if ruined, at the goal"
    dashed_are = (
        f"Dashed: the bank at the start{'' if goal is None else f', and the goal of {goal:,.10g}'}."
        f" A path ends {ends}, or when its rounds are played."
    )
    return PathsPlot(
        caption=Caption(
            title=f"{answer.ruined.value:.2%} of {of:,} banks ruined in {plan.rounds:,} rounds",
            about=(f"{bank}, {ramp}{system}.", bands_are, dashed_are),
            source=f"{plan.job.rules} · seed {plan.job.seed}",
        ),
        rounds=plan.rounds,
        bankroll=float(plan.bankroll),
        goal=goal,
        marks=tuple(marks.tolist()),
        bands=tuple(tuple(band) for band in bands.tolist()),
        lines=tuple(_take_lines(answer)),
        ruined=tuple((share.value, *share.interval) for share in shares),
        formula=tuple(formula),
    )


def _say_how_many(drawn: int, paths: int) -> str:
    return f"{paths:,} paths" if drawn == paths else f"the first {drawn:,} of {paths:,} paths"


def _take_lines(answer: PathsAnswer) -> Iterator[PathLine]:
    paths = answer.paths
    banks, finals = paths.money(paths.kept), paths.money(paths.final)
    for path in range(min(_LINES, len(banks))):
        last = int(paths.rounds[path])
        walked = paths.marks < last
        yield PathLine(
            rounds=(*paths.marks[walked].tolist(), last),
            banks=(*banks[path][walked].tolist(), float(finals[path])),
            is_ruined=bool(paths.is_ruined[path]),
        )


def plot_paths(answer: PathsAnswer, path: str) -> None:
    """Draw the paths of a bank to an svg, png or txt file.

    Raises: as `check_plot_file`; RulesError if the file cannot be written.
    """
    write_picture(path, specify=lambda: _specify(answer), write=lambda: draw_paths_text(answer))


def _specify(answer: PathsAnswer) -> dict[str, Any]:
    from upcard.charts.plots_altair import draw_paths

    return draw_paths(read_paths_plot(answer))


def draw_paths_text(answer: PathsAnswer) -> str:
    """Draw the banks over time as text of 80 columns."""
    plot = read_paths_plot(answer)
    lines = [*textwrap.wrap(plot.caption.title, WIDTH)]
    for words in (plot.caption.about[0], plot.caption.source):
        lines += textwrap.wrap(words, WIDTH)
    lines += ["", *_draw_bands(plot), ""]
    lines.append(
        f"{OUTER} the middle 90% of the paths  {INNER} the middle 50%"
        f"  {MEDIAN} the median  {STAKE} the bank"
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _draw_bands(plot: PathsPlot) -> Iterator[str]:
    low = min(0.0, *(band[0] for band in plot.bands))
    high = max(plot.bankroll, *(band[-1] for band in plot.bands))
    bands = [plot.bands[place] for place in spread_columns(len(plot.marks), _COLUMNS)]
    yield from draw_bands(bands, plot.bankroll, extent=(low, high), number=",.0f")
    end = f"{plot.rounds:,}"
    yield f"{'':>{GUTTER}} 0{'rounds'.center(_COLUMNS - len(end) - 1)}{end}"
    for title, shares in (
        ("ruined", [ruined[0] for ruined in plot.ruined]),
        ("formula", plot.formula),
    ):
        words = [f"{shares[round(part * (len(plot.marks) - 1) / 4)]:.1%}" for part in range(1, 5)]
        cells = "".join(f"{word:>{_COLUMNS // 4}}" for word in words)
        yield f"{title:>{GUTTER - 1}}  {cells}"
