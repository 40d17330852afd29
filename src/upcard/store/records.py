"""Records that the store returns, as frozen values. Amounts are in chips, exact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime
    from fractions import Fraction

    from upcard.core.actions import Action, Outcome
    from upcard.core.cards import Card
    from upcard.fair.fair_shoe import Place
    from upcard.fair.seeds import Commitment, Reveal
    from upcard.rules.model import Rules
    from upcard.table.rounds import RoundRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """A session at one table: its profile, player and rules."""

    id: int
    profile: str
    house: str
    """Name of the house, empty for custom rules."""
    rules: Rules
    player: str
    """`person`, or the name of the bot."""
    company: str = ""
    """The others at the table, as the front-end writes them; empty if there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRound:
    """A round in the history; by this class an open one, with the answers so far."""

    session: SessionRecord
    number: int
    """Number in the session, from 1."""
    player_spots: tuple[int, ...]
    """Spots of the person, from 0; never empty."""
    record: RoundRecord
    """Bets and answers of all spots, the company's too. The cards of an open round come from its
    seeds, those of a settled one from the key of its shoe once that has ended."""

    @property
    def bets(self) -> tuple[Fraction, ...]:
        """Bet of each spot, before doubles, splits and insurance."""
        return self.record.bets

    @property
    def actions(self) -> tuple[Action, ...]:
        """Answers of all spots, in the order asked."""
        return self.record.actions


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredHand:
    """Result of one hand of a stored round."""

    spot: int
    cards: tuple[Card, ...]
    total: int
    outcome: Outcome
    bet: Fraction
    net: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledRound(SavedRound):
    """A round that is over, with its results.

    Hands are those of all spots; net and bankroll are the person's.
    """

    id: int
    shoe_id: int
    commitment: Commitment
    place: Place
    """Position in its shoe where it started."""
    own_answers: tuple[int, ...]
    """Answers, from 0, for the person's spots."""
    cards: tuple[Card, ...]
    """Cards of the round, in the order dealt."""
    hands: tuple[StoredHand, ...]
    dealer: tuple[Card, ...]
    insurance_net: Fraction
    net: Fraction
    bankroll: Fraction
    """Bankroll of the profile after it."""
    started_at: datetime
    settled_at: datetime

    @property
    def initial_bet(self) -> Fraction:
        """The person's bets before the deal, on all own spots."""
        return sum((self.bets[spot] for spot in self.player_spots), start=self.net * 0)

    @property
    def own_hands(self) -> tuple[StoredHand, ...]:
        """Hands of the person's spots."""
        return tuple(hand for hand in self.hands if hand.spot in self.player_spots)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredShoe:
    """A shoe of a session; `reveal` is None while it is in play."""

    id: int
    session: SessionRecord
    number: int
    """Number in the session, from 1."""
    method: str
    commitment: Commitment
    reveal: Reveal | None
    started_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementRecord:
    """Judgement of one decision of a round."""

    step: int
    """Number of the decision in its round, from 0."""
    situation: str
    """Short form of the decision: `T6 v 9`."""
    category: str
    """Class of the decision in leak reports, such as `soft doubles`."""
    chosen: Action
    best: Action
    cost_ev: float
    """Cost of the choice per initial bet; 0 for the best."""
    cost_chips: float
    method: str
    """Method of the values, with its assumptions."""
