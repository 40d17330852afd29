"""Pictures of simulations and of a bank's paths, with Altair, from the extra `plots`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

import altair as alt

from upcard.charts.palette import LIGHT_PAGE
from upcard.charts.plot_data import (
    FEW_LINES,
    MOST_LINES,
    BankrollPlot,
    ConvergencePlot,
    CountPlot,
    Side,
)
from upcard.core.numbers import with_minus

if TYPE_CHECKING:
    from upcard.charts.bank_plot import PathsPlot
    from upcard.charts.plot_data import Caption, Path, SystemPanel


# Distinct in lightness alone, as the charts' colours; hues of Okabe and Ito's set.
GOOD: Final = "#0072b2"
BAD: Final = "#c2410c"
CALM: Final = "#8fb6d6"
BAND: Final = "#d7dee6"
INNER: Final = "#bccad8"
INK: Final = LIGHT_PAGE.ink
MUTED: Final = LIGHT_PAGE.muted
_GRID: Final = "#e8ebee"
_FONT: Final = "Roboto, Helvetica, Arial, sans-serif"

WIDTH: Final = 720
_MOST_FIGURES: Final = 24
"""With more counts than this the figures above the bars would overlap."""
_LASTED: Final = "played every round"
_RUINED: Final = "ruined"
_MEDIAN: Final = "median of the sessions"


def draw(plot: CountPlot | ConvergencePlot | BankrollPlot) -> dict[str, Any]:
    """Return the picture as a Vega-Lite specification that holds all its data."""
    match plot:
        case CountPlot():
            chart = _draw_counts(plot)
        case ConvergencePlot():
            chart = _draw_convergence(plot)
        case BankrollPlot():
            chart = _draw_bankrolls(plot)
    specification: dict[str, Any] = frame(chart, plot.caption).to_dict()
    return specification


def frame(chart: Any, caption: Caption) -> Any:  # noqa: ANN401 (any kind of chart)
    """Add the words around a picture and set its type."""
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
        background=LIGHT_PAGE.paper,
    )
    return (
        framed.configure(font=_FONT)
        .configure_view(stroke=None)
        .configure_axis(
            labelColor=MUTED,
            labelFontSize=12,
            titleColor=INK,
            titleFontSize=12.5,
            titleFontWeight=500,
            titlePadding=10,
            gridColor=_GRID,
            domainColor=LIGHT_PAGE.line,
            tickColor=LIGHT_PAGE.line,
            labelPadding=5,
        )
    )


def _draw_counts(plot: CountPlot) -> Any:  # noqa: ANN401 (any kind of chart)
    """Draw EV with its intervals over the frequencies, one axis of counts for both."""
    rows = [
        {
            "count": point.label,
            "share": point.share,
            "ev": point.ev,
            "low": None if point.ev is None else point.ev - point.error,
            "high": None if point.ev is None else point.ev + point.error,
            "side": point.side,
        }
        for point in plot.points
    ]
    order = [point.label for point in plot.points]
    base = alt.Chart(alt.InlineData(values=rows))
    known = base.transform_filter("datum.ev !== null")

    def counts(*, title: str | None, labels: bool) -> Any:  # noqa: ANN401
        axis = alt.Axis(
            labelAngle=0,
            title=title,
            labels=labels,
            labelOverlap="parity",
            labelSeparation=3,
            ticks=False,
            grid=False,
        )
        return alt.X("count:N", sort=order, axis=axis, scale=alt.Scale(paddingInner=0.28))

    color = alt.Color(
        "side:N", scale=alt.Scale(domain=list(Side), range=[GOOD, BAD, MUTED]), legend=legend()
    )
    ev_axis = _signed_axis("EV, % of the initial bet", "+.1%")
    zero = (
        alt.Chart(alt.InlineData(values=[{"ev": 0}]))
        .mark_rule(color=MUTED, size=1)
        .encode(y="ev:Q")
    )
    # Wide intervals of rare counts would squeeze the other counts: they are cut at the frame.
    extent = _ev_extent(plot)
    evs = alt.Y("ev:Q", axis=ev_axis, scale=alt.Scale(domain=extent, nice=False, clamp=False))
    bars = known.mark_rule(size=2, clip=True, opacity=0.75).encode(
        x=counts(title=None, labels=False), y=alt.Y("low:Q"), y2="high:Q", color=color
    )
    dots = known.mark_circle(size=70, opacity=1, clip=True).encode(
        x=counts(title=None, labels=False), y=evs, color=color
    )
    upper = alt.layer(zero, bars, dots).properties(width=WIDTH, height=260)
    shares = alt.Y(
        "share:Q",
        axis=alt.Axis(title="% of rounds", format=".0%", tickCount=4),
        scale=alt.Scale(domain=[0, 1.1 * max(point.share for point in plot.points)], nice=False),
    )
    below = counts(title=f"{plot.count_name} count before the deal", labels=True)
    lower = [base.mark_bar(color=CALM).encode(x=below, y=shares)]
    if len(plot.points) <= _MOST_FIGURES:
        figures = base.transform_calculate(
            label="format(datum.share, datum.share < 0.0995 ? '.1%' : '.0%')"
        )
        text = figures.mark_text(dy=-7, fontSize=10.5, color=MUTED)
        lower.append(text.encode(x=below, y=shares, text=alt.Text("label:N")))
    return alt.vconcat(upper, alt.layer(*lower).properties(width=WIDTH, height=120), spacing=16)


def _ev_extent(plot: CountPlot) -> list[float]:
    """Return the part of the EV axis that shows every point whose error is not wider than it."""
    known = [point for point in plot.points if point.ev is not None]
    lows = [(point.ev or 0.0) - min(point.error, 0.02) for point in known]
    highs = [(point.ev or 0.0) + min(point.error, 0.02) for point in known]
    low, high = min([*lows, 0.0]), max([*highs, 0.0])
    room = 0.04 * (high - low) or 0.01
    return [low - room, high + room]


def _draw_convergence(plot: ConvergencePlot) -> Any:  # noqa: ANN401 (any kind of chart)
    """Draw the estimate and its band against rounds, on a logarithmic axis."""
    rows = [
        {
            "rounds": point.rounds,
            "ev": point.ev,
            "low": point.ev - point.error,
            "high": point.ev + point.error,
        }
        for point in plot.points
    ]
    base = alt.Chart(alt.InlineData(values=rows))
    first, last = plot.points[0].rounds, plot.points[-1].rounds
    x = alt.X(
        "rounds:Q",
        scale=alt.Scale(type="log", domain=[first, max(last, first + 1)], nice=False),
        axis=alt.Axis(title="Rounds", format="~s", tickCount=8, grid=False),
    )
    axis = _signed_axis(f"EV, {plot.per}", "+.2%" if plot.is_percent else "+.3f")
    band = base.mark_area(color=BAND).encode(
        x=x, y=alt.Y("low:Q", axis=axis, scale=alt.Scale(zero=False)), y2="high:Q"
    )
    line = base.mark_line(color=GOOD, size=2.5).encode(x=x, y=alt.Y("ev:Q", axis=axis))
    end = rows[-1]
    dot = (
        alt.Chart(alt.InlineData(values=[end]))
        .mark_circle(size=80, color=GOOD, opacity=1)
        .encode(x=x, y=alt.Y("ev:Q", axis=axis))
    )
    layers = [band]
    if plot.exact is not None:
        exact = alt.Chart(alt.InlineData(values=[{"ev": plot.exact, "rounds": first}]))
        layers.append(exact.mark_rule(color=INK, strokeDash=[5, 4], size=1.4).encode(y="ev:Q"))
        text = with_minus(format(plot.exact, "+.4%" if plot.is_percent else "+.5f"))
        layers.append(
            exact.mark_text(
                text=f"{plot.exact_name} {text}", align="left", dx=8, dy=-9, fontSize=12, color=INK
            ).encode(x=x, y="ev:Q")
        )
    return alt.layer(*layers, line, dot).properties(width=WIDTH, height=340)


def _draw_bankrolls(plot: BankrollPlot) -> Any:  # noqa: ANN401 (any kind of chart)
    """Draw every series in a panel; the panels share their axes and the first one's legend."""
    panels = [_draw_panel(panel, plot) for panel in plot.panels]
    return alt.vconcat(*panels, spacing=24).resolve_scale(color="independent")


def _draw_panel(panel: SystemPanel, plot: BankrollPlot) -> Any:  # noqa: ANN401
    is_only, is_last = len(plot.panels) == 1, panel is plot.panels[-1]
    has_lines = len(panel.paths) <= MOST_LINES
    axis = alt.Axis(title="Rounds played" if is_last else None, grid=False, tickCount=6)
    x = alt.X("round:Q", scale=alt.Scale(domain=[0, plot.rounds], nice=False), axis=axis)

    def y(field: str) -> Any:  # noqa: ANN401
        scale = alt.Scale(domain=list(plot.extent), nice=False, zero=False)
        return alt.Y(f"{field}:Q", scale=scale, axis=alt.Axis(title="Chips", tickCount=6))

    color = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=[_LASTED, _RUINED, _MEDIAN], range=[CALM, BAD, INK]),
        # Above a panel's title the legend would be far from the lines: it is below the last panel.
        legend=legend("top" if is_only else "bottom") if is_last else None,
    )
    bands = alt.Chart(alt.InlineData(values=_band_rows(panel)))
    shown = panel.paths if has_lines else panel.paths[:FEW_LINES]
    lines = alt.Chart(alt.InlineData(values=_path_rows(shown)))
    ends = lines.transform_filter("datum.is_end")
    thin = {"x": x, "y": y("chips"), "detail": "path:N", "color": color}
    size, opacity = (1.1, 0.7) if has_lines else (0.8, 0.5)
    layers = [
        bands.mark_area(color=BAND, opacity=0.7).encode(x=x, y=y("q0"), y2="q4:Q"),
        alt.Chart(alt.InlineData(values=[{"chips": panel.stake}]))
        .mark_rule(color=MUTED, strokeDash=[4, 4], size=1)
        .encode(y=y("chips")),
        # Ruined sessions are on top, darker, and end in a cross: distinct in greyscale too.
        lines.transform_filter(f"datum.kind === '{_LASTED}'")
        .mark_line(size=size, opacity=0.95)
        .encode(**thin),
        lines.transform_filter(f"datum.kind === '{_RUINED}'")
        .mark_line(size=size, opacity=opacity)
        .encode(**thin),
        bands.mark_line(size=2.2).encode(x=x, y=y("q2"), color=color),
        ends.mark_point(shape="cross", angle=45, size=55, color=BAD, filled=True, opacity=1).encode(
            x=x, y=y("chips")
        ),
    ]
    if not has_lines:
        inner = bands.mark_area(color=INNER, opacity=0.7)
        layers.insert(1, inner.encode(x=x, y=y("q1"), y2="q3:Q"))
    chart = alt.layer(*layers).properties(width=WIDTH, height=360 if is_only else 230)
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


def _band_rows(panel: SystemPanel) -> list[dict[str, object]]:
    return [
        {"round": step, "kind": _MEDIAN} | {f"q{place}": chips for place, chips in enumerate(band)}
        for step, band in zip(panel.steps, panel.bands, strict=True)
    ]


def _path_rows(paths: tuple[Path, ...]) -> list[dict[str, object]]:
    return [
        {
            "path": number,
            "round": step,
            "chips": chips,
            "kind": _RUINED if path.is_ruined else _LASTED,
            "is_end": path.is_ruined and step == len(path.chips) - 1,
        }
        for number, path in enumerate(paths)
        for step, chips in enumerate(path.chips)
    ]


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


_BANDS: Final = "bands"
_LINES: Final = "lines"
_NOT_RUINED: Final = "not ruined"
_MEDIAN_PATH: Final = "median of the paths"
_SIMULATED: Final = "simulated (95% interval)"
_FORMULA: Final = "formula"
_DASHES: Final = [5, 4]


def draw_paths(plot: PathsPlot) -> dict[str, Any]:
    """Return the picture as a Vega-Lite specification that holds all its data."""
    chart = alt.vconcat(_draw_banks(plot), _draw_ruin(plot), spacing=20)
    framed = frame(chart.resolve_scale(color="independent", strokeDash="independent"), plot.caption)
    specification: dict[str, Any] = framed.to_dict()
    # Altair would read every row of them, layer by layer, for about 15 seconds.
    specification["datasets"] |= {_BANDS: _bank_band_rows(plot), _LINES: _line_rows(plot)}
    return specification


def _rounds(plot: PathsPlot, *, is_last: bool) -> Any:  # noqa: ANN401 (Altair's own)
    axis = alt.Axis(
        title="Rounds" if is_last else None, grid=False, tickCount=6, labels=is_last, format=",d"
    )
    return alt.X("round:Q", scale=alt.Scale(domain=[0, plot.rounds], nice=False), axis=axis)


def _draw_banks(plot: PathsPlot) -> Any:  # noqa: ANN401 (any kind of chart)
    low = min(0.0, *(min(line.banks) for line in plot.lines))
    high = max(*(max(line.banks) for line in plot.lines), *(band[-1] for band in plot.bands))
    x = _rounds(plot, is_last=False)

    def y(field: str) -> Any:  # noqa: ANN401
        scale = alt.Scale(domain=[low, high + 0.03 * (high - low)], nice=False)
        return alt.Y(
            f"{field}:Q", scale=scale, axis=alt.Axis(title="Bank", tickCount=6, format=",~f")
        )

    color = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=[_NOT_RUINED, _RUINED, _MEDIAN_PATH], range=[CALM, BAD, INK]),
        legend=legend("top"),
    )
    bands, lines = (alt.Chart(alt.NamedData(name=name)) for name in (_BANDS, _LINES))
    thin = {"x": x, "y": y("bank"), "detail": "path:N", "color": color}
    levels = [{"bank": plot.bankroll}, *([] if plot.goal is None else [{"bank": plot.goal}])]
    return alt.layer(
        bands.mark_area(color=BAND, opacity=0.7).encode(x=x, y=y("q0"), y2="q4:Q"),
        bands.mark_area(color=INNER, opacity=0.7).encode(x=x, y=y("q1"), y2="q3:Q"),
        alt.Chart(alt.InlineData(values=levels))
        .mark_rule(color=MUTED, strokeDash=[4, 4], size=1)
        .encode(y=y("bank")),
        alt.Chart(alt.InlineData(values=[{"bank": 0}]))
        .mark_rule(color=INK, size=1)
        .encode(y=y("bank")),
        # Ruined paths are on top, darker, and end in a cross: distinct in greyscale too.
        lines.transform_filter(f"datum.kind === '{_NOT_RUINED}'")
        .mark_line(size=0.9, opacity=0.8)
        .encode(**thin),
        lines.transform_filter(f"datum.kind === '{_RUINED}'")
        .mark_line(size=0.9, opacity=0.8)
        .encode(**thin),
        bands.mark_line(size=2.2).encode(x=x, y=y("q2"), color=color),
        lines.transform_filter("datum.is_end")
        .mark_point(shape="cross", angle=45, size=55, color=BAD, filled=True, opacity=1)
        .encode(x=x, y=y("bank")),
    ).properties(width=WIDTH, height=330)


def _bank_band_rows(plot: PathsPlot) -> list[dict[str, object]]:
    return [
        {"round": mark, "kind": _MEDIAN_PATH}
        | {f"q{place}": bank for place, bank in enumerate(band)}
        for mark, band in zip(plot.marks, plot.bands, strict=True)
    ]


def _line_rows(plot: PathsPlot) -> list[dict[str, object]]:
    return [
        {
            "path": number,
            "round": mark,
            "bank": bank,
            "kind": _RUINED if line.is_ruined else _NOT_RUINED,
            "is_end": line.is_ruined and place == len(line.rounds) - 1,
        }
        for number, line in enumerate(plot.lines)
        for place, (mark, bank) in enumerate(zip(line.rounds, line.banks, strict=True))
    ]


def _draw_ruin(plot: PathsPlot) -> Any:  # noqa: ANN401 (any kind of chart)
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
    simulated = alt.Chart(alt.InlineData(values=rows))
    # Before a path can be ruined there is no uncertainty.
    band = alt.Chart(alt.InlineData(values=rows[1:]))
    formula = alt.Chart(alt.InlineData(values=law))
    return alt.layer(
        band.mark_area(color=GOOD, opacity=0.18).encode(
            x=x, y=alt.Y("low:Q", axis=axis, scale=scale), y2="high:Q"
        ),
        simulated.mark_line(size=2.2).encode(x=x, y=y, color=color, strokeDash=dash),
        formula.mark_line(size=1.6).encode(x=x, y=y, color=color, strokeDash=dash),
    ).properties(width=WIDTH, height=130)
