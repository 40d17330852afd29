"""The chart as a picture: one SVG file without external resources."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from upcard.charts.palette import LIGHT_PAGE, PAINTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.charts.layout import ChartBlock, ChartCell, Layout, Mark
    from upcard.core.actions import Action

_MARGIN: Final = 36
_NAME_WIDTH: Final = 62
_CELL_WIDTH: Final = 46
_GUTTER: Final = 44
_HEADER: Final = 52
"""Height of a block's name and upcards."""
_BLOCK_GAP: Final = 26
_SPACING: Final = 2
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
    .mark { font-size: 16px; font-weight: 700; }
    .second { font-size: 12px; font-weight: 400; }
    .figure { font-size: 10.5px; }
    .upcard, .mark, .figure { text-anchor: middle; }
    .name, .of { text-anchor: end; }
"""


def draw_svg(layout: Layout) -> str:
    """Draw hard totals and the legend on the left, soft totals and pairs on the right."""
    height = 40 if layout.has_figures else 31
    hard, soft, pairs = layout.blocks
    block_width = _NAME_WIDTH + len(layout.upcards) * _CELL_WIDTH
    width = 2 * _MARGIN + 2 * block_width + _GUTTER
    right = _MARGIN + block_width + _GUTTER

    body: list[str] = []
    y = _MARGIN + 22
    for line in textwrap.wrap(layout.heading, 78):
        body.append(_text("heading", _MARGIN, y, line))
        y += 30
    for subheading in layout.subheadings:
        for line in textwrap.wrap(subheading, _LINE_CHARS):
            body.append(_text("line", _MARGIN, y - 2, line))
            y += _LINE
    top = y
    below_hard = top + _HEADER + len(hard.rows) * height
    below_soft = top + _HEADER + len(soft.rows) * height + _BLOCK_GAP
    below_pairs = below_soft + _HEADER + len(pairs.rows) * height
    body.extend(_draw_block(layout, hard, _MARGIN, top, height))
    body.extend(_draw_block(layout, soft, right, top, height))
    body.extend(_draw_block(layout, pairs, right, below_soft, height))
    body.extend(_draw_legend(layout, _MARGIN + _NAME_WIDTH, below_hard + _BLOCK_GAP + 14))

    y = below_pairs + 34
    for line in textwrap.wrap(" ".join(layout.captions), _LINE_CHARS):
        body.append(_text("line", _MARGIN, y, line))
        y += _LINE
    total = y - _LINE + _MARGIN - 8
    page = LIGHT_PAGE
    size = f'viewBox="0 0 {width} {total}" width="{width}" height="{total}"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"',
            ' aria-labelledby="chart-title chart-about">',
            f'<title id="chart-title">{escape(layout.heading)}</title>',
            f'<desc id="chart-about">{escape(_describe(layout))}</desc>',
            f"<style>\n{_STYLE % page._asdict()}</style>",
            f'<rect width="{width}" height="{total}" rx="10" fill="{page.paper}"/>',
            *body,
            "</svg>\n",
        )
    )


def _describe(layout: Layout) -> str:
    """Say in words what the picture is, for who cannot see it."""
    legend = "; ".join(f"{mark.text} {mark.words}" for mark in layout.legend)
    about = f"Rows: the player's hand. Columns: the {layout.upcards_are}."
    return " ".join((*layout.subheadings, about, f"{legend}.", *layout.captions))


def _text(kind: str, x: float, y: float, text: str, fill: str = "") -> str:
    paint = f' style="fill:{fill}"' if fill else ""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}"{paint}>{escape(text)}</text>'


def _draw_block(layout: Layout, block: ChartBlock, x: int, y: int, height: int) -> Iterator[str]:
    cells = x + _NAME_WIDTH
    yield _text("block", cells, y + 20, block.name)
    edge = cells + len(layout.upcards) * _CELL_WIDTH
    yield _text("line of", edge - _SPACING, y + 20, layout.upcards_are)
    for column, upcard in enumerate(layout.upcards):
        yield _text("upcard", cells + (column + 0.5) * _CELL_WIDTH, y + _HEADER - 8, upcard)
    for number, row in enumerate(block.rows):
        top = y + _HEADER + number * height
        yield _text("name", cells - 10, top + height / 2 + 5, row.name)
        for column, cell in enumerate(row.cells):
            yield _draw_cell(cell, cells + column * _CELL_WIDTH, top, height)


def _draw_cell(cell: ChartCell, x: int, y: int, height: int) -> str:
    baseline = y + (17 if cell.figure else height / 2 + 5.5)
    figure = ""
    if cell.figure:
        ink = PAINTS[cell.mark.first].ink
        figure = _text("figure", x + _CELL_WIDTH / 2, y + height - 8, cell.figure, ink)
    mark = _draw_mark(cell.mark, x, y, height, baseline)
    return f"<g><title>{escape(cell.hint)}</title>{mark}{figure}</g>"


def _draw_mark(mark: Mark, x: int, y: int, height: int, baseline: float) -> str:
    """Draw a box in the first action's colour, its top right corner in that of the second."""
    left, top = x + _SPACING / 2, y + _SPACING / 2
    box_width, box_height = _CELL_WIDTH - _SPACING, height - _SPACING
    paint = PAINTS[mark.first]
    size = f'x="{left:g}" y="{top:g}" width="{box_width}" height="{box_height}"'
    box = f'<rect {size} rx="4" fill="{paint.fill}"/>'
    corner = second = ""
    if mark.second is not None:
        corner = _draw_corner(mark.second, left + box_width, top)
        second = f'<tspan class="second">{mark.text[1:]}</tspan>'
    middle = f'x="{x + _CELL_WIDTH / 2:g}" y="{baseline:g}"'
    letters = f'<text class="mark" {middle} style="fill:{paint.ink}">{mark.text[0]}{second}</text>'
    return box + corner + letters


def _draw_corner(action: Action, right: float, top: float) -> str:
    return (
        f'<path d="M{right - _CORNER:g} {top:g}h{_CORNER - 4}q4 0 4 4v{_CORNER - 4}z"'
        f' fill="{PAINTS[action].fill}"/>'
    )


def _draw_legend(layout: Layout, x: int, y: int) -> Iterator[str]:
    """Explain the marks in two columns, line by line as on the page."""
    height = 28
    for number, mark in enumerate(layout.legend):
        step, column = divmod(number, 2)
        left, top = x + column * 5 * _CELL_WIDTH, y + step * _LEGEND_STEP
        yield _draw_mark(mark, left, top, height, top + height / 2 + 5.5)
        yield _text("words", left + _CELL_WIDTH + 10, top + height / 2 + 5, mark.words)
