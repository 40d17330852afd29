"""The picture of a bank's paths: the banks over time, and ruin beside the formula.

SVG and PNG need the extra `plots`; text needs nothing.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from upcard.charts.plots import check_plot_file, number_anew
from upcard.charts.plots_data import QUANTILES, Caption
from upcard.core.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.analysis.ruin_paths import PathsAnswer

_LINES: Final = 40
_PNG_SCALE: Final = 2.0
_WIDTH: Final = 80
_COLUMNS: Final = 68
_HEIGHT: Final = 16
_GUTTER: Final = 10
_GLYPHS: Final = {
    "outer": "░",
    "inner": "▒",
    "median": "█",
    "bank": "┄",
    "side": "┤",
    "corner": "└",
    "flat": "─",
}
_PLAIN: Final = {
    "outer": ".",
    "inner": ":",
    "median": "#",
    "bank": "-",
    "side": "|",
    "corner": "+",
    "flat": "-",
}


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
    """For each mark the bank at the shares of `QUANTILES`; who has ended keeps what was left."""
    lines: tuple[PathLine, ...]
    ruined: tuple[tuple[float, float, float], ...]
    """For each mark the share of the paths ruined so far, and its 95% interval."""
    formula: tuple[float, ...]
    """What the formula says of that."""


def read_paths_plot(answer: PathsAnswer) -> PathsPlot:
    """Take what a picture shows from an answer."""
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
    return PathsPlot(
        caption=Caption(
            title=f"{answer.ruined.value:.2%} of {of:,} banks ruined in {plan.rounds:,} rounds",
            about=(f"{bank}, {ramp}{system}.", bands_are),
            source=f"{plan.job.rules} · seed {plan.job.seed}",
        ),
        rounds=plan.rounds,
        bankroll=float(plan.bankroll),
        goal=None if plan.goal is None else float(plan.bankroll + plan.goal),
        marks=tuple(marks.tolist()),
        bands=tuple(tuple(band) for band in bands.tolist()),
        lines=tuple(_take_lines(answer)),
        ruined=tuple((share.value, *share.interval) for share in shares),
        formula=tuple(formula),
    )


def _say_how_many(kept: int, paths: int) -> str:
    return f"{paths:,} paths" if kept == paths else f"the first {kept:,} of {paths:,} paths"


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
    check_plot_file(path)
    plot = read_paths_plot(answer)
    suffix = Path(path).suffix.lower()
    content = draw_paths_text(answer).encode() if suffix == ".txt" else _render(plot, suffix)
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        msg = f"cannot write {path!r}: {error.strerror}"
        raise RulesError(msg) from None


def _render(plot: PathsPlot, suffix: str) -> bytes:
    import vl_convert

    from upcard.charts.plots_paths_altair import draw_paths

    specification: dict[str, Any] = draw_paths(plot)
    # No address is allowed: all the data lie in the specification, and nothing is fetched.
    if suffix == ".svg":
        svg = vl_convert.vegalite_to_svg(specification, allowed_base_urls=[])
        return number_anew(svg).encode()
    png: bytes = vl_convert.vegalite_to_png(specification, scale=_PNG_SCALE, allowed_base_urls=[])
    return png


def draw_paths_text(answer: PathsAnswer, *, ascii_only: bool = False) -> str:
    """Draw the banks over time as text of 80 columns."""
    plot = read_paths_plot(answer)
    pen = _PLAIN if ascii_only else _GLYPHS
    lines = [*textwrap.wrap(plot.caption.title, _WIDTH)]
    for words in (plot.caption.about[0], plot.caption.source):
        lines += textwrap.wrap(words, _WIDTH)
    lines += ["", *_draw_bands(plot, pen), ""]
    lines.append(
        f"{pen['outer']} the middle 90% of the paths  {pen['inner']} the middle 50%"
        f"  {pen['median']} the median  {pen['bank']} the bank"
    )
    text = "".join(f"{line.rstrip()}\n" for line in lines)
    if ascii_only:
        text = text.replace("·", "|").encode("ascii", "replace").decode("ascii")
    return text


def _draw_bands(plot: PathsPlot, pen: dict[str, str]) -> Iterator[str]:
    last = len(plot.marks) - 1
    places = [round(column * last / (_COLUMNS - 1)) for column in range(_COLUMNS)]
    low = min(0.0, *(band[0] for band in plot.bands))
    high = max(plot.bankroll, *(band[-1] for band in plot.bands))
    step = (high - low) / (_HEIGHT - 1)
    bank = round((plot.bankroll - low) / step)
    columns = [[round((edge - low) / step) for edge in plot.bands[place]] for place in places]
    for row in range(_HEIGHT - 1, -1, -1):
        empty = pen["bank"] if row == bank else " "
        marks = "".join(_mark(edges, row, empty, pen) for edges in columns)
        label = f"{low + row * step:,.0f}" if row % 3 == 0 else ""
        yield f"{label:>{_GUTTER - 1}} {pen['side']}{marks}"
    yield f"{'':>{_GUTTER}}{pen['corner']}{pen['flat'] * _COLUMNS}"
    end = f"{plot.rounds:,}"
    yield f"{'':>{_GUTTER}} 0{'rounds'.center(_COLUMNS - len(end) - 1)}{end}"
    for title, shares in (
        ("ruined", [ruined[0] for ruined in plot.ruined]),
        ("formula", plot.formula),
    ):
        words = [f"{shares[round(part * last / 4)]:.1%}" for part in range(1, 5)]
        cells = "".join(f"{word:>{_COLUMNS // 4}}" for word in words)
        yield f"{title:>{_GUTTER - 1}}  {cells}"


def _mark(edges: list[int], row: int, empty: str, pen: dict[str, str]) -> str:
    if edges[2] == row:
        return pen["median"]
    if edges[1] <= row <= edges[3]:
        return pen["inner"]
    return pen["outer"] if edges[0] <= row <= edges[4] else empty
