"""Actions that the rules allow now, and the refusals of all others."""

from dataclasses import dataclass
from typing import Final

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import IllegalActionError
from upcard.rules import predicates
from upcard.rules.model import Rules
from upcard.rules.settings import EvenMoney, TurnOrder
from upcard.table.state import Hand, HandStatus, Phase, RoundState

_TWO_CARDS: Final = 2


@dataclass(frozen=True, slots=True)
class Refusal:
    """An action that is refused, the reason, and the legal ones; its text is one line."""

    action: Action
    reason: str
    legal: tuple[Action, ...] = ()
    hand: Hand | None = None
    """The active hand; None if the reason does not depend on it."""
    dealer: tuple[Card, ...] = ()
    """The dealer's face-up cards."""

    def __str__(self) -> str:
        """Write it as `cannot split AD 7S (soft 18) v 4S: it is not a pair. Legal: hit, stand`."""
        legal = f". Legal: {', '.join(self.legal)}" if self.legal else ""
        return f"{self.without_legal}{legal}"

    @property
    def without_legal(self) -> str:
        """The text without the legal actions, for screens that show them elsewhere."""
        hand = "" if self.hand is None else f" {self.hand}"
        dealer = f" v {' '.join(map(str, self.dealer))}" if self.dealer else ""
        return f"cannot {self.action.verb}{hand}{dealer}: {self.reason}"

    def to_error(self) -> IllegalActionError:
        """Return the error for this refusal."""
        return IllegalActionError(
            str(self), action=self.action, reason=self.reason, legal=self.legal
        )


def legal_actions(state: RoundState) -> tuple[Action, ...]:
    """Return the actions that are legal now, in a fixed order; empty when a card is due."""
    return state.legal


def find_legal(state: RoundState, phase: Phase, index: int) -> tuple[Action, ...]:
    """Compute the actions that the rules allow hand `index` in `phase`."""
    hand = state.hands[index]
    if phase is Phase.PLAY:
        hit = () if _why_not_hit(state, hand) else (Action.HIT,)
        double = () if _why_not_double(state, hand) else (Action.DOUBLE,)
        split = () if _why_not_split_now(state, hand) else (Action.SPLIT,)
        surrender = () if _why_not_surrender(state, hand) else (Action.SURRENDER,)
        stand = () if _why_not_stand(state, hand) else (Action.STAND,)
        return (*hit, *stand, *double, *split, *surrender)
    if phase is Phase.INSURANCE:
        if is_offered_even_money(state, index):
            return (Action.EVEN_MONEY, Action.NO_EVEN_MONEY)
        return (Action.INSURANCE, Action.NO_INSURANCE)
    if phase is Phase.SURRENDER:
        return (Action.SURRENDER, Action.NO_SURRENDER)
    if phase is Phase.SWITCH:
        return (Action.SWITCH, Action.NO_SWITCH)
    return (Action.SPLIT, Action.NO_SPLIT)


def why_not(state: RoundState, action: Action) -> str | None:
    """Return why `action` is not legal now and what is; None if it is legal."""
    refusal = find_refusal(state, action)
    return None if refusal is None else str(refusal)


def find_refusal(state: RoundState, action: Action) -> Refusal | None:
    """Return why `action` is not legal now, in parts; None if it is legal."""
    if state.is_over:
        return Refusal(action, "the round is over")
    legal = state.legal
    if action in legal:
        return None
    if not legal:
        return Refusal(action, "a card must be dealt first")
    hand = state.hands[state.active]
    return Refusal(action, _reason(state, hand, action), legal, hand, state.shown_dealer_cards)


def _reason(state: RoundState, hand: Hand, action: Action) -> str:
    if state.phase is Phase.INSURANCE:
        asked = "even money" if is_offered_even_money(state, state.active) else "insurance"
        return f"the table asks about {asked}"
    if state.phase is not Phase.PLAY:
        asked = _ASKED.get(state.phase, "splitting")
        return f"the table asks about {asked}"
    check = {
        Action.HIT: _why_not_hit,
        Action.STAND: _why_not_stand,
        Action.DOUBLE: _why_not_double,
        Action.SPLIT: _why_not_split_now,
        Action.SURRENDER: _why_not_surrender,
    }.get(action)
    reason = check(state, hand) if check else None
    return reason or f"{action.offer} is not being offered"


_ASKED: Final = {Phase.SURRENDER: "surrender", Phase.SWITCH: "switching"}


def is_offered_even_money(state: RoundState, index: int) -> bool:
    """Whether hand `index` is offered insurance in the form of even money."""
    return (
        state.hands[index].status is HandStatus.NATURAL
        and state.rules.even_money is not EvenMoney.NEVER
        and index not in state.insurance.declined_even_money
    )


def can_split(state: RoundState, hand: Hand) -> bool:
    """Whether the rules let this hand be split."""
    return _why_not_split(state, hand) is None


def doubles_free(rules: Rules, hand: Hand) -> bool:
    """Whether the house would pay for a double of this hand."""
    return predicates.doubles_free(
        rules, cards=len(hand.cards), total=hand.total, is_soft=hand.is_soft
    )


def has_choice(state: RoundState, hand: Hand) -> bool:
    """Whether this live hand may do anything but stand."""
    one_card = predicates.gets_one_card(state.setup.rules, hand.split_rank)
    return not one_card or _why_not_split_now(state, hand) is None


def _why_not_hit(state: RoundState, hand: Hand) -> str | None:
    if hand.doubles:
        return "a doubled hand gets one card"
    if predicates.gets_one_card(state.setup.rules, hand.split_rank):
        return "split aces get one card each"
    return None


def _why_not_stand(state: RoundState, hand: Hand) -> str | None:
    rules = state.setup.rules
    return predicates.why_not_stand(
        rules, total=hand.total, split_rank=hand.split_rank, doubles=hand.doubles
    )


def _why_not_double(state: RoundState, hand: Hand) -> str | None:
    return predicates.why_not_double(
        state.setup.rules,
        cards=len(hand.cards),
        total=hand.total,
        is_soft=hand.is_soft,
        split_rank=hand.split_rank,
        doubles=hand.doubles,
    )


def _why_not_split_now(state: RoundState, hand: Hand) -> str | None:
    reason = _why_not_split(state, hand)
    if reason is None and state.rules.turn_order is TurnOrder.SPLITS_FIRST:
        return "splits were offered before"
    return reason


def _why_not_split(state: RoundState, hand: Hand) -> str | None:
    if not hand.is_pair:  # most hands: skip the counting
        return "it is not a pair"
    return predicates.why_not_split(
        state.setup.rules,
        hand.cards,
        split_rank=hand.split_rank,
        spot_hands=sum(other.spot == hand.spot for other in state.hands),
        all_hands=len(state.hands),
    )


def _why_not_surrender(state: RoundState, hand: Hand) -> str | None:
    rules = state.setup.rules
    cards, upcard = len(hand.cards), state.upcard.rank
    reason = predicates.why_not_surrender(
        rules, upcard=upcard, cards=cards, split_rank=hand.split_rank, doubles=hand.doubles
    )
    was_offered = cards == _TWO_CARDS and predicates.offers_surrender_first(rules, upcard)
    if reason is None and was_offered:
        return "surrender was offered before"
    return reason
