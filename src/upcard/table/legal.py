"""Which answers the rules allow now, and why not the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.core.cards import ACE, TEN
from upcard.rules.settings import (
    DoubleOn,
    EvenMoney,
    HoleCard,
    SplitBy,
    Surrender,
    TurnOrder,
)
from upcard.table.hand import HandStatus
from upcard.table.refusal import Refusal
from upcard.table.state import Phase

if TYPE_CHECKING:
    from upcard.table.hand import Hand
    from upcard.table.state import RoundState

_PAIR: Final = 2


def legal_actions(state: RoundState) -> tuple[Action, ...]:
    """Return the answers that are legal now, in a fixed order; none when a card is due."""
    return state.legal


def find_legal(state: RoundState, phase: Phase, index: int) -> tuple[Action, ...]:
    """Work out the answers that the rules allow hand `index` in `phase`."""
    hand = state.hands[index]
    if phase is Phase.PLAY:
        hit = () if _why_not_hit(state, hand) else (Action.HIT,)
        double = () if _why_not_double(state, hand) else (Action.DOUBLE,)
        split = () if _why_not_split_now(state, hand) else (Action.SPLIT,)
        surrender = () if _why_not_surrender(state, hand) else (Action.SURRENDER,)
        return (*hit, Action.STAND, *double, *split, *surrender)
    if phase is Phase.INSURANCE:
        if is_offered_even_money(state, index):
            return (Action.EVEN_MONEY, Action.NO_EVEN_MONEY)
        return (Action.INSURANCE, Action.NO_INSURANCE)
    if phase is Phase.SURRENDER:
        return (Action.SURRENDER, Action.NO_SURRENDER)
    return (Action.SPLIT, Action.NO_SPLIT)


def why_not(state: RoundState, action: Action) -> str | None:
    """Say why `action` is not legal now and what is; None if it is legal."""
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
    upcard = state.upcard if state.rules.shows_upcard else None
    return Refusal(action, _reason(state, hand, action), legal, hand, upcard)


def _reason(state: RoundState, hand: Hand, action: Action) -> str:
    if state.phase is not Phase.PLAY:
        return f"the table asks about {_asked_about(state)}"
    check = {
        Action.HIT: _why_not_hit,
        Action.DOUBLE: _why_not_double,
        Action.SPLIT: _why_not_split_now,
        Action.SURRENDER: _why_not_surrender,
    }.get(action)
    reason = check(state, hand) if check else None
    return reason or f"{action.value.removeprefix('no ')} is not being offered"


def _asked_about(state: RoundState) -> str:
    if state.phase is Phase.INSURANCE:
        return "even money" if is_offered_even_money(state, state.active) else "insurance"
    return {Phase.SURRENDER: "surrender", Phase.SPLIT: "splitting"}[state.phase]


def is_offered_even_money(state: RoundState, index: int) -> bool:
    """Whether the insurance question to hand `index` is put as even money."""
    return (
        state.hands[index].status is HandStatus.NATURAL
        and state.rules.even_money is not EvenMoney.NEVER
        and index not in state.insurance.declined_even_money
    )


def offers_insurance(state: RoundState) -> bool:
    """Whether the upcard brings up insurance."""
    rules = state.setup.rules
    return rules.insurance and rules.shows_upcard and state.upcard.rank == ACE


def offers_surrender_first(state: RoundState) -> bool:
    """Whether surrender is an offer of its own, before the peek or before the splits."""
    rules = state.setup.rules
    if rules.surrender is Surrender.NONE:
        return False
    if rules.turn_order is TurnOrder.SPLITS_FIRST:
        return True
    return (
        rules.surrender is Surrender.EARLY
        and rules.hole_card is HoleCard.PEEK
        and state.upcard.rank in (ACE, TEN)
    )


def can_split(state: RoundState, hand: Hand) -> bool:
    """Whether the rules let this hand be split."""
    return _why_not_split(state, hand) is None


def has_choice(state: RoundState, hand: Hand) -> bool:
    """Whether this live hand has anything else to do than to stand."""
    return (
        hand.split_rank != ACE
        or state.rules.hit_split_aces
        or _why_not_split_now(state, hand) is None
    )


def _why_not_hit(state: RoundState, hand: Hand) -> str | None:
    if hand.split_rank == ACE and not state.rules.hit_split_aces:
        return "split aces get one card each"
    return None


def _why_not_double(state: RoundState, hand: Hand) -> str | None:
    rules = state.setup.rules
    double_on = rules.double_on
    if double_on is DoubleOn.NEVER:
        return "this house has no double"
    if len(hand.cards) != 2 and double_on is not DoubleOn.ANY_NUMBER:
        return f"{len(hand.cards)} cards (rules: double on the first two)"
    if hand.split_rank:
        if not rules.double_after_split:
            return "the hand was split (rules: no double after a split)"
        if hand.split_rank == ACE and not rules.double_split_aces:
            return "split aces cannot be doubled"
    if double_on is DoubleOn.ANY_TWO or double_on is DoubleOn.ANY_NUMBER:
        return None
    least = 9 if double_on is DoubleOn.HARD_9_TO_11 else 10
    if hand.is_soft or not least <= hand.total <= 11:
        return f"rules: double on hard {least} to 11 only"
    return None


def _why_not_split_now(state: RoundState, hand: Hand) -> str | None:
    """Say why a hand cannot be split while hands are filled."""
    reason = _why_not_split(state, hand)
    if reason is None and state.rules.turn_order is TurnOrder.SPLITS_FIRST:
        return "splits were offered before"
    return reason


def _why_not_split(state: RoundState, hand: Hand) -> str | None:
    cards = hand.cards
    rules = state.setup.rules
    if len(cards) != _PAIR or cards[0].rank != cards[1].rank:
        return "it is not a pair"
    if rules.max_hands == 1:
        return "this house has no split"
    if rules.split_by is SplitBy.RANK and cards[0].face != cards[1].face:
        return "the cards differ (rules: split cards of the same rank only)"
    if hand.split_rank == ACE and not rules.resplit_aces:
        return "aces were split before (rules: no resplit of aces)"
    if rules.max_hands is not None:
        siblings = sum(other.spot == hand.spot for other in state.hands)
        if siblings >= rules.max_hands:
            return f"there are {siblings} hands from this one (rules: {rules.max_hands} at most)"
    if rules.max_total_hands is not None and len(state.hands) >= rules.max_total_hands:
        return f"there are {len(state.hands)} hands (rules: {rules.max_total_hands} in all)"
    return None


def _why_not_surrender(state: RoundState, hand: Hand) -> str | None:
    rules = state.setup.rules
    if rules.surrender is Surrender.NONE:
        return "this house has no surrender"
    if hand.split_rank:
        return "the hand was split (rules: no surrender after a split)"
    if len(hand.cards) != 2:
        return f"{len(hand.cards)} cards (rules: surrender on the first two)"
    if offers_surrender_first(state):
        return "surrender was offered before"
    return None
