"""What players may know: a `TableView` holds what is public and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from upcard.core.hands import hand_table

if TYPE_CHECKING:
    from fractions import Fraction

    from upcard.core.cards import Card
    from upcard.rules.model import Rules
    from upcard.table.hand import Hand
    from upcard.table.state import Phase, RoundState


class TableView(NamedTuple):
    """The public side of a round.

    The hole card and the order of the shoe are not in it before they are public, so whoever gets a
    view cannot cheat.
    """

    rules: Rules
    phase: Phase
    hands: tuple[Hand, ...]
    active: int
    """Index of the hand that is asked, -1 if none is."""
    dealer: tuple[Card, ...]
    """The dealer's cards that lie face up."""
    upcard: Card | None
    """The dealer's upcard; None where the house hides it, or before it is dealt."""
    hidden: int
    """How many of the dealer's cards lie face down."""
    insurance: tuple[Fraction | None, ...]

    @property
    def dealer_total(self) -> int:
        """What the dealer's cards that lie face up count."""
        table = hand_table(self.rules.ace_rule)
        return table.total[table.state_of(card.rank for card in self.dealer)]

    @property
    def hand(self) -> Hand:
        """The hand that is asked."""
        return self.hands[self.active]


def view(state: RoundState) -> TableView:
    """Return what the players may see of a round."""
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
