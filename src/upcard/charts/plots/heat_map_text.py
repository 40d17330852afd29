"""The heat map on a terminal: a mark before each cell's letters, with shades on request."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from upcard.charts.layout import ChartCell, Layout
from upcard.charts.plots.heat_map import MARKS, SHADES, HeatMap, list_worst
from upcard.charts.text import ChartPen, Line, place_side_by_side, write_head

_WIDTH: Final = 79


def draw_heat_text(heat_map: HeatMap, *, per_hour: float | None, color: bool = False) -> str:
    """Draw the blocks side by side and the worst places below.

    `per_hour` converts a chip lost to chips an hour; None omits that column.
    """
    layout = heat_map.layout
    pen = _HeatPen(heat_map, color=color)
    lines = [*write_head(layout, pen), "", *place_side_by_side(layout, pen), ""]
    for caption in (layout.letters, *layout.captions):
        lines.extend(textwrap.wrap(caption, _WIDTH))
    if heat_map.worst:
        lines.extend(("", *_list_worst(heat_map, per_hour)))
    return "".join(f"{line.rstrip()}\n" for line in lines)


class _HeatPen(ChartPen):
    """Shades the letters by the chips lost, and writes the level before them."""

    def __init__(self, heat_map: HeatMap, *, color: bool) -> None:
        super().__init__(color=color)
        self._levels = heat_map.legend

    def cell(self, cell: ChartCell, width: int) -> Line:
        if cell.level is None:
            return Line(self.dim(f" {cell.mark.text:<2}"), width)
        text = f"{MARKS[cell.level]}{cell.mark.text:<2}"
        return Line(self.paint(text, SHADES[cell.level]), width)

    def draw_legend(self, layout: Layout, room: int) -> list[Line]:
        del layout, room  # the letters are below, and every level needs a line
        lines = [
            Line(f"  {self.paint(f' {MARKS[level]} ', SHADES[level])}{words}", 5 + len(words))
            for level, words in self._levels
        ]
        never = "     never asked: no mark"
        return [Line(), *lines, Line(never, len(never))]


def _list_worst(heat_map: HeatMap, per_hour: float | None) -> Iterator[str]:
    yield "Where most was lost, in chips"
    columns = list(zip(*list_worst(heat_map, per_hour=per_hour), strict=True))
    if sum(2 + max(map(len, column)) for column in columns) > _WIDTH:
        del columns[1]  # the chart above has the right play
    widths = [max(map(len, column)) for column in columns]
    left = len(columns) - (4 if per_hour is None else 6) + 1
    for row in zip(*columns, strict=True):
        cells = (
            f"{cell:{'<' if number < left else '>'}{width}}"
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield f"  {'  '.join(cells)}"
