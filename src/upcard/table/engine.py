"""The state machine of a round: `apply` a card or an action, get the next state and its events.

Deterministic and pure: the caller supplies the cards, shuffled, scripted or enumerated.
"""

from __future__ import annotations

from typing import Final

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import IllegalActionError
from upcard.core.hands import BUST_LIMIT, EMPTY_HAND
from upcard.rules.predicates import makes_natural
from upcard.rules.settings import EvenMoney, Player21
from upcard.table.events import Acted, DealerDealt, Dealt
from upcard.table.flow import Step, advance, continue_dealer
from upcard.table.hand import Hand, HandStatus
from upcard.table.legal import find_refusal
from upcard.table.settle import NOTHING
from upcard.table.state import DRAW, UPCARD, RoundState

_OPENING: Final = 2


def apply(state: RoundState, move: Card | Action) -> Step:
    """Apply the card or the action that is due; return the next state and its events.

    Raises: IllegalActionError naming what is legal, if the move is not what the round awaits.
    """
    if isinstance(move, Card):
        return deal(state, move)
    refusal = find_refusal(state, move)
    if refusal is not None:
        raise refusal.to_error()
    return _act(state, move)


def deal(state: RoundState, card: Card) -> Step:
    """Apply the card that is due, as `apply` does. Raises: IllegalActionError if no card is due."""
    if not state.pending:
        legal = ", ".join(state.legal) or "nothing, the round is over"
        raise IllegalActionError(f"cannot deal {card}: no card is due. Legal: {legal}")
    if state.pending[0] >= 0:
        return _deal_to_player(state, card)
    return _deal_to_dealer(state, card)


def _deal_to_player(state: RoundState, card: Card) -> Step:
    index, pending = state.pending[0], state.pending[1:]
    hand = _add_card(state, state.hands[index], card)
    state = state.give_hand(index, hand, pending)
    event = Dealt(index, card, hand.total)
    return (state, (event,)) if pending else advance(state, [event])


def _deal_to_dealer(state: RoundState, card: Card) -> Step:
    target, pending = state.pending[0], state.pending[1:]
    state = state.give_dealer(card, pending)
    arithmetic = state.setup.arithmetic
    if target == DRAW:
        return continue_dealer(state, [DealerDealt(card, arithmetic.total[state.dealer_state])])
    setup = state.setup
    if not setup.rules.shows_upcard:
        event = DealerDealt(None, 0)
    elif target == UPCARD:
        event = DealerDealt(card, arithmetic.total[arithmetic.next_state[EMPTY_HAND][card.rank]])
    else:
        is_first = len(state.dealer) == 1
        up = EMPTY_HAND if is_first else arithmetic.next_state[EMPTY_HAND][state.upcard.rank]
        event = DealerDealt(None, arithmetic.total[up])
    return (state, (event,)) if pending else advance(state, [event])


def _add_card(state: RoundState, hand: Hand, card: Card) -> Hand:
    """Add a card to a hand and update its status."""
    arithmetic = state.setup.arithmetic
    state_number = arithmetic.next_state[hand.arithmetic_state][card.rank]
    total = arithmetic.total[state_number]
    cards = (*hand.cards, card)
    status = hand.status
    if total >= BUST_LIMIT or state.setup.rules.charlie is not None:
        status = _status_at(state, hand, total, len(cards))
    return Hand(
        cards,
        state_number,
        total,
        arithmetic.is_soft[state_number],
        hand.bet,
        hand.initial_bet,
        hand.spot,
        hand.split_rank,
        status,
        hand.turns,
        hand.declined_split,
    )


def _status_at(state: RoundState, hand: Hand, total: int, cards: int) -> HandStatus:
    """Return the status of a hand with this total and number of cards; most keep theirs."""
    rules = state.setup.rules
    if total > BUST_LIMIT:
        return HandStatus.BUST
    if total == BUST_LIMIT and cards == _OPENING and makes_natural(rules, hand.split_rank):
        return HandStatus.NATURAL
    if cards == rules.charlie:
        return HandStatus.WON
    if hand.status is HandStatus.PLAYING and total == BUST_LIMIT:
        if rules.player_21 is Player21.STANDS:
            return HandStatus.TWENTY_ONE
        if rules.player_21 is Player21.WINS and state.dealer_total < BUST_LIMIT:
            return HandStatus.WON
    return hand.status


def _act(state: RoundState, action: Action) -> Step:
    index = state.active
    hand = state.hands[index]
    if hand.turns != state.turn:
        hand = hand._replace(turns=state.turn)
    event = Acted(index, action)
    match action:
        case Action.HIT:
            return state.give_hand(index, hand, (index,)), (event,)
        case Action.STAND:
            hand = hand._replace(status=HandStatus.STOOD)
        case Action.DOUBLE:
            hand = hand._replace(status=HandStatus.DOUBLED, bet=hand.bet * 2)
            return state.give_hand(index, hand, (index,)), (event,)
        case Action.SPLIT:
            return _split(state, index, hand), (event,)
        case Action.SURRENDER:
            hand = hand._replace(status=HandStatus.SURRENDERED)
        case Action.NO_SPLIT:
            hand = hand._replace(declined_split=True)
        case Action.NO_SURRENDER:
            pass
        case _:
            return _answer_insurance(state, index, action)
    return advance(state.give_hand(index, hand, ()), [event])


def _answer_insurance(state: RoundState, index: int, action: Action) -> Step:
    hand = state.hands[index]
    insurance = state.insurance
    match action:
        case Action.INSURANCE:
            insurance = insurance.place(hand.spot, hand.bet / 2)
        case Action.EVEN_MONEY:
            hand = hand._replace(status=HandStatus.EVEN_MONEY)
            insurance = insurance.place(hand.spot, NOTHING)
        case Action.NO_EVEN_MONEY if state.rules.even_money is EvenMoney.FIRST:
            declined = (*insurance.declined_even_money, index)
            insurance = insurance._replace(declined_even_money=declined)
        case _:
            insurance = insurance.place(hand.spot, NOTHING)
    state = state._replace(insurance=insurance)
    return advance(state.give_hand(index, hand, ()), [Acted(index, action)])


def _split(state: RoundState, index: int, hand: Hand) -> RoundState:
    """Split a hand in two; each gets a card at once, the first half first."""
    arithmetic = state.setup.arithmetic
    rank = hand.cards[0].rank
    state_number = arithmetic.next_state[EMPTY_HAND][rank]
    halves = tuple(
        hand._replace(
            cards=(card,),
            arithmetic_state=state_number,
            total=arithmetic.total[state_number],
            is_soft=arithmetic.is_soft[state_number],
            split_rank=rank,
        )
        for card in hand.cards
    )
    hands = (*state.hands[:index], *halves, *state.hands[index + 1 :])
    return state._replace(hands=hands, pending=(index, index + 1), legal=())
