"""The chart on a terminal: 80 columns by 24 lines, in letters, with colours on request."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from upcard.charts.palette import PAINTS, Paint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.charts.layout import ChartBlock, ChartCell, Layout, Mark

_WIDTH: Final = 80
_NAME_WIDTH: Final = 6
_GAP: Final = "    "
RESET: Final = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Line:
    """A line and its displayed width: escape sequences take no room."""

    text: str = ""
    width: int = 0

    def __add__(self, other: Line) -> Line:
        return Line(self.text + other.text, self.width + other.width)

    def padded(self, width: int) -> str:
        """Fill up with blanks."""
        return self.text + " " * (width - self.width)


def draw_text(layout: Layout, *, color: bool = False) -> str:
    """Draw the blocks side by side, or below one another if the cells have figures."""
    pen = ChartPen(color=color)
    lines = list(write_head(layout, pen))
    if layout.has_figures:
        lines.extend(_stack(layout, pen))
    else:
        lines.extend(place_side_by_side(layout, pen))
    lines.extend(textwrap.wrap(" ".join(layout.captions), _WIDTH))
    return "".join(f"{line.rstrip()}\n" for line in lines)


class ChartPen:
    """Writes with colours or without: a chart, whose letters have the colour of the play."""

    def __init__(self, *, color: bool) -> None:
        self.has_color = color

    def bold(self, text: str) -> str:
        """Write text in bold."""
        return f"\x1b[1m{text}{RESET}" if self.has_color else text

    def dim(self, text: str) -> str:
        """Write text that is less important."""
        return f"\x1b[2m{text}{RESET}" if self.has_color else text

    def paint(self, text: str, paint: Paint) -> str:
        """Write text on a fill."""
        if not self.has_color:
            return text
        return f"\x1b[38;5;{paint.xterm_ink};48;5;{paint.xterm_fill}m{text}{RESET}"

    def mark(self, mark: Mark, width: int) -> Line:
        """Write a mark on its colour; the letter is in the same column for every mark."""
        return Line(self.paint(f" {mark.text:<2}".center(width), PAINTS[mark.first]), width)

    def cell(self, cell: ChartCell, width: int) -> Line:
        """Write the letters of a cell."""
        return self.mark(cell.mark, width)

    def draw_legend(self, layout: Layout, room: int) -> list[Line]:
        """Explain the marks; if there is room, say what the columns are."""
        legend = list(_draw_legend(layout, self))
        room -= len(legend)
        if room > 1:
            hint = f"Columns: the {layout.upcards_are}"
            legend.insert(0, Line(hint, len(hint)))
        if room > 0:
            legend.insert(0, Line())
        return legend


def write_head(layout: Layout, pen: ChartPen) -> Iterator[str]:
    """Write the heading and the subheadings."""
    yield from (pen.bold(line) for line in textwrap.wrap(layout.heading, _WIDTH))
    for subheading in layout.subheadings:
        yield from textwrap.wrap(subheading, _WIDTH)


def place_side_by_side(layout: Layout, pen: ChartPen) -> Iterator[str]:
    """Put hard totals and the legend on the left, soft totals and pairs on the right."""
    hard, soft, pairs = (list(_draw_block(layout, block, pen)) for block in layout.blocks)
    right = [*soft, Line(), *pairs]
    left = [*hard, *pen.draw_legend(layout, len(right) - len(hard))]
    width = max(line.width for line in left)
    for one, other in zip_longest(left, right, fillvalue=Line()):
        yield one.padded(width) + _GAP + other.text


def _draw_block(layout: Layout, block: ChartBlock, pen: ChartPen) -> Iterator[Line]:
    name = block.name.split()[0]
    upcards = "".join(f" {upcard:<2}" for upcard in layout.upcards)
    yield Line(pen.bold(f"{name:<{_NAME_WIDTH}}{upcards}"), _NAME_WIDTH + len(upcards))
    for row in block.rows:
        line = Line(f"{row.name:>{_NAME_WIDTH - 1}} ", _NAME_WIDTH)
        for cell in row.cells:
            line += pen.cell(cell, 3)
        yield line


def _draw_legend(layout: Layout, pen: ChartPen) -> Iterator[Line]:
    """Write the plain marks in one column, those with a second choice in another."""
    plain = [mark for mark in layout.legend if mark.second is None]
    double = [mark for mark in layout.legend if mark.second is not None]
    for one, other in zip_longest(plain, double):
        line = Line() if one is None else _explain(one, pen)
        if other is not None:
            line = Line(line.padded(11), 11) + _explain(other, pen)
        yield line


def _explain(mark: Mark, pen: ChartPen) -> Line:
    return pen.mark(mark, 3) + Line(f" {mark.words}", len(mark.words) + 1)


def _stack(layout: Layout, pen: ChartPen) -> Iterator[str]:
    """Put the blocks below one another, every row with a line of figures."""
    for block in layout.blocks:
        yield ""
        upcards = "".join(f" {upcard:<2}".center(7) for upcard in layout.upcards)
        yield pen.bold(f"{block.name.split()[0]:<{_NAME_WIDTH}}{upcards}")
        for row in block.rows:
            line = Line(f"{row.name:>{_NAME_WIDTH - 1}} ", _NAME_WIDTH)
            for cell in row.cells:
                line += pen.cell(cell, 7)
            yield line.text
            yield " " * _NAME_WIDTH + "".join(pen.dim(_write_figure(cell)) for cell in row.cells)
    yield ""
    yield from (line.text for line in _draw_legend(layout, pen))


def _write_figure(cell: ChartCell) -> str:
    return cell.figure.center(7)
