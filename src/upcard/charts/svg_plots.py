"""The painter of plots as SVG, for pages, notebooks and files: dots, bars, lines and bands.

A page brings colours and fonts by class (`static/plots.css`), and has a plot in each width at which
it is shown, because text in a scaled picture is too small on a phone. Notebooks and files have one
width, and bring the colours; a file has the words around the picture too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from upcard.charts import palette
from upcard.charts.font import FONT_FAMILY, measure, wrap
from upcard.charts.render import escape_svg, write_picture, write_text
from upcard.core.numbers import with_minus

WIDTHS: Final = {"is-narrow": 330, "is-wide": 680}
"""Widths of a plot by the class of its picture: a phone's, and a laptop's."""
HALF: Final = {"is-half": 330}
"""Width of a plot that stands beside another one on a laptop."""
_NOTEBOOK: Final = 680
_FILE: Final = 820
_SIZE: Final = 12
_CAPTION: Final = 11.5
_SMALL: Final = 10.5
_HEADING: Final = 20
_LINE: Final = 18
_MARGIN: Final = 20
"""Around the picture of a file."""
_LEAST_LEFT: Final = 36
_RIGHT: Final = 10
_TITLE: Final = 28
"""Height of a panel's title."""
_GAP: Final = 10
_SWATCH: Final = 22
_CAP: Final = 3.0
_FILL: Final = 0.72
_DOT: Final = 4.0
MOST_ERROR: Final = 0.02
"""Half of the longest interval that is never cut."""


class Bar(NamedTuple):
    """A bar from zero to `value`, with a whisker of `error` to both sides; None leaves a gap."""

    value: float | None
    error: float = 0.0
    tone: str = "is-plain"
    hint: str = ""
    words: str = ""
    """Words above it, where there is room for those of all bars."""


class PlotLine(NamedTuple):
    """A line through points; `marked` are the places of points that have a dot or a cross."""

    points: Sequence[tuple[float, float]]
    tone: str = "is-plain"
    marked: Sequence[int] = ()
    is_cross: bool = False


class Band(NamedTuple):
    """An area between two values at each place."""

    points: Sequence[tuple[float, float, float]]
    """Place, low and high."""
    tone: str = "is-outer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Marks over one pair of axes: bars or dots by label, or lines and bands by number."""

    title: str
    """Name of the upright axis, with its unit."""
    note: str = ""
    unit: str = ""
    """`%` writes shares as percentages."""
    is_signed: bool = False
    height: int = 150
    labels: Sequence[str] = ()
    bars: Sequence[Bar] = ()
    has_dots: bool = False
    """Whether a value is a dot instead of a bar."""
    lines: Sequence[PlotLine] = ()
    bands: Sequence[Band] = ()
    levels: Sequence[tuple[float, str]] = ()
    """Horizontal lines, each with a name or without."""
    extent: tuple[float, float] | None = None
    """Ends of the upright scale; None leaves them to the values."""
    across: str = ""
    """Name of the horizontal axis."""
    reach: float | None = None
    """Far end of the horizontal scale; None leaves it to the values."""
    logs: str = ""
    """Axes, of `x` and `y`, that are logarithmic."""
    key: Sequence[tuple[str, str]] = ()
    """Words and tones of the legend."""

    @property
    def points(self) -> Iterator[tuple[float, ...]]:
        """Those of all lines and bands."""
        marks: tuple[PlotLine | Band, ...] = (*self.lines, *self.bands)
        return (point for one in marks for point in one.points)


@dataclass(slots=True)
class Axis:
    """Values from `low` to `high` as places from `start` to `end`; values beyond stay at the ends.

    Equal limits are replaced by those of an axis of length 1, or of 1%, around them.
    """

    low: float
    high: float
    start: float
    end: float
    unit: str = ""
    is_signed: bool = False
    is_log: bool = False
    is_whole: bool = False
    most: int = 5
    """About the most ticks."""

    def __post_init__(self) -> None:
        if not self.low < self.high:
            room = 0.005 if self.unit else 0.5
            self.low, self.high = self.low - room, self.high + room
        self.is_log = self.is_log and self.low > 0

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        kept = min(max(value, self.low), self.high)
        if self.is_log:
            share = math.log(kept / self.low) / math.log(self.high / self.low)
        else:
            share = (kept - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Return round values on the axis."""
        if self.is_log:
            found: list[float] = []
            for digits in ((1, 2, 5), (1, 3), (1,)):
                ends = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1
                every = [digit * 10.0**power for power in range(*ends) for digit in digits]
                found = [
                    one for one in every if self.low <= one * (1 + 1e-9) <= self.high * (1 + 2e-9)
                ]
                if 1 < len(found) <= self.most:
                    return found
            if len(found) > 1:
                return found[:: -(-len(found) // self.most)]  # every second power of ten, or fewer
        step = self._step()
        first = math.ceil(self.low / step - 1e-9)
        return [one * step for one in range(first, math.floor(self.high / step + 1e-9) + 1)]

    def _step(self) -> float:
        return max(palette.choose_step((self.high - self.low) / self.most), float(self.is_whole))

    def labels(self) -> list[tuple[float, str]]:
        """Return places of ticks, and what is written there with as many digits as it takes."""
        values, factor = self.ticks(), 100 if self.unit else 1
        least = factor * (values[0] if self.is_log else self._step())
        digits = max(0, -math.floor(math.log10(least) + 1e-9))
        form = f"{'+' if self.is_signed else ''},.{digits}f"
        # Zero has no sign and no digits.
        numbers = [value * factor if abs(value * factor) > least / 2 else 0 for value in values]
        texts = [f"{number:{form}}" if number else "0" for number in numbers]
        return [
            (self(value), with_minus(text) + self.unit)
            for value, text in zip(values, texts, strict=True)
        ]


def draw_panels(panels: Sequence[Panel], widths: Mapping[str, int] = WIDTHS) -> str:
    """Draw panels above each other for a page, once for each width."""
    drawn = ""
    for name, width in widths.items():
        parts, bottom = _stack(panels, 0, 0, width)
        height = math.ceil(bottom)
        size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        hidden = 'aria-hidden="true" focusable="false"'
        drawn += f'<svg class="plot {name}" {size} {hidden}>{"".join(parts)}</svg>'
    return drawn


def draw_for_notebook(panels: Sequence[Panel]) -> str:
    """Draw panels above each other, in colours that are legible on light and on dark paper."""
    parts, bottom = _stack(panels, 0, 0, _NOTEBOOK)
    title = "; ".join(panel.title for panel in panels)
    style = _write_style(_ANY_PAPER)
    return write_picture("plot", _NOTEBOOK, math.ceil(bottom), *parts, style=style, title=title)


def draw_for_file(panels: Sequence[Panel], title: str, lines: Sequence[str]) -> str:
    """Draw panels below a title and lines of text, on white paper."""
    room, y = _FILE - 2 * _MARGIN, _MARGIN + _HEADING - 6.0
    parts = []
    for line in wrap(title, _HEADING, room, is_bold=True):
        parts.append(write_text("plot-heading", _MARGIN, y, line))
        y += _HEADING + 5
    for line in (line for text in lines for line in wrap(text, _CAPTION, room)):
        parts.append(write_text("plot-caption", _MARGIN, y, line))
        y += _LINE
    drawn, bottom = _stack(panels, _MARGIN, y + 2, _FILE - _MARGIN)
    height = math.ceil(bottom) + _MARGIN - 6
    paper = f'<rect class="plot-paper" width="{_FILE}" height="{height}"/>'
    style, about = _write_style(_WHITE_PAPER), " ".join(lines)
    body = (paper, *parts, *drawn)
    return write_picture("picture", _FILE, height, *body, style=style, title=title, about=about)


_WHITE_PAPER: Final = {
    "paper": palette.LIGHT_PAGE.paper,
    "ink": palette.LIGHT_PAGE.ink,
    "muted": palette.LIGHT_PAGE.muted,
    "grid": "#e4e8eb",
    "zero": "#8b949e",
    # Distinct in lightness alone, as the charts' colours; hues of Okabe and Ito's set.
    "good": "#0072b2",
    "bad": "#c2410c",
    "plain": "#8fb6d6",
    "accent": "#0072b2",
    "median": palette.LIGHT_PAGE.ink,
    "outer": "#d7dee6",
    "inner": "#bccad8",
    **dict.fromkeys(("outer_opacity", "inner_opacity"), ".7"),
}
_ANY_PAPER: Final = {
    "paper": "none",
    **dict.fromkeys(("ink", "muted", "zero"), "#75808a"),
    "grid": "#8884",
    "good": "#3f9b55",
    "bad": "#c8554a",
    **dict.fromkeys(("plain", "accent", "median", "outer", "inner"), "#4a86c5"),
    "outer_opacity": ".25",
    "inner_opacity": ".4",
}
"""Colours that are legible on light and dark paper: a picture may not know on which it stands."""


def _write_style(colors: Mapping[str, str]) -> str:
    style = files(__package__).joinpath("plot_picture.css").read_text("utf-8")
    return style % {**colors, "font": FONT_FAMILY}


def _stack(panels: Sequence[Panel], x: float, y: float, right: float) -> tuple[list[str], float]:
    """Draw panels above each other between `x` and `right`; return the parts and the bottom."""
    uprights = [_make_upright(panel) for panel in panels]
    widest = max(measure(text, _SIZE) for one in uprights for _, text in one.labels())
    left, right = x + max(_LEAST_LEFT, widest + 8), right - _RIGHT
    parts: list[str] = []
    for number, (panel, upright) in enumerate(zip(panels, uprights, strict=True)):
        head, top = _draw_head(panel, x, y, right)
        upright.start, upright.end = top + panel.height, top
        parts += [*head, *_draw_grid(upright, left, right)]
        is_last = number == len(panels) - 1
        if panel.labels:
            step = (right - left) / len(panel.labels)
            parts += _draw_bars(panel, left, step, upright)
            if is_last:
                parts += _write_labels(panel.labels, left, step, upright.start + 18)
            y = upright.start + (24 if is_last else _GAP)
        else:
            places = [point[0] for point in panel.points] or [0.0]
            far = max(places) if panel.reach is None else panel.reach
            is_whole = all(float(place).is_integer() for place in places)
            across = Axis(min(places), far, left, right, "", False, "x" in panel.logs, is_whole)
            parts += _draw_lines(panel, across, upright)
            parts += _write_ticks(across, upright.start, x, right + _RIGHT)
            y = upright.start + 24
        for line in wrap(panel.across, _SIZE, right - left):
            parts.append(write_text("plot-name is-middle", (left + right) / 2, y + 14, line))
            y += _LINE + 2
        if not is_last:
            y += _GAP
    return parts, y


def _make_upright(panel: Panel) -> Axis:
    """Return the upright axis of a panel, without its place."""
    # Wide intervals of rare counts would squeeze the other counts: they are cut at the frame.
    most = MOST_ERROR if panel.has_dots else math.inf
    known = [(bar.value, min(bar.error, most)) for bar in panel.bars if bar.value is not None]
    ends = [end for value, error in known for end in (value - error, value + error)]
    ends += [value for point in panel.points for value in point[1:]]
    ends += [level for level, _ in panel.levels] + [0.0] * len(panel.bars[:1])
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    if (panel.lines and "y" not in panel.logs) or panel.has_dots:
        margin = 0.04 * (high - low)
        low, high = low - margin, high + margin
    elif any(bar.words for bar in panel.bars):
        high *= 1 + 16 / panel.height
    low, high = panel.extent or (low, high)
    ticks = max(4, round(panel.height / 36))
    return Axis(low, high, 0, 0, panel.unit, panel.is_signed, "y" in panel.logs, most=ticks)


def _draw_head(panel: Panel, x: float, y: float, right: float) -> tuple[list[str], float]:
    """Write the title and the note; the legend is beside the title if it fits, or below."""
    parts, last = [], 0.0
    for kind, text in (("plot-title", panel.title), ("plot-label", panel.note)):
        is_bold = kind == "plot-title"
        for line in wrap(text, _SIZE, right - x, is_bold=is_bold):
            parts.append(write_text(kind, x, y + 13, line))
            last = measure(line, _SIZE, is_bold=is_bold)
            y += _LINE
    swatch = 10 if panel.has_dots else _SWATCH
    widths = [swatch + 6 + measure(words, _SIZE) for words, _ in panel.key]
    start = right - math.fsum(widths) - 16 * (len(widths) - 1)
    if panel.key and start < x + last + 24:
        start = x
        y += _LINE
    for width, (words, tone) in zip(widths, panel.key, strict=True):
        if start > x and start + width > right + 1:
            start = x
            y += _LINE
        line = f'<path class="plot-line {tone}" style="stroke-width: 3" d="M0 0h{swatch}"/>'
        sign = _draw_dot(5, 0, "plot-bar") if panel.has_dots else line
        parts.append(f'<g class="{tone}" transform="translate({start:.1f} {y - 9:.1f})">{sign}</g>')
        parts.append(write_text("plot-name", start + swatch + 6, y - 5, words))
        start += width + 16
    return parts, y + _TITLE - _LINE


def _draw_dot(x: float, y: float, kind: str) -> str:
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{_DOT}"/>'


def _draw_grid(upright: Axis, left: float, right: float) -> Iterator[str]:
    for place, text in upright.labels():
        kind = "plot-zero" if text.strip("%") == "0" else "plot-grid"
        yield f'<path class="{kind}" d="M{left:.1f} {place:.1f}H{right:.1f}"/>'
        yield write_text("plot-label is-end", left - 6, place + 4, text)


def _draw_bars(panel: Panel, left: float, step: float, upright: Axis) -> Iterator[str]:
    has_words = all(measure(bar.words, _SMALL) < step - 5 for bar in panel.bars)
    for place, bar in enumerate(panel.bars):
        if bar.value is None:
            continue
        middle = left + (place + 0.5) * step
        yield _draw_bar(bar, middle, step * _FILL, upright, is_dot=panel.has_dots)
        if bar.words and has_words:
            kind = "plot-label plot-figure is-middle"
            yield write_text(kind, middle, upright(bar.value) - 4, bar.words)


def _draw_bar(bar: Bar, middle: float, width: float, upright: Axis, *, is_dot: bool) -> str:
    value = bar.value or 0.0
    place, drawn = upright(value), ""
    if not is_dot:
        top, bottom = sorted((upright(0.0), place))
        drawn = (
            f'<rect class="plot-bar" x="{middle - width / 2:.1f}" y="{top:.1f}"'
            f' width="{width:.1f}" height="{max(bottom - top, 0.5):.1f}"/>'
        )
    if bar.error > 0:
        ends, cap = (value - bar.error, value + bar.error), min(_CAP, width / 2)
        low, high = map(upright, ends)
        # A whisker that leaves the picture has no cap.
        caps = (
            f"M{middle - cap:.1f} {upright(end):.1f}h{2 * cap:.1f}"
            for end in ends
            if upright.low <= end <= upright.high
        )
        line = f"M{middle:.1f} {low:.1f}V{high:.1f}{''.join(caps)}"
        drawn += f'<path class="plot-whisker" d="{line}"/>'
    if is_dot:
        drawn += _draw_dot(middle, place, "plot-bar")
    hint = f"<title>{escape_svg(bar.hint)}</title>" if bar.hint else ""
    return f'<g class="{bar.tone}">{hint}{drawn}</g>'


def _write_labels(labels: Sequence[str], left: float, step: float, y: float) -> Iterator[str]:
    every = math.ceil((max(measure(label, _SIZE) for label in labels) + 4) / step)
    # The middle label, that of the count 0, is always shown.
    zero = labels.index("0") if "0" in labels else 0
    for place, label in enumerate(labels):
        if (place - zero) % every == 0:
            yield write_text("plot-label is-middle", left + (place + 0.5) * step, y, label)


def _write_ticks(across: Axis, bottom: float, least: float, most: float) -> Iterator[str]:
    """Write as many round numbers as there is room for, each inside the picture."""
    yield f'<path class="plot-grid" d="M{across.start:.1f} {bottom:.1f}H{across.end:.1f}"/>'
    for across.most in (8, 6, 5, 4, 3, 2, 1):
        spans = []
        for place, text in across.labels():
            half = measure(text, _SIZE) / 2
            spans.append((min(max(place, least + half), most - half), half, place, text))
        if all(
            after[0] - after[1] - before[0] - before[1] > 10 for before, after in pairwise(spans)
        ):
            break
    for middle, _, place, text in spans:
        yield f'<path class="plot-grid" d="M{place:.1f} {bottom:.1f}v4"/>'
        yield write_text("plot-label is-middle", middle, bottom + 18, text)


def _draw_lines(panel: Panel, across: Axis, upright: Axis) -> Iterator[str]:
    for band in panel.bands:
        # That of a single place is seen too: its axis has a length of 1.
        wide = (0.0,) if len(band.points) > 1 else (-0.01, 0.01)
        points = [(x + more, low, high) for x, low, high in band.points for more in wide]
        edge = [*_place(((x, high) for x, _, high in points), across, upright)]
        edge += [*_place(((x, low) for x, low, _ in points), across, upright)][::-1]
        yield f'<polygon class="plot-band {band.tone}" points="{" ".join(edge)}"/>'
    for level, _ in panel.levels:
        y = upright(level)
        yield f'<path class="plot-level" d="M{across.start:.1f} {y:.1f}H{across.end:.1f}"/>'
    for line in panel.lines:
        places = " ".join(_place(line.points, across, upright))
        yield f'<polyline class="plot-line {line.tone}" points="{places}"/>'
    for line in panel.lines:
        for place in line.marked:
            x, y = across(line.points[place][0]), upright(line.points[place][1])
            cross = f"M{x - 3.5:.1f} {y - 3.5:.1f}l7 7m0 -7l-7 7"
            yield (
                f'<path class="plot-cross" d="{cross}"/>'
                if line.is_cross
                else _draw_dot(x, y, "plot-dot")
            )
    for level, words in panel.levels:
        if words:
            yield _name_level(panel, level, words, across, upright)


def _name_level(panel: Panel, level: float, words: str, across: Axis, upright: Axis) -> str:
    """Write the name of a level at the end where the first line is farther from it."""
    values = [value for _, value in panel.lines[0].points] if panel.lines else [level]
    is_left = abs(values[0] - level) >= abs(values[-1] - level)
    is_under = (values[0] if is_left else values[-1]) > level
    x, side = (across.start + 8, "") if is_left else (across.end, " is-end")
    y = upright(level) + (14 if is_under else -5)
    return write_text(f"plot-level-name{side}", x, y, words)


def _place(points: Iterable[tuple[float, float]], across: Axis, upright: Axis) -> Iterator[str]:
    """Write the places of points; of many in one column those that are seen."""
    places = ((across(x), upright(y)) for x, y in points)
    for _, group in groupby(places, key=lambda place: int(place[0])):
        column = list(group)
        heights = [y for _, y in column]
        seen = {0, len(column) - 1, heights.index(min(heights)), heights.index(max(heights))}
        yield from (f"{column[place][0]:.1f},{column[place][1]:.1f}" for place in sorted(seen))
