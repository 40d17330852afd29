"""A table's question as the coach reads it from a view, and the cards that the player has seen."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from upcard.core import errors, hands
from upcard.core.actions import Action
from upcard.core.cards import Card, Rank, rank_name, read_rank
from upcard.rules import predicates, settings
from upcard.rules.model import Rules
from upcard.strategy.chart import column_key
from upcard.table.state import Hand, HandStatus, Phase, TableView

_ASKING: Final = (Phase.INSURANCE, Phase.SURRENDER, Phase.SWITCH, Phase.SPLIT, Phase.PLAY)


class HandClass(StrEnum):
    """Kinds of decisions, by which drills and leak reports are sorted."""

    HARD = "hard"
    SOFT = "soft"
    PAIR = "pair"
    SURRENDER = "surrender"
    """Surrender as a separate offer."""
    INSURANCE = "insurance"
    EVEN_MONEY = "even money"
    SWITCH = "switch"
    """A swap of the second cards of two hands."""
    DOUBLED = "doubled"
    """A hand that has doubled and is asked again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The table's question about one hand, from public information only."""

    rules: Rules
    phase: Phase
    legal: tuple[Action, ...]
    cards: tuple[Card, ...]
    """Cards of the hand, in the order dealt."""
    total: int
    is_soft: bool
    upcard: Card
    hole: Card | None = None
    """The dealer's hole card; None unless the house shows it."""
    bet: Fraction
    """Initial bet of the hand, in chips."""
    split_rank: Rank = 0
    """Rank of the pair that the hand was split from, 0 if it was not split."""
    is_free: bool = False
    """Whether the house has paid for the hand: it wins a bet and loses none."""
    pair: Rank
    """Rank of the pair if the hand may be split, now or soon, else 0."""
    most_hands: int | None
    """Number of hands that this one may become, with the room left; None for no limit."""
    doubles: int = 0
    """How often the hand has doubled."""
    other: tuple[Card, ...] = ()
    """Cards of the other hand, if a swap with it is offered."""
    waiting_pairs: int = 0
    """Later hands of the spot that are the same pair and need the same room."""
    has_looked: bool
    """Whether a look has shown that the dealer has no natural; False where the hole card shows."""
    must_be_natural: bool = False
    """Whether it is known that the dealer has a natural, from a 21 that did not win at once."""
    is_insured: bool = False
    """Whether a spot has taken insurance."""
    spots: int = 1

    @property
    def ranks(self) -> tuple[Rank, ...]:
        """Ranks of the hand's cards."""
        return tuple(card.rank for card in self.cards)

    @property
    def hand_class(self) -> HandClass:
        """Kind of the decision."""
        if self.phase is Phase.INSURANCE:
            offered = Action.EVEN_MONEY in self.legal
            return HandClass.EVEN_MONEY if offered else HandClass.INSURANCE
        if self.phase is Phase.SURRENDER:
            return HandClass.SURRENDER
        if self.doubles:
            return HandClass.DOUBLED
        if self.phase is Phase.SWITCH:
            return HandClass.SWITCH
        if Action.SPLIT in self.legal:
            return HandClass.PAIR
        return HandClass.SOFT if self.is_soft else HandClass.HARD

    @property
    def label(self) -> str:
        """The hand as a row of a chart, as near as possible: `16`, `A7`, `88`; both at a swap."""
        if self.other:
            hands = (self.cards, self.other)
            return " and ".join("".join(rank_name(card.rank) for card in hand) for hand in hands)
        if self.pair:
            return rank_name(self.pair) * 2
        if not self.is_soft:
            return str(self.total)
        return f"A{self.total - 11}" if 13 <= self.total <= 20 else f"soft {self.total}"

    @property
    def key(self) -> str:
        """The situation in one line, equal for all that a chart treats alike: `hard 16 v T`.

        Free hands have a chart of their own: `free hard 16 v T`.
        """
        free = "free " * self.is_free
        dealer = " ".join(rank_name(card.rank) for card in self.dealer)
        return f"{free}{self.hand_class} {self.label} v {dealer}"

    @property
    def column(self) -> str:
        """The dealer's cards as a column of a chart."""
        return column_key(*self.dealer_ranks)

    @property
    def dealer_ranks(self) -> tuple[Rank, Rank]:
        """The ranks of the upcard, and of the hole card where it shows: else 0."""
        return self.upcard.rank, 0 if self.hole is None else self.hole.rank

    @property
    def dealer(self) -> tuple[Card, ...]:
        """The upcard, and the hole card where the house shows it."""
        return (self.upcard,) if self.hole is None else (self.upcard, self.hole)

    def __str__(self) -> str:
        return f"{self.hands_text} v {' '.join(map(str, self.dealer))}"

    @property
    def hands_text(self) -> str:
        """The cards that the question is about: of one hand, or of both whose cards are swapped."""
        hands = (self.cards, self.other) if self.other else (self.cards,)
        return " and ".join(" ".join(map(str, hand)) for hand in hands)


def place_in_chart(key: str) -> str:
    """Return the key of a situation by the column of a chart: `hard 16 v T 6` is `hard 16 v 16`."""
    name, _, dealer = key.rpartition(" v ")
    if " " not in dealer:
        return key
    return f"{name} v {column_key(*map(read_rank, dealer.split()))}"


def read_question(view: TableView, legal: tuple[Action, ...]) -> Question:
    """Read the current question of the table."""
    if view.active < 0 or view.phase not in _ASKING or not legal:
        msg = f"the table asks nothing now (phase: {view.phase}): there is nothing to advise"
        raise errors.IllegalActionError(msg)
    if view.upcard is None:
        raise errors.IllegalActionError("the upcard is hidden: there is nothing to decide by")
    hand = view.hand
    of_spot = sum(other.spot == hand.spot for other in view.hands)
    rank = hand.cards[0].rank
    room = predicates.hands_left(
        view.rules, spot_hands=of_spot, all_hands=len(view.hands), rank=rank
    )
    # Actions that the player's chips do not cover are not in `legal`.
    may_ask = Action.SPLIT in legal or view.phase is not Phase.PLAY
    is_later = view.phase is Phase.PLAY and view.rules.turn_order is settings.TurnOrder.SPLITS_FIRST
    is_open = (
        may_ask
        and view.phase is not Phase.SWITCH
        and not (is_later or room == 0 or hand.declined_split)
    )
    refused = predicates.why_not_split(view.rules, hand.cards, split_rank=hand.split_rank)
    pair = rank if is_open and refused is None and not hand.doubles else 0
    looked = _has_looked(view)
    return Question(
        rules=view.rules,
        phase=view.phase,
        legal=legal,
        cards=hand.cards,
        total=hand.total,
        is_soft=hand.is_soft,
        upcard=view.upcard,
        hole=view.hole,
        bet=hand.initial_bet,
        split_rank=hand.split_rank,
        is_free=hand.is_free,
        pair=pair,
        most_hands=(None if room is None else room + 1) if pair else 1,
        doubles=hand.doubles,
        other=view.hands[1].cards if view.phase is Phase.SWITCH else (),
        waiting_pairs=_count_waiting(view, hand) if pair and room is not None else 0,
        has_looked=looked,
        must_be_natural=(
            view.rules.player_21 is settings.Player21.WINS
            and view.phase is Phase.PLAY
            and hand.total == hands.BUST_LIMIT
            and not looked
        ),
        is_insured=any(view.insurance),
        spots=len({other.spot for other in view.hands}),
    )


def may_double_now(question: Question) -> bool:
    """Whether the rules let the hand double, now or in its turn."""
    return predicates.may_double(
        question.rules,
        cards=len(question.cards),
        total=question.total,
        is_soft=question.is_soft,
        split_rank=question.split_rank,
    )


def may_stand_now(question: Question) -> bool:
    """Whether the rules let the hand stand, now or in its turn."""
    return predicates.may_stand(
        question.rules, total=question.total, split_rank=question.split_rank
    )


def _has_looked(view: TableView) -> bool:
    """Whether the dealer has looked at the hole card, and the round continued."""
    rules = view.rules
    if view.upcard is None or rules.shows_hole or rules.hole_card is settings.HoleCard.NONE:
        return False
    # A 21 that won at once implies that the dealer has less.
    tells = rules.player_21 is settings.Player21.WINS and any(
        hand.status is HandStatus.WON and hand.total == hands.BUST_LIMIT for hand in view.hands
    )
    is_early = view.phase is Phase.SURRENDER and predicates.is_early_surrender(rules)
    if is_early or view.phase is Phase.INSURANCE:
        return False
    if rules.hole_card is settings.HoleCard.PEEK:
        return predicates.may_complete_natural(view.upcard.rank)
    return tells or any(view.insurance)


def _count_waiting(view: TableView, hand: Hand) -> int:
    """Count the other live, undecided hands of the spot that are the same pair."""
    return sum(
        index != view.active
        and other.spot == hand.spot
        and other.is_live
        and not other.declined_split
        and predicates.is_pair(view.rules, other.cards)
        and predicates.is_pair(view.rules, (other.cards[0], hand.cards[0]))
        for index, other in enumerate(view.hands)
    )
