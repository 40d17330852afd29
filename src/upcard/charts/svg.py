"""The chart as a picture: one SVG file without external resources."""

from __future__ import annotations

import textwrap
from functools import partial
from html import escape as escape_html
from typing import TYPE_CHECKING, Final

from upcard.charts.palette import LIGHT_PAGE, PAINTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from upcard.charts.layout import ChartBlock, ChartCell, Layout, Mark
    from upcard.core.actions import Action

escape = partial(escape_html, quote=False)  # xml.sax would import a client of HTTP
_MARGIN: Final = 36
_NAME_WIDTH: Final = 62
CELL_WIDTH: Final = 46
_GUTTER: Final = 44
_HEADER: Final = 52
"""Height of a block's name and upcards."""
_BLOCK_GAP: Final = 26
SPACING: Final = 2
_CORNER: Final = 13
"""Legs of the triangle in the colour of the second choice."""
_LEGEND_STEP: Final = 34
_LINE: Final = 20
_LINE_CHARS: Final = 140
"""Characters that fit in a line even in a wide sans-serif font."""

_STYLE: Final = """\
    text { font-family: system-ui, sans-serif; fill: %(ink)s; }
    .heading { font-size: 25px; font-weight: 700; }
    .line { font-size: 14px; fill: %(muted)s; }
    .block { font-size: 17px; font-weight: 700; }
    .upcard, .name { font-size: 14px; font-weight: 600; }
    .words { font-size: 15px; }
"""


class ChartFill:
    """The boxes of a chart: each action has its colour, and the legend explains the letters."""

    kind = "chart"
    style = """\
    .mark { font-size: 16px; font-weight: 700; }
    .second { font-size: 12px; font-weight: 400; }
    .figure { font-size: 10.5px; }
    .upcard, .mark, .figure { text-anchor: middle; }
    .name, .of { text-anchor: end; }
"""
    legend_gap = _BLOCK_GAP + 14
    legend_height = 0
    """Height that the legend needs, if it may be longer than the blocks beside it."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.row_height = 40 if layout.has_figures else 31

    @property
    def captions(self) -> Iterable[str]:
        """The paragraphs below the chart."""
        return (" ".join(self.layout.captions),)

    @property
    def about(self) -> str:
        """Description of the boxes."""
        return f"{self.layout.letters}."

    def draw_cell(self, cell: ChartCell, x: int, y: int) -> str:
        """Draw a box with letters, and the figure below them."""
        height = self.row_height
        baseline = y + (17 if cell.figure else height / 2 + 5.5)
        figure = ""
        if cell.figure:
            ink = PAINTS[cell.mark.first].ink
            figure = write_text("figure", x + CELL_WIDTH / 2, y + height - 8, cell.figure, ink)
        return _draw_mark(cell.mark, x, y, height, baseline) + figure

    def draw_legend(self, x: int, y: int) -> Iterator[str]:
        """Explain the marks in two columns, line by line as on the page."""
        height = 28
        for number, mark in enumerate(self.layout.legend):
            step, column = divmod(number, 2)
            left, top = x + column * 5 * CELL_WIDTH, y + step * _LEGEND_STEP
            yield _draw_mark(mark, left, top, height, top + height / 2 + 5.5)
            yield write_text("words", left + CELL_WIDTH + 10, top + height / 2 + 5, mark.words)


def draw_svg(layout: Layout, fill: ChartFill | None = None) -> str:
    """Draw hard totals and the legend on the left, soft totals and pairs on the right."""
    fill = fill or ChartFill(layout)
    hard, soft, pairs = layout.blocks
    block_width = _NAME_WIDTH + len(layout.upcards) * CELL_WIDTH
    width = 2 * _MARGIN + 2 * block_width + _GUTTER
    right = _MARGIN + block_width + _GUTTER

    body: list[str] = []
    y = _MARGIN + 22
    for line in textwrap.wrap(layout.heading, 78):
        body.append(write_text("heading", _MARGIN, y, line))
        y += 30
    for subheading in layout.subheadings:
        for line in textwrap.wrap(subheading, _LINE_CHARS):
            body.append(write_text("line", _MARGIN, y - 2, line))
            y += _LINE
    below_hard = y + _HEADER + len(hard.rows) * fill.row_height + fill.legend_gap
    below_soft = y + _HEADER + len(soft.rows) * fill.row_height + _BLOCK_GAP
    below_pairs = below_soft + _HEADER + len(pairs.rows) * fill.row_height
    body.extend(_draw_block(layout, fill, hard, _MARGIN, y))
    body.extend(_draw_block(layout, fill, soft, right, y))
    body.extend(_draw_block(layout, fill, pairs, right, below_soft))
    body.extend(fill.draw_legend(_MARGIN + _NAME_WIDTH, below_hard))

    y = max(below_pairs, below_hard + fill.legend_height) + 34
    for caption in fill.captions:
        for line in textwrap.wrap(caption, _LINE_CHARS):
            body.append(write_text("line", _MARGIN, y, line))
            y += _LINE
    total = y - _LINE + _MARGIN - 8
    page = LIGHT_PAGE
    size = f'viewBox="0 0 {width} {total}" width="{width}" height="{total}"'
    columns = f"Rows: the player's hand. Columns: the {layout.upcards_are}."
    about = (*layout.subheadings, columns, fill.about, *layout.captions)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"',
            f' aria-labelledby="{fill.kind}-title {fill.kind}-about">',
            f'<title id="{fill.kind}-title">{escape(layout.heading)}</title>',
            f'<desc id="{fill.kind}-about">{escape(" ".join(filter(None, about)))}</desc>',
            f"<style>\n{_STYLE % page._asdict()}{fill.style % page._asdict()}</style>",
            f'<rect width="{width}" height="{total}" rx="10" fill="{page.paper}"/>',
            *body,
            "</svg>\n",
        )
    )


def write_text(kind: str, x: float, y: float, text: str, fill: str = "") -> str:
    """Write text in the style of its kind, and in the colour `fill` if given."""
    paint = f' style="fill:{fill}"' if fill else ""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}"{paint}>{escape(text)}</text>'


def _draw_block(
    layout: Layout, fill: ChartFill, block: ChartBlock, x: int, y: int
) -> Iterator[str]:
    cells = x + _NAME_WIDTH
    yield write_text("block", cells, y + 20, block.name)
    edge = cells + len(layout.upcards) * CELL_WIDTH
    yield write_text("line of", edge - SPACING, y + 20, layout.upcards_are)
    for column, upcard in enumerate(layout.upcards):
        yield write_text("upcard", cells + (column + 0.5) * CELL_WIDTH, y + _HEADER - 8, upcard)
    for number, row in enumerate(block.rows):
        top = y + _HEADER + number * fill.row_height
        yield write_text("name", cells - 10, top + fill.row_height / 2 + 5, row.name)
        for column, cell in enumerate(row.cells):
            box = fill.draw_cell(cell, cells + column * CELL_WIDTH, top)
            yield f"<g><title>{escape(cell.hint)}</title>{box}</g>"


def _draw_mark(mark: Mark, x: int, y: int, height: int, baseline: float) -> str:
    """Draw a box in the first action's colour, its top right corner in that of the second."""
    left, top = x + SPACING / 2, y + SPACING / 2
    box_width, box_height = CELL_WIDTH - SPACING, height - SPACING
    paint = PAINTS[mark.first]
    size = f'x="{left:g}" y="{top:g}" width="{box_width}" height="{box_height}"'
    box = f'<rect {size} rx="4" fill="{paint.fill}"/>'
    corner = second = ""
    if mark.second is not None:
        corner = _draw_corner(mark.second, left + box_width, top)
        second = f'<tspan class="second">{mark.text[1:]}</tspan>'
    middle = f'x="{x + CELL_WIDTH / 2:g}" y="{baseline:g}"'
    letters = f'<text class="mark" {middle} style="fill:{paint.ink}">{mark.text[0]}{second}</text>'
    return box + corner + letters


def _draw_corner(action: Action, right: float, top: float) -> str:
    return (
        f'<path d="M{right - _CORNER:g} {top:g}h{_CORNER - 4}q4 0 4 4v{_CORNER - 4}z"'
        f' fill="{PAINTS[action].fill}"/>'
    )
