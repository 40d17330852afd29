"""The heat map as a picture: one SVG file without external resources."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from upcard.charts.palette import LIGHT_PAGE
from upcard.charts.plots.heat_map import SHADES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.charts.plots.heat_map import HeatCell, HeatMap, HeatRow

_MARGIN: Final = 36
_NAME_WIDTH: Final = 62
_CELL_WIDTH: Final = 46
_CELL_HEIGHT: Final = 36
_BLOCK_WIDTH: Final = _NAME_WIDTH + 10 * _CELL_WIDTH
_GUTTER: Final = 44
_HEADER: Final = 52
"""Height of a block's name and upcards."""
_BLOCK_GAP: Final = 26
_SPACING: Final = 2
_KEY_STEP: Final = 32
_LINE: Final = 20
_LINE_CHARS: Final = 140

_STYLE: Final = """\
    text { font-family: system-ui, sans-serif; fill: %(ink)s; }
    .heading { font-size: 25px; font-weight: 700; }
    .line { font-size: 14px; fill: %(muted)s; }
    .block { font-size: 17px; font-weight: 700; }
    .upcard, .name { font-size: 14px; font-weight: 600; }
    .words { font-size: 15px; }
    .mark { font-size: 15px; font-weight: 700; }
    .unasked { font-size: 15px; fill: %(muted)s; }
    .figure { font-size: 10.5px; }
    .upcard, .mark, .unasked, .figure { text-anchor: middle; }
    .name, .of { text-anchor: end; }
"""


def draw_heat_svg(heat_map: HeatMap) -> str:
    """Draw hard totals and the legend on the left, soft totals and pairs on the right."""
    layout = heat_map.layout
    hard, soft, pairs = heat_map.blocks
    names = [block.name for block in layout.blocks]
    width = 2 * _MARGIN + 2 * _BLOCK_WIDTH + _GUTTER
    right = _MARGIN + _BLOCK_WIDTH + _GUTTER
    body: list[str] = []
    y = _MARGIN + 22
    for line in textwrap.wrap(layout.heading, 78):
        body.append(_text("heading", _MARGIN, y, line))
        y += 30
    for subheading in layout.subheadings:
        for line in textwrap.wrap(subheading, _LINE_CHARS):
            body.append(_text("line", _MARGIN, y - 2, line))
            y += _LINE
    below_hard = y + _HEADER + len(hard) * _CELL_HEIGHT + _BLOCK_GAP
    below_soft = y + _HEADER + len(soft) * _CELL_HEIGHT + _BLOCK_GAP
    body.extend(_draw_block(heat_map, names[0], hard, _MARGIN, y))
    body.extend(_draw_block(heat_map, names[1], soft, right, y))
    body.extend(_draw_block(heat_map, names[2], pairs, right, below_soft))
    body.extend(_draw_legend(heat_map, _MARGIN + _NAME_WIDTH, below_hard))
    y = below_soft + _HEADER + len(pairs) * _CELL_HEIGHT + 34
    y = max(y, below_hard + (len(heat_map.legend) + 1) * _KEY_STEP + 34)
    for caption in (heat_map.letters, *layout.captions):
        for line in textwrap.wrap(caption, _LINE_CHARS):
            body.append(_text("line", _MARGIN, y, line))
            y += _LINE
    total = y - _LINE + _MARGIN - 8
    size = f'viewBox="0 0 {width} {total}" width="{width}" height="{total}"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"',
            ' aria-labelledby="heat-title heat-about">',
            f'<title id="heat-title">{escape(layout.heading)}</title>',
            f'<desc id="heat-about">{escape(_describe(heat_map))}</desc>',
            f"<style>\n{_STYLE % LIGHT_PAGE._asdict()}</style>",
            f'<rect width="{width}" height="{total}" rx="10" fill="{LIGHT_PAGE.paper}"/>',
            *body,
            "</svg>\n",
        )
    )


def _describe(heat_map: HeatMap) -> str:
    """Describe the picture in words, for screen readers."""
    layout = heat_map.layout
    about = f"Rows: the player's hand. Columns: the {layout.upcards_are}."
    worst = "; ".join(
        f"{item.name}: {item.heat.cost:.2f} chips lost by {item.heat.mistakes} of {item.heat.asked}"
        for item in heat_map.worst
    )
    dearest = (f"Most was lost at {worst}.",) if worst else ()
    return " ".join((*layout.subheadings, about, *dearest, *layout.captions))


def _text(kind: str, x: float, y: float, text: str, fill: str = "") -> str:
    paint = f' style="fill:{fill}"' if fill else ""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}"{paint}>{escape(text)}</text>'


def _draw_block(
    heat_map: HeatMap, name: str, rows: tuple[HeatRow, ...], x: int, y: int
) -> Iterator[str]:
    cells = x + _NAME_WIDTH
    yield _text("block", cells, y + 20, name)
    edge = x + _BLOCK_WIDTH - _SPACING
    yield _text("line of", edge, y + 20, heat_map.layout.upcards_are)
    for column, upcard in enumerate(heat_map.layout.upcards):
        yield _text("upcard", cells + (column + 0.5) * _CELL_WIDTH, y + _HEADER - 8, upcard)
    for number, row in enumerate(rows):
        top = y + _HEADER + number * _CELL_HEIGHT
        yield _text("name", cells - 10, top + _CELL_HEIGHT / 2 + 5, row.name)
        for column, cell in enumerate(row.cells):
            yield _draw_cell(cell, cells + column * _CELL_WIDTH, top)


def _draw_cell(cell: HeatCell, x: int, y: int) -> str:
    middle = x + _CELL_WIDTH / 2
    letters, hint = cell.cell.mark.text, f"<title>{escape(cell.hint)}</title>"
    if cell.level is None:
        mark = _text("unasked", middle, y + _CELL_HEIGHT / 2 + 5, letters)
        return f"<g>{hint}{_draw_box(x, y, LIGHT_PAGE.paper)}{mark}</g>"
    paint = SHADES[cell.level]
    baseline = y + (16 if cell.figure else _CELL_HEIGHT / 2 + 5)
    mark = _text("mark", middle, baseline, letters, paint.ink)
    figure = ""
    if cell.figure:
        figure = _text("figure", middle, y + _CELL_HEIGHT - 7, cell.figure, paint.ink)
    return f"<g>{hint}{_draw_box(x, y, paint.fill)}{mark}{figure}</g>"


def _draw_box(x: int, y: int, fill: str) -> str:
    size = f'x="{x + 1}" y="{y + 1}" width="{_CELL_WIDTH - _SPACING}"'
    edge = f'height="{_CELL_HEIGHT - _SPACING}" rx="4" stroke="{LIGHT_PAGE.line}"'
    return f'<rect {size} {edge} fill="{fill}"/>'


def _draw_legend(heat_map: HeatMap, x: int, y: int) -> Iterator[str]:
    keys = [("never asked", LIGHT_PAGE.paper)]
    keys += [(words, SHADES[level].fill) for level, words in heat_map.legend]
    for number, (words, fill) in enumerate(keys):
        top = y + number * _KEY_STEP
        size = f'x="{x + 1}" y="{top + 1}" width="{_CELL_WIDTH - _SPACING}" height="26" rx="4"'
        yield f'<rect {size} stroke="{LIGHT_PAGE.line}" fill="{fill}"/>'
        yield _text("words", x + _CELL_WIDTH + 10, top + 19, words)
