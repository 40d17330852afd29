"""Cards as boxes: a fan beside one another, a stack below one another, or a word in a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rich.text import Text

from upcard.core.cards import SUIT_GLYPHS, Card
from upcard.tui.appearance import Appearance

PIPS_WIDTH: Final = 11
"""Columns inside a card from which on pips have room."""

_LEFT, _MIDDLE, _RIGHT = 0, 1, 2
_TOP, _BOTTOM = 0.0, 1.0
_CORNERS: Final = ((_LEFT, _TOP), (_RIGHT, _TOP), (_LEFT, _BOTTOM), (_RIGHT, _BOTTOM))
_SIDES: Final = ((_LEFT, 0.5), (_RIGHT, 0.5))
_EIGHT: Final = (*_CORNERS, (_LEFT, 1 / 3), (_RIGHT, 1 / 3), (_LEFT, 2 / 3), (_RIGHT, 2 / 3))
_ENDS: Final = ((_MIDDLE, _TOP), (_MIDDLE, _BOTTOM))
_CENTRE: Final = ((_MIDDLE, 0.5),)
_PLACES: Final[Mapping[str, tuple[tuple[int, float], ...]]] = {
    "2": _ENDS,
    "3": (*_ENDS, *_CENTRE),
    "4": _CORNERS,
    "5": (*_CORNERS, *_CENTRE),
    "6": (*_CORNERS, *_SIDES),
    "7": (*_CORNERS, *_SIDES, (_MIDDLE, 0.25)),
    "8": (*_CORNERS, *_SIDES, (_MIDDLE, 0.25), (_MIDDLE, 0.75)),
    "9": (*_EIGHT, *_CENTRE),
    "T": (*_EIGHT, (_MIDDLE, 1 / 6), (_MIDDLE, 5 / 6)),
}
"""Column and height of each pip; aces and court cards have one in the centre."""


def draw_pips(card: Card, suit: str, width: int, height: int) -> list[str]:
    """Draw the pips of a card in `width` columns and `height` lines."""
    rows = [[" "] * width for _ in range(height)]
    columns = (width // 4 - 1, width // 2, width - width // 4)
    for column, down in _PLACES.get(card.face, _CENTRE):
        rows[round(down * (height - 1))][columns[column]] = suit
    return ["".join(row) for row in rows]


CARD_WIDTH: Final = 6


class CardSize(NamedTuple):
    """How large the cards of a fan are, in columns and lines, edges included."""

    width: int
    height: int
    step: int
    """How much of a covered card is seen."""


SMALL: Final = CardSize(CARD_WIDTH, 4, 3)
LARGE: Final = CardSize(9, 6, 4)
HUGE: Final = CardSize(13, 9, 5)
GIANT: Final = CardSize(17, 12, 6)
SIZES: Final = (GIANT, HUGE, LARGE, SMALL)
"""From the largest that a screen may have room for."""


class _Edges(NamedTuple):
    """The characters of a box."""

    top_left: str
    top: str
    top_right: str
    side: str
    bottom_left: str
    bottom_right: str
    back: str


_ROUND: Final = _Edges("╭", "─", "╮", "│", "╰", "╯", "▒")
_PLAIN: Final = _Edges("+", "-", "+", "|", "+", "+", "#")


def fan_width(cards: int, size: CardSize = SMALL) -> int:
    """Return the columns of a fan of `cards` cards."""
    return size.step * (cards - 1) + size.width if cards else 0


def stack_height(cards: int, *, is_dense: bool = False) -> int:
    """Return the lines of a stack of `cards` cards: document 001's 2n + 2, dense n + 2."""
    return 0 if not cards else (cards if is_dense else 2 * cards) + 2


def write_suit(card: Card, look: Appearance) -> str:
    """Return the sign of a card's suit, empty if it has none."""
    return SUIT_GLYPHS.get(card.suit, "") if look.has_glyphs else card.suit


def write_face(card: Card) -> str:
    """Return the face as players write it: a ten is `10`."""
    return "10" if card.face == "T" else card.face


def write_card(card: Card | None, look: Appearance) -> Text:
    """Write a card as a word in a line: `10♦`; `??` face down."""
    if card is None:
        return Text("??", look.paints.back)
    return Text(write_face(card) + write_suit(card, look), look.style_of(card))


def write_cards(cards: Sequence[Card | None], look: Appearance) -> Text:
    """Write cards as words with blanks between."""
    return Text(" ").join(write_card(card, look) for card in cards)


def draw_fan(cards: Sequence[Card | None], look: Appearance, size: CardSize = SMALL) -> list[Text]:
    """Draw cards beside one another, each covering most of the one before."""
    box, edge = _box(look), look.paints.edge
    lines = [Text() for _ in range(size.height)]
    if not cards:
        return lines
    for number, card in enumerate(cards, start=1):
        is_covered = number < len(cards)
        inside = size.step - 1 if is_covered else size.width - 2
        lines[0].append(box.top_left + box.top * inside, edge)
        lines[-1].append(box.bottom_left + box.top * inside, edge)
        faces = _face_lines(card, inside, size.height - 2, look, is_covered=is_covered)
        for line, text in zip(lines[1:-1], faces, strict=True):
            line.append(box.side, edge)
            line.append_text(text)
    lines[0].append(box.top_right, edge)
    for line in lines[1:-1]:
        line.append(box.side, edge)
    lines[-1].append(box.bottom_right, edge)
    return lines


def _face_lines(
    card: Card | None, width: int, height: int, look: Appearance, *, is_covered: bool
) -> list[Text]:
    """Return the lines inside a card of a fan: its rank on top, its suit beneath."""
    if card is None:
        return [Text(_box(look).back * width, look.paints.back) for _ in range(height)]
    style = look.style_of(card)
    rank, suit = write_face(card), write_suit(card, look)
    rows = [""] * height
    rows[0] = f"{rank:<{width}}"
    if is_covered:
        rows[1] = f"{suit:<{width}}"
    elif width >= PIPS_WIDTH and suit:
        rows = [f"{rank:<2}{row}{rank:>2}" for row in draw_pips(card, suit, width - 4, height)]
        rows[1:] = [f"{'':<2}{row[2:]}" for row in rows[1:]]
        rows[:-1] = [f"{row[:-2]}{'':<2}" for row in rows[:-1]]
    else:
        rows[height // 2] = f"{suit:^{width}}"
        if height > 2:
            rows[-1] = f"{rank:>{width}}"
    return [Text(f"{row:<{width}}", style) for row in rows]


def draw_stack(
    cards: Sequence[Card | None], look: Appearance, *, is_dense: bool = False
) -> list[Text]:
    """Draw cards below one another, as document 001 does: six columns, two lines a card.

    `is_dense` leaves the top edges out: a line a card.
    """
    box, edge = _box(look), look.paints.edge
    top = Text(box.top_left + box.top * (CARD_WIDTH - 2) + box.top_right, edge)
    lines: list[Text] = []
    for number, card in enumerate(cards):
        if not (number and is_dense):
            lines.append(top)
        line = Text(box.side, edge)
        if card is None:
            line.append(box.back * (CARD_WIDTH - 2), look.paints.back)
        else:
            line.append(f"{write_suit(card, look):<1} {write_face(card):>2}", look.style_of(card))
        lines.append(line.append(box.side, edge))
    if not lines:
        return lines
    if not is_dense:
        lines.append(Text(box.side + " " * (CARD_WIDTH - 2) + box.side, edge))
    bottom = box.bottom_left + box.top * (CARD_WIDTH - 2) + box.bottom_right
    return [*lines, Text(bottom, edge)]


def _box(look: Appearance) -> _Edges:
    return _PLAIN if look.ascii_only else _ROUND
