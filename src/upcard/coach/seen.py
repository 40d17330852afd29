"""What a player has seen of the shoe: a listener of public events, and frozen looks at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.core.cards import FACES, TEN, Card
from upcard.core.errors import RulesError
from upcard.table.events import DealerDealt, Dealt, Revealed, RoundEnded, RoundStarted, Shuffled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from upcard.rules.model import Rules
    from upcard.table.events import Event

_PER_FACE: Final = 4
_FACE_INDEX: Final[Mapping[str, int]] = {face: index for index, face in enumerate(FACES)}


@dataclass(frozen=True, slots=True)
class CardsSeen:
    """What is known of a shoe at one moment; a value that may be handed to another thread.

    Shape: `faces` has 13 entries, the cards seen of each face, ace to king.
    """

    faces: tuple[int, ...]
    never_shown: int = 0
    """Cards of earlier rounds that nobody turned up; they count as not seen."""

    @property
    def cards(self) -> int:
        """How many cards were seen."""
        return sum(self.faces)


class SeenCards:
    """Counts the cards that come to light at a table; add `hear` to the table's listeners.

    A hole card counts when it is turned up. One that never is stays unseen, unless `finish_round`
    tells it, as a dealer does who shows it when he picks the cards up.

    >>> from upcard.rules.model import Rules
    >>> seen = SeenCards(Rules.parse("6D"))
    >>> seen.hear(Dealt(0, Card("5"), 5))
    >>> seen.look().cards
    1
    """

    def __init__(self, rules: Rules) -> None:
        """Sit down at a freshly shuffled shoe."""
        self._cards = None if rules.decks is None else len(FACES) * _PER_FACE * rules.decks
        self._faces = [0] * len(FACES)
        self._on_table: list[Card] = []
        self._dealer_up: list[Card] = []
        self._left = self._cards
        self._hidden = 0
        self._never_shown = 0

    def look(self) -> CardsSeen:
        """Return what is known now."""
        return CardsSeen(tuple(self._faces), self._never_shown)

    def hear(self, event: Event) -> None:
        """Take in what happened at the table."""
        match event:
            case Shuffled(cards):
                self._start_shoe(cards)
            case RoundStarted():
                self._never_shown += self._hidden
                self._start_round()
            case Dealt(card=card):
                self._take_from_shoe()
                self._see(card)
            case DealerDealt(card=None):
                self._take_from_shoe()
                self._hidden += 1
            case DealerDealt(card=Card() as card):
                self._take_from_shoe()
                self._see(card)
                self._dealer_up.append(card)
            case Revealed(cards=shown):
                self.finish_round(shown)
            case RoundEnded():
                pass

    def finish_round(self, dealer_cards: Iterable[Card]) -> None:
        """See all the dealer's cards, of which some have been seen before."""
        known = list(self._dealer_up)
        for card in dealer_cards:
            if card in known:
                known.remove(card)
            else:
                self._see(card)
                self._dealer_up.append(card)
        self._hidden = 0

    def _start_shoe(self, cards: int | None) -> None:
        self._left = self._cards if cards is None else cards
        self._faces = [0] * len(FACES)
        self._never_shown = 0
        self._start_round()

    def _start_round(self) -> None:
        self._hidden = 0
        self._on_table.clear()
        self._dealer_up.clear()

    def _see(self, card: Card) -> None:
        self._faces[_FACE_INDEX[card.face]] += 1
        self._on_table.append(card)

    def _take_from_shoe(self) -> None:
        if self._left is None:
            return
        if not self._left and self._cards is not None:
            # The discards came back, shuffled: what lies on the table is all that is out.
            self._left = self._cards - len(self._on_table) - self._hidden
            self._faces = [0] * len(FACES)
            self._never_shown = 0
            for card in self._on_table:
                self._faces[_FACE_INDEX[card.face]] += 1
        self._left -= 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """The cards that the player has not seen: those in the shoe, and those that lie face down.

    Shape: `unseen` has 11 entries by rank, entry 0 unused. They are whole unless the composition
    is the one to be expected at a count.
    """

    unseen: tuple[float, ...]
    tens: tuple[int, ...] | None
    """Of the unseen, how many T, J, Q and K; None where faces are not known."""
    told: str
    """Which cards these are, for people."""
    never_shown: int = 0
    """Of the unseen, how many lie among the discards face down."""

    def tens_like(self, face: str) -> int | None:
        """Return how many unseen cards have the face of a ten-valued card."""
        return None if self.tens is None else self.tens[FACES.index(face) - (TEN - 1)]


def compose(rules: Rules, seen: CardsSeen, told: str) -> Composition:
    """Return what is left of the full decks of `rules` without the cards seen.

    Raises: RulesError naming a rank of which more were seen than there are, or if none is left.
    """
    decks = rules.decks or 1
    left = [_PER_FACE * decks - count for count in seen.faces]
    tens = tuple(left[TEN - 1 :])
    unseen = (0.0, *(float(count) for count in left[: TEN - 1]), float(sum(tens)))
    for rank, count in enumerate(unseen):
        if count < 0:
            msg = (
                f"{-count:.0f} more cards of rank {FACES[rank - 1]} were seen than {decks} decks"
                " have: tell the coach the cards of this shoe only"
            )
            raise RulesError(msg)
    if sum(unseen) < 1:
        msg = f"all cards of {decks} decks were seen: none is left to come"
        raise RulesError(msg)
    # "T" without a suit stands for any ten: a script of them says nothing about faces.
    return Composition(
        unseen=unseen,
        tens=tens if min(tens) >= 0 else None,
        told=told,
        never_shown=seen.never_shown,
    )
