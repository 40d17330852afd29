"""The cards on the table as the events told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.core.actions import Action
from upcard.core.hands import hand_table
from upcard.rules.settings import HoleCard
from upcard.table.events import Acted, DealerDealt, Dealt, Revealed, RoundStarted

if TYPE_CHECKING:
    from upcard.core.cards import Card
    from upcard.rules.model import Rules
    from upcard.table.events import Event


class Board:
    """Follows the events of a round; knows what is public and no more."""

    def __init__(self, rules: Rules) -> None:
        """Start with an empty table."""
        self.rules = rules
        self.hands: list[list[Card]] = []
        self.totals: list[int] = []
        self.dealer: list[Card | None] = []
        self.dealer_total = 0
        self.is_revealed = False

    def hear(self, event: Event) -> None:
        """Take one event in."""
        match event:
            case RoundStarted(bets):
                self.hands = [[] for _ in bets]
                self.totals = [0] * len(bets)
                self.dealer = []
                self.dealer_total = 0
                self.is_revealed = False
            case Dealt(hand, card, total):
                self.hands[hand].append(card)
                self.totals[hand] = total
            case Acted(hand, Action.SPLIT):
                first, second = self.hands[hand]
                self.hands[hand : hand + 1] = [[first], [second]]
                self.totals[hand : hand + 1] = [0, 0]
            case DealerDealt(card, total):
                self.dealer.append(card)
                self.dealer_total = total
            case Revealed(cards, total):
                self.dealer = list(cards)
                self.dealer_total = total
                self.is_revealed = True

    @property
    def is_opening(self) -> bool:
        """Whether the opening cards are still being dealt."""
        dealer_cards = 1 if self.rules.hole_card is HoleCard.NONE else 2
        opening_cards = 2
        return len(self.dealer) < dealer_cards or any(
            len(hand) < opening_cards for hand in self.hands
        )

    def is_soft(self, cards: list[Card]) -> bool:
        """Whether an ace counts 11 in a hand."""
        table = hand_table(self.rules.ace_rule)
        return table.is_soft[table.state_of(card.rank for card in cards)]
