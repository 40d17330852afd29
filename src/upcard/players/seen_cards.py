"""Cards that a player has seen of the shoe: a listener of public events, and its snapshots."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from upcard.core.cards import FACES, TEN, Card
from upcard.core.errors import RulesError
from upcard.players.shoe_tracker import ShoeTracker
from upcard.rules.model import Rules


class Knowledge(StrEnum):
    """Cards that the coach takes as known."""

    FRESH = "fresh"
    """A fresh shoe, less the hands of this spot and the upcard, as in a chart."""
    SEEN = "seen"
    """Every card shown since the last shuffle, at all spots."""


FACE_INDEX: Final[Mapping[str, int]] = {face: index for index, face in enumerate(FACES)}


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """Known cards of a shoe at one moment; a value that other threads may use.

    Shape: `faces` has 13 entries, the cards seen of each face, ace to king.
    """

    faces: tuple[int, ...]
    never_shown: int = 0
    """Cards of earlier rounds that were never turned up; they count as not seen."""

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Self:
        """Return the state after seeing some cards of a fresh shoe."""
        seen = [card.face for card in cards]
        return cls(tuple(map(seen.count, FACES)))

    @property
    def cards(self) -> int:
        """Number of cards seen."""
        return sum(self.faces)


class SeenCards(ShoeTracker):
    """Counts the cards shown at a table; add `hear` to the table's listeners.

    A hole card counts when it is turned up. One that never is stays unseen, unless `finish_round`
    reports it, for dealers who show it when they pick up the cards.

    >>> from upcard.core.cards import Card
    >>> from upcard.rules.model import Rules
    >>> from upcard.table.events import Dealt
    >>> seen = SeenCards(Rules.parse("6D"))
    >>> seen.hear(Dealt(0, Card("5"), 5))
    >>> seen.look().cards
    1
    """

    def __init__(self, rules: Rules) -> None:
        self._faces = [0] * len(FACES)
        self.by_card: Counter[str] = Counter()
        """Number of cards seen by card, suits included, for bets that they matter to."""
        super().__init__(rules, see=self._count, forget=self._begin_count)

    def look(self) -> CardsSeen:
        """Return what is known now."""
        return CardsSeen(tuple(self._faces), self.never_shown)

    def _count(self, card: Card) -> None:
        self._faces[FACE_INDEX[card.face]] += 1
        self.by_card[str(card)] += 1

    def _begin_count(self) -> None:
        self._faces = [0] * len(FACES)
        self.by_card.clear()


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """Cards that the player has not seen: in the shoe, or face down.

    Shape: `unseen` has 11 entries by rank, entry 0 unused. They are whole numbers unless the
    composition is the expected one at a count.
    """

    unseen: tuple[float, ...]
    tens: tuple[int, ...] | None
    """Number of unseen T, J, Q and K; None if faces are not known."""
    told: str
    """Description of these cards."""
    never_shown: int = 0
    """Number of unseen cards face down among the discards."""

    def tens_like(self, face: str) -> int | None:
        """Return how many unseen cards have the face of a ten-valued card."""
        return None if self.tens is None else self.tens[FACES.index(face) - (TEN - 1)]


def compose(rules: Rules, seen: CardsSeen, told: str) -> Composition:
    """Return the full decks of `rules` without the cards seen."""
    full = rules.full_shoe
    left = [there - count for there, count in zip(full.faces, seen.faces, strict=True)]
    tens = tuple(left[TEN - 1 :])
    unseen = (0.0, *(float(count) for count in left[: TEN - 1]), float(sum(tens)))
    for rank, count in enumerate(unseen):
        if count < 0:
            there = full.counts[rank]
            raise RulesError(
                f"{there - count:.0f} cards of rank {FACES[rank - 1]} were seen, and"
                f" {full.in_words} ha{'ve' if full.decks != 1 else 's'} only {there}:"
                " name cards of one shoe"
            )
    if math.fsum(unseen) < 1:
        raise RulesError(f"all cards of {full.in_words} were seen: no card is left")
    # "T" without a suit stands for any ten, so a script of them has no faces.
    return Composition(
        unseen=unseen,
        tens=tens if min(tens) >= 0 else None,
        told=told,
        never_shown=seen.never_shown,
    )
