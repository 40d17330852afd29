"""Cards of a drill's question: the dealer's, your hands, groups that are shown, and the tray."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from upcard.rules.model import Rules
from upcard.strategy.counting import CARDS_PER_DECK

_TRAY_HEIGHT: Final = 100
_LEAST_SCALE: Final = 0.62
_GROUPS: Final = {1: "one by one", 2: "by twos", 3: "by threes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayView:
    """A discard tray with one deck beside it: heights in percent of a full tray's picture."""

    height: float
    """Of the tray."""
    pile: float
    deck: float
    words: str
    """The picture in words, for those who cannot see it."""


def draw_tray(discards: int, rules: Rules) -> TrayView:
    """Return the picture of a tray, at another scale for every pile.

    So that its height does not become a measure: the deck beside the tray is the only one.
    """
    full = CARDS_PER_DECK * (rules.decks or 1)
    scale = Random(discards).uniform(_LEAST_SCALE, 1.0) * _TRAY_HEIGHT
    return TrayView(
        height=round(scale, 2),
        pile=round(scale * discards / full, 2),
        deck=round(scale * CARDS_PER_DECK / full, 2),
        words=f"{discards} cards are in the tray of a {rules.decks}-deck shoe.",
    )
