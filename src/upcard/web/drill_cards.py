"""Cards of a drill's question: the dealer's, your hands, groups that are shown, and the tray."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from upcard.core.cards import CARDS_PER_DECK
from upcard.rules.model import Rules

_TRAY_HEIGHT: Final = 100
_LEAST_SCALE: Final = 0.62
_QUARTERS: Final = 4
_STEPS: Final = 6
"""Heights with words of their own between two quarters of the tray."""
_MARKS: Final = ("the floor", "a quarter", "half", "three quarters", "the top")
_PARTS: Final = ("half", "a third", "a quarter", "a fifth", "a sixth", "a seventh", "an eighth")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayView:
    """A discard tray with one deck beside it: heights in percent of a full tray's picture."""

    height: float
    """Height of the tray."""
    pile: float
    """Height of the discarded cards in the tray."""
    deck: float
    """Height of the single deck beside the tray."""
    words: str
    """The picture in words: as much as an eye sees of it, and not the number of cards."""


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
        words=describe_tray(discards / full, rules.decks or 1),
    )


def describe_tray(share: float, decks: int) -> str:
    """Describe a pile that fills a `share` of the tray, to about a twenty-fourth of its height."""
    steps = round(share * _STEPS * _QUARTERS)
    passed, step = divmod(min(max(steps, 1), _STEPS * _QUARTERS), _STEPS)
    below, above = _MARKS[passed], _MARKS[min(passed + 1, _QUARTERS)]
    reaches = {
        0: f"{below}",
        1: f"just above {below}",
        2: f"a third of the way from {below} to {above}",
        3: f"midway between {below} and {above}",
        4: f"two thirds of the way from {below} to {above}",
        5: f"just below {above}",
    }[step]
    beside = "as high as the tray" if decks == 1 else f"{_PARTS[decks - 2]} as high as the tray"
    return (
        f"A discard tray. The pile in it reaches {reaches} of the tray. The deck beside it is"
        f" {beside}."
    )
