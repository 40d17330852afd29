"""Events at the table, as frozen public records.

Screens, stores, counters and statistics subscribe to these. They hold nothing secret: a card
dealt face down has `card=None` and is shown by a later `Revealed`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, TypeAlias

from upcard.core.actions import Action, Outcome
from upcard.core.cards import Card


class Shuffled(NamedTuple):
    """The shoe was shuffled and holds `cards`; None if it never runs out."""

    cards: int | None


class RoundStarted(NamedTuple):
    """Bets were placed, one a spot."""

    bets: tuple[Fraction, ...]


class Dealt(NamedTuple):
    """A player's hand got a card."""

    hand: int
    card: Card
    total: int


class DealerDealt(NamedTuple):
    """The dealer got a card; None if it is face down. `total` counts the cards that are up."""

    card: Card | None
    total: int


class Peeked(NamedTuple):
    """The dealer looked at the hole card and announced whether it makes a natural."""

    has_natural: bool


class Revealed(NamedTuple):
    """The dealer turned over the face-down cards; `total` counts all the dealer's cards."""

    cards: tuple[Card, ...]
    total: int


class Acted(NamedTuple):
    """A player acted on a hand."""

    hand: int
    action: Action


class DealerActed(NamedTuple):
    """The dealer draws (hit) or is done (stand)."""

    action: Action
    total: int


class InsuranceSettled(NamedTuple):
    """The insurance bet of a spot was paid or taken."""

    spot: int
    net: Fraction


class Settled(NamedTuple):
    """A hand was paid, pushed or taken."""

    hand: int
    outcome: Outcome
    total: int
    bet: Fraction
    net: Fraction


class RoundEnded(NamedTuple):
    """All bets are settled; `net` is over all hands, insurance included."""

    net: Fraction


Event: TypeAlias = (
    Shuffled
    | RoundStarted
    | Dealt
    | DealerDealt
    | Peeked
    | Revealed
    | Acted
    | DealerActed
    | InsuranceSettled
    | Settled
    | RoundEnded
)
