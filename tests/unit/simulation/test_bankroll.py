"""The walk of a bank: against a naive walk, and against gambler's ruin, which is known exactly."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upcard.simulation.kernels.bank_walk import (
    AT_GOAL,
    BANK,
    FIELDS,
    HIGHEST,
    LOWEST,
    PLAYING,
    RUINED,
    walk,
)

FAR = 2**62
NO_MARKS = np.zeros(0, np.int64)


def start(bank):
    path = np.zeros(FIELDS, np.int64)
    path[[BANK, LOWEST, HIGHEST]] = bank
    return path


def walk_plainly(table, bank, goal, least_cost, marks):
    """Walk a list of (gain, net, cost) as the definition says it."""
    lowest = highest = bank
    kept, rounds = [], 0
    for gain, net, cost in table:
        if cost > bank:
            return RUINED, bank, lowest, highest, rounds, kept
        bank += gain * net
        rounds += 1
        lowest, highest = min(lowest, bank), max(highest, bank)
        if rounds in marks:
            kept.append(bank)
        if bank >= goal:
            return AT_GOAL, bank, lowest, highest, rounds, kept
        if bank < least_cost:
            return RUINED, bank, lowest, highest, rounds, kept
    return PLAYING, bank, lowest, highest, rounds, kept


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(
    nets=st.integers(1, 9),
    least_net=st.integers(-6, 0),
    bets=st.lists(st.tuples(st.integers(0, 8), st.integers(0, 12)), min_size=1, max_size=5),
    bank=st.integers(1, 60),
    goal=st.integers(1, 40) | st.none(),
    cut=st.integers(0, 50),
    data=st.data(),
)
def test_it_walks_as_a_plain_walk_does_in_one_go_and_in_two(
    *, nets, least_net, bets, bank, goal, cut, data
):
    places = st.integers(0, nets * len(bets) - 1)
    outcomes = np.array(data.draw(st.lists(places, min_size=1, max_size=50)), np.int32)
    gains, costs = (np.array(column, np.int64) for column in zip(*bets, strict=True))
    least_cost = data.draw(st.integers(1, 12))
    end = FAR if goal is None else bank + goal
    marks = np.array([1, 2, 5, 10, 30], np.int64)
    table = [(*bets[o // nets], o % nets + least_net) for o in outcomes.tolist()]
    wanted = walk_plainly([(g, n, c) for g, c, n in table], bank, end, least_cost, marks.tolist())
    for cuts in ([0, len(outcomes)], [0, min(cut, len(outcomes)), len(outcomes)]):
        path, kept = start(bank), np.full(len(marks), -999, np.int64)
        ending = PLAYING
        for first, last in pairwise(cuts):
            if ending == PLAYING:
                ending = walk(
                    outcomes, first, last, gains, costs, nets, least_net, least_cost, end, path,
                    marks, kept,
                )  # fmt: skip
        found = (ending, *path[:4].tolist(), kept[: path[4]].tolist())
        assert found == wanted


def flip(rng, chance, rounds):
    """Rounds of a table of two nets, -1 and +1."""
    return (rng.random(rounds) < chance).astype(np.int32)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("chance", [0.5, 0.47, 0.53])
def test_coin_flips_are_ruined_as_often_as_gamblers_are(chance):
    """Source: W. Feller, An Introduction to Probability Theory I, XIV.2: with q/p = r and a bank
    of z of a chips, ruin has the chance (r^a - r^z) / (r^a - 1), or 1 - z/a for r = 1."""
    bank, goal, paths = 6, 9, 20_000
    rng = np.random.default_rng(5)
    gains, costs = np.array([1], np.int64), np.array([1], np.int64)
    net = {0: 0, 1: 2}  # places of a table of three nets: -1, 0, +1
    ruined = 0
    for _ in range(paths):
        flips = flip(rng, chance, 2000) * np.int32(net[1])
        path = start(bank)
        ending = walk(
            flips, 0, len(flips), gains, costs, 3, -1, 1, bank + goal, path, NO_MARKS, NO_MARKS
        )
        assert ending in (RUINED, AT_GOAL)
        assert path[BANK] == (0 if ending == RUINED else bank + goal)
        ruined += ending == RUINED
    ratio, total = (1 - chance) / chance, bank + goal
    exact = 1 - bank / total
    if ratio != 1:
        exact = (ratio**total - ratio**bank) / (ratio**total - 1)
    error = (exact * (1 - exact) / paths) ** 0.5
    assert abs(ruined / paths - exact) < 4 * error


def test_a_bank_that_pays_the_bets_is_not_ruined_by_the_split_that_follows():
    gains, costs = np.array([1], np.int64), np.array([4], np.int64)
    lost_four_bets = np.zeros(1, np.int32)
    path = start(4)
    ending = walk(lost_four_bets, 0, 1, gains, costs, 33, -16, 4, FAR, path, NO_MARKS, NO_MARKS)
    assert (ending, path[BANK], path[LOWEST]) == (RUINED, -12, -12)


def test_what_is_sat_out_needs_no_bank():
    """Seat 0 bets nothing, so that a bank under the next bets lasts while it is sat out."""
    gains, costs = np.array([0, 3], np.int64), np.array([0, 6], np.int64)
    rounds = np.array([0, 1, 0, 3], np.int32)
    path = start(5)
    ending = walk(rounds, 0, 4, gains, costs, 2, -1, 1, FAR, path, NO_MARKS, NO_MARKS)
    assert (ending, path.tolist()[:4]) == (RUINED, [5, 5, 5, 3])
