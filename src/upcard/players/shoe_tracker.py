"""`ShoeTracker`: which cards of a shoe have come to light, from nothing but public events."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.core.cards import Card
from upcard.strategy.counting import CARDS_PER_DECK
from upcard.table.events import DealerDealt, Dealt, Revealed, RoundEnded, RoundStarted, Shuffled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from upcard.table.events import Event


class ShoeTracker:
    """Follows a table's events and tells of each card once, when it is seen.

    - A shuffle begins anew; so does an empty shoe that takes the discards back, and then the cards
      that lie on the table are told again.
    - A card is seen when it is dealt face up.
    - The hole card is seen when it is turned up, or when `finish_round` tells it.
    """

    def __init__(
        self, decks: int | None, *, see: Callable[[Card], None], forget: Callable[[], None]
    ) -> None:
        """Sit down at a freshly shuffled shoe; `decks` is None for one that never runs out.

        `see` is told each card seen, `forget` that none of those told before counts any more.
        """
        self.cards = (decks or 0) * CARDS_PER_DECK
        """How many cards a full shoe has; 0 for one that never runs out."""
        self.cards_left = self.cards
        """How many of them are undealt, as everybody can see from the discards."""
        self.never_shown = 0
        """Cards of earlier rounds that nobody turned up."""
        self._tell = see
        self._forget = forget
        self._on_table: list[Card] = []
        self._dealer_up: list[Card] = []
        self._hidden = 0
        self._is_over = True

    @property
    def has_unshown(self) -> bool:
        """Whether the round is over and a card of it still lies face down."""
        return self._is_over and self._hidden > 0

    def hear(self, event: Event) -> None:
        """Take in what happened at the table."""
        match event:
            case Shuffled(cards):
                self.cards_left = self.cards if cards is None else cards
                self._begin_anew()
                self._clear_table()
            case RoundStarted():
                self.never_shown += self._hidden
                self._clear_table()
                self._is_over = False
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
                self._is_over = True

    def finish_round(self, dealer_cards: Iterable[Card]) -> None:
        """See all the dealer's cards, of which some have been seen before; twice counts once."""
        known = list(self._dealer_up)
        for card in dealer_cards:
            if card in known:
                known.remove(card)
            else:
                self._see(card)
                self._dealer_up.append(card)
        self._hidden = 0

    def _begin_anew(self) -> None:
        self.never_shown = 0
        self._forget()

    def _clear_table(self) -> None:
        self._hidden = 0
        self._on_table.clear()
        self._dealer_up.clear()

    def _see(self, card: Card) -> None:
        self._tell(card)
        self._on_table.append(card)

    def _take_from_shoe(self) -> None:
        if not self.cards:
            return
        if not self.cards_left:
            # The discards came back, shuffled: what lies on the table is all that is out.
            self.cards_left = self.cards - len(self._on_table) - self._hidden
            self._begin_anew()
            for card in self._on_table:
                self._tell(card)
        self.cards_left -= 1
