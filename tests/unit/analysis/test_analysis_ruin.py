"""Risk of ruin, held against published cases, a walk in small steps, and itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upcard.analysis import figures
from upcard.analysis.figures import (
    chance_ahead,
    chance_of_goal_in_time,
    risk_before_goal,
    risk_before_goal_in_time,
    risk_in_time,
    risk_of_ruin,
)

drifts = st.floats(-0.05, 0.05)
amounts = st.floats(5.0, 2000.0)
times = st.floats(1.0, 1e6)
VARIANCE = 4.0


def test_risk_before_doubling_is_as_published():
    """M. Hall, Risk of Ruin, Blackjack Review 1992: 9.0 %.

    300 units, 0.0151 won a hand, mean square 3.887. He rounds the odds to
    four digits on the way; unrounded they give 8.86 %.
    """
    risk = risk_before_goal(ev=0.0151, variance=3.887 - 0.0151**2, bankroll=300, goal=300)
    assert risk == pytest.approx(0.0886, abs=1e-4)
    assert risk == pytest.approx(0.090, abs=0.002)


def test_risk_falls_with_the_bank_as_published():
    """N. Wattenberger, Modern Blackjack, p. 439: 82 %, 2.75 % and 1.8 %.

    The banks are 1000, 18 000 and 20 000; one of the risks decides the others.
    """
    rate = -math.log(0.0275) / 18_000
    for bank, risk in ((1000, 0.82), (20_000, 0.018)):
        mine = risk_of_ruin(ev=rate / 2, variance=1.0, bankroll=bank)
        assert mine == pytest.approx(risk, abs=0.005)


def test_full_kelly_has_its_known_risks():
    """With Kelly's own bank: e^-2 = 13.5 % for ever, 1 / (1 + e^2) before it has doubled."""
    assert risk_of_ruin(ev=0.01, variance=1.0, bankroll=100) == pytest.approx(math.exp(-2))
    before = risk_before_goal(ev=0.01, variance=1.0, bankroll=100, goal=100)
    assert before == pytest.approx(1 / (1 + math.exp(2)))


def test_an_even_game_is_the_plain_gamblers_ruin():
    assert risk_before_goal(ev=0.0, variance=1.0, bankroll=30, goal=10) == pytest.approx(0.25)
    nearly = risk_before_goal(ev=1e-9, variance=1.0, bankroll=30, goal=10)
    assert nearly == pytest.approx(0.25, abs=1e-6)


def test_a_losing_game_ends_in_ruin():
    assert risk_of_ruin(ev=-0.01, variance=1.3, bankroll=1e9) == 1.0
    assert risk_of_ruin(ev=0.0, variance=1.3, bankroll=1e9) == 1.0
    assert risk_in_time(ev=-0.01, variance=1.3, bankroll=100, rounds=1e7) == pytest.approx(1.0)


@given(drifts, amounts, amounts)
def test_either_barrier_is_met(ev, bankroll, goal):
    lost = risk_before_goal(ev=ev, variance=VARIANCE, bankroll=bankroll, goal=goal)
    won = risk_before_goal(ev=-ev, variance=VARIANCE, bankroll=goal, goal=bankroll)
    assert lost + won == pytest.approx(1)


@given(drifts, amounts, times)
def test_time_without_end_is_no_limit(ev, bankroll, rounds):
    limited = risk_in_time(ev=ev, variance=VARIANCE, bankroll=bankroll, rounds=rounds)
    assert 0 <= limited <= risk_of_ruin(ev=ev, variance=VARIANCE, bankroll=bankroll) + 1e-12
    forever = risk_in_time(ev=max(ev, 1e-3), variance=VARIANCE, bankroll=bankroll, rounds=1e12)
    assert forever == pytest.approx(
        risk_of_ruin(ev=max(ev, 1e-3), variance=VARIANCE, bankroll=bankroll)
    )


@given(drifts, amounts, times)
@settings(max_examples=25)
def test_a_goal_out_of_reach_is_no_goal(ev, bankroll, rounds):
    far = bankroll + abs(ev) * rounds + 60 * math.sqrt(VARIANCE * rounds)
    mine = risk_before_goal_in_time(
        ev=ev, variance=VARIANCE, bankroll=bankroll, goal=far, rounds=rounds
    )
    assert mine == pytest.approx(
        risk_in_time(ev=ev, variance=VARIANCE, bankroll=bankroll, rounds=rounds), abs=1e-12
    )


@given(drifts, amounts, amounts)
def test_a_goal_and_time_without_end_are_a_goal(ev, bankroll, goal):
    mine = risk_before_goal_in_time(
        ev=ev, variance=VARIANCE, bankroll=bankroll, goal=goal, rounds=1e10
    )
    assert mine == pytest.approx(
        risk_before_goal(ev=ev, variance=VARIANCE, bankroll=bankroll, goal=goal), abs=1e-12
    )


@given(drifts, amounts, amounts, st.floats(0.05, 1.5))
def test_images_and_waves_agree(ev, bankroll, goal, share):
    rounds = share * (bankroll + goal) ** 2 / VARIANCE
    images = figures._sum_images(ev, VARIANCE, bankroll, goal, rounds)
    waves = figures._sum_waves(ev, VARIANCE, bankroll, goal, rounds)
    assert images == pytest.approx(waves, abs=1e-11)


@given(drifts, amounts, amounts, times)
def test_ruin_goal_and_neither_are_chances(ev, bankroll, goal, rounds):
    fixed = {
        "ev": ev,
        "variance": VARIANCE,
        "bankroll": bankroll,
        "goal": goal,
        "rounds": rounds,
    }
    lost, won = risk_before_goal_in_time(**fixed), chance_of_goal_in_time(**fixed)
    assert 0 <= lost <= 1
    assert 0 <= won <= 1
    assert lost + won <= 1 + 1e-9
    later = fixed | {"rounds": 2 * rounds}
    assert risk_before_goal_in_time(**later) >= lost - 1e-12


def walk(ev, variance, bankroll, goal, rounds, *, size):
    """The chances of a walk in steps of `size`: ruined, at the goal; by counting its paths.

    A step has the mean `ev` and the variance `variance` of `size^2 / variance` rounds' worth.
    """
    step = size**2 / variance
    up = (1 + ev * step / size) / 2
    places = np.zeros(round((bankroll + goal) / size) + 1)
    places[round(bankroll / size)] = 1.0
    for _ in range(round(rounds / step)):
        inner = places[1:-1].copy()
        places[1:-1] = 0
        places[2:] += up * inner
        places[:-2] += (1 - up) * inner
    return places[0], places[-1]


@pytest.mark.parametrize("ev", [-0.01, 0.0, 0.004, 0.02])
@pytest.mark.parametrize(
    ("bankroll", "goal", "rounds"), [(100, 50, 500), (100, 100, 3000), (60, 240, 9000)]
)
def test_a_walk_in_small_steps_comes_to_the_same(ev, bankroll, goal, rounds):
    lost, won = walk(ev, VARIANCE, bankroll, goal, rounds, size=2)
    fixed = {
        "ev": ev,
        "variance": VARIANCE,
        "bankroll": bankroll,
        "goal": goal,
        "rounds": rounds,
    }
    assert risk_before_goal_in_time(**fixed) == pytest.approx(lost, abs=2e-4)
    assert chance_of_goal_in_time(**fixed) == pytest.approx(won, abs=2e-4)
    alone, _ = walk(ev, VARIANCE, bankroll, 2000, rounds, size=2)
    risk = risk_in_time(ev=ev, variance=VARIANCE, bankroll=bankroll, rounds=rounds)
    assert risk == pytest.approx(alone, abs=2e-4)


def test_nothing_happens_in_no_time():
    assert risk_in_time(ev=0.01, variance=1.0, bankroll=10, rounds=0) == 0
    fixed = {"ev": 0.01, "variance": 1.0, "bankroll": 10, "goal": 10, "rounds": 0}
    assert risk_before_goal_in_time(**fixed) == 0


@pytest.mark.parametrize("ev", [-5.0, -0.01, 0.01, 5.0])
@pytest.mark.parametrize("bankroll", [1e-3, 10.0, 1e9])
@pytest.mark.parametrize("rounds", [1.0, 1e9])
def test_extreme_numbers_stay_chances(ev, bankroll, rounds):
    for goal in (1e-3, 1e9):
        fixed = {"ev": ev, "variance": 1.3, "bankroll": bankroll, "goal": goal}
        assert 0 <= risk_before_goal(**fixed) <= 1
        assert 0 <= risk_before_goal_in_time(**fixed, rounds=rounds) <= 1
    assert 0 <= risk_in_time(ev=ev, variance=1.3, bankroll=bankroll, rounds=rounds) <= 1


def test_ahead_after_n0_rounds_is_five_sixths():
    """One standard deviation: 84.13 %."""
    assert chance_ahead(ev=0.02, variance=9.0, rounds=22_500) == pytest.approx(0.841345, abs=1e-6)
