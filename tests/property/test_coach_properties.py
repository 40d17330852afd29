"""The coach cannot cheat, and nobody gains by a mistake."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upcard.coach.adviser import Coach
from upcard.coach.reasons import explain
from upcard.core.cards import DECK
from upcard.core.errors import NoExactValueError, RulesError
from upcard.players.seen_cards import SeenCards
from upcard.rules.model import Rules
from upcard.rules.settings import HoleCard
from upcard.table import ScriptedShoe, Table
from upcard.table.state import HOLE, prepare

HOUSES = {
    text: Rules.parse(text)
    for text in (
        "1D LS",
        "2D H17 RSA HSA",
        "1D ES DANY",
        "2D ENHC",
        "1D OBO ES NDAS",
        "lott",
        "seven-hands",
        "deshmukh",
    )
}


def play(rules, cards, choices):
    """Play one round; return table, counter, and the answers given by number of choice."""
    table = Table(rules, ScriptedShoe(cards))
    seen = SeenCards(rules)
    table.listeners.append(seen.hear)
    table.start([10])
    for choice in choices:
        legal = table.legal_actions()
        if not legal:
            break
        table.act(legal[choice % len(legal)])
    return table, seen


def shuffled(rules, seed):
    cards = list(DECK) * rules.decks
    random.Random(seed).shuffle(cards)
    return cards


@pytest.mark.parametrize("text", HOUSES)
@settings(max_examples=12)
@given(
    seed=st.integers(0, 10**6),
    other=st.integers(0, 10**6),
    choices=st.lists(st.integers(0, 4), max_size=4),
    cards=st.sampled_from(["fresh", "seen"]),
)
def test_advice_never_changes_with_the_hole_card_or_the_order_of_the_shoe(
    text, seed, other, choices, cards
):
    rules = HOUSES[text]
    coach = Coach(rules, cards=cards)
    shoe = shuffled(rules, seed)
    table, seen = play(rules, shoe, choices)
    if not table.legal_actions():
        return
    state = table.state
    dealt = len(state.dealer) + sum(len(hand.cards) for hand in state.hands)
    hidden = [i for i, target in enumerate(prepare(rules, 1).deal) if target == HOLE]
    unknown = [*(shoe[i] for i in hidden), *shoe[dealt:]]
    random.Random(other).shuffle(unknown)
    rest = unknown[len(hidden) :]
    swapped = shoe[:dealt]
    for place, card in zip(hidden, unknown, strict=False):
        swapped[place] = card
    twin, twin_seen = play(rules, [*swapped, *rest], choices)
    if twin.view() != table.view() or twin.legal_actions() != table.legal_actions():
        # The other hole card was a natural, and the round took another course.
        assert rules.hole_card is not HoleCard.NONE
        return
    legal = table.legal_actions()
    try:
        mine = coach.advise(table.view(), legal, seen.look())
    except (NoExactValueError, RulesError) as error:
        with pytest.raises(type(error)):
            coach.advise(twin.view(), legal, twin_seen.look())
        return
    theirs = coach.advise(twin.view(), legal, twin_seen.look())
    assert mine == theirs
    assert explain(mine) == explain(theirs)


@pytest.mark.parametrize("text", HOUSES)
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), choices=st.lists(st.integers(0, 4), max_size=5))
def test_a_verdict_never_costs_less_than_nothing(text, seed, choices):
    rules = HOUSES[text]
    coach = Coach(rules, cards="seen")
    table, seen = play(rules, shuffled(rules, seed), choices)
    if not table.legal_actions():
        return
    advice = coach.advise(table.view(), table.legal_actions(), seen.look())
    judgements = [advice.judge(action) for action in advice.ev]
    assert all(one.cost >= 0 for one in judgements)
    assert all(one.chips == 10 * one.cost for one in judgements)
    assert advice.judge(advice.best).is_right
    assert set(advice.ev) | set(advice.missing) == set(table.legal_actions())


@settings(max_examples=15)
@given(
    seed=st.integers(0, 10**6),
    rounds=st.integers(1, 6),
    choices=st.lists(st.integers(0, 4), max_size=3),
)
def test_with_rounds_before_it_the_advice_rests_on_what_was_shown(seed, rounds, choices):
    """Whatever comes later in the shoe, the cards seen are those of the events."""
    rules = HOUSES["2D ENHC"]
    shoe = shuffled(rules, seed)
    table = Table(rules, ScriptedShoe(shoe))
    seen = SeenCards(rules)
    table.listeners.append(seen.hear)
    for _ in range(rounds):
        table.start()
        while table.legal_actions():
            table.act(table.legal_actions()[-1])
    table.start()
    if not table.legal_actions():
        return
    advice = Coach(rules, cards="seen").advise(table.view(), table.legal_actions(), seen.look())
    # Nothing lies face down in this house: what is unseen is what the shoe still holds.
    left = shoe[seen.look().cards :]
    for rank in range(1, 11):
        assert advice.cards.unseen[rank] == sum(card.rank == rank for card in left)
