"""Events at the table as frozen public records, and the cards on the table that they report.

Screens, stores, counters and statistics subscribe to these. They hold nothing secret: a card
dealt face down has `card=None` and is shown by a later `Revealed`.
"""

from fractions import Fraction
from typing import NamedTuple, TypeAlias

from upcard.core.actions import Action, Outcome
from upcard.core.cards import Card
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.core.wager import Wager
from upcard.rules import predicates
from upcard.rules.model import Rules
from upcard.rules.settings import HoleCard


class Shuffled(NamedTuple):
    """The shoe was shuffled and holds `cards`; None if it never runs out."""

    cards: int | None


class RoundStarted(NamedTuple):
    """Bets were placed, one wager a spot."""

    bets: tuple[Wager, ...]


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


class SideBetSettled(NamedTuple):
    """A side bet was paid, returned or taken; `row` names what paid, `lost` if nothing did."""

    spot: int
    bet: str
    row: str
    stake: Fraction
    net: Fraction


class TurnedUp(NamedTuple):
    """A card was turned up for side bets, since no hand took one after the deal."""

    card: Card


class Settled(NamedTuple):
    """A hand was paid, pushed or taken."""

    hand: int
    outcome: Outcome
    total: int
    bet: Fraction
    net: Fraction


class RoundEnded(NamedTuple):
    """All bets are settled; `net` is over all hands, insurance and side bets included."""

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
    | SideBetSettled
    | TurnedUp
    | Settled
    | RoundEnded
)

_WORDS = {
    Action.STAND: "stood",
    Action.DOUBLE: "doubled",
    Action.SURRENDER: "surrendered",
    Action.EVEN_MONEY: "even money",
}


class Board:
    """Public cards and bets of a round, built from its events.

    `hands`, `totals`, `spots`, `bets`, `free`, `words` and `results` have an entry for each hand.
    """

    dealer: list[Card | None]

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._start(())

    def hear(self, event: Event) -> None:
        """Update the board with an event."""
        match event:
            case RoundStarted(bets):
                self._start(bets)
            case Dealt(hand, card, total):
                self.hands[hand].append(card)
                self.totals[hand] = total
                if total > BUST_LIMIT:
                    self.words[hand] = "bust"
            case Acted(hand, action):
                self._note(hand, action)
            case DealerDealt(card, total):
                self.dealer.append(card)
                self.dealer_total = total
            case Revealed(cards, total):
                self.dealer = list(cards)
                self.dealer_total = total
                self.is_revealed = True
            case Settled(hand=hand, bet=bet):
                self.results[hand] = event
                self.bets[hand] = bet
            case InsuranceSettled(spot, net):
                self.insurance[spot] = net
            case SideBetSettled(spot, bet):
                self.side[spot].pop(bet)
                self.side_results.append(event)
            case TurnedUp():
                self.turned_up.append(event.card)

    def _start(self, bets: tuple[Wager, ...]) -> None:
        self.hands: list[list[Card]] = [[] for _ in bets]
        self.totals = [0] * len(bets)
        self.spots = list(range(len(bets)))
        self.bets = [wager.main for wager in bets]
        """In chips, doubles included."""
        self.free = [Fraction(0)] * len(bets)
        """Chips that the house has added: they are won, and not lost."""
        self._mains = list(self.bets)
        self._doubles = [0] * len(bets)
        self.words = [""] * len(bets)
        """Last visible action of a hand: stood, doubled, bust; empty while it is played."""
        self.results: list[Settled | None] = [None] * len(bets)
        self.insurance: dict[int, Fraction] = {}
        """Bets of the spots that took insurance, then their results."""
        self.side = [dict(wager.side) for wager in bets]
        """Open side bets of each spot."""
        self.side_results: list[SideBetSettled] = []
        self.turned_up: list[Card] = []
        self.dealer = []
        self.dealer_total = 0
        self.is_revealed = self.rules.shows_hole

    def _note(self, hand: int, action: Action) -> None:
        self.words[hand] = _WORDS.get(action, "")
        match action:
            case Action.DOUBLE:
                added = self.free if self._doubles_free(hand) else self.bets
                main, doubles = self._mains[self.spots[hand]], self._doubles[hand]
                added[hand] += predicates.raise_of_double(self.rules, main, doubles)
                self._doubles[hand] += 1
            case Action.SWITCH:
                (_, second), (_, fourth) = self.hands
                for index, card in enumerate((fourth, second)):
                    self.hands[index][1] = card
                    self.totals[index] = self._total_of(self.hands[index])
            case Action.INSURANCE:
                self.insurance[self.spots[hand]] = self.bets[hand] / 2
            case Action.SPLIT:
                first, second = self.hands[hand]
                self.hands[hand : hand + 1] = [[first], [second]]
                self.totals[hand : hand + 1] = [0, 0]
                self.spots.insert(hand, self.spots[hand])
                main, house = self._mains[self.spots[hand]], Fraction(0)
                if predicates.splits_free(self.rules, first.rank):
                    main, house = house, main
                self.bets.insert(hand + 1, main)
                self.free.insert(hand + 1, house)
                self._doubles.insert(hand, 0)
                self.words.insert(hand, "")
                self.results.insert(hand, None)

    def _doubles_free(self, hand: int) -> bool:
        cards = self.hands[hand]
        is_soft = self.is_soft(cards)
        return predicates.doubles_free(
            self.rules, cards=len(cards), total=self.totals[hand], is_soft=is_soft
        )

    @property
    def is_opening(self) -> bool:
        """Whether the opening cards are still being dealt."""
        dealer_cards = 1 if self.rules.hole_card is HoleCard.NONE else 2
        return len(self.dealer) < dealer_cards or any(len(hand) < 2 for hand in self.hands)

    def _total_of(self, cards: list[Card]) -> int:
        table = hand_table(self.rules.ace_rule)
        return table.total[table.state_of(card.rank for card in cards)]

    def is_soft(self, cards: list[Card]) -> bool:
        """Whether an ace counts 11 in a hand."""
        table = hand_table(self.rules.ace_rule)
        return table.is_soft[table.state_of(card.rank for card in cards)]
