"""Pictures of simulations as files and text: by count, convergence, sessions, a bank.

PNG needs the extra `plots`; SVG and text need nothing.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from upcard.charts.font import draw_png, import_renderer
from upcard.charts.panels import draw_svg
from upcard.charts.plot_data import (
    BankrollPlot,
    Banks,
    ConvergencePlot,
    CountPlot,
    DepthPlot,
    PathsPlot,
)
from upcard.core.errors import RulesError
from upcard.core.shared_files import write_whole

Plot: TypeAlias = CountPlot | ConvergencePlot | BankrollPlot | PathsPlot | DepthPlot

WIDTH: Final = 80
_SHARE_WIDTH: Final = 12
_COUNT_SPAN: Final = 34
_ROUNDS_SPAN: Final = 44
_MOST_ROWS: Final = 20
_HEIGHT: Final = 16
_COLUMNS: Final = 69
_PATH_COLUMNS: Final = 68
_GUTTER: Final = 10
_BAR: Final = "█"
_DOT: Final = "●"
_WHISKER: Final = "─"
_CUT: Final = ("◂", "▸")
"""Marks where a whisker leaves the picture, on the left and on the right."""
_ZERO: Final = "│"
_EXACT: Final = "┊"
_OUTER: Final = "░"
_INNER: Final = "▒"
_MEDIAN: Final = "█"
_START: Final = "┄"
_HEIGHTS: Final = " ▁▂▃▄▅▆▇█"
"""From empty to full."""


def draw_text(plot: Plot) -> str:
    """Draw a picture as text."""
    caption = plot.caption
    head = [caption.title, caption.source]
    match plot:
        case CountPlot():
            body = list(_draw_counts(plot))
        case ConvergencePlot():
            body = list(_draw_convergence(plot))
        case BankrollPlot():
            body = list(_draw_bankrolls(plot))
        case PathsPlot():
            body = list(_draw_paths(plot))
            head.insert(1, caption.about[0])
        case DepthPlot():
            body = list(_draw_depths(plot))
    lines = [line for words in head for line in textwrap.wrap(words, WIDTH)]
    return "".join(f"{line.rstrip()}\n" for line in [*lines, "", *body])


def _draw_counts(plot: CountPlot) -> Iterator[str]:
    """Write a line per count: its frequency and EV with a 95% interval, as numbers and drawn."""
    known = [point for point in plot.points if point.ev is not None]
    evs = [0.0, *(point.ev or 0.0 for point in known)]
    room = 0.15 * (max(evs) - min(evs)) or 0.01
    scale = _Scale(min(evs) - room, max(evs) + room, _COUNT_SPAN)
    most = max(point.share for point in plot.points)
    yield f"{'count':>5}  {'rounds':<{_SHARE_WIDTH + 7}}  EV ± 95%"
    for point in plot.points:
        bar = _BAR * round(_SHARE_WIDTH * point.share / most)
        line = f"{point.label:>5} {point.share:7.2%} {bar:<{_SHARE_WIDTH}} "
        if point.ev is not None:
            marks = scale.blank()
            scale.mark(marks, 0.0, _ZERO)
            scale.whisker(marks, point.ev, point.error)
            line += f"{100 * point.ev:+8.2f} ± {100 * point.error:<5.2f} "
            line += "".join(marks)
        yield line
    yield ""
    about = "EV in % of the initial bet at flat bets; the upright is 0, lines are 95% intervals."
    yield from textwrap.wrap(f"{plot.count_name} count before the deal. {about}", WIDTH)


def _draw_convergence(plot: ConvergencePlot) -> Iterator[str]:
    """Write a line for each of at most 20 moments, evenly spaced."""
    last = len(plot.points) - 1
    rows = min(_MOST_ROWS, last + 1)
    chosen = sorted({round(last * row / max(rows - 1, 1)) for row in range(rows)} | {last})
    points = [plot.points[place] for place in chosen]
    lows = [point.ev - point.error for point in points]
    highs = [point.ev + point.error for point in points]
    known = [] if plot.exact is None else [plot.exact]
    scale = _Scale(min(lows + known), max(highs + known), _ROUNDS_SPAN)
    factor, digits = (100, 3) if plot.is_percent else (1, 4)
    yield f"{'rounds':>15}  EV ± 95%"
    for point in points:
        marks = scale.blank()
        scale.whisker(marks, point.ev, point.error, under=plot.exact)
        ev, error = factor * point.ev, factor * point.error
        yield f"{point.rounds:>15,} {f'{ev:+8.{digits}f} ± {error:<6.{digits}f}'} {''.join(marks)}"
    yield ""
    words = f"EV, {plot.per}; lines are 95% intervals."
    if plot.exact is not None:
        exact = f"{factor * plot.exact:+.{digits + 1}f}"
        words += f" The dotted upright is {exact} ({plot.exact_name})."
    yield from textwrap.wrap(words, WIDTH)


def _draw_depths(plot: DepthPlot) -> Iterator[str]:
    """Write a line for each number of cards gone: the mean, and 90% of the shoes."""
    ends = [0.0, *(end for _, _, *both in plot.points for end in both)]
    scale = _Scale(min(ends), max(ends), _ROUNDS_SPAN)
    yield f"{'cards gone':>10}  {'EV %':>8}  from {100 * min(ends):+.2f} to {100 * max(ends):+.2f}"
    for gone, ev, low, high in plot.points:
        marks = scale.blank()
        scale.mark(marks, 0.0, _ZERO)
        scale.span(marks, low, high)
        scale.mark(marks, ev, _DOT)
        yield f"{gone:>10}  {100 * ev:>+8.3f}  {''.join(marks)}"
    yield ""
    about = "EV of a round; the upright is 0, the dot the mean over shoes, the line 90% of them."
    yield from textwrap.wrap(about, WIDTH)


class _Scale:
    """Numbers from `low` to `high` on a line of `width` characters."""

    def __init__(self, low: float, high: float, width: int) -> None:
        self._low, self._width = low, width
        self._step = (high - low) / (width - 1) or 1.0

    def blank(self) -> list[str]:
        return [" "] * self._width

    def place(self, number: float) -> int:
        return round((number - self._low) / self._step)

    def mark(self, marks: list[str], number: float, glyph: str) -> None:
        place = self.place(number)
        if 0 <= place < self._width:
            marks[place] = glyph

    def span(self, marks: list[str], low: float, high: float) -> tuple[int, int]:
        """Draw a line where nothing is; return its ends."""
        first, last = self.place(low), self.place(high)
        for place in range(max(first, 0), min(last, self._width - 1) + 1):
            if marks[place] == " ":
                marks[place] = _WHISKER
        return first, last

    def whisker(
        self, marks: list[str], middle: float, error: float, under: float | None = None
    ) -> None:
        """Draw an interval and its middle; the marks of `under` show through the interval."""
        first, last = self.span(marks, middle - error, middle + error)
        if first < 0:
            marks[0] = _CUT[0]
        if last >= self._width:
            marks[-1] = _CUT[1]
        if under is not None:
            self.mark(marks, under, _EXACT)
        self.mark(marks, middle, _DOT)


def _draw_bankrolls(plot: BankrollPlot) -> Iterator[str]:
    """Draw each series as shaded bands, its median, and the number ruined so far."""
    # Only the bands are drawn, so that the scale ignores the peaks of single sessions.
    shown = [chips for panel in plot.panels for band in panel.bands for chips in band]
    extent = (0.0 if not plot.extent[0] else min(shown), max(shown))
    for panel in plot.panels:
        yield from textwrap.wrap(f"{panel.name}: {panel.note}", WIDTH)
        places = _spread_columns(panel, _COLUMNS)
        yield from _draw_bands(panel, places, extent, number=".0f")
        yield _write_rounds("rounds played", f"{plot.rounds}", _COLUMNS)
        ruined = ""
        for place in places:
            step = panel.marks[place]
            gone = sum(path.is_ruined and path.rounds[-1] <= step for path in panel.paths)
            level = gone * (len(_HEIGHTS) - 1) / len(panel.paths)
            # A share over 0 is never drawn as 0.
            ruined += _HEIGHTS[max(round(level), 1 if gone else 0)]
        yield f"{'ruined':>{_GUTTER - 1}}  {ruined}"
        yield ""
    yield _explain_bands("sessions", "stake")


def _draw_paths(plot: PathsPlot) -> Iterator[str]:
    """Draw the banks as shaded bands, and the shares ruined at each quarter of the rounds."""
    low = min(0.0, *(band[0] for band in plot.bands))
    extent = (low, max(plot.start, *(band[-1] for band in plot.bands)))
    yield from _draw_bands(plot, _spread_columns(plot, _PATH_COLUMNS), extent, number=",.0f")
    yield _write_rounds("rounds", f"{plot.rounds:,}", _PATH_COLUMNS)
    ruined = [share for share, *_ in plot.ruined]
    for title, shares in (("ruined", ruined), ("formula", plot.formula)):
        words = [f"{shares[round(part * (len(plot.marks) - 1) / 4)]:.1%}" for part in range(1, 5)]
        cells = "".join(f"{word:>{_PATH_COLUMNS // 4}}" for word in words)
        yield f"{title:>{_GUTTER - 1}}  {cells}"
    yield ""
    yield _explain_bands("paths", "bank")


def _spread_columns(banks: Banks, columns: int) -> list[int]:
    """Return the place of the mark that each column shows, from the first to the last."""
    return [round(column * (len(banks.marks) - 1) / (columns - 1)) for column in range(columns)]


def _draw_bands(
    banks: Banks, places: Sequence[int], extent: tuple[float, float], *, number: str
) -> Iterator[str]:
    """Draw the bands, one per column, on a line at the start, and the axis under them.

    `number` is the format of the amounts at the side.
    """
    scale = _Scale(*extent, _HEIGHT)
    columns = [[scale.place(amount) for amount in banks.bands[place]] for place in places]
    for row in range(_HEIGHT - 1, -1, -1):
        empty = _START if row == scale.place(banks.start) else " "
        marks = "".join(_shade(edges, row, empty) for edges in columns)
        amount = extent[0] + row * (extent[1] - extent[0]) / (_HEIGHT - 1)
        label = f"{amount:{number}}" if not row % 3 else ""
        yield f"{label:>{_GUTTER - 1}} ┤{marks}"
    yield f"{'':>{_GUTTER}}└{'─' * len(places)}"


def _shade(edges: Sequence[int], row: int, empty: str) -> str:
    low, lower, median, upper, high = edges
    if row == median:
        return _MEDIAN
    if lower <= row <= upper:
        return _INNER
    return _OUTER if low <= row <= high else empty


def _write_rounds(title: str, last: str, columns: int) -> str:
    return f"{'':>{_GUTTER}} 0{title.center(columns - len(last) - 1)}{last}"


def _explain_bands(banks: str, start: str) -> str:
    bands = f"{_OUTER} the middle 90% of the {banks}  {_INNER} the middle 50%"
    return f"{bands}  {_MEDIAN} the median  {_START} the {start}"


SUFFIXES: Final = (".svg", ".png", ".txt")


def check_plot_file(path: str) -> None:
    """Refuse a `path` that could not be drawn to, before long work is done for it."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise RulesError(f"cannot draw {path!r}: its name must end in .svg, .png or .txt")
    if not Path(path).parent.is_dir():
        raise RulesError(f"cannot draw {path!r}: there is no folder {str(Path(path).parent)!r}")
    if suffix == ".png":
        import_renderer()


def write_plot(plot: Plot, path: str) -> None:
    """Draw a plot to a file, in the format of its suffix; the same plot gives the same file."""
    check_plot_file(path)
    content = _render(plot, Path(path).suffix.lower())
    try:
        write_whole(Path(path), [content])
    except OSError as error:
        raise RulesError(f"cannot write {path!r}: {error.strerror}") from None


def _render(plot: Plot, suffix: str) -> bytes:
    if suffix == ".txt":
        return draw_text(plot).encode()
    drawn = draw_svg(plot)
    return drawn.encode() if suffix == ".svg" else draw_png(drawn)
