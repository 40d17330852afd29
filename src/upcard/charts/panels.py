"""The panels of each plot, with their axes, marks and legends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from upcard.charts import plot_data
from upcard.charts.svg_plots import MOST_ERROR, Band, Bar, Panel, PlotLine, draw_for_file
from upcard.core import figure
from upcard.core.numbers import with_error, with_minus

if TYPE_CHECKING:
    from upcard.charts.plots import Plot

_EV: Final = "EV, % of the initial bet, with 95% intervals"
_CUT: Final = "A line without a cap continues beyond the frame."
_UNKNOWN: Final = "No EV is known yet: there are too few rounds at each count."
_TONES: Final = dict(zip(plot_data.Side, ("is-good", "is-bad", "is-open"), strict=True))
_SESSIONS: Final = ("played every round", "ruined", "median of the sessions")
_PATHS: Final = ("not ruined", "ruined", "median of the paths")


def draw_svg(plot: Plot) -> str:
    """Draw a plot as SVG, with the words around it; the same plot gives the same text."""
    caption = plot.caption
    return draw_for_file(list_panels(plot), caption.title, (*caption.about, caption.source))


def list_panels(plot: Plot, *, has_paths: bool = True) -> list[Panel]:
    """Return the panels of a plot, from the top; without single paths for a small picture."""
    match plot:
        case plot_data.CountPlot():
            return list_counts(plot.points, across=f"{plot.count_name} count before the deal")
        case plot_data.ConvergencePlot():
            exact = None if plot.exact is None else (plot.exact, plot.exact_name)
            return [follow_estimate(plot.points, plot.per, exact, is_percent=plot.is_percent)]
        case plot_data.DepthPlot():
            return [_follow_depths(plot)]
        case plot_data.BankrollPlot():
            return list(_list_systems(plot, has_paths=has_paths))
        case plot_data.PathsPlot():
            return list(_list_banks(plot, has_paths=has_paths))


def list_counts(points: Sequence[plot_data.CountPoint], *, across: str = "") -> list[Panel]:
    """Return EV and frequency by count."""
    evs = []
    for point in points:
        ev = "not known" if point.ev is None else with_error(100 * point.ev, None, "%")
        hint = f"{point.label}: {ev}, {point.side}"
        evs.append(Bar(point.ev, point.error, _TONES[point.side], hint))
    shares = []
    for point in points:
        words = f"{point.share:.{1 if point.share < 0.0995 else 0}%}"
        shares.append(Bar(point.share, hint=f"{point.share:.2%}", words=words))
    labels = [point.label for point in points]
    sides = [(str(side), tone) for side, tone in _TONES.items()]
    return [
        _dot_evs(_EV, labels, evs, height=250, key=sides if across else ()),
        Panel(title="% of rounds", unit="%", labels=labels, bars=shares, height=110, across=across),
    ]


def _dot_evs(
    title: str,
    labels: Sequence[str],
    bars: Sequence[Bar],
    height: int,
    key: Sequence[tuple[str, str]] = (),
) -> Panel:
    note = _CUT if any(bar.error > MOST_ERROR for bar in bars) else ""
    if all(bar.value is None for bar in bars):
        note = _UNKNOWN
    panel = Panel(title=title, note=note, unit="%", is_signed=True, has_dots=True, height=height)
    return replace(panel, labels=labels, bars=bars, key=key)


def list_ramp(
    labels: Sequence[str],
    *,
    bets: Sequence[float],
    evs: Sequence[tuple[float | None, float]],
    shares: Sequence[tuple[float, float]],
    other_bets: Sequence[float | None] = (),
) -> list[Panel]:
    """Return bets, EV of a unit and frequency by count.

    An EV that is not known leaves a gap; EVs and shares have half of a 95% interval.
    """
    named = [Bar(bet, hint=f"{label}: {bet:,.6g}") for label, bet in zip(labels, bets, strict=True)]
    panels = [Panel(title="Bet", labels=labels, bars=named, height=90)]
    if other_bets:
        others = [Bar(bet, tone="is-second") for bet in other_bets]
        panels.append(Panel(title="Bet of the pinned ramp", labels=labels, bars=others, height=90))
    dots = [_mark_ev(label, *ev) for label, ev in zip(labels, evs, strict=True)]
    known = [Bar(share, half) for share, half in shares]
    return [
        *panels,
        _dot_evs("EV of a unit, with 95% intervals", labels, dots, height=130),
        Panel(title="% of rounds", unit="%", labels=labels, bars=known, height=70),
    ]


def _mark_ev(label: str, ev: float | None, half: float) -> Bar:
    if ev is None:
        return Bar(None)
    tone = "is-open" if abs(ev) <= half else "is-good" if ev > 0 else "is-bad"
    return Bar(ev, half, tone, f"{label}: {figure.write_percent(ev, 3)}")


def follow_estimate(
    points: Sequence[plot_data.ConvergencePoint],
    per: str,
    exact: tuple[float, str] | None,
    *,
    is_percent: bool,
) -> Panel:
    """Return the EV over the rounds, with the exact value and its name if there is one."""
    levels: tuple[tuple[float, str], ...] = ()
    if exact is not None:
        value, name = exact
        levels = ((value, f"{name} {with_minus(format(value, '+.4%' if is_percent else '+.5f'))}"),)
    return Panel(
        title=f"EV so far, {per}, with its 95% interval",
        unit="%" if is_percent else "",
        is_signed=True,
        bands=(Band([(one.rounds, one.ev - one.error, one.ev + one.error) for one in points]),),
        lines=(PlotLine([(one.rounds, one.ev) for one in points], marked=(len(points) - 1,)),),
        levels=levels,
        across="Rounds",
        logs="x",
        height=300,
    )


def _follow_depths(plot: plot_data.DepthPlot) -> Panel:
    points = plot.points
    return Panel(
        title="EV, % of the initial bet: mean, and 90% of the shoes",
        unit="%",
        is_signed=True,
        bands=(Band([(gone, low, high) for gone, _, low, high in points]),),
        lines=(PlotLine([(at[0], at[1]) for at in points], marked=range(len(points))),),
        across="Cards gone",
        height=300,
    )


def follow_banks(
    places: Sequence[float],
    bands: Sequence[Sequence[float]],
    *,
    title: str,
    across: str,
    extent: tuple[float, float] | None = None,
) -> Panel:
    """Return banks over time: at each place the levels of its band, of five shares of the banks."""

    def band(low: int, high: int, tone: str) -> Band:
        pairs = zip(places, bands, strict=True)
        return Band([(place, levels[low], levels[high]) for place, levels in pairs], tone)

    median = [(place, levels[2]) for place, levels in zip(places, bands, strict=True)]
    return Panel(
        title=title,
        bands=(band(0, 4, "is-outer"), band(1, 3, "is-inner")),
        lines=(PlotLine(median, "is-median"),),
        levels=((bands[0][2], ""),),
        extent=extent,
        across=across,
        height=220,
    )


def _add_paths(panel: Panel, paths: Sequence[plot_data.Path], kinds: Sequence[str]) -> Panel:
    """Add paths, the ruined ones on top and with a cross at the end, and a legend.

    `kinds` are its words for paths that lasted, ruined ones and the median.
    """
    lines = [
        PlotLine(
            list(zip(path.rounds, path.banks, strict=True)),
            "is-ruined" if path.is_ruined else "is-path",
            marked=(-1,) if path.is_ruined else (),
            is_cross=True,
        )
        for path in sorted(paths, key=lambda path: path.is_ruined)
    ]
    key = list(zip(kinds, ("is-path", "is-ruined", "is-median"), strict=True))
    return replace(panel, lines=(*lines, *panel.lines), key=key if paths else key[2:])


def _list_systems(plot: plot_data.BankrollPlot, *, has_paths: bool) -> Iterator[Panel]:
    is_only = len(plot.panels) == 1
    for one in plot.panels:
        title = "Chips" if is_only else f"Chips, {one.name}"
        across = "Rounds played" if one is plot.panels[-1] else ""
        panel = follow_banks(one.marks, one.bands, title=title, across=across, extent=plot.extent)
        panel = replace(panel, reach=plot.rounds, height=340 if is_only else 220)
        if not is_only:
            panel = replace(panel, note=one.note)
        paths = one.paths if has_paths else one.paths[:0]
        if len(paths) > plot_data.MOST_LINES:
            paths = paths[: plot_data.FEW_LINES]
        elif paths:
            panel = replace(panel, bands=panel.bands[:1])
        panel = _add_paths(panel, paths, _SESSIONS)
        yield panel if one is plot.panels[0] else replace(panel, key=())


def _list_banks(plot: plot_data.PathsPlot, *, has_paths: bool) -> Iterator[Panel]:
    """Show the banks over the shares ruined, one axis of rounds for both."""
    panel = follow_banks(plot.marks, plot.bands, title="Bank", across="", extent=plot.extent)
    goals = [] if plot.goal is None else [(plot.goal, "")]
    panel = replace(panel, reach=plot.rounds, height=320, levels=(*panel.levels, *goals))
    yield _add_paths(panel, plot.paths if has_paths else (), _PATHS)
    # Before a path can be ruined there is no uncertainty.
    interval = [(mark, *share[1:]) for mark, share in zip(plot.marks, plot.ruined, strict=True)][1:]
    simulated = [(mark, share[0]) for mark, share in zip(plot.marks, plot.ruined, strict=True)]
    top = max([high for *_, high in plot.ruined[1:]] + list(plot.formula))
    yield Panel(
        title="Ruined so far",
        unit="%",
        bands=(Band(interval, "is-interval"),),
        lines=(
            PlotLine(simulated),
            PlotLine(list(zip(plot.marks, plot.formula, strict=True)), "is-formula"),
        ),
        extent=(0.0, 1.05 * top or 0.01),
        reach=plot.rounds,
        across="Rounds",
        height=130,
        key=(("simulated (95% interval)", "is-plain"), ("formula", "is-formula")),
    )
