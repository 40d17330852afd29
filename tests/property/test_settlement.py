"""A second, naive settlement, written without `core`, agrees on 100,000 random rounds."""

import random
from collections import Counter

import pytest
from marks import slow_except
from random_rules import choose_rules
from settled_twice import settle_twice

from upcard import Rules
from upcard.core.cards import Card
from upcard.rules.bonuses import Bonuses
from upcard.table.shoe import ScriptedShoe
from upcard.table.state import HandStatus

BATCHES, RULES, ROUNDS = 8, 250, 50


@pytest.mark.slow
@pytest.mark.parametrize("batch", slow_except(range(2), range(BATCHES)))
def test_naive_settlement_agrees(batch):
    rng = random.Random(batch)
    played = 0
    for _ in range(RULES):
        rules = choose_rules(rng.choice)
        for found, expected, state in settle_twice(rng, rules, ROUNDS):
            assert found == expected, f"{rules}: {[str(hand) for hand in state.hands]}"
            played += 1
    assert played > 0.99 * RULES * ROUNDS


BONUSES = Bonuses.parse("678=2:1-5:1-9:1/777=3:1-7:1-8:1/777v7=50:1")


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("house", ["6D SP4 W21 RD2", "6D SP4 W21 RE H17", "6D SP2 W21 OBO DANY"])
def test_naive_settlement_of_bonuses_agrees(house):
    """In shoes of sixes, sevens and eights of two suits each bonus comes often."""
    rng = random.Random(house)
    rules = Rules.parse(house).replace(bonuses=BONUSES)
    cards = [Card(rng.choice("678") + rng.choice("SH")) for _ in range(24_000)]
    paid = Counter()
    for found, expected, state in settle_twice(rng, rules, 2000, ScriptedShoe(cards)):
        assert found == expected, f"{rules}: {[str(hand) for hand in state.hands]}"
        for hand, (_, net) in zip(state.hands, state.results, strict=True):
            if hand.status is HandStatus.WON:
                paid[net / hand.stake, bool(hand.doubles)] += 1
    assert {pay for pay, is_doubled in paid if is_doubled} == {1}
    assert {pay for pay, is_doubled in paid if not is_doubled} == set(BONUSES.pays)
