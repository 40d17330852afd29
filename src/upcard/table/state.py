"""A round in progress as one immutable value: setup, hands, and `TableView`, its public part.

The state knows the hole card; players never see it: they get a `TableView`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, NamedTuple, TypeAlias, TypeVar

from upcard.core.actions import Action, Outcome
from upcard.core.cards import Card, Rank
from upcard.core.errors import RulesError
from upcard.core.hands import EMPTY_HAND, HandTable, hand_table
from upcard.core.wager import Wager, WagerLike, read_wager
from upcard.rules.model import Rules
from upcard.rules.predicates import say_spots
from upcard.rules.settings import DealOrder, HoleCard
from upcard.table.side_stakes import NO_SIDE_BETS, SideBets, SideNeeds, place_side_bets, side_needs


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
    """One hand of a spot. Stakes are in chips, as int or Fraction."""

    cards: tuple[Card, ...]
    arithmetic_state: int
    total: int
    is_soft: bool
    stake: Fraction
    """Chips that are lost if it loses."""
    pays_on: Fraction
    """Chips on which a win pays; the stake in games without free bets."""
    initial_bet: Fraction
    spot: int
    split_rank: Rank = 0
    """Rank of the pair that this hand was split from, 0 if it was not split."""
    status: HandStatus = HandStatus.PLAYING
    turns: int = 0
    """Turns of this hand so far, for houses that play in turns."""
    declined_split: bool = False
    doubles: int = 0
    """How often it has doubled."""

    @property
    def bet(self) -> Fraction:
        """The stake, by the name that it has in the source documents."""
        return self.stake

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
    def is_free(self) -> bool:
        """Whether the house has paid for this hand: it wins a bet and loses none."""
        return not self.stake and self.pays_on > 0

    @property
    def is_pair(self) -> bool:
        """Whether these are two cards of the same value."""
        return len(self.cards) == 2 and self.cards[0].rank == self.cards[1].rank

    def __str__(self) -> str:
        """Write cards and total: `8D 5H (13)`, `A 6 (soft 17)`."""
        cards = " ".join(map(str, self.cards))
        soft = "soft " if self.is_soft and self.total < 21 else ""
        return f"{cards} ({soft}{self.total})"


T = TypeVar("T")

Target: TypeAlias = int
UPCARD: Final[Target] = -1
HOLE: Final[Target] = -2
DRAW: Final[Target] = -3
TURN_UP: Final[Target] = -4
"""A card turned up for side bets, where no hand took one after the deal."""


class Phase(StrEnum):
    """Stage of a round. Cards are due in DEAL and DEALER, answers in the four between."""

    DEAL = "deal"
    INSURANCE = "insurance"
    SURRENDER = "surrender"
    SWITCH = "switch"
    SPLIT = "split"
    PLAY = "play"
    DEALER = "dealer"
    OVER = "over"


OWN_OFFERS: Final = (Phase.SWITCH, Phase.SURRENDER, Phase.SPLIT)
"""Offers of their own, which a script declines by naming what comes after."""


class Setup(NamedTuple):
    """Constants of a round: the rules and what follows from them."""

    rules: Rules
    arithmetic: HandTable
    deal: tuple[Target, ...]
    """Targets of the opening cards, in order: a hand's index, UPCARD or HOLE."""
    up_index: int
    """Index of the upcard among the dealer's cards."""
    side: SideNeeds
    """The side bets of the house."""


class Insurance(NamedTuple):
    """The insurance bets of a round."""

    bets: tuple[Fraction | None, ...] = ()
    """Insurance bet of each spot; 0 if declined, None if not asked."""
    declined_even_money: tuple[int, ...] = ()
    """Hands that declined even money."""
    is_settled: bool = False
    net: Fraction = Fraction(0)

    def place(self, spot: int, bet: Fraction) -> Insurance:
        """Return the bets with that of one spot decided."""
        return self._replace(bets=(*self.bets[:spot], bet, *self.bets[spot + 1 :]))

    @property
    def is_open(self) -> bool:
        """Whether a bet waits for the dealer's hole card."""
        return not self.is_settled and any(self.bets)


class RoundState(NamedTuple):
    """State of a round. Apply a card when `awaits_card`, an action when `awaits_action`."""

    setup: Setup
    phase: Phase
    hands: tuple[Hand, ...]
    dealer: tuple[Card, ...] = ()
    dealer_state: int = EMPTY_HAND
    pending: tuple[Target, ...] = ()
    """Targets of the next cards."""
    active: int = -1
    """Index of the active hand, -1 if there is no question."""
    turn: int = 1
    insurance: Insurance = Insurance()
    is_revealed: bool = False
    """Whether no card of the dealer is face down: they were turned over, or dealt face up."""
    side: SideBets = NO_SIDE_BETS
    legal: tuple[Action, ...] = ()
    """Actions that are legal now; empty while a card is due."""
    results: tuple[tuple[Outcome, Fraction], ...] = ()
    """Outcome and net of each hand, once the round is over."""
    net: Fraction = Fraction(0)
    """Won or lost over all hands, insurance and side bets included, once the round is over."""

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self.setup.rules

    @property
    def awaits_card(self) -> bool:
        """Whether a card is due next."""
        return bool(self.pending)

    @property
    def awaits_action(self) -> bool:
        """Whether a player's action is due next."""
        return self.active >= 0 and not self.pending

    @property
    def is_over(self) -> bool:
        """Whether everything is settled."""
        return self.phase is Phase.OVER

    @property
    def dealer_total(self) -> int:
        """Total of all the dealer's cards, the hole card included."""
        return self.setup.arithmetic.total[self.dealer_state]

    @property
    def dealer_has_natural(self) -> bool:
        """Whether the dealer's first two cards are 21."""
        return len(self.dealer) == 2 and self.dealer_total == 21

    @property
    def upcard(self) -> Card:
        """The dealer's upcard."""
        return self.dealer[self.setup.up_index]

    @property
    def shown_dealer_cards(self) -> tuple[Card, ...]:
        """The dealer's face-up cards."""
        if self.is_revealed:
            return self.dealer
        if not self.rules.shows_upcard:
            return ()
        if self.rules.hole_card is HoleCard.NONE:
            return self.dealer
        return self.dealer[self.setup.up_index : self.setup.up_index + 1]

    def give_hand(self, index: int, hand: Hand, pending: tuple[Target, ...]) -> RoundState:
        """Return the state with a hand replaced, and the cards that are due after it."""
        # Written out because `_replace` takes nearly twice the time; every card comes through here.
        setup, phase, hands, dealer, number, _, active, turn, insurance, is_up, side = self[:11]
        hands = (hand,) if len(hands) == 1 else (*hands[:index], hand, *hands[index + 1 :])
        return RoundState(
            setup, phase, hands, dealer, number, pending, active, turn, insurance, is_up, side
        )

    def give_dealer(self, card: Card, pending: tuple[Target, ...]) -> RoundState:
        """Return the state with a card added to the dealer's."""
        setup, phase, hands, dealer, number, _, active, turn, insurance, is_up, side = self[:11]
        dealer = (*dealer, card)
        number = setup.arithmetic.next_state[number][card.rank]
        return RoundState(
            setup, phase, hands, dealer, number, pending, active, turn, insurance, is_up, side
        )

    def give_turn_to_dealer(self, pending: tuple[Target, ...], *, is_revealed: bool) -> RoundState:
        """Return the state in which the players are done."""
        setup, _, hands, dealer, number, _, _, turn, insurance = self[:9]
        return RoundState(
            setup, Phase.DEALER, hands, dealer, number, pending, -1, turn, insurance, is_revealed,
            self.side,
        )  # fmt: skip


@lru_cache(maxsize=256)
def prepare(rules: Rules, spots: int) -> Setup:
    """Compute the setup of a round with `spots` bets."""
    if not rules.min_spots <= spots <= rules.max_spots:
        taken = say_spots(rules)
        raise RulesError(f"{spots} spots: {rules.name or 'these rules'} take {taken}")
    hands = tuple(range(spots))
    hole = () if rules.hole_card is HoleCard.NONE else (HOLE,)
    match rules.deal_order:
        case DealOrder.CASINO:
            deal = (*hands, UPCARD, *hands, *hole)
        case DealOrder.HANDS_UP_HOLE:
            deal = (*(hand for hand in hands for _ in range(2)), UPCARD, *hole)
        case DealOrder.HANDS_HOLE_UP:
            deal = (*(hand for hand in hands for _ in range(2)), *hole, UPCARD)
    up_index = 1 if hole and rules.deal_order is DealOrder.HANDS_HOLE_UP else 0
    return Setup(rules, hand_table(rules.ace_rule), deal, up_index, side_needs(rules))


Bets: TypeAlias = Iterable[WagerLike] | WagerLike
"""One bet for each spot, or one alone: a `Wager`, chips as an int or a Fraction, or a text such as
"2.5" or "10 21+3 2"."""


def start_round(rules: Rules, bets: Bets = (1,)) -> RoundState:
    """Place one bet a spot and start a round; its opening cards are due next."""
    wagers = read_wagers(bets)
    setup = prepare(rules, len(wagers))
    if rules.switch and len({wager.main for wager in wagers}) > 1:
        raise RulesError("the bets of the two hands are equal where their cards may be swapped")
    hands = tuple(
        Hand((), EMPTY_HAND, 0, False, wager.main, wager.main, wager.main, spot)
        for spot, wager in enumerate(wagers)
    )
    state = RoundState(
        *(setup, Phase.DEAL, hands),
        pending=setup.deal,
        insurance=_unasked(len(hands)),
        is_revealed=rules.shows_hole,
    )
    if any(wager.side for wager in wagers):
        return state._replace(side=place_side_bets(rules, wagers))
    return state


def read_wagers(bets: Bets) -> tuple[Wager, ...]:
    """Read the bets of a round, one for each spot."""
    if isinstance(bets, str | Wager | Mapping) or not isinstance(bets, Iterable):
        bets = (bets,)
    return tuple(map(read_wager, bets))


def wagers_of(state: RoundState) -> tuple[Wager, ...]:
    """Return the bets of a round before the deal, in the order of the spots."""
    first = {hand.spot: hand.initial_bet for hand in state.hands}
    stakes = state.side.stakes or ((),) * len(first)
    return tuple(Wager(first[spot], side) for spot, side in enumerate(stakes))


@cache
def _unasked(spots: int) -> Insurance:
    return Insurance((None,) * spots)


def order_deal(rules: Rules, hand: Iterable[T], upcard: T, rest: Iterator[T]) -> list[T]:
    """Return cards in the order in which the house deals them to one hand and the dealer.

    A hole card is the next of `rest`.
    """
    cards = iter(hand)
    return [
        upcard if target == UPCARD else next(rest if target == HOLE else cards)
        for target in prepare(rules, 1).deal
    ]


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
    side: SideBets = NO_SIDE_BETS

    @property
    def hole(self) -> Card | None:
        """The dealer's hole card, once it is dealt in a house that shows it; else None."""
        if not self.rules.shows_hole or len(self.dealer) < 2:
            return None
        first, second, *_ = self.dealer
        return second if self.upcard is first else first

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
    shown, is_seen = state.shown_dealer_cards, state.rules.shows_upcard
    return TableView(
        state.setup.rules,
        state.phase,
        state.hands,
        state.active,
        shown,
        state.upcard if len(state.dealer) > state.setup.up_index and is_seen else None,
        len(state.dealer) - len(shown),
        state.insurance.bets,
        state.side,
    )
