"""A player's hand at the table: immutable and public, with its bet and status."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from upcard.core.cards import Card, Rank


class HandStatus(StrEnum):
    """Status of a hand before it is settled."""

    PLAYING = "playing"
    NATURAL = "natural"
    TWENTY_ONE = "twenty-one"
    STOOD = "stood"
    DOUBLED = "doubled"
    BUST = "bust"
    SURRENDERED = "surrendered"
    EVEN_MONEY = "even money"
    WON = "won"
    """Won at once, before the dealer plays."""


class Hand(NamedTuple):
    """One hand of a spot. Bets are in chips, as int or Fraction."""

    cards: tuple[Card, ...]
    arithmetic_state: int
    total: int
    is_soft: bool
    bet: Fraction
    initial_bet: Fraction
    spot: int
    split_rank: Rank = 0
    """Rank of the pair that this hand was split from, 0 if it was not split."""
    status: HandStatus = HandStatus.PLAYING
    turns: int = 0
    """Turns of this hand so far, for houses that play in turns."""
    declined_split: bool = False

    @property
    def is_natural(self) -> bool:
        """Whether this hand counts as a natural by the rules in force."""
        return self.status is HandStatus.NATURAL or self.status is HandStatus.EVEN_MONEY

    @property
    def is_live(self) -> bool:
        """Whether the player still acts on this hand."""
        return self.status is HandStatus.PLAYING

    @property
    def is_split(self) -> bool:
        """Whether this hand came from a split."""
        return self.split_rank != 0

    @property
    def is_pair(self) -> bool:
        """Whether these are two cards of the same value."""
        return len(self.cards) == 2 and self.cards[0].rank == self.cards[1].rank

    def __str__(self) -> str:
        """Write cards and total: `8D 5H (13)`, `A 6 (soft 17)`."""
        cards = " ".join(map(str, self.cards))
        soft = "soft " if self.is_soft and self.total < 21 else ""
        return f"{cards} ({soft}{self.total})"
