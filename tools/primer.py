"""Writes docs/blackjack.md, blackjack in five minutes, from the text that the program shows."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Final

from rich.console import Console
from terminal_svg import write_svg

from upcard.coach.primer import SECTIONS, TITLE
from upcard.tui.appearance import Appearance
from upcard.tui.drawing import Styles
from upcard.tui.pages import draw_hands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.coach.primer import PrimerSection

_INTRODUCTION: Final = (
    "This page explains the game to a person who has never played it."
    " The same page opens with `B` on the start screen, with `?` and then `B` at the table, and"
    " with `upcard basics`. To learn by playing instead, seven steps at a table lead you through"
    " your first hands: `Enter` on that page, `upcard basics --play`, or the browser's start page."
)
_CLOSING: Final = """\
## Next

- Play: `upcard` opens the table; [play](play.md) lists its keys.
- What every setting of a house means: `upcard rules "6D H17 LS"`, and [notation](notation.md).
- Learn: [drills](train.md) and [the coach](coach.md).
"""
_STYLES: Final = Styles(ink="#e8ece9", muted="#a2b0ab")
_WIDTH_OF_A_COLUMN: Final = 9


def write_page() -> str:
    """Return the page as Markdown."""
    return "\n".join([f"# {TITLE}", "", _INTRODUCTION, "", *_write_sections(), _CLOSING])


def _write_sections() -> Iterator[str]:
    for section in SECTIONS:
        yield f"## {section.heading}\n"
        is_list = len(section.paragraphs) > 2
        for paragraph in section.paragraphs:
            yield f"- {paragraph}" if is_list else f"{paragraph}\n"
        if section.hands:
            width = _columns(section) * _WIDTH_OF_A_COLUMN
            hands = "; ".join(
                f"{hand.name}: {' '.join(str(card or 'face down') for card in hand.cards)},"
                f" {hand.remark}"
                for hand in section.hands
            )
            blank = "\n" if is_list else ""
            yield f'{blank}<img src="img/{picture_name(section)}" width="{width}" alt="{hands}">\n'
        elif is_list:
            yield ""
        if section.commands:
            yield "\n".join(["```sh", *section.commands, "```", ""])


def picture_name(section: PrimerSection) -> str:
    """Return the file name of a section's picture."""
    return f"basics-{re.sub('[^a-z]+', '-', section.heading.lower())}.svg"


def draw_picture(section: PrimerSection) -> str:
    """Return a section's hands as SVG, as the table draws them."""
    columns = _columns(section)
    console = Console(
        file=io.StringIO(), width=columns, color_system="truecolor", force_terminal=True
    )
    rows = [
        console.render_lines(line, pad=True)[0]
        for line in draw_hands(section.hands, Appearance(), _STYLES)
    ]
    return write_svg(rows)


def _columns(section: PrimerSection) -> int:
    return max(line.cell_len for line in draw_hands(section.hands, Appearance(), _STYLES))


PICTURES: Final = {picture_name(one): one for one in SECTIONS if one.hands}
