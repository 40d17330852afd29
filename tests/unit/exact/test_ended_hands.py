"""The chance that all hands of a split end before the dealer."""

import math
from itertools import product
from random import Random

import numpy as np
import pytest

from upcard.core.cards import RANKS
from upcard.exact.kernels import ended_hands
from upcard.exact.kernels.split_values import count_split_orders

RANK, MATCHING = 8, 1


def draw_endings(rng, number):
    """Return cards by rank with numbers of ways, few enough for four hands."""
    return [
        ([rng.choice((0, 0, 0, 1, 2)) for _ in RANKS], rng.randint(1, 9)) for _ in range(number)
    ]


def pack(endings):
    """Return endings as the kernels have them, by way of the last card that is drawn."""
    shifts = ended_hands._SHIFTS
    keys = [
        sum(cards) + sum(n << shifts[rank] for rank, n in zip(RANKS, cards, strict=True))
        for cards, _ in endings
    ]
    ways = np.array([ways for _, ways in endings], dtype=np.float64)
    return ended_hands._merge(np.array(keys, dtype=np.int64), ways)


def sum_directly(shoe, kinds, orders):
    """Add up the chances of all endings of all hands, one by one."""
    chance = 0.0
    for made, pairs, plain, paired in orders:
        hands = [kinds[int(hand < pairs)] for hand in range(int(made))]
        for ends in product(*hands):
            drawn = np.sum([cards for cards, _ in ends], axis=0)
            drawn[MATCHING - 1] += 1
            drawn[RANK - 1] += int(made) - 2
            ways = math.prod(ways for _, ways in ends) * (plain + paired) / made
            ways *= math.prod(math.perm(n, k) for n, k in zip(shoe, drawn.tolist(), strict=True))
            chance += ways / math.perm(sum(shoe), int(drawn.sum())) if ways else 0.0
    return chance


@pytest.mark.parametrize("most", [2, 3, 4])
@pytest.mark.parametrize("cards", [4, 24])
def test_groups_of_hands_meet_as_all_their_endings_do(most, cards):
    rng = Random(f"{most} {cards}")
    kinds = draw_endings(rng, 6), draw_endings(rng, 3)
    shoe = [*[cards] * 9, 4 * cards]
    orders = count_split_orders(most).every
    found = ended_hands.chance_that_all_end(
        np.array([0.0, *shoe]), RANK, MATCHING, tuple(map(pack, kinds)), orders
    )
    assert found == pytest.approx(sum_directly(shoe, kinds, orders), rel=1e-10)


def test_hands_that_cannot_end_have_no_chance():
    orders = count_split_orders(4).every
    none = ended_hands.Endings(np.zeros(0, dtype=np.int64), np.zeros(0))
    shoe = np.array([0.0, *[24.0] * 10])
    assert ended_hands.chance_that_all_end(shoe, RANK, MATCHING, (none, none), orders) == 0
