"""The heat map on a terminal: a mark before each cell's letters, with shades on request."""

from __future__ import annotations

import textwrap
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from upcard.charts.plots.heat_map import MARKS, SHADES, list_worst

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.charts.plots.heat_map import HeatCell, HeatMap, HeatRow

_WIDTH: Final = 79
_NAME_WIDTH: Final = 6
_BLOCK_WIDTH: Final = _NAME_WIDTH + 30
_GAP: Final = "    "
_RESET: Final = "\x1b[0m"
_ASCII: Final = str.maketrans("−–×", "--x")


def draw_heat_text(
    heat_map: HeatMap, *, per_hour: float | None, color: bool = False, ascii_only: bool = False
) -> str:
    """Draw the blocks side by side and the worst places below.

    `per_hour` converts a chip lost to chips an hour; None omits that column.
    """
    layout = heat_map.layout
    bold = ("\x1b[1m", _RESET) if color else ("", "")
    lines = [f"{bold[0]}{line}{bold[1]}" for line in textwrap.wrap(layout.heading, _WIDTH)]
    for subheading in layout.subheadings:
        lines.extend(textwrap.wrap(subheading, _WIDTH))
    lines.append("")
    lines.extend(_place_side_by_side(heat_map, color=color))
    lines.append("")
    for caption in (heat_map.letters, *layout.captions):
        lines.extend(textwrap.wrap(caption, _WIDTH))
    if heat_map.worst:
        lines.extend(("", *_list_worst(heat_map, per_hour)))
    text = "".join(f"{line.rstrip()}\n" for line in lines)
    if ascii_only:
        text = text.translate(_ASCII).encode("ascii", "replace").decode("ascii")
    return text


def _place_side_by_side(heat_map: HeatMap, *, color: bool) -> Iterator[str]:
    hard, soft, pairs = (
        list(_draw_block(heat_map, block.name, rows, color=color))
        for block, rows in zip(heat_map.layout.blocks, heat_map.blocks, strict=True)
    )
    left = [*hard, (0, ""), *_draw_legend(heat_map, color=color)]
    for one, other in zip_longest(left, [*soft, (0, ""), *pairs], fillvalue=(0, "")):
        yield f"{one[1]}{' ' * (_BLOCK_WIDTH - one[0])}{_GAP}{other[1]}"


def _draw_block(
    heat_map: HeatMap, name: str, rows: tuple[HeatRow, ...], *, color: bool
) -> Iterator[tuple[int, str]]:
    """Draw the lines of a block, each with its displayed width."""
    upcards = "".join(f" {upcard:<2}" for upcard in heat_map.layout.upcards)
    yield _BLOCK_WIDTH, f"{name.split(maxsplit=1)[0]:<{_NAME_WIDTH}}{upcards}"
    for row in rows:
        cells = "".join(_draw_cell(cell, color=color) for cell in row.cells)
        yield _BLOCK_WIDTH, f"{row.name:>{_NAME_WIDTH - 1}} {cells}"


def _draw_cell(cell: HeatCell, *, color: bool) -> str:
    mark = " " if cell.level is None else MARKS[cell.level]
    text = f"{mark}{cell.cell.mark.text:<2}"
    if not color:
        return text
    return f"\x1b[2m{text}{_RESET}" if cell.level is None else _shade(text, cell.level)


def _shade(text: str, level: int) -> str:
    paint = SHADES[level]
    return f"\x1b[38;5;{paint.xterm_ink};48;5;{paint.xterm_fill}m{text}{_RESET}"


def _draw_legend(heat_map: HeatMap, *, color: bool) -> Iterator[tuple[int, str]]:
    for level, words in heat_map.legend:
        mark = f" {MARKS[level]} "
        yield 5 + len(words), f"  {_shade(mark, level) if color else mark}{words}"
    never = "     never asked: no mark"
    yield len(never), never


def _list_worst(heat_map: HeatMap, per_hour: float | None) -> Iterator[str]:
    yield "Where most was lost, in chips"
    rows = list_worst(heat_map, per_hour=per_hour)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [f"{cell:<{width}}" for cell, width in zip(row[:2], widths[:2], strict=True)]
        cells += [f"{cell:>{width}}" for cell, width in zip(row[2:], widths[2:], strict=True)]
        yield f"  {'  '.join(cells)}"
