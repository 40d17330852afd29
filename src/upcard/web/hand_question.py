"""The question of the hand analyser: what an address asks, and the address of what is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from upcard.core.cards import Card, parse_cards
from upcard.core.errors import BlackjackError, NotationError, as_sentence
from upcard.exact.solve import read_split_play
from upcard.exact.supported_rules import FULL_MEMORY, SplitPlay
from upcard.rules.model import Rules
from upcard.web.hand_values import compose_shown
from upcard.web.showing import address

if TYPE_CHECKING:
    from upcard.web.reading import Fields

_MOST_IN_HAND: Final = 12
_MOST_REMOVED: Final = 400
OFFERED_SPLITS: Final = tuple(play for play in SplitPlay if play not in FULL_MEMORY)
"""Split plays that are computed while you wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandQuestion:
    """A hand against an upcard, the cards out of the shoe, and how split hands are played."""

    rules: Rules
    cards: tuple[str, ...] = ()
    upcard: str = ""
    removed: tuple[str, ...] = ()
    splits: SplitPlay = SplitPlay.CDZ

    @property
    def seen(self) -> tuple[Card, ...]:
        """All cards that are not in the shoe, except a hole card."""
        return tuple(map(Card, filter(None, (*self.cards, self.upcard, *self.removed))))

    def link(self, **more: str) -> str:
        """Return its address."""
        fields = {
            "r": str(self.rules),
            "c": ".".join(self.cards),
            "u": self.upcard,
            "less": ".".join(self.removed),
            "splits": "" if self.splits is SplitPlay.CDZ else str(self.splits),
        }
        return address("/hand", **(fields | more))

    def put(self, place: str, rank: str) -> HandQuestion:
        """Return the question with one more card."""
        if place == "upcard":  # a second click takes it back
            return replace(self, upcard="" if self.upcard == rank else rank)
        if place == "less":
            return replace(self, removed=(*self.removed, rank))
        return replace(self, cards=(*self.cards, rank))

    def drop(self, place: str, index: int) -> HandQuestion:
        """Return the question without one of its cards."""
        if place == "upcard":
            return replace(self, upcard="")
        if place == "less":
            return replace(self, removed=_without(self.removed, index))
        return replace(self, cards=_without(self.cards, index))


def read_question(fields: Fields, default: Rules) -> tuple[HandQuestion, str]:
    """Read the question of an address, and what is wrong with it."""
    asked = HandQuestion(rules=default)
    try:
        text = fields.text("r")
        rules = Rules.parse(text) if text else default
        asked = HandQuestion(rules=rules)
        cards = read_cards(fields.text("c"), "hand", _MOST_IN_HAND)
        upcard = read_cards(fields.text("u"), "upcard", 1)
        removed = read_cards(fields.text("less"), "removed cards", _MOST_REMOVED)
        shown = replace(asked, cards=cards, upcard="".join(upcard), removed=removed)
        compose_shown(rules, shown.seen, 0)
        asked = replace(shown, splits=_read_splits(fields.text("splits")))
    except BlackjackError as error:
        return asked, as_sentence(str(error))
    return asked, ""


def read_cards(text: str, what: str, most: int) -> tuple[str, ...]:
    """Read cards with dots between them, by their face."""
    cards = parse_cards(text.replace(".", " ")) if text else ()
    if len(cards) > most:
        raise NotationError(f"{what}: {most} card{'s' * (most != 1)} at most, not {len(cards)}")
    return tuple(card.face for card in cards)


def _read_splits(text: str) -> SplitPlay:
    play = read_split_play(text) if text else SplitPlay.CDZ
    if play in FULL_MEMORY:
        raise NotationError(
            f"splits={play}: remembering every card takes seconds to minutes, so this page offers"
            f" {', '.join(OFFERED_SPLITS)}; upcard solve --splits {play} computes it"
        )
    return play


def _without(cards: tuple[str, ...], index: int) -> tuple[str, ...]:
    return cards[:index] + cards[index + 1 :]
