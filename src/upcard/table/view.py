"""`TableView`: the public part of a round, which is all that players know."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from upcard.core.cards import Card
from upcard.core.hands import hand_table
from upcard.rules.model import Rules
from upcard.table.hand import Hand
from upcard.table.state import Phase, RoundState


class TableView(NamedTuple):
    """The public part of a round.

    It has no hole card and no order of the shoe before they are public, so a player cannot cheat.
    """

    rules: Rules
    phase: Phase
    hands: tuple[Hand, ...]
    active: int
    """Index of the active hand, -1 if there is no question."""
    dealer: tuple[Card, ...]
    """The dealer's face-up cards."""
    upcard: Card | None
    """The dealer's upcard; None where the house hides it, or before it is dealt."""
    hidden: int
    """Number of the dealer's face-down cards."""
    insurance: tuple[Fraction | None, ...]

    @property
    def dealer_total(self) -> int:
        """Total of the dealer's face-up cards."""
        table = hand_table(self.rules.ace_rule)
        return table.total[table.state_of(card.rank for card in self.dealer)]

    @property
    def hand(self) -> Hand:
        """The active hand."""
        return self.hands[self.active]


def view(state: RoundState) -> TableView:
    """Return the public part of a round."""
    shown = state.shown_dealer_cards
    return TableView(
        state.setup.rules,
        state.phase,
        state.hands,
        state.active,
        shown,
        state.upcard if shown and state.rules.shows_upcard else None,
        len(state.dealer) - len(shown),
        state.insurance.bets,
    )
