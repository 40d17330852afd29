"""What holds in every round, under any rules, whatever is answered."""

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_rules import any_rules

from upcard import Action, EmptyShoeError, IllegalActionError
from upcard.core.cards import DECK
from upcard.rules.settings import Shuffle
from upcard.table import Phase, ShuffledShoe, Table, apply, make_shoe, start_round, view, why_not
from upcard.table.events import InsuranceSettled, RoundEnded, Settled


def play(rules, seed, spots, check=None):
    """Play a round with random answers; returns the table, and every state on the way."""
    rng = random.Random(seed)
    table = Table(rules, make_shoe(rules, rng))
    bets = [Fraction(rng.randint(1, 20), rng.choice((1, 2))) for _ in range(spots)]
    state = table.start(bets)
    while not state.is_over:
        if check:
            check(state)
        state = table.act(rng.choice(state.legal))
    return table


seeds = st.integers(0, 2**32)


def spots_of(rules, seed):
    return 1 + seed % min(rules.max_spots, 3)


@pytest.mark.slow
@given(any_rules(), seeds)
def test_legal_actions_are_exactly_those_that_do_not_raise(rules, seed):
    def check(state):
        assert state.awaits_action
        for action in Action:
            reason = why_not(state, action)
            if action in state.legal:
                assert reason is None
                apply(state, action)
            else:
                assert reason.startswith("cannot ")
                with pytest.raises(IllegalActionError) as caught:
                    apply(state, action)
                assert (str(caught.value), caught.value.action) == (reason, action)
        with pytest.raises(IllegalActionError, match="no card is due"):
            apply(state, DECK[0])

    table = play(rules, seed, spots_of(rules, seed), check)
    for move in (Action.HIT, DECK[0]):
        with pytest.raises(IllegalActionError, match="the round is over"):
            apply(table.state, move)


@pytest.mark.slow
@given(any_rules(), seeds)
def test_cards_are_conserved(rules, seed):
    if rules.is_infinite:
        return
    rng = random.Random(seed)
    shoe = ShuffledShoe(rules, rng)
    table = Table(rules, shoe)
    seen = Counter()
    for _ in range(3):
        try:
            state = table.start([1] * spots_of(rules, seed))
            while not state.is_over:
                state = table.act(rng.choice(state.legal))
        except EmptyShoeError:
            return
        on_table = Counter(card for hand in state.hands for card in hand.cards)
        on_table.update(state.dealer)
        undealt = Counter(shoe._cards[shoe.position :])
        whole = Counter(rules.full_deck.cards * rules.decks)
        assert Counter(shoe._cards) == whole
        assert not on_table + undealt - whole
        if rules.shuffle is Shuffle.EVERY_ROUND:
            assert on_table + undealt == whole
        seen.update(on_table)


@pytest.mark.slow
@given(any_rules(), seeds)
def test_chips_are_conserved(rules, seed):
    events = []
    rng = random.Random(seed)
    table = Table(rules, make_shoe(rules, rng))
    table.listeners.append(events.append)
    state = table.start([Fraction(5, 2)] * spots_of(rules, seed))
    while not state.is_over:
        state = table.act(rng.choice(state.legal))
    paid = sum(event.net for event in events if isinstance(event, Settled | InsuranceSettled))
    assert state.net == paid == sum(net for _, net in state.results) + state.insurance.net
    assert [event.net for event in events if isinstance(event, RoundEnded)] == [paid]
    staked = sum(hand.bet for hand in state.hands) + sum(filter(None, state.insurance.bets))
    assert -staked <= state.net <= 3 * staked


@given(any_rules(), seeds, st.sampled_from(DECK))
def test_a_view_never_shows_a_hidden_card(rules, seed, other):
    """Exchanging a face-down card changes the state, but nothing in the view."""

    def check(state):
        hidden = len(state.dealer) - len(state.shown_dealer_cards)
        assert view(state).hidden == hidden
        if not hidden or state.is_revealed:
            return
        dealer = list(state.dealer)
        if rules.shows_upcard:
            dealer[1 - state.setup.up_index] = other
        else:
            dealer[:] = [other] * len(dealer)
        ranks = [card.rank for card in dealer]
        number = state.setup.arithmetic.state_of(ranks)
        peeked = state._replace(dealer=tuple(dealer), dealer_state=number)
        assert view(peeked) == view(state)

    play(rules, seed, spots_of(rules, seed), check)


@given(any_rules(), seeds)
def test_a_round_replays_from_its_cards_and_answers(rules, seed):
    rng = random.Random(seed)
    shoe = make_shoe(rules, rng)
    shoe.start_round()
    first = state = start_round(rules, [1] * spots_of(rules, seed))
    moves = []
    while not state.is_over:
        moves.append(shoe.draw() if state.awaits_card else rng.choice(state.legal))
        state, _ = apply(state, moves[-1])
    again = first
    for move in moves:
        again, _ = apply(again, move)
    assert again == state


@pytest.mark.slow
@given(any_rules(), seeds)
def test_phases_only_go_forward(rules, seed):
    order = list(Phase)
    reached = [0]

    def check(state):
        now = order.index(state.phase)
        assert now >= reached[0]
        reached[0] = now

    play(rules, seed, spots_of(rules, seed), check)
