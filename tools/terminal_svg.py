"""Writes a terminal screen as SVG that every program draws alike.

A word is a text of its own, placed on its cell, so nothing depends on how a program treats blanks
or how wide its font is; frames of cards, windows and bars are drawn as lines, not as characters,
so they join from row to row in any font.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any, Final

from rich.cells import cell_len
from rich.color import blend_rgb
from rich.terminal_theme import SVG_EXPORT_THEME

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.color import Color
    from rich.color_triplet import ColorTriplet
    from rich.style import Style

WIDTH: Final = 12
HEIGHT: Final = 24
_FONT_SIZE: Final = 20
_BASELINE: Final = 18
_MARGIN: Final = 10
_BAR: Final = 34
"""Height of the title bar, in pixels."""
_DIM: Final = 0.4
_FONTS: Final = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace"
_WORD: Final = re.compile(r"\S+")
_LEFT, _RIGHT, _UP, _DOWN = "L", "R", "U", "D"
# Where the arms of a frame's character point to.
_ARMS: Final = {
    "─": "LR", "━": "LR", "│": "UD", "┃": "UD",
    "╭": "RD", "╮": "LD", "╰": "RU", "╯": "LU",
    "┌": "RD", "┐": "LD", "└": "RU", "┘": "LU",
    "├": "UDR", "┤": "UDL", "┬": "LRD", "┴": "LRU", "┼": "LRUD",
}  # fmt: skip
_ROUND: Final = "╭╮╰╯"
# The part of a cell that a block covers: left, top, width, height.
_BLOCKS: Final = {
    "█": (0, 0, 1, 1), "▀": (0, 0, 1, 0.5), "▄": (0, 0.5, 1, 0.5), "▁": (0, 0.875, 1, 0.125),
    "▂": (0, 0.75, 1, 0.25), "▃": (0, 0.625, 1, 0.375), "▅": (0, 0.375, 1, 0.625),
    "▆": (0, 0.25, 1, 0.75), "▇": (0, 0.125, 1, 0.875), "▌": (0, 0, 0.5, 1), "▐": (0.5, 0, 0.5, 1),
    "▏": (0, 0, 0.125, 1), "▎": (0, 0, 0.25, 1), "▍": (0, 0, 0.375, 1), "▋": (0, 0, 0.625, 1),
    "▊": (0, 0, 0.75, 1), "▉": (0, 0, 0.875, 1), "▕": (0.875, 0, 0.125, 1),
    "▔": (0, 0, 1, 0.125),
}  # fmt: skip
_SHADES: Final = {"░": 0.25, "▒": 0.5, "▓": 0.75}


def write_svg(rows: Iterable[Iterable[Any]], title: str = "") -> str:
    """Return rows of Rich segments as SVG, in a window if it has a title."""
    lines = [list(row) for row in rows]
    columns = max(sum(cell_len(segment.text) for segment in row) for row in lines)
    width = columns * WIDTH + 2 * _MARGIN
    top = _BAR if title else _MARGIN
    height = len(lines) * HEIGHT + top + _MARGIN
    ground = _hex(SVG_EXPORT_THEME.background_color)
    body = [shape for number, row in enumerate(lines) for shape in _draw_row(row, number)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' font-family="{_FONTS}" font-size="{_FONT_SIZE}">'
    )
    return "\n".join(
        [
            head,
            f'<rect width="{width}" height="{height}" rx="8" fill="{ground}"/>',
            *(_draw_bar(width, title) if title else ()),
            f'<g transform="translate({_MARGIN} {top})">',
            *body,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _draw_bar(width: int, title: str) -> Iterator[str]:
    for place, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")):
        yield f'<circle cx="{18 + 20 * place}" cy="17" r="6" fill="{colour}"/>'
    yield (
        f'<text x="{width // 2}" y="22" text-anchor="middle" font-size="16"'
        f' font-family="Helvetica, Arial, sans-serif" fill="#c5c8c6">{escape(title)}</text>'
    )


def _draw_row(row: list[Any], number: int) -> Iterator[str]:
    y, column = number * HEIGHT, 0
    drawn = []
    for segment in row:
        cells = cell_len(segment.text)
        ink, ground = _colours(segment.style)
        if ground is not None and cells:
            yield _rect(column * WIDTH, y, cells * WIDTH, HEIGHT, ground)
        drawn.append((column, segment, ink))
        column += cells
    for start, segment, ink in drawn:
        yield from _draw_text(segment, start, y, ink)


def _draw_text(segment: Any, column: int, y: int, ink: str) -> Iterator[str]:  # noqa: ANN401
    style: Style | None = segment.style
    weight = ' font-weight="bold"' if style is not None and style.bold else ""
    letters = []
    for letter in segment.text:
        x = column * WIDTH
        shape = _draw_shape(letter, x, y, ink)
        if shape:
            yield shape
        letters.append(" " if shape else letter)
        column += cell_len(letter)
    column -= cell_len(segment.text)
    text = "".join(letters).replace("\xa0", " ")
    for word in _WORD.finditer(text):
        x = (column + cell_len(text[: word.start()])) * WIDTH
        yield f'<text x="{x}" y="{y + _BASELINE}" fill="{ink}"{weight}>{escape(word[0])}</text>'
    if style is not None and style.underline and text.strip():
        width = cell_len(text) * WIDTH
        yield _rect(column * WIDTH, y + HEIGHT - 3, width, 1, ink)


def _draw_shape(letter: str, x: int, y: int, ink: str) -> str:
    if letter in _ARMS:
        return _draw_frame(letter, x, y, ink)
    if letter in _BLOCKS:
        left, top, width, height = _BLOCKS[letter]
        return _rect(x + left * WIDTH, y + top * HEIGHT, width * WIDTH, height * HEIGHT, ink)
    if letter in _SHADES:
        square = _rect(x, y, WIDTH, HEIGHT, ink)
        return f'<g fill-opacity="{_SHADES[letter]}">{square}</g>'
    return ""


def _draw_frame(letter: str, x: int, y: int, ink: str) -> str:
    middle, centre = x + WIDTH // 2, y + HEIGHT // 2
    ends = {
        _LEFT: (x, centre),
        _RIGHT: (x + WIDTH, centre),
        _UP: (middle, y - 0.5),  # half a pixel over the edge: no seam when the picture is scaled
        _DOWN: (middle, y + HEIGHT + 0.5),
    }
    arms = [ends[arm] for arm in _ARMS[letter]]
    if letter in _ROUND:
        (x1, y1), (x2, y2) = arms
        path = f"M{x1} {y1}Q{middle} {centre} {x2} {y2}"
    else:
        path = "".join(f"M{middle} {centre}L{x1} {y1}" for x1, y1 in arms)
    stroke = 3 if letter in "━┃" else 1.5
    return f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{stroke}"/>'


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"'
        ' shape-rendering="crispEdges"/>'
    )


def _colours(style: Style | None) -> tuple[str, str | None]:
    """Return the colours of a style: ink, and ground if it has one."""
    theme = SVG_EXPORT_THEME
    if style is None:
        return _hex(theme.foreground_color), None
    ink = _triplet(style.color, theme.foreground_color)
    has_ground = style.bgcolor is not None and not style.bgcolor.is_default
    ground = _triplet(style.bgcolor, theme.background_color)
    if style.reverse:
        ink, ground, has_ground = ground, ink, True
    if style.dim:
        ink = blend_rgb(ink, ground, _DIM)
    return _hex(ink), _hex(ground) if has_ground else None


def _triplet(colour: Color | None, default: ColorTriplet) -> ColorTriplet:
    if colour is None or colour.is_default:
        return default
    return colour.get_truecolor(SVG_EXPORT_THEME)


def _hex(colour: ColorTriplet) -> str:
    return colour.hex
