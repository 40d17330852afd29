"""What happened at the table, as frozen public records.

Screens, stores, counters and statistics subscribe to these. Nothing secret is in them: a card
dealt face down has `card=None` and comes up in a later `Revealed`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from fractions import Fraction

    from upcard.core.actions import Action, Outcome
    from upcard.core.cards import Card


class Shuffled(NamedTuple):
    """The shoe was shuffled; `cards` are in it now, None if it never runs out."""

    cards: int | None


class RoundStarted(NamedTuple):
    """Bets are down, one a spot."""

    bets: tuple[Fraction, ...]


class Dealt(NamedTuple):
    """A player's hand got a card."""

    hand: int
    card: Card
    total: int


class DealerDealt(NamedTuple):
    """The dealer got a card; None if it lies face down. `total` counts the cards that are up."""

    card: Card | None
    total: int


class Peeked(NamedTuple):
    """The dealer looked at his hole card and said whether he has a natural."""

    has_natural: bool


class Revealed(NamedTuple):
    """The dealer turned his face-down cards up; `total` counts all his cards."""

    cards: tuple[Card, ...]
    total: int


class Acted(NamedTuple):
    """A player answered the table for a hand."""

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
