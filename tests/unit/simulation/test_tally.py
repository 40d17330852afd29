"""Tallies add up in any order, and say by count what their cells hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from upcard.core.errors import RulesError
from upcard.rules.model import Rules
from upcard.simulation.run_state import subtract
from upcard.simulation.tally import SideSums, Tally, pack, unpack

SHAPE = (2, 2, 3, 5)


def make(seed, **changes):
    rng = np.random.default_rng(seed)
    settings = {
        "unit": 2,
        "least_net": -3,
        "least_count": -1,
        "spots": 1,
        "rounds": rng.integers(0, 9, (2, 2, 4, 7)),
        "added": rng.integers(0, 9, (2, 2, 4)),
        "shoes": int(rng.integers(1, 9)),
        "cards": int(rng.integers(1, 999)),
    }
    return Tally(**(settings | changes))


def test_adding_is_the_same_in_any_order():
    one, two, three = make(1), make(2), make(3)
    assert (one + two) + three == three + (two + one)
    assert one + two != one + three


def test_different_games_are_not_added():
    with pytest.raises(RulesError, match="different games"):
        make(1) + make(2, least_count=0)


def test_rows_are_the_sums_of_their_cells():
    tally = make(4)
    rows = tally.by_count()
    assert rows.count.tolist() == [-1, 0, 1, 2]
    for row in range(4):
        cells = [
            (net - 3, int(tally.rounds[depth, 1, row, net]))
            for depth in range(2)
            for net in range(7)
        ]
        assert rows.rounds[row] == sum(number for _, number in cells)
        assert rows.net_sum[row] == sum(net * number for net, number in cells)
        assert rows.square_sum[row] == sum(net * net * number for net, number in cells)
        assert rows.added[row] == tally.added[:, 1, row].sum()
    assert tally.played + tally.rounds[:, 0].sum() == tally.seen
    assert tally.by_count().rounds.sum() == tally.played


def test_json_holds_every_number():
    tally = make(5)
    assert Tally.from_json(tally.to_json()) == tally


@pytest.mark.parametrize(
    "damage",
    [
        {"unit": None},
        {"cells": [[0, 0, -2, 0, {"0": 1}]]},
        {"cells": [[0, 0, 0, 0, {"-4": 1}]]},
        {"cells": [[9, 0, 0, 0, {"0": 1}]]},
        {"cells": "none"},
    ],
)
def test_what_is_no_tally_is_refused(damage):
    with pytest.raises(RulesError, match="not a tally"):
        Tally.from_json(make(6).to_json() | damage)


@pytest.mark.slow
@given(
    rounds=arrays(np.int64, SHAPE, elements=st.integers(0, 2**40), fill=st.just(0)),
    added=arrays(np.int64, SHAPE[:3], elements=st.integers(0, 2**40)),
    numbers=st.tuples(st.integers(-99, 99), st.integers(-99, 99), st.integers(0, 2**60)),
)
def test_a_tally_packs_and_unpacks(rounds, added, numbers):
    tally = Tally(
        unit=2,
        least_net=numbers[0],
        least_count=numbers[1],
        spots=3,
        rounds=rounds,
        added=added,
        shoes=numbers[2],
        cards=numbers[2] + 1,
    )
    assert unpack(pack(tally)) == tally


@pytest.mark.parametrize("notation", ["2D H17", "2D +PP(25/12/6) +S7(5000/500/100/50/3)"])
def test_what_was_added_can_be_subtracted_to_the_last_integer(notation):
    """A run that is extended plays its last, shorter chunk again: it is taken out of the sum."""
    bets = Rules.parse(notation).side_bets

    def make_part(seed):
        tally, rng = make(seed), np.random.default_rng(seed)
        if not bets:
            return tally
        none = SideSums.of(bets, tally.added.shape)
        counts = rng.integers(0, 9, none.counts.shape)
        products = rng.integers(-9, 9, none.products.shape)
        return replace(tally, side=replace(none, counts=counts, products=products))

    one, two, three = map(make_part, range(3))
    total = one + two + three
    assert subtract(total, three) == one + two
    assert subtract(subtract(total, one), three) == two
    assert subtract(total, three).side == (one + two).side
