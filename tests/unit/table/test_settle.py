"""What each spot won or lost: the parts add up to the round."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_rules import any_rules

from upcard import Action, EmptyShoeError, IllegalActionError, Rules, Table
from upcard.fair.fair_shoe import FairShoe
from upcard.table.events import InsuranceSettled, Settled
from upcard.table.settle import insurance_of_spots, net_of_spots
from upcard.table.shoe import ScriptedShoe


@pytest.mark.slow
@settings(max_examples=150)
@given(any_rules(), st.integers(0, 2**32))
def test_the_nets_of_the_spots_are_what_the_table_said_and_sum_to_the_round(rules, seed):
    rng = random.Random(seed)
    table = Table(rules, FairShoe(rules, seeds=lambda: rng.randbytes(32)))
    spots = 1 + seed % min(rules.max_spots, 3)
    for _ in range(3):
        told = []
        table.listeners = [told.append]
        try:
            state = table.start([rng.randint(1, 20) for _ in range(spots)])
            while not state.is_over:
                state = table.act(rng.choice(state.legal))
        except EmptyShoeError:
            continue
        due, insured = [Fraction(0)] * spots, [Fraction(0)] * spots
        for event in told:
            if isinstance(event, Settled):
                due[state.hands[event.hand].spot] += event.net
            elif isinstance(event, InsuranceSettled):
                due[event.spot] += event.net
                insured[event.spot] += event.net
        assert net_of_spots(state) == tuple(due)
        assert insurance_of_spots(state) == tuple(insured)
        assert sum(net_of_spots(state)) == state.net
        assert sum(insurance_of_spots(state)) == state.insurance.net


def test_a_natural_pays_the_insurance_of_the_spot_that_took_it():
    # T 9 and T 8 against ace and king.
    table = Table(Rules.parse("6D"), ScriptedShoe("T T A 9 8 K"))
    table.start([10, 20])
    table.act(Action.INSURANCE)
    state = table.act(Action.NO_INSURANCE)
    assert insurance_of_spots(state) == (10, 0)
    assert net_of_spots(state) == (0, -20)


def test_a_split_spot_has_the_net_of_both_its_hands():
    table = Table(Rules.parse("6D"), ScriptedShoe("8 T 6 8 9 T 3 T 2 K"))
    table.start([10, 5])
    table.act(Action.SPLIT)
    table.act(Action.STAND)  # 8 3
    table.act(Action.STAND)  # 8 T
    state = table.act(Action.STAND)  # T 9, and the dealer has 6 T 2
    assert state.dealer_total == 18
    assert net_of_spots(state) == (-10, 5)


def test_a_round_that_is_not_over_has_no_nets():
    table = Table(Rules.parse("6D"), ScriptedShoe("T 6 8 T 9"))
    state = table.start([10])
    with pytest.raises(IllegalActionError, match="finish it first"):
        net_of_spots(state)
