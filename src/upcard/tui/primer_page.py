"""The page "Blackjack in five minutes", with the table's own cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.text import Text

from upcard.session.primer import SECTIONS, PrimerHand
from upcard.tui.appearance import Appearance
from upcard.tui.cards import SMALL, draw_fan, fan_width
from upcard.tui.table_drawing import Styles

_GAP: Final = 4


def write_primer(look: Appearance, styles: Styles) -> list[Text]:
    """Write the page: a heading, paragraphs and drawn hands per section."""
    lines: list[Text] = []
    for section in SECTIONS:
        lines.append(Text(section.heading, styles.active))
        lines += [Text(paragraph, styles.ink) for paragraph in section.paragraphs]
        if section.hands:
            lines += draw_hands(section.hands, look, styles)
        lines.append(Text())
    return lines[:-1]


def draw_hands(hands: Sequence[PrimerHand], look: Appearance, styles: Styles) -> list[Text]:
    """Draw hands side by side as the table does, each with its name and its total."""
    rows = [Text() for _ in range(SMALL.height + 2)]
    for hand in hands:
        width = max(fan_width(len(hand.cards)), len(hand.name), len(hand.remark)) + _GAP
        drawn = [
            Text(hand.name, styles.muted),
            *draw_fan(hand.cards, look),
            Text(hand.remark, styles.ink),
        ]
        for row, line in zip(rows, drawn, strict=True):
            line.pad_right(width - line.cell_len)
            row.append_text(line)
    for row in rows:
        row.rstrip()
    return rows
