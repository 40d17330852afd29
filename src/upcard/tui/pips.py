"""The pips of a large card: its suit as often as it counts, placed as on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from upcard.core.cards import Card

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
