"""Cards as boxes six columns wide, stacked, hand beside hand (document 001)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from upcard.core.cards import Card
from upcard.documents.console import Console, pad

COLUMNS: Final = 6
_ROUND: Final = ("╭────╮", "╰────╯", "│", "▒")
_PLAIN: Final = ("+----+", "+----+", "|", "#")


class Column(NamedTuple):
    """One hand to draw; a card that is None is face down."""

    cards: Sequence[Card | None]
    mark: str = ""
    """A word above the cards: PLAY or DEAL."""
    value: str = ""
    status: str = ""


def draw_columns(columns: Sequence[Column], console: Console, gap: int = 1) -> list[str]:
    """Draw hands side by side, one blank between them, the value under each.

    The last column, the dealer's, is separated by `gap` more blanks.
    """
    drawn = [draw_hand(column.cards, console) for column in columns]
    lines = [[""] * len(columns) for _ in range(max(map(len, drawn)) + 3)]
    for index, (column, boxes) in enumerate(zip(columns, drawn, strict=True)):
        # A value is directly under its own hand, so it is higher under a shorter hand.
        words = (column.mark, column.value, column.status)
        mark, value, status = (word.center(COLUMNS) for word in words)
        for row, text in enumerate((mark, *boxes, value, status)):
            lines[row][index] = text
    return [_join(line, gap) for line in lines if any(text.strip() for text in line)]


def _join(texts: Sequence[str], gap: int) -> str:
    *hands, last = (pad(text, COLUMNS) for text in texts)
    line = " ".join(hands) + (" " * (gap + 1) if hands else "") + last
    return line.rstrip()


def draw_hand(cards: Sequence[Card | None], console: Console) -> list[str]:
    """Draw a hand: two lines a card, then a blank line and the bottom edge: 2n + 2 lines."""
    top, bottom, side, back = _PLAIN if console.ascii_only else _ROUND
    lines: list[str] = []
    for card in cards:
        if card is None:
            inside = back * 4
        else:
            face = "10" if card.face == "T" else card.face
            inside = f"{pad(console.suit(card), 1)} {face:>2}"
        lines += [top, f"{side}{inside}{side}"]
    return [*lines, f"{side}    {side}", bottom] if lines else []
