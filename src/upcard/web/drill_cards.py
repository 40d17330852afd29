"""Cards of a drill's question: the dealer's, your hands, groups that are shown, and the tray."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from upcard.core.cards import Card
from upcard.drills.desk import DrillDesk
from upcard.drills.drill import Prompt
from upcard.drills.feedback_text import write_seconds
from upcard.drills.prompt_view import write_status
from upcard.rules.model import Rules
from upcard.strategy.counting import CARDS_PER_DECK
from upcard.table.state import RoundState

_TRAY_HEIGHT: Final = 100
_LEAST_SCALE: Final = 0.62
_GROUPS: Final = {1: "one by one", 2: "by twos", 3: "by threes"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FanView:
    """Some cards and their words; a card face down is None."""

    name: str
    cards: tuple[Card | None, ...]
    words: str
    is_active: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayView:
    """A discard tray with one deck beside it: heights in percent of a full tray's picture."""

    height: float
    """Of the tray."""
    pile: float
    deck: float
    words: str
    """The picture in words, for those who cannot see it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowingView:
    """Cards that are shown group by group; the page never has those to come."""

    cards: tuple[Card | None, ...]
    place: int
    """From 1 on; 0 before the first group."""
    of: int
    words: str
    best: str
    """The best time, where it is saved."""


def look_at_showing(desk: DrillDesk, prompt: Prompt) -> ShowingView:
    """Return the group of cards that is shown now."""
    place, groups = desk.place or 0, prompt.groups
    best = desk.run.best_seconds(prompt.item)
    how = _GROUPS.get(len(groups[0]), "") if desk.is_countdown else f"in {len(groups)} groups"
    cards: tuple[Card | None, ...] = (None,) * len(groups[0]) if place < 0 else groups[place]
    return ShowingView(
        cards=cards,
        place=place + 1,
        of=len(groups),
        words=f"{sum(map(len, groups))} cards {how}",
        best="" if best is None else write_seconds(best),
    )


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


def look_at_dealer(cards: Sequence[Card | None], words: str) -> FanView:
    """Return the dealer's cards with their words."""
    return FanView(name="Dealer", cards=tuple(cards), words=words)


def look_at_hands(state: RoundState) -> tuple[FanView, ...]:
    """Return your hands, one fan each."""
    is_single = len(state.hands) == 1
    return tuple(
        FanView(
            name="You" if is_single else f"Hand {index + 1}",
            cards=tuple(hand.cards),
            words=write_status(state, index),
            is_active=not state.is_over and index == state.active,
        )
        for index, hand in enumerate(state.hands)
    )
