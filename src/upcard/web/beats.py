"""The order in which the cards of the last move came, so that a page deals them one by one."""

from __future__ import annotations

from upcard.core.actions import Action
from upcard.table.events import Acted, DealerDealt, Dealt, Event, Revealed, RoundStarted


class Beats:
    """A number for each card that the last move brought, from 1; 0 for those from before."""

    def __init__(self) -> None:
        self.hands: list[list[int]] = []
        self.dealer: list[int] = []
        self.turned = -1
        """Index of the dealer's card that was turned up; -1 if none was."""
        self.last = 0
        self._hidden = -1

    def rest(self) -> None:
        """Take all cards for dealt."""
        self.hands = [[0] * len(hand) for hand in self.hands]
        self.dealer = [0] * len(self.dealer)
        self.turned = -1
        self.last = 0

    def hear(self, event: Event) -> None:
        """Give the cards of an event their numbers."""
        match event:
            case RoundStarted(bets):
                self.hands = [[] for _ in bets]
                self.dealer = []
                self.turned = self._hidden = -1
                self.last = 0
            case Dealt(hand):
                self.hands[hand].append(self._next())
            case DealerDealt(card):
                if card is None:
                    self._hidden = len(self.dealer)
                self.dealer.append(self._next())
            case Revealed():
                self.turn_up()
            case Acted(hand, Action.SPLIT):
                first, second = self.hands[hand]
                self.hands[hand : hand + 1] = [[first], [second]]

    def turn_up(self) -> None:
        """Give the hole card a number, as it is turned up."""
        if self._hidden >= 0:
            self.turned, self._hidden = self._hidden, -1
            self.dealer[self.turned] = self._next()

    def _next(self) -> int:
        self.last += 1
        return self.last
