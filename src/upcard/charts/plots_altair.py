"""Pictures of simulations and of a bank's paths, with Altair, from the extra `plots`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import altair as alt

from upcard.charts import palette, plot_data
from upcard.core.numbers import with_minus

if TYPE_CHECKING:
    from upcard.charts.plots import Plot

# Distinct in lightness alone, as the charts' colours; hues of Okabe and Ito's set.
GOOD: Final = "#0072b2"
BAD: Final = "#c2410c"
CALM: Final = "#8fb6d6"
BAND: Final = "#d7dee6"
INNER: Final = "#bccad8"
INK: Final = palette.LIGHT_PAGE.ink
MUTED: Final = palette.LIGHT_PAGE.muted
_GRID: Final = "#e8ebee"
_FONT: Final = "Roboto, Helvetica, Arial, sans-serif"

WIDTH: Final = 720
_MOST_FIGURES: Final = 24
"""With more counts than this the figures above the bars would overlap."""
_SESSIONS: Final = ("played every round", "ruined", "median of the sessions")
_PATHS: Final = ("not ruined", "ruined", "median of the paths")
_SIMULATED: Final = "simulated (95% interval)"
_FORMULA: Final = "formula"
_DASHES: Final = [5, 4]
_AXIS: Final = {
    "labelColor": MUTED,
    "labelFontSize": 12,
    "labelPadding": 5,
    "titleColor": INK,
    "titleFontSize": 12.5,
    "titleFontWeight": 500,
    "titlePadding": 10,
    **dict.fromkeys(("domainColor", "tickColor"), palette.LIGHT_PAGE.line),
    "gridColor": _GRID,
}
Rows: TypeAlias = dict[str, list[dict[str, object]]]
"""Rows of a picture by name, as Vega-Lite takes them."""


def draw(plot: Plot) -> dict[str, Any]:
    """Return the picture as a Vega-Lite specification that holds all its data."""
    data: Rows = {}
    match plot:
        case plot_data.CountPlot():
            chart = _draw_counts(plot)
        case plot_data.ConvergencePlot():
            chart = _draw_convergence(plot)
        case plot_data.DepthPlot():
            chart = _draw_depths(plot)
        case plot_data.BankrollPlot():
            panels = [_draw_panel(panel, plot, data) for panel in plot.panels]
            chart = alt.vconcat(*panels, spacing=24).resolve_scale(color="independent")
        case plot_data.PathsPlot():
            chart = _draw_paths(plot, data)
    specification: dict[str, Any] = _frame(chart, plot.caption).to_dict()
    # Altair would read every row of them, layer by layer, for about 15 seconds.
    specification["datasets"] |= data
    return specification


def _frame(chart: Any, caption: plot_data.Caption) -> Any:  # noqa: ANN401 (any kind of chart)
    framed = chart.properties(
        title=alt.TitleParams(
            text=caption.title,
            subtitle=[*caption.about, caption.source],
            anchor="start",
            fontSize=20,
            fontWeight=600,
            subtitleFontSize=12.5,
            subtitleColor=MUTED,
            subtitlePadding=7,
            subtitleLineHeight=18,
            offset=18,
            color=INK,
        ),
        padding={"left": 18, "top": 18, "right": 24, "bottom": 16},
        background=palette.LIGHT_PAGE.paper,
    )
    return framed.configure(font=_FONT).configure_view(stroke=None).configure_axis(**_AXIS)


def _chart_of(rows: Sequence[Mapping[str, object]]) -> Any:  # noqa: ANN401 (Altair's own)
    return alt.Chart(alt.InlineData(values=rows))


def _interval(point: plot_data.CountPoint | plot_data.ConvergencePoint) -> dict[str, float | None]:
    ev, error = point.ev, point.error
    low, high = (None, None) if ev is None else (ev - error, ev + error)
    return {"ev": ev, "low": low, "high": high}


def _draw_counts(plot: plot_data.CountPlot) -> Any:  # noqa: ANN401 (any kind of chart)
    """Draw EV with its intervals over the frequencies, one axis of counts for both."""
    rows = [
        {"count": point.label, "share": point.share, **_interval(point), "side": point.side}
        for point in plot.points
    ]
    order = [point.label for point in plot.points]
    base = _chart_of(rows)
    known = base.transform_filter("datum.ev !== null")

    def counts(*, title: str | None, labels: bool) -> Any:  # noqa: ANN401
        space: dict[str, Any] = {"labelAngle": 0, "labelOverlap": "parity", "labelSeparation": 3}
        axis = alt.Axis(title=title, labels=labels, ticks=False, grid=False, **space)
        return alt.X("count:N", sort=order, axis=axis, scale=alt.Scale(paddingInner=0.28))

    sides = alt.Scale(domain=list(plot_data.Side), range=[GOOD, BAD, MUTED])
    color = alt.Color("side:N", scale=sides, legend=legend())
    ev_axis = _signed_axis("EV, % of the initial bet", "+.1%")
    zero = _chart_of([{"ev": 0}]).mark_rule(color=MUTED, size=1).encode(y="ev:Q")
    # Wide intervals of rare counts would squeeze the other counts: they are cut at the frame.
    extent = _ev_extent(plot)
    evs = alt.Y("ev:Q", axis=ev_axis, scale=alt.Scale(domain=extent, nice=False, clamp=False))
    above = counts(title=None, labels=False)
    bars = known.mark_rule(size=2, clip=True, opacity=0.75)
    bars = bars.encode(x=above, y=alt.Y("low:Q"), y2="high:Q", color=color)
    dots = known.mark_circle(size=70, opacity=1, clip=True).encode(x=above, y=evs, color=color)
    upper = alt.layer(zero, bars, dots).properties(width=WIDTH, height=260)
    shares = alt.Y(
        "share:Q",
        axis=alt.Axis(title="% of rounds", format=".0%", tickCount=4),
        scale=alt.Scale(domain=[0, 1.1 * max(point.share for point in plot.points)], nice=False),
    )
    below = counts(title=f"{plot.count_name} count before the deal", labels=True)
    lower = [base.mark_bar(color=CALM).encode(x=below, y=shares)]
    if len(plot.points) <= _MOST_FIGURES:
        words = "format(datum.share, datum.share < 0.0995 ? '.1%' : '.0%')"
        figures = base.transform_calculate(label=words)
        text = figures.mark_text(dy=-7, fontSize=10.5, color=MUTED)
        lower.append(text.encode(x=below, y=shares, text=alt.Text("label:N")))
    return alt.vconcat(upper, alt.layer(*lower).properties(width=WIDTH, height=120), spacing=16)


def _ev_extent(plot: plot_data.CountPlot) -> list[float]:
    """Return the part of the EV axis that shows every point whose error is not wider than it."""
    known = [point for point in plot.points if point.ev is not None]
    lows = [(point.ev or 0.0) - min(point.error, 0.02) for point in known]
    highs = [(point.ev or 0.0) + min(point.error, 0.02) for point in known]
    low, high = min([*lows, 0.0]), max([*highs, 0.0])
    room = 0.04 * (high - low) or 0.01
    return [low - room, high + room]


def _draw_convergence(plot: plot_data.ConvergencePlot) -> Any:  # noqa: ANN401 (any kind of chart)
    """Draw the estimate and its band against rounds, on a logarithmic axis."""
    rows = [{"rounds": point.rounds, **_interval(point)} for point in plot.points]
    base = _chart_of(rows)
    first, last = plot.points[0].rounds, plot.points[-1].rounds
    x = alt.X(
        "rounds:Q",
        scale=alt.Scale(type="log", domain=[first, max(last, first + 1)], nice=False),
        axis=alt.Axis(title="Rounds", format="~s", tickCount=8, grid=False),
    )
    axis = _signed_axis(f"EV, {plot.per}", "+.2%" if plot.is_percent else "+.3f")
    low = alt.Y("low:Q", axis=axis, scale=alt.Scale(zero=False))
    band = base.mark_area(color=BAND).encode(x=x, y=low, y2="high:Q")
    line = base.mark_line(color=GOOD, size=2.5).encode(x=x, y=alt.Y("ev:Q", axis=axis))
    last_point = _chart_of([rows[-1]]).mark_circle(size=80, color=GOOD, opacity=1)
    dot = last_point.encode(x=x, y=alt.Y("ev:Q", axis=axis))
    layers = [band]
    if plot.exact is not None:
        exact = _chart_of([{"ev": plot.exact, "rounds": first}])
        layers.append(exact.mark_rule(color=INK, strokeDash=[5, 4], size=1.4).encode(y="ev:Q"))
        number = with_minus(format(plot.exact, "+.4%" if plot.is_percent else "+.5f"))
        text = f"{plot.exact_name} {number}"
        label = exact.mark_text(text=text, align="left", dx=8, dy=-9, fontSize=12, color=INK)
        layers.append(label.encode(x=x, y="ev:Q"))
    return alt.layer(*layers, line, dot).properties(width=WIDTH, height=340)


def _draw_depths(plot: plot_data.DepthPlot) -> Any:  # noqa: ANN401 (any kind of chart)
    """Draw the mean and its band over cards gone."""
    names = ("gone", "ev", "low", "high")
    base = _chart_of([dict(zip(names, point, strict=True)) for point in plot.points])
    whole = alt.Axis(title="Cards gone", grid=False, tickMinStep=1, format="d")
    x = alt.X("gone:Q", axis=whole, scale=alt.Scale(nice=False))
    axis = _signed_axis("EV, % of the initial bet", "+.1%")
    band = base.mark_area(color=BAND).encode(x=x, y=alt.Y("low:Q", axis=axis), y2="high:Q")
    zero = _chart_of([{"ev": 0}]).mark_rule(color=MUTED, size=1).encode(y="ev:Q")
    mean = alt.Y("ev:Q", axis=axis)
    line = base.mark_line(color=GOOD, size=2.5).encode(x=x, y=mean)
    dots = base.mark_circle(size=45, color=GOOD, opacity=1).encode(x=x, y=mean)
    return alt.layer(band, zero, line, dots).properties(width=WIDTH, height=340)


def _draw_panel(panel: plot_data.SystemPanel, plot: plot_data.BankrollPlot, data: Rows) -> Any:  # noqa: ANN401
    is_only, is_last = len(plot.panels) == 1, panel is plot.panels[-1]
    has_lines = len(panel.paths) <= plot_data.MOST_LINES
    axis = alt.Axis(title="Rounds played" if is_last else None, grid=False, tickCount=6)
    chart = _layer_banks(
        panel,
        panel.paths if has_lines else panel.paths[: plot_data.FEW_LINES],
        data,
        x=alt.X("round:Q", scale=alt.Scale(domain=[0, plot.rounds], nice=False), axis=axis),
        axis=alt.Axis(title="Chips", tickCount=6),
        extent=plot.extent,
        kinds=_SESSIONS,
        # Above a panel's title the legend would be far from the lines: it is below the last panel.
        key=legend("top" if is_only else "bottom") if is_last else None,
        thin=(1.1, 0.95, 0.7) if has_lines else (0.8, 0.95, 0.5),
        has_inner=not has_lines,
    ).properties(width=WIDTH, height=360 if is_only else 230)
    if is_only:
        return chart
    title = alt.TitleParams(
        text=panel.name,
        subtitle=panel.note,
        anchor="start",
        fontSize=14,
        subtitleFontSize=12,
        color=INK,
        subtitleColor=MUTED,
        offset=8,
    )
    return chart.properties(title=title)


def _draw_paths(plot: plot_data.PathsPlot, data: Rows) -> Any:  # noqa: ANN401 (any kind of chart)
    """Draw the banks over the shares ruined, one axis of rounds for both."""
    banks = _layer_banks(
        plot,
        plot.paths,
        data,
        x=_rounds(plot, is_last=False),
        axis=alt.Axis(title="Bank", tickCount=6, format=",~f"),
        extent=plot.extent,
        kinds=_PATHS,
        key=legend("top"),
        thin=(0.9, 0.8, 0.8),
        goal=plot.goal,
        has_zero=True,
    ).properties(width=WIDTH, height=330)
    chart = alt.vconcat(banks, _draw_ruin(plot), spacing=20)
    return chart.resolve_scale(color="independent", strokeDash="independent")


def _layer_banks(  # noqa: PLR0913 (each is named in the call)
    banks: plot_data.Banks,
    paths: Sequence[plot_data.Path],
    data: Rows,
    *,
    x: Any,  # noqa: ANN401 (Altair's own)
    axis: Any,  # noqa: ANN401 (Altair's own)
    extent: tuple[float, float],
    kinds: tuple[str, str, str],
    key: Any,  # noqa: ANN401 (Altair's own)
    thin: tuple[float, float, float],
    goal: float | None = None,
    has_zero: bool = False,
    has_inner: bool = True,
) -> Any:  # noqa: ANN401 (any kind of chart)
    """Draw bands, their median and paths; their rows are added to `data`.

    `kinds` are the legend's words for paths that lasted, ruined ones and the median; `thin` is the
    width of the paths, and the opacity of those that lasted and of the ruined.
    """
    lasted, ruined, median = kinds
    amount = str(axis.title).lower()
    scale = alt.Scale(domain=list(extent), nice=False, zero=False)

    def y(field: str) -> Any:  # noqa: ANN401
        return alt.Y(f"{field}:Q", scale=scale, axis=axis)

    def level(*amounts: float, **line: Any) -> Any:  # noqa: ANN401
        rows = _chart_of([{amount: one} for one in amounts])
        return rows.mark_rule(size=1, **line).encode(y=y(amount))

    def name_rows(rows: list[dict[str, object]]) -> Any:  # noqa: ANN401
        name = f"rows{len(data)}"
        data[name] = rows
        return alt.Chart(alt.NamedData(name=name))

    bands = name_rows(
        [
            {"round": mark, "kind": median} | {f"q{place}": one for place, one in enumerate(band)}
            for mark, band in zip(banks.marks, banks.bands, strict=True)
        ]
    )
    lines = name_rows(
        [
            {
                "path": number,
                "round": mark,
                amount: bank,
                "kind": ruined if path.is_ruined else lasted,
                "is_end": path.is_ruined and place == len(path.rounds) - 1,
            }
            for number, path in enumerate(paths)
            for place, (mark, bank) in enumerate(zip(path.rounds, path.banks, strict=True))
        ]
    )
    colors = alt.Scale(domain=list(kinds), range=[CALM, BAD, INK])
    color = alt.Color("kind:N", scale=colors, legend=key)
    size, *opacities = thin
    layers = [bands.mark_area(color=BAND, opacity=0.7).encode(x=x, y=y("q0"), y2="q4:Q")]
    if has_inner:
        layers.append(bands.mark_area(color=INNER, opacity=0.7).encode(x=x, y=y("q1"), y2="q3:Q"))
    levels = [banks.start] if goal is None else [banks.start, goal]
    layers.append(level(*levels, color=MUTED, strokeDash=[4, 4]))
    if has_zero:
        layers.append(level(0, color=INK))
    # Ruined paths are on top, darker, and end in a cross: distinct in greyscale too.
    for kind, opacity in zip((lasted, ruined), opacities, strict=True):
        some = lines.transform_filter(f"datum.kind === '{kind}'")
        thin_line = some.mark_line(size=size, opacity=opacity)
        layers.append(thin_line.encode(x=x, y=y(amount), detail="path:N", color=color))
    cross = {"shape": "cross", "angle": 45, "size": 55, "filled": True}
    ends = lines.transform_filter("datum.is_end").mark_point(color=BAD, opacity=1, **cross)
    median_line = bands.mark_line(size=2.2).encode(x=x, y=y("q2"), color=color)
    return alt.layer(*layers, median_line, ends.encode(x=x, y=y(amount)))


def _rounds(plot: plot_data.PathsPlot, *, is_last: bool) -> Any:  # noqa: ANN401 (Altair's own)
    title = "Rounds" if is_last else None
    axis = alt.Axis(title=title, grid=False, tickCount=6, labels=is_last, format=",d")
    return alt.X("round:Q", scale=alt.Scale(domain=[0, plot.rounds], nice=False), axis=axis)


def _draw_ruin(plot: plot_data.PathsPlot) -> Any:  # noqa: ANN401 (any kind of chart)
    rows = [
        {"round": mark, "share": share, "low": low, "high": high, "kind": _SIMULATED}
        for mark, (share, low, high) in zip(plot.marks, plot.ruined, strict=True)
    ]
    law = [
        {"round": mark, "share": share, "kind": _FORMULA}
        for mark, share in zip(plot.marks, plot.formula, strict=True)
    ]
    x = _rounds(plot, is_last=True)
    axis = alt.Axis(title="Ruined so far", format="~%", tickCount=4)
    top = max([row[2] for row in plot.ruined[1:]] + list(plot.formula))
    scale = alt.Scale(domain=[0, 1.05 * top or 0.01], nice=False)
    y = alt.Y("share:Q", axis=axis, scale=scale)
    kinds = alt.Scale(domain=[_SIMULATED, _FORMULA], range=[GOOD, INK])
    color = alt.Color("kind:N", scale=kinds, legend=legend("top"))
    # With a scale of its own the legend shows the dashes too.
    dashes = alt.Scale(domain=[_SIMULATED, _FORMULA], range=[[1, 0], _DASHES])
    dash = alt.StrokeDash("kind:N", scale=dashes, legend=legend("top"))
    # Before a path can be ruined there is no uncertainty.
    band = _chart_of(rows[1:]).mark_area(color=GOOD, opacity=0.18)
    low = alt.Y("low:Q", axis=axis, scale=scale)
    return alt.layer(
        band.encode(x=x, y=low, y2="high:Q"),
        _chart_of(rows).mark_line(size=2.2).encode(x=x, y=y, color=color, strokeDash=dash),
        _chart_of(law).mark_line(size=1.6).encode(x=x, y=y, color=color, strokeDash=dash),
    ).properties(width=WIDTH, height=130)


def legend(orient: Literal["top", "bottom"] = "top") -> Any:  # noqa: ANN401 (Altair's own)
    """Return the legend of all pictures, at the top or the bottom."""
    return alt.Legend(
        title=None,
        orient=orient,
        direction="horizontal",
        labelFontSize=12,
        labelColor=INK,
        symbolStrokeWidth=3,
        symbolOpacity=1,
        columnPadding=18,
        offset=6,
    )


def _signed_axis(title: str, form: str) -> Any:  # noqa: ANN401 (Altair's own)
    """Make an axis of signed numbers whose zero has no sign."""
    zero = "0%" if form.endswith("%") else "0"
    words = f"abs(datum.value) < 1e-12 ? '{zero}' : format(datum.value, '{form}')"
    return alt.Axis(title=title, labelExpr=words, tickCount=7)
