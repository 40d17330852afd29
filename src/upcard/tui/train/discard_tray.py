"""The discard tray, drawn from the side, with one deck of the same width beside it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from rich.text import Text

if TYPE_CHECKING:
    from upcard.tui.appearance import Appearance

WIDTH: Final = 14
_DECK: Final = 52
_EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
_ASCII_STEPS: Final = " _-="
_GAP: Final = 6
_LEAST_ROWS: Final = 8


def draw_tray(discards: int, decks: int, look: Appearance, *, rows: int) -> list[Text]:
    """Draw a tray that holds a whole shoe in `rows` lines, and a single deck on its right.

    Both are one smooth block: nothing in them can be counted, only compared.
    """
    per_row = _DECK * decks / rows
    side, floor = ("|", "-") if look.ascii_only else ("│", "─")
    left, right = ("+", "+") if look.ascii_only else ("╰", "╯")
    lines = []
    for row in reversed(range(rows)):
        line = Text(side)
        line.append_text(_fill(discards / per_row - row, WIDTH, look))
        line.append(side)
        scale = _fill(_DECK / per_row - row, WIDTH, look)
        line.append(" " * _GAP)
        line.append_text(scale)
        lines.append(line)
    foot = Text(left + floor * WIDTH + right)
    foot.append(" " * _GAP + "one deck".center(WIDTH).rstrip())
    return [*lines, foot]


def choose_rows(discards: int, most: int) -> int:
    """Return how many lines a tray takes, `most` at most: another scale for every pile.

    So that lines do not become a measure: the deck beside the tray is the only one.
    """
    least = max(_LEAST_ROWS, most * 2 // 3)
    return random.Random(discards).randint(min(least, most), most)


def _fill(share: float, width: int, look: Appearance) -> Text:
    """Draw one line of a pile: full, empty, or as high as its share."""
    paper = look.paints.edge.partition(" on ")[2]
    if look.ascii_only:
        step = min(max(round(share * (len(_ASCII_STEPS) - 1)), 0), len(_ASCII_STEPS) - 1)
        return Text(("#" if share >= 1 else _ASCII_STEPS[step]) * width)
    step = min(max(round(share * 8), 0), 8)
    return Text(_EIGHTHS[step] * width, paper)
