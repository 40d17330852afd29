"""The state machine of a round: apply a card or an action, and the order in which a round goes.

The order is: opening deal, insurance, surrender as a separate offer, the look at the hole card,
splits offered first, play, dealer, settlement.

All functions are pure: the caller supplies the cards, shuffled, scripted or enumerated.
"""

from typing import Final, TypeAlias

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import IllegalActionError
from upcard.core.hands import BUST_LIMIT, EMPTY_HAND
from upcard.rules import predicates
from upcard.rules.model import Rules
from upcard.rules.settings import EvenMoney, HoleCard, NaturalTakes, NaturalTie, Player21, TurnOrder
from upcard.table.events import (
    Acted,
    DealerActed,
    DealerDealt,
    Dealt,
    Event,
    InsuranceSettled,
    Peeked,
    Revealed,
    RoundEnded,
    Settled,
    SideBetSettled,
    TurnedUp,
)
from upcard.table.legal import can_split, doubles_free, find_legal, find_refusal, has_choice
from upcard.table.settle import NOTHING, settle_hands, settle_insurance
from upcard.table.side_stakes import SideBets, settle_open
from upcard.table.state import DRAW, TURN_UP, UPCARD, Hand, HandStatus, Phase, RoundState

Events: TypeAlias = list[Event]
Step: TypeAlias = tuple[RoundState, tuple[Event, ...]]
_COMPARED: Final = (HandStatus.STOOD, HandStatus.DOUBLED, HandStatus.TWENTY_ONE)
_TWO_CARDS: Final = 2


def advance(state: RoundState, events: Events) -> Step:
    """Advance to the next answer or card that is due."""
    if state.side.is_open:
        state = _settle_side_bets(state, events)
    match state.phase:
        case Phase.PLAY:
            return _ask_next_hand(state, events)
        case Phase.DEAL if not predicates.offers_insurance(state.setup.rules, state.upcard.rank):
            return _offer_early_surrender(state, events)
        case Phase.DEAL | Phase.INSURANCE:
            return _ask_about_insurance(state, events)
        case Phase.SURRENDER:
            return _ask_about_surrender(state, events)
        case Phase.SWITCH:
            return _ask_next_hand(state, events)
        case Phase.SPLIT:
            return _ask_about_splits(state, events)
    return state, tuple(events)


def _ask_about_insurance(state: RoundState, events: Events) -> Step:
    for spot, bet in enumerate(state.insurance.bets):
        if bet is None:
            return _ask(state, Phase.INSURANCE, spot), tuple(events)
    return _offer_early_surrender(state._replace(active=-1), events)


def _offer_early_surrender(state: RoundState, events: Events) -> Step:
    rules = state.setup.rules
    offers = predicates.offers_surrender_first(rules, state.upcard.rank)
    if offers and predicates.is_early_surrender(rules):
        return _ask_about_surrender(state, events)
    return _look_at_hole_card(state, events)


def _look_at_hole_card(state: RoundState, events: Events) -> Step:
    rules = state.setup.rules
    looks = predicates.dealer_peeks(rules, state.upcard.rank) or (
        rules.hole_card is HoleCard.NO_PEEK and state.insurance.is_open
    )
    if looks:
        has_natural = state.dealer_has_natural
        if not rules.shows_hole:
            events.append(Peeked(has_natural))
        if state.side.is_open:
            state = state._replace(side=state.side._replace(has_natural=has_natural))
            state = _settle_side_bets(state, events)
        if has_natural:
            return _settle(_reveal(state, events), events)
        state = _settle_insurance(state, events)
    offers = predicates.offers_surrender_first(rules, state.upcard.rank)
    if offers and predicates.is_late_surrender(rules):
        return _ask_about_surrender(state._replace(active=-1), events)
    return _start_play(state, events)


def _ask_about_surrender(state: RoundState, events: Events) -> Step:
    """Offer surrender separately: early before the look at the hole card, late after it."""
    for index in range(state.active + 1, len(state.hands)):
        if state.hands[index].is_live:
            return _ask(state, Phase.SURRENDER, index), tuple(events)
    if predicates.is_early_surrender(state.setup.rules):
        return _look_at_hole_card(state, events)
    return _start_play(state, events)


def _start_play(state: RoundState, events: Events) -> Step:
    if state.setup.rules.turn_order is TurnOrder.SPLITS_FIRST:
        return _ask_about_splits(state, events)
    if state.setup.rules.switch:
        return _ask(state, Phase.SWITCH, 0), tuple(events)
    return _ask_next_hand(state, events)


def _ask_about_splits(state: RoundState, events: Events) -> Step:
    state = state._replace(phase=Phase.SPLIT)
    for index, hand in enumerate(state.hands):
        if hand.is_live and not hand.declined_split and can_split(state, hand):
            return _ask(state, Phase.SPLIT, index), tuple(events)
    return _ask_next_hand(state, events)


def _ask(state: RoundState, phase: Phase, index: int, turn: int = 1) -> RoundState:
    """Return the state in which the table asks about hand `index`."""
    # Written out, as in `RoundState.give_hand`: every question comes through here.
    setup, _, hands, dealer, number, _, _, _, insurance, is_revealed, side = state[:11]
    legal = find_legal(state, phase, index)
    return RoundState(
        setup, phase, hands, dealer, number, (), index, turn, insurance, is_revealed, side, legal
    )


def _ask_next_hand(state: RoundState, events: Events) -> Step:
    """Ask about the next hand in turn; start the dealer's turn if there is none."""
    is_round_robin = state.setup.rules.turn_order is TurnOrder.ROUND_ROBIN
    turn = state.turn
    is_anyone_live = False
    for index, hand in enumerate(state.hands):
        if hand.status is HandStatus.PLAYING and has_choice(state, hand):
            if not is_round_robin or hand.turns < turn:
                return _ask(state, Phase.PLAY, index, turn), tuple(events)
            is_anyone_live = True
    if is_anyone_live:  # every live hand has had this turn
        return _ask_next_hand(state._replace(turn=turn + 1), events)
    return _start_dealer(state, events)


def _start_dealer(state: RoundState, events: Events) -> Step:
    hands = state.hands
    for index, hand in enumerate(hands):
        if hand.status is HandStatus.PLAYING:  # split aces that could only stand
            stood = hand._replace(status=HandStatus.STOOD)
            hands = (*hands[:index], stood, *hands[index + 1 :])
    if hands is not state.hands:
        state = state._replace(hands=hands)
    if _needs_comparing(state) or _natural_matters(state) or state.setup.side.needs_second:
        state = _reveal(state, events)
    return continue_dealer(state, events)


def continue_dealer(state: RoundState, events: Events) -> Step:
    """Let the dealer draw while the rules say so and some hand needs it, then settle."""
    side = state.setup.side
    needs_comparing = _needs_comparing(state) or side.plays_out
    total = state.setup.arithmetic.total[state.dealer_state]
    if len(state.dealer) < _TWO_CARDS:
        must_draw = needs_comparing or _natural_matters(state) or side.needs_second
    else:
        must_draw = needs_comparing and _dealer_draws(state)
        if needs_comparing and not must_draw and total <= BUST_LIMIT:
            events.append(DealerActed(Action.STAND, total))
    if must_draw:
        events.append(DealerActed(Action.HIT, total))
        return state.give_turn_to_dealer((DRAW,), is_revealed=state.is_revealed), tuple(events)
    return _settle(state, events)


def _dealer_draws(state: RoundState) -> bool:
    arithmetic, number = state.setup.arithmetic, state.dealer_state
    return predicates.dealer_draws(
        state.setup.rules,
        arithmetic.total[number],
        is_soft=arithmetic.is_soft[number],
        was_softened=arithmetic.was_softened[number],
        player_total=state.hands[0].total,
    )


def _needs_comparing(state: RoundState) -> bool:
    for hand in state.hands:
        if hand.status in _COMPARED:
            return True
    if state.setup.rules.busts_live and predicates.busts_live(state.rules, state.upcard.rank):
        return any(hand.status is HandStatus.BUST for hand in state.hands)
    return False


def _natural_matters(state: RoundState) -> bool:
    """Whether some result still depends on a dealer's natural."""
    rules = state.setup.rules
    if rules.hole_card is HoleCard.PEEK:
        return False
    statuses = {hand.status for hand in state.hands}
    if HandStatus.WON in statuses and rules.player_21 is Player21.WINS:
        return True  # it won because the dealer's two cards are under 21: show them
    if rules.shows_upcard and not predicates.may_complete_natural(state.upcard.rank):
        return False
    return (
        (HandStatus.NATURAL in statuses and rules.natural_tie is not NaturalTie.WIN)
        or (HandStatus.SURRENDERED in statuses and predicates.natural_beats_surrender(rules))
        or state.insurance.is_open
        or (rules.natural_takes is NaturalTakes.ORIGINAL and _has_added_bets(state))
    )


def _has_added_bets(state: RoundState) -> bool:
    at_risk = [hand for hand in state.hands if hand.status is HandStatus.BUST]
    spots = {hand.spot for hand in at_risk}
    return any(hand.stake > hand.initial_bet for hand in at_risk) or len(spots) < len(at_risk)


def _reveal(state: RoundState, events: Events) -> RoundState:
    rules = state.setup.rules
    if state.is_revealed or (rules.hole_card is HoleCard.NONE and rules.shows_upcard):
        return state
    events.append(Revealed(state.dealer, state.dealer_total))
    state = state.give_turn_to_dealer((), is_revealed=True)
    return _settle_side_bets(state, events) if state.side.is_open else state


def _settle_side_bets(
    state: RoundState, events: Events, *, is_complete: bool = False
) -> RoundState:
    known = len(state.side.results)
    side = settle_open(state, is_complete=is_complete)
    events.extend(SideBetSettled(*result) for result in side.results[known:])
    return state._replace(side=side)


def _settle_insurance(state: RoundState, events: Events) -> RoundState:
    net = state.insurance.net
    for spot, bet in enumerate(state.insurance.bets):
        if bet:
            has_natural = state.dealer_has_natural
            won = settle_insurance(state.rules, bet, dealer_has_natural=has_natural)
            events.append(InsuranceSettled(spot, won))
            net += won
    return state._replace(insurance=state.insurance._replace(net=net, is_settled=True))


def _settle(state: RoundState, events: Events) -> Step:
    if state.setup.side.needs_next and state.side.next_card is None:
        return state.give_turn_to_dealer((TURN_UP,), is_revealed=state.is_revealed), tuple(events)
    if state.insurance.is_open:
        state = _settle_insurance(state, events)
    if state.side.is_open:
        state = _settle_side_bets(state, events, is_complete=True)
    rules: Rules = state.setup.rules
    results = settle_hands(
        rules,
        state.hands,
        dealer_total=state.dealer_total,
        dealer_has_natural=state.dealer_has_natural,
        upcard=state.upcard.rank,
    )
    net = state.insurance.net + state.side.net if state.side.stakes else state.insurance.net
    for index, (hand, (outcome, won)) in enumerate(zip(state.hands, results, strict=True)):
        events.append(Settled(index, outcome, hand.total, hand.stake, won))
        net = net + won if net else won
    events.append(RoundEnded(net))
    setup, _, hands, dealer, number, _, _, turn, insurance, is_revealed, side = state[:11]
    over = RoundState(
        *(setup, Phase.OVER, hands, dealer, number, (), -1, turn, insurance, is_revealed, side),
        results=results,
        net=net,
    )
    return over, tuple(events)


_OPENING: Final = 2


def apply(state: RoundState, move: Card | Action) -> Step:
    """Apply the card or the action that is due; return the next state and its events."""
    if isinstance(move, Card):
        return deal(state, move)
    refusal = find_refusal(state, move)
    if refusal is not None:
        raise refusal.to_error()
    return _act(state, move)


def deal(state: RoundState, card: Card) -> Step:
    """Apply the card that is due, as `apply` does."""
    if not state.pending:
        legal = ", ".join(state.legal) or "nothing, the round is over"
        raise IllegalActionError(f"cannot deal {card}: no card is due. Legal: {legal}")
    if state.setup.side.bets and state.phase is not Phase.DEAL:
        state = state._replace(side=_note_card(state, card))
    if state.pending[0] >= 0:
        return _deal_to_player(state, card)
    return _deal_to_dealer(state, card)


def _note_card(state: RoundState, card: Card) -> SideBets:
    """Note the first card after the deal, and the first that each spot draws, for side bets."""
    side, target = state.side, state.pending[0]
    if side.next_card is None:
        side = side._replace(next_card=card)
    if target >= 0 and (spot := state.hands[target].spot) not in dict(side.drawn):
        side = side._replace(drawn=(*side.drawn, (spot, card)))
    return side


def _deal_to_player(state: RoundState, card: Card) -> Step:
    index, pending = state.pending[0], state.pending[1:]
    hand = _add_card(state, state.hands[index], card)
    state = state.give_hand(index, hand, pending)
    event = Dealt(index, card, hand.total)
    return (state, (event,)) if pending else advance(state, [event])


def _deal_to_dealer(state: RoundState, card: Card) -> Step:
    target, pending = state.pending[0], state.pending[1:]
    if target == TURN_UP:
        return _settle(state._replace(pending=()), [TurnedUp(card)])
    state = state.give_dealer(card, pending)
    arithmetic = state.setup.arithmetic
    if target == DRAW:
        return continue_dealer(state, [DealerDealt(card, arithmetic.total[state.dealer_state])])
    setup = state.setup
    if not setup.rules.shows_upcard:
        event = DealerDealt(None, 0)
    elif setup.rules.shows_hole:
        event = DealerDealt(card, arithmetic.total[state.dealer_state])
    elif target == UPCARD:
        event = DealerDealt(card, arithmetic.total[arithmetic.next_state[EMPTY_HAND][card.rank]])
    else:
        is_first = len(state.dealer) == 1
        up = EMPTY_HAND if is_first else arithmetic.next_state[EMPTY_HAND][state.upcard.rank]
        event = DealerDealt(None, arithmetic.total[up])
    return (state, (event,)) if pending else advance(state, [event])


def _add_card(state: RoundState, hand: Hand, card: Card) -> Hand:
    arithmetic = state.setup.arithmetic
    number = arithmetic.next_state[hand.arithmetic_state][card.rank]
    total, is_soft = arithmetic.total[number], arithmetic.is_soft[number]
    cards = (*hand.cards, card)
    # Written out, as in `RoundState.give_hand`.
    stake, pays_on, bet, spot, rank, status, turns, declined, doubles = hand[4:]
    if total >= BUST_LIMIT or state.setup.rules.charlie is not None:
        status = _status_at(state, hand, total, len(cards))
    return Hand(
        *(cards, number, total, is_soft, stake, pays_on, bet, spot, rank, status, turns, declined),
        doubles,
    )


def _status_at(state: RoundState, hand: Hand, total: int, cards: int) -> HandStatus:
    """Return the status of a hand with this total and number of cards; most keep theirs."""
    rules = state.setup.rules
    if total > BUST_LIMIT:
        return HandStatus.BUST
    is_opening = cards == _OPENING
    if total == BUST_LIMIT and is_opening and predicates.makes_natural(rules, hand.split_rank):
        return HandStatus.NATURAL
    if cards == rules.charlie:
        return HandStatus.WON
    return _status_at_21(state, hand) if total == BUST_LIMIT else hand.status


def _status_at_21(state: RoundState, hand: Hand) -> HandStatus:
    """Return the status of a hand with 21, other than a natural."""
    rules = state.setup.rules
    if rules.player_21 is Player21.ALWAYS_WINS:
        return HandStatus.WON
    if hand.status is HandStatus.PLAYING:
        wins = rules.player_21 is Player21.WINS
        if rules.player_21 is Player21.STANDS or (wins and hand.doubles):
            return HandStatus.TWENTY_ONE
        if wins and state.dealer_total < BUST_LIMIT:
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
            hand = _double(state.rules, hand)
            return state.give_hand(index, hand, (index,)), (event,)
        case Action.SPLIT:
            return _split(state, index, hand), (event,)
        case Action.SURRENDER:
            hand = hand._replace(status=HandStatus.SURRENDERED)
        case Action.NO_SPLIT:
            hand = hand._replace(declined_split=True)
        case Action.NO_SURRENDER | Action.NO_SWITCH:
            pass
        case Action.SWITCH:
            return advance(_switch(state), [event])
        case _:
            return _answer_insurance(state, index, action)
    return advance(state.give_hand(index, hand, ()), [event])


def _switch(state: RoundState) -> RoundState:
    """Swap the second cards of the two hands; a 21 is not a natural then."""
    (first, second), (third, fourth) = (hand.cards for hand in state.hands)
    halves = zip(state.hands, ((first, fourth), (third, second)), strict=True)
    return state._replace(hands=tuple(_with_cards(state, hand, cards) for hand, cards in halves))


def _with_cards(state: RoundState, hand: Hand, cards: tuple[Card, ...]) -> Hand:
    arithmetic = state.setup.arithmetic
    number = arithmetic.state_of(card.rank for card in cards)
    total = arithmetic.total[number]
    hand = hand._replace(
        cards=cards,
        arithmetic_state=number,
        total=total,
        is_soft=arithmetic.is_soft[number],
        status=HandStatus.PLAYING,
    )
    return hand._replace(status=_status_at_21(state, hand) if total == BUST_LIMIT else hand.status)


def _double(rules: Rules, hand: Hand) -> Hand:
    raised = predicates.raise_of_double(rules, hand.initial_bet, hand.doubles)
    stake = hand.stake if doubles_free(rules, hand) else hand.stake + raised
    doubles = hand.doubles + 1
    is_asked = predicates.may_act_doubled(rules, doubles)
    return hand._replace(
        status=HandStatus.PLAYING if is_asked else HandStatus.DOUBLED,
        stake=stake,
        pays_on=hand.pays_on + raised,
        doubles=doubles,
    )


def _answer_insurance(state: RoundState, index: int, action: Action) -> Step:
    hand = state.hands[index]
    insurance = state.insurance
    match action:
        case Action.INSURANCE:
            insurance = insurance.place(hand.spot, hand.stake / 2)
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
    number = arithmetic.next_state[EMPTY_HAND][rank]
    total, is_soft = arithmetic.total[number], arithmetic.is_soft[number]
    half = hand._replace(arithmetic_state=number, total=total, is_soft=is_soft, split_rank=rank)
    first, second = (half._replace(cards=(card,)) for card in hand.cards)
    stake = NOTHING if predicates.splits_free(state.rules, rank) else hand.initial_bet
    halves = (first, second._replace(stake=stake))
    hands = (*state.hands[:index], *halves, *state.hands[index + 1 :])
    return state._replace(hands=hands, pending=(index, index + 1), legal=())
