"""The heat map as a picture: a chart whose boxes are shaded by the chips lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from upcard.charts.layout import ChartCell
from upcard.charts.palette import LIGHT_PAGE
from upcard.charts.plots.heat_map import SHADES, HeatMap
from upcard.charts.svg import CELL_WIDTH, SPACING, ChartFill, draw_svg, write_text

_KEY_STEP = 32


def draw_heat_svg(heat_map: HeatMap) -> str:
    """Draw hard totals and the legend on the left, soft totals and pairs on the right."""
    return draw_svg(heat_map.layout, _HeatFill(heat_map))


class _HeatFill(ChartFill):
    """The boxes of a heat map: each level of loss has its shade."""

    kind = "heat"
    style = """\
    .mark { font-size: 15px; font-weight: 700; }
    .unasked { font-size: 15px; fill: %(muted)s; }
    .figure { font-size: 10.5px; }
    .upcard, .mark, .unasked, .figure { text-anchor: middle; }
    .name, .of { text-anchor: end; }
"""
    legend_gap = 26

    def __init__(self, heat_map: HeatMap) -> None:
        super().__init__(heat_map.layout)
        self.row_height = 36
        self.legend_height = (len(heat_map.legend) + 1) * _KEY_STEP
        self._heat_map = heat_map

    @property
    def captions(self) -> Iterable[str]:
        return (self.layout.letters, *self.layout.captions)

    @property
    def about(self) -> str:
        worst = "; ".join(
            f"{item.name}: {item.heat.cost:.2f} chips lost"
            f" by {len(item.heat.wrong)} of {item.heat.asked}"
            for item in self._heat_map.worst
        )
        return f"Most was lost at {worst}." if worst else ""

    def draw_cell(self, cell: ChartCell, x: int, y: int) -> str:
        height = self.row_height
        middle, center = x + CELL_WIDTH / 2, y + height / 2 + 5
        if cell.level is None:
            letters = write_text("unasked", middle, center, cell.mark.text)
            return _draw_box(x, y, height, LIGHT_PAGE.paper) + letters
        paint = SHADES[cell.level]
        baseline = y + 16 if cell.figure else center
        box = _draw_box(x, y, height, paint.fill)
        box += write_text("mark", middle, baseline, cell.mark.text, paint.ink)
        if cell.figure:
            box += write_text("figure", middle, y + height - 7, cell.figure, paint.ink)
        return box

    def draw_legend(self, x: int, y: int) -> Iterator[str]:
        keys = [("never asked", LIGHT_PAGE.paper)]
        keys += [(words, SHADES[level].fill) for level, words in self._heat_map.legend]
        for number, (words, fill) in enumerate(keys):
            top = y + number * _KEY_STEP
            yield _draw_box(x, top, 28, fill)
            yield write_text("words", x + CELL_WIDTH + 10, top + 19, words)


def _draw_box(x: int, y: int, height: int, fill: str) -> str:
    size = f'x="{x + 1}" y="{y + 1}" width="{CELL_WIDTH - SPACING}" height="{height - SPACING}"'
    return f'<rect {size} rx="4" stroke="{LIGHT_PAGE.line}" fill="{fill}"/>'
