"""The plots of pages and notebooks: bars with whiskers, lines with bands, as SVG.

A page brings colours and fonts by class (`static/plots.css`), and has a plot in each width at which
it is shown, because text in a scaled picture is too small on a phone. A notebook has one width, and
`stand_alone` brings the colours.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, NamedTuple

from upcard.charts import palette, plot_data
from upcard.core import figure
from upcard.core.numbers import with_error, with_minus
from upcard.simulation.run_state import write_amount

Write = Callable[[float], str]

WIDTHS: Final = {"is-narrow": 330, "is-wide": 680}
"""Widths of a plot by the class of its picture: a phone's, and a laptop's."""
HALF: Final = {"is-half": 330}
"""Width of a plot that stands beside another one on a laptop."""
_LEFT: Final = 52
_RIGHT: Final = 10
_TOP: Final = 24
_BOTTOM: Final = 22
_LABEL: Final = 26
_CAP: Final = 3.0
_FILL: Final = 0.72


class Bar(NamedTuple):
    """A bar from zero to `value`, with a whisker of `error` to both sides; None leaves a gap."""

    value: float | None
    error: float = 0.0
    tone: str = "is-plain"
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """One row of bars; several share their labels."""

    title: str
    bars: Sequence[Bar]
    write: Write
    height: int = 150


class PlotLine(NamedTuple):
    """A line through points."""

    points: Sequence[tuple[float, float]]
    tone: str = "is-plain"


class Band(NamedTuple):
    """An area between two values at each place."""

    points: Sequence[tuple[float, float, float]]
    """Place, low and high."""
    tone: str = "is-outer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Lines over bands, between places on both axes; `levels` are horizontal lines with a name."""

    title: str
    across: str
    write_x: Write
    write_y: Write
    lines: Sequence[PlotLine] = ()
    bands: Sequence[Band] = ()
    levels: Sequence[tuple[float, str]] = ()
    extent: tuple[float, float] | None = None
    """Ends of the upright scale; None leaves them to the values."""
    height: int = 220


def draw_bars(
    labels: Sequence[str], panels: Sequence[Bars], widths: Mapping[str, int] = WIDTHS
) -> str:
    """Draw panels of bars above each other, once for each width."""
    return "".join(_draw_panels(labels, panels, name, width) for name, width in widths.items())


def draw_lines(plot: Lines, widths: Mapping[str, int] = WIDTHS) -> str:
    """Draw lines and bands, once for each width."""
    return "".join(_draw_plot(plot, name, width) for name, width in widths.items())


_TONES: Final = dict(zip(plot_data.Side, ("is-good", "is-bad", "is-open"), strict=True))


def draw_counts(points: Sequence[plot_data.CountPoint], widths: Mapping[str, int] = WIDTHS) -> str:
    """Draw EV and frequency by count."""
    evs = []
    for point in points:
        ev = "not known" if point.ev is None else with_error(100 * point.ev, None, "%")
        hint = f"{point.label}: {ev}, {point.side}"
        evs.append(Bar(point.ev, point.error, _TONES[point.side], hint))
    shares = [Bar(point.share, 0.0, "is-plain", f"{point.share:.2%}") for point in points]
    panels = (
        Bars(title="EV of a bet at this count, with 95% intervals", bars=evs, write=write_percent),
        Bars(title="Share of the rounds", bars=shares, write=write_percent, height=70),
    )
    return draw_bars([point.label for point in points], panels, widths)


def draw_ramp(  # noqa: PLR0913 (each is named in the call)
    labels: Sequence[str],
    *,
    bets: Sequence[float],
    evs: Sequence[tuple[float | None, float]],
    shares: Sequence[tuple[float, float]],
    other_bets: Sequence[float | None] = (),
    widths: Mapping[str, int] = WIDTHS,
) -> str:
    """Draw bets, EV of a unit and frequency by count.

    An EV that is not known leaves a gap; EVs and shares have half of a 95% interval.
    """
    named = [Bar(bet, hint=f"{label}: {bet:,.6g}") for label, bet in zip(labels, bets, strict=True)]
    panels = [Bars(title="Bet", bars=named, write=write_number, height=90)]
    if other_bets:
        others = [Bar(bet, 0.0, "is-second") for bet in other_bets]
        title = "Bet of the pinned ramp"
        panels.append(Bars(title=title, bars=others, write=write_number, height=90))
    drawn = [_draw_ev(label, *ev) for label, ev in zip(labels, evs, strict=True)]
    title = "EV of a unit, with 95% intervals"
    panels.append(Bars(title=title, bars=drawn, write=write_percent, height=130))
    known = [Bar(share, half) for share, half in shares]
    panels.append(Bars(title="Share of the rounds", bars=known, write=write_percent, height=70))
    return draw_bars(labels, panels, widths)


def _draw_ev(label: str, ev: float | None, half: float) -> Bar:
    if ev is None:
        return Bar(None)
    tone = "is-open" if abs(ev) <= half else "is-good" if ev > 0 else "is-bad"
    return Bar(ev, half, tone, f"{label}: {figure.write_percent(ev, 3)}")


def draw_settling(
    points: Sequence[plot_data.ConvergencePoint],
    per: str,
    exact: tuple[float, str] | None,
    widths: Mapping[str, int] = WIDTHS,
) -> str:
    """Draw the EV over the rounds, with the exact value and its name if there is one."""
    return draw_lines(
        Lines(
            title=f"EV so far, {per}, with its 95% interval",
            across="rounds",
            write_x=write_amount,
            write_y=write_percent,
            bands=(Band([(one.rounds, one.ev - one.error, one.ev + one.error) for one in points]),),
            lines=(PlotLine([(one.rounds, one.ev) for one in points]),),
            levels=() if exact is None else (exact,),
            height=180,
        ),
        widths,
    )


def draw_banks(  # noqa: PLR0913 (each is named in the call)
    places: Sequence[float],
    bands: Sequence[Sequence[float]],
    *,
    title: str,
    across: str,
    extent: tuple[float, float] | None = None,
    widths: Mapping[str, int] = WIDTHS,
) -> str:
    """Draw banks over time: at each place the levels of its band, of five shares of the banks."""

    def band(low: int, high: int, tone: str) -> Band:
        pairs = zip(places, bands, strict=True)
        return Band([(place, levels[low], levels[high]) for place, levels in pairs], tone)

    median = [(x, levels[2]) for x, levels in zip(places, bands, strict=True)]
    return draw_lines(
        Lines(
            title=title,
            across=across,
            write_x=write_number,
            write_y=write_number,
            bands=(band(0, 4, "is-outer"), band(1, 3, "is-inner")),
            lines=(PlotLine(median),),
            levels=((bands[0][2], ""),),
            extent=extent,
        ),
        widths,
    )


def write_number(number: float) -> str:
    """Write a number to six figures, and all figures of a whole one that has more."""
    return with_minus(f"{number + 0.0:,.6g}" if abs(number) < 1e6 else f"{number:,.0f}")


_STYLE: Final = """\
.upcard-plot text { font: 12px system-ui, sans-serif; fill: #75808a; }
.upcard-plot .plot-title { font-weight: 600; }
.upcard-plot .is-middle { text-anchor: middle; } .upcard-plot .is-end { text-anchor: end; }
.upcard-plot .plot-grid { stroke: #8884; } .upcard-plot .plot-zero { stroke: #75808a; }
.upcard-plot .plot-bar, .upcard-plot .plot-band { fill: #4a86c5; }
.upcard-plot .is-good > .plot-bar { fill: #3f9b55; }
.upcard-plot .is-bad > .plot-bar { fill: #c8554a; }
.upcard-plot .is-open > .plot-bar { fill: #8a939c; }
.upcard-plot .plot-band { opacity: .25; } .upcard-plot .is-inner { opacity: .4; }
.upcard-plot .plot-whisker, .upcard-plot .plot-line { fill: none; stroke: #75808a; }
.upcard-plot .plot-line { stroke: #4a86c5; stroke-width: 2; }
.upcard-plot .plot-level { stroke: #75808a; stroke-dasharray: 5 4; }
"""
"""Colours that are legible on light and dark paper: a picture may not know on which it stands."""
ALONE: Final = {"upcard-plot": 680}
"""Width of a plot in a notebook, by the class that its colours go by."""


def stand_alone(svg: str) -> str:
    """Return plots of the width `ALONE` with their colours, each scaled to its place."""
    space = f'xmlns="http://www.w3.org/2000/svg" {palette.FITS}'
    return re.sub("<svg ([^>]*)>", rf"<svg {space} \1><style>{_STYLE}</style>", svg)


def write_percent(share: float) -> str:
    """Write a share as a percentage of three digits."""
    return with_minus(f"{100 * share:.3g}%")


class Axis:
    """Values from `low` to `high` as places from `start` to `end`; values beyond stay at the ends.

    Equal limits are replaced by those of an axis of length 1 around them.
    """

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        if not low < high:
            low, high = low - 0.5, high + 0.5
        self.low, self.high, self.start = low, high, start
        self._factor = (end - start) / (high - low)

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        return self.start + (min(max(value, self.low), self.high) - self.low) * self._factor

    def ticks(self, wanted: int = 5) -> Iterator[float]:
        """Iterate over round values on the axis, about `wanted` of them."""
        step = palette.choose_step((self.high - self.low) / wanted)
        first = math.ceil(self.low / step - 1e-9)
        for place in range(first, math.floor(self.high / step + 1e-9) + 1):
            yield place * step


def _draw_panels(labels: Sequence[str], panels: Sequence[Bars], name: str, width: int) -> str:
    step = (width - _LEFT - _RIGHT) / max(len(labels), 1)
    parts: list[str] = []
    top = 0.0
    for panel in panels:
        known = [(bar.value, bar.error) for bar in panel.bars if bar.value is not None]
        ends = [end for value, error in known for end in (value - error, value + error)]
        bottom = top + _TOP + panel.height
        scale = Axis(min([0.0, *ends]), max([0.0, *ends]), bottom, top + _TOP)
        parts.append(_text(0, top + 13, panel.title, "plot-title"))
        parts += _draw_axis(scale, width, panel.write)
        for place, bar in enumerate(panel.bars):
            if bar.value is not None:
                middle = _LEFT + (place + 0.5) * step
                parts.append(_draw_bar(bar, middle, step * _FILL, scale))
        top = bottom + 10
    every = max(1, math.ceil(_LABEL / step))
    # The middle label, that of the count 0, is always shown.
    zero = labels.index("0") if "0" in labels else 0
    for place, label in enumerate(labels):
        if (place - zero) % every == 0:
            middle = _LEFT + (place + 0.5) * step
            parts.append(_text(middle, top + 8, label, "plot-label is-middle"))
    return _wrap(parts, name, width, top + 16)


def _draw_bar(bar: Bar, middle: float, width: float, scale: Axis) -> str:
    value = bar.value or 0.0
    ends = sorted((scale(0.0), scale(value)))
    drawn = (
        f'<rect class="plot-bar" x="{middle - width / 2:.1f}" y="{ends[0]:.1f}"'
        f' width="{width:.1f}" height="{max(ends[1] - ends[0], 0.5):.1f}"></rect>'
    )
    if bar.error > 0:
        low, high = scale(value - bar.error), scale(value + bar.error)
        cap = min(_CAP, width / 2)
        drawn += (
            f'<path class="plot-whisker" d="M{middle:.1f} {low:.1f}V{high:.1f}'
            f"M{middle - cap:.1f} {low:.1f}h{2 * cap:.1f}"
            f'M{middle - cap:.1f} {high:.1f}h{2 * cap:.1f}"></path>'
        )
    hint = f"<title>{escape(bar.hint)}</title>" if bar.hint else ""
    return f'<g class="{bar.tone}">{hint}{drawn}</g>'


def _draw_plot(plot: Lines, name: str, width: int) -> str:
    drawn: list[PlotLine | Band] = [*plot.lines, *plot.bands]
    across = [point[0] for each in drawn for point in each.points]
    values = [value for each in drawn for point in each.points for value in point[1:]]
    values += [level for level, _ in plot.levels]
    bottom = _TOP + plot.height
    right = width - _RIGHT
    horizontal = Axis(min(across, default=0), max(across, default=1), _LEFT, right)
    low, high = min(values, default=0), max(values, default=1)
    margin = 0.04 * (high - low)
    vertical = Axis(*(plot.extent or (low - margin, high + margin)), bottom, _TOP)
    parts = [_text(0, 13, plot.title, "plot-title"), *_draw_axis(vertical, width, plot.write_y)]
    for band in plot.bands:
        edge = [(x, high) for x, _, high in band.points]
        edge += [(x, low) for x, low, _ in reversed(band.points)]
        places = _places(edge, horizontal, vertical)
        parts.append(f'<polygon class="plot-band {band.tone}" points="{places}"></polygon>')
    for level, words in plot.levels:
        y = vertical(level)
        parts.append(f'<path class="plot-level" d="M{_LEFT} {y:.1f}H{right}"></path>')
        parts.append(_text(right, y - 4, words, "plot-label is-end"))
    parts += [
        f'<polyline class="plot-line {line.tone}"'
        f' points="{_places(line.points, horizontal, vertical)}"></polyline>'
        for line in plot.lines
    ]
    for x in horizontal.ticks(2 if width < 400 else 4):
        side = "is-end" if horizontal(x) > right - 20 else "is-middle"
        parts.append(_text(horizontal(x), bottom + 16, plot.write_x(x), f"plot-label {side}"))
    parts.append(_text(0, bottom + 16, plot.across, "plot-label"))
    return _wrap(parts, name, width, bottom + _BOTTOM)


def _draw_axis(scale: Axis, width: int, write: Write) -> Iterator[str]:
    for value in scale.ticks():
        y = scale(value)
        kind = "plot-zero" if abs(value) < 1e-12 else "plot-grid"
        yield f'<path class="{kind}" d="M{_LEFT} {y:.1f}H{width - _RIGHT}"></path>'
        yield _text(_LEFT - 6, y + 4, write(value + 0.0), "plot-label is-end")


def _places(points: Iterable[tuple[float, float]], horizontal: Axis, vertical: Axis) -> str:
    return " ".join(f"{horizontal(x):.1f},{vertical(y):.1f}" for x, y in points)


def _text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'


def _wrap(parts: Iterable[str], name: str, width: int, height: float) -> str:
    return (
        f'<svg class="plot {name}" viewBox="0 0 {width} {height:.0f}" width="{width}"'
        f' height="{height:.0f}" aria-hidden="true" focusable="false">{"".join(parts)}</svg>'
    )
