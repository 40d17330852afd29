"""A hand as it stood at the end of a round, in the review of a round and in a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.core.numbers import signed, with_minus
from upcard.web.round_list import CardName, name_card

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from upcard.core.cards import Card
    from upcard.table.state import RoundState


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalHand:
    """A hand at the end, the dealer's without outcome and net."""

    cards: tuple[CardName, ...]
    """The cards in the order in which they came."""
    total: int
    """The final total; above 21 is a bust."""
    outcome: str
    """How it ended: `win`, `lose`, `push`, `natural`, `bust`, `surrender`."""
    net: str
    """Net with its sign, in chips, or in units in a run; empty without bets."""


def view_final_hands(
    state: RoundState, show: Callable[[Card], CardName] = name_card, *, has_bets: bool = True
) -> Iterator[FinalHand]:
    """Iterate over the players' hands that have a result, in order."""
    for hand, (outcome, net) in zip(state.hands, state.results, strict=state.is_over):
        yield FinalHand(
            cards=tuple(map(show, hand.cards)),
            total=hand.total,
            outcome=str(outcome),
            net=with_minus(signed(net)) if has_bets else "",
        )


def view_final_dealer(state: RoundState, show: Callable[[Card], CardName] = name_card) -> FinalHand:
    """Return the dealer's hand."""
    cards = tuple(map(show, state.dealer))
    return FinalHand(cards=cards, total=state.dealer_total, outcome="", net="")
