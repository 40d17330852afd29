"""The picture of a bank's paths, with Altair: it needs the extra `plots`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from upcard.charts.plots.altair import (
    BAD,
    BAND,
    CALM,
    GOOD,
    INK,
    INNER,
    MUTED,
    WIDTH,
    frame,
    legend,
)

if TYPE_CHECKING:
    from upcard.charts.plots.paths import PathsPlot

_BANDS: Final = "bands"
_LINES: Final = "lines"
_LASTED: Final = "not ruined"
_RUINED: Final = "ruined"
_MEDIAN: Final = "median of the paths"
_SIMULATED: Final = "simulated (95% interval)"
_FORMULA: Final = "formula"
_DASHES: Final = [5, 4]


def draw_paths(plot: PathsPlot) -> dict[str, Any]:
    """Return the picture as a Vega-Lite specification that holds all its data."""
    chart = alt.vconcat(_draw_banks(plot), _draw_ruin(plot), spacing=20)
    framed = frame(chart.resolve_scale(color="independent", strokeDash="independent"), plot.caption)
    specification: dict[str, Any] = framed.to_dict()
    # Altair would read every row of them, layer by layer, for about 15 seconds.
    specification["datasets"] |= {_BANDS: _band_rows(plot), _LINES: _line_rows(plot)}
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
        scale=alt.Scale(domain=[_LASTED, _RUINED, _MEDIAN], range=[CALM, BAD, INK]),
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
        lines.transform_filter(f"datum.kind === '{_LASTED}'")
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


def _band_rows(plot: PathsPlot) -> list[dict[str, object]]:
    return [
        {"round": mark, "kind": _MEDIAN} | {f"q{place}": bank for place, bank in enumerate(band)}
        for mark, band in zip(plot.marks, plot.bands, strict=True)
    ]


def _line_rows(plot: PathsPlot) -> list[dict[str, object]]:
    return [
        {
            "path": number,
            "round": mark,
            "bank": bank,
            "kind": _RUINED if line.is_ruined else _LASTED,
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
