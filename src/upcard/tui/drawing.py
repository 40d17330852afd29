"""The table as a picture of lines: cards as boxes, fans if there is room, else stacks or words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import Final, NamedTuple

from rich.text import Text

from upcard.analysis.grades import Grade
from upcard.core.cards import SUIT_GLYPHS, Card, write_face
from upcard.session.table_view import HandView, view_dealer, view_hands
from upcard.table.events import Board
from upcard.tui.appearance import Appearance

PIPS_WIDTH: Final = 11
"""Columns inside a card from which on pips have room."""
CARD_WIDTH: Final = 6

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


def write_card(card: Card | None, look: Appearance) -> Text:
    """Write a card as a word in a line: `10♦`; `??` face down."""
    if card is None:
        return Text("??", look.paints.back)
    return Text(write_face(card.face) + write_suit(card, look), look.style_of(card))


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
            line.append(box.side, edge).append_text(text)
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
    rank, suit = write_face(card.face), write_suit(card, look)
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
            words = f"{write_suit(card, look):<1} {write_face(card.face):>2}"
            line.append(words, look.style_of(card))
        lines.append(line.append(box.side, edge))
    if not lines:
        return lines
    if not is_dense:
        lines.append(Text(box.side + " " * (CARD_WIDTH - 2) + box.side, edge))
    bottom = box.bottom_left + box.top * (CARD_WIDTH - 2) + box.bottom_right
    return [*lines, Text(bottom, edge)]


def _box(look: Appearance) -> _Edges:
    return _PLAIN if look.ascii_only else _ROUND


_GAP: Final = 2
_CAPTIONS: Final = 2
_NARROWEST: Final = 11
"""Columns of a fan's captions: `► basic 10`."""
_SHORT: Final = {"surrendered": "surr.", "even money": "even", "surrender": "surr."}


@dataclass(frozen=True, slots=True, kw_only=True)
class Styles:
    """The styles of words, as the theme has them."""

    ink: str = ""
    muted: str = "dim"
    active: str = "bold"
    good: str = "green"
    bad: str = "red"
    warn: str = "yellow"

    def of_grade(self, grade: Grade) -> str:
        """Return the style of an answer of this grade."""
        milder = {Grade.RIGHT: self.good, Grade.SLIP: self.ink, Grade.MISTAKE: self.warn}
        return milder.get(grade, self.bad)

    def of(self, gain: Fraction | float, *, even: str | None = None) -> str:
        """Return the style of a gain or a loss; `even` is that of neither."""
        if not gain:
            return self.muted if even is None else even
        return self.good if gain > 0 else self.bad


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The content of the table's drawing, and its look."""

    board: Board
    look: Appearance
    styles: Styles = Styles()
    active: int = -1
    """The active hand; -1 between questions."""
    names: Sequence[str] = ()
    """Who sits at each spot."""
    has_bets: bool = True


def draw_table(scene: Scene, *, width: int, height: int) -> list[Text]:
    """Draw the dealer and all hands within `width` columns and `height` lines.

    Fans in one row or several; else document 001's stacks with the dealer on the right;
    else a line a hand, those around the active one where not all fit.
    """
    board = scene.board
    hands = list(view_hands(board, scene.names, active=scene.active, has_bets=scene.has_bets))
    for size in SIZES:
        rows = _break_rows(hands, width, size)
        needed = size.height + 1 + len(rows) * (size.height + _CAPTIONS)
        if rows and needed <= height and fan_width(len(board.dealer), size) <= width:
            air = min((height - needed) // len(rows), size.height // 3)
            return _draw_fans(scene, rows, size, width=width, air=air)
    most = max([len(board.dealer), *(len(hand.cards) for hand in hands)], default=0)
    columns = len(hands) + 1
    if columns * (CARD_WIDTH + 1) + _GAP <= width:
        for is_dense in (False, True):
            if stack_height(most, is_dense=is_dense) + 4 <= height:
                return _draw_stacks(scene, hands, width=width, is_dense=is_dense)
    return _draw_lines(scene, hands, height=height)


def _head(hand: HandView) -> str:
    side = "".join(f" + {one}" for one in hand.side if not one.row)
    return f"{hand.name}: {hand.bet}{side}" if hand.bet else hand.name


def _width(hand: HandView, size: CardSize) -> int:
    foot = f"{hand.total} {hand.word}".rstrip()
    return max(fan_width(len(hand.cards), size), len(_head(hand)) + 2, len(foot), _NARROWEST)


def _break_rows(hands: list[HandView], width: int, size: CardSize) -> list[list[HandView]]:
    """Put hands into rows; none if a single one is too wide."""
    rows: list[list[HandView]] = []
    left = 0
    for hand in hands:
        columns = _width(hand, size) + _GAP
        if columns > width + _GAP:
            return []
        if not rows or left < columns:
            rows.append([])
            left = width + _GAP
        rows[-1].append(hand)
        left -= columns
    return rows


def _draw_fans(
    scene: Scene, rows: list[list[HandView]], size: CardSize, *, width: int, air: int
) -> list[Text]:
    board, look, styles = scene.board, scene.look, scene.styles
    title = Text("Dealer", styles.ink)
    if total := view_dealer(board).total:
        title.append(f" {total}", styles.active)
    lines = [_center(title, width)]
    lines += [_center(line, width) for line in draw_fan(board.dealer, look, size)]
    for row in rows:
        lines += [Text()] * air
        for parts in zip(*[_fan_block(scene, hand, size) for hand in row], strict=True):
            lines.append(_center(Text(" " * _GAP).join(parts), width))
    return lines


def _fan_block(scene: Scene, hand: HandView, size: CardSize) -> list[Text]:
    look, styles = scene.look, scene.styles
    arrow = _arrow(look) if hand.is_active else ""
    head = Text(f"{arrow}{_head(hand)}", styles.active if hand.is_active else styles.ink)
    foot = Text(hand.total, styles.active if hand.is_active else styles.ink)
    if hand.word:
        foot.append(f" {hand.word}", styles.of(hand.net))
    block = [head, *draw_fan(hand.cards, look, size), foot]
    return [_center(line, _width(hand, size)) for line in block]


def _draw_stacks(scene: Scene, hands: list[HandView], *, width: int, is_dense: bool) -> list[Text]:
    """Draw hands side by side, the dealer last with a gap, the totals beneath each hand."""
    board, look, styles = scene.board, scene.look, scene.styles
    pitch = min((width - _GAP) // (len(hands) + 1), 12)
    columns = [_stack_column(scene, hand, is_dense=is_dense, room=pitch - 1) for hand in hands]
    total = view_dealer(board).total
    dealer = [Text("Dealer", styles.ink), Text()]
    dealer += draw_stack(board.dealer, look, is_dense=is_dense)
    dealer += [Text(total[: pitch - 1] if "soft" not in total else total[5:], styles.active)]
    columns.append(dealer)
    lines = []
    for *cells, last in zip_longest(*columns, fillvalue=Text()):
        line = Text().join(_center(cell, pitch) for cell in cells)
        lines.append(_center(line.append(" " * _GAP).append_text(_center(last, pitch)), width))
    return lines


def _stack_column(scene: Scene, hand: HandView, *, is_dense: bool, room: int) -> list[Text]:
    look, styles = scene.look, scene.styles
    style = styles.active if hand.is_active else styles.ink
    arrow = _arrow(look) if hand.is_active else ""
    words = hand.word.split()
    word = _SHORT.get(hand.word, words[0] if words else "")
    amount = words[-1] if len(words) > 1 and words[-1][0] in "+-" else ""
    return [
        Text(f"{arrow}{hand.name}"[:room], style),
        Text(hand.bet[:room], styles.muted),
        *draw_stack(hand.cards, look, is_dense=is_dense),
        Text(hand.short_total[:room], style),
        Text((amount or word)[:room], styles.of(hand.net)),
    ]


def _draw_lines(scene: Scene, hands: list[HandView], *, height: int) -> list[Text]:
    """Write a line for the dealer and one for each hand; those around the active one if need be."""
    board, look, styles = scene.board, scene.look, scene.styles
    lines = [_word_line(scene, "Dealer", board.dealer, view_dealer(board).total)]
    room = max(height - 1, 1)
    active = next((index for index, hand in enumerate(hands) if hand.is_active), 0)
    first = min(max(active - room // 2, 0), max(len(hands) - room, 0))
    for hand in hands[first : first + room]:
        arrow = _arrow(look) if hand.is_active else ""
        line = _word_line(scene, f"{arrow}{_head(hand)}", hand.cards, hand.total)
        if hand.word:
            line.append(f" {hand.word}", styles.of(hand.net))
        lines.append(line)
    hidden = len(hands) - room
    if hidden > 0:
        lines[-1].append(f" {'...' if look.ascii_only else '…'} {hidden} more", styles.muted)
    return lines


def _word_line(scene: Scene, name: str, cards: Sequence[Card | None], total: str) -> Text:
    line = Text(f"{name:<14}", scene.styles.ink).append_text(write_cards(cards, scene.look))
    return line.append(f"  {total}", scene.styles.active)


def _arrow(look: Appearance) -> str:
    return "> " if look.ascii_only else "► "


def _center(text: Text, width: int) -> Text:
    left = max(width - text.cell_len, 0) // 2
    line = Text(" " * left).append_text(text)
    return line.append(" " * max(width - line.cell_len, 0))
