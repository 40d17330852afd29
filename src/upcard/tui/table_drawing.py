"""The table as a picture of lines: fans of cards where there is room, stacks, and words at last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from rich.text import Text

from upcard.analysis.grades import Grade
from upcard.core.cards import Card
from upcard.session.table_view import HandView, view_dealer, view_hands
from upcard.table.events import Board
from upcard.tui.appearance import Appearance
from upcard.tui.cards import (
    CARD_WIDTH,
    SIZES,
    CardSize,
    draw_fan,
    draw_stack,
    fan_width,
    stack_height,
    write_cards,
)

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
        return {Grade.RIGHT: self.good, Grade.SLIP: self.ink, Grade.MISTAKE: self.warn}.get(
            grade, self.bad
        )

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
    found = view_hands(board, scene.names, active=scene.active, has_bets=scene.has_bets)
    hands = list(found)
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
    return f"{hand.name}: {hand.bet}" if hand.bet else hand.name


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
        pictures = [_fan_block(scene, hand, size) for hand in row]
        for parts in zip(*pictures, strict=True):
            lines.append(_center(Text(" " * _GAP).join(parts), width))
    return lines


def _fan_block(scene: Scene, hand: HandView, size: CardSize) -> list[Text]:
    """Draw a hand's name and bet, its cards, and what they count, all of one width."""
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
    tallest = max(map(len, columns))
    lines = []
    for row in range(tallest):
        line = Text()
        for number, column in enumerate(columns):
            if number == len(hands):
                line.append(" " * _GAP)
            cell = column[row] if row < len(column) else Text()
            line.append_text(_center(cell, pitch))
        lines.append(_center(line, width))
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
        more = "..." if look.ascii_only else "…"
        lines[-1].append(f" {more} {hidden} more", styles.muted)
    return lines


def _word_line(scene: Scene, name: str, cards: Sequence[Card | None], total: str) -> Text:
    look, styles = scene.look, scene.styles
    line = Text(f"{name:<14}", styles.ink)
    line.append_text(write_cards(cards, look))
    return line.append(f"  {total}", styles.active)


def _arrow(look: Appearance) -> str:
    return "> " if look.ascii_only else "► "


def _center(text: Text, width: int) -> Text:
    left = max(width - text.cell_len, 0) // 2
    line = Text(" " * left)
    line.append_text(text)
    return line.append(" " * max(width - line.cell_len, 0))
