"""What the store gives back, as frozen values. Amounts are in chips, exact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime
    from fractions import Fraction

    from upcard.core.actions import Action, Outcome
    from upcard.core.cards import Card
    from upcard.fair.shoe import Commitment, Place, Reveal
    from upcard.rules.model import Rules
    from upcard.table.record import RoundRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """A session at one table: who, with whose chips, by which rules."""

    id: int
    profile: str
    house: str
    """The name of the house, empty for rules of one's own."""
    rules: Rules
    player: str
    """`person`, or the name of the bot."""
    company: str = ""
    """Who else sits at the table, as the front-end writes it; empty where nobody does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRound:
    """A round in the history; on its own, one that is not settled: begun, and answered so far."""

    session: SessionRecord
    number: int
    """1 for the first round of the session."""
    player_spots: tuple[int, ...]
    """The spots that are the person's, from 0; never empty."""
    record: RoundRecord
    """With the bets and answers of all spots, the company's too. The cards of an open round come
    from its seeds, those of a settled one from the key of its shoe once that is over."""

    @property
    def bets(self) -> tuple[Fraction, ...]:
        """The bet of each spot, before doubles, splits and insurance."""
        return self.record.bets

    @property
    def actions(self) -> tuple[Action, ...]:
        """The answers of all spots, in the order asked."""
        return self.record.actions


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredHand:
    """How one hand of a stored round ended."""

    spot: int
    cards: tuple[Card, ...]
    total: int
    outcome: Outcome
    bet: Fraction
    net: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledRound(SavedRound):
    """A round that is over, and what it was worth.

    Hands are those of all spots; what was won or lost is the person's own.
    """

    id: int
    shoe_id: int
    commitment: Commitment
    place: Place
    """Where it began in its shoe."""
    own_answers: tuple[int, ...]
    """Which of the answers, from 0, were given for the person's spots."""
    cards: tuple[Card, ...]
    """All the cards of the round, in the order dealt."""
    hands: tuple[StoredHand, ...]
    dealer: tuple[Card, ...]
    insurance_net: Fraction
    net: Fraction
    bankroll: Fraction
    """What the profile had after it."""
    started_at: datetime
    settled_at: datetime

    @property
    def initial_bet(self) -> Fraction:
        """What the person bet before the deal, on all own spots."""
        return sum((self.bets[spot] for spot in self.player_spots), start=self.net * 0)

    @property
    def own_hands(self) -> tuple[StoredHand, ...]:
        """The hands of the person's spots."""
        return tuple(hand for hand in self.hands if hand.spot in self.player_spots)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredShoe:
    """A shoe of a session; `reveal` is None while it is in play."""

    id: int
    session: SessionRecord
    number: int
    """1 for the first shoe of the session."""
    method: str
    commitment: Commitment
    reveal: Reveal | None
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementRecord:
    """What the coach said of one decision of a round."""

    step: int
    """The number of the decision in its round, from 0."""
    situation: str
    """The decision in short: `T6 v 9`."""
    category: str
    """The class of decision that leaks are added up by, such as `soft doubles`."""
    chosen: Action
    best: Action
    cost_ev: float
    """What the choice cost, per initial bet; 0 if it was the best."""
    cost_chips: float
    method: str
    """How the values were worked out, with the assumptions."""
