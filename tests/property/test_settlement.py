"""A second, naive settlement, written without `core`, agrees on 100,000 random rounds."""

import random

import pytest
from marks import slow_except
from random_rules import choose_rules
from settled_twice import settle_twice

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
