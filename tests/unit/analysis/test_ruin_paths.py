"""Simulated ruin beside the formulas: errors, agreement, and what is said where they differ."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from upcard.analysis.count_rows import read_rows
from upcard.analysis.figures import (
    bet_by_count,
    chance_of_goal_in_time,
    risk_before_goal_in_time,
    risk_in_time,
)
from upcard.analysis.ruin_paths import PathsAnswer, Share, describe
from upcard.rules.model import Rules
from upcard.simulation.bank_paths import BankPlan, play_paths
from upcard.simulation.job import make_job, read_ramp


def play(rules="6D", *, ramp="1-8", seed=1, bankroll=100, goal=None, rounds=1000, paths=500):
    job = make_job(Rules.parse(rules), seed=seed, count=None if ramp is None else "hi-lo")
    plan = BankPlan(
        job=job,
        ramp=None if ramp is None else read_ramp(ramp, job),
        bankroll=Fraction(bankroll),
        goal=None if goal is None else Fraction(goal),
        rounds=rounds,
        paths=paths,
    )
    return PathsAnswer(paths=play_paths(plan, workers=2))


@pytest.fixture(scope="module")
def answer():
    return play(goal=60)


def test_wilsons_interval_is_his():
    """With no event of n the interval ends at z^2 / (n + z^2), with n of n it begins at the rest;
    15 of 20 is from 0.5313 to 0.8881, by the formula worked out apart."""
    square = 1.959964**2
    assert Share(0, 10).interval == (0.0, pytest.approx(square / (10 + square)))
    assert Share(10, 10).interval == (pytest.approx(10 / (10 + square)), 1.0)
    z, p, n = 1.959964, 0.75, 20
    root = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = (p + z * z / (2 * n) - root) / (1 + z * z / n)
    assert Share(15, 20).interval[0] == pytest.approx(low)
    assert Share(15, 20).interval == (
        pytest.approx(0.5313, abs=1e-4),
        pytest.approx(0.8881, abs=1e-4),
    )
    assert Share(5, 20).standard_error == pytest.approx(math.sqrt(0.25 * 0.75 / 20))


def test_a_spread_is_mean_error_and_quantiles():
    spread = describe(np.arange(101))
    assert (spread.size, spread.mean) == (101, 50)
    assert spread.quantiles == (5, 25, 50, 75, 95)
    assert spread.standard_error == pytest.approx(np.std(np.arange(101), ddof=1) / math.sqrt(101))
    assert describe(np.array([3])).standard_error is None


def test_ev_and_variance_are_those_of_the_tally(answer):
    paths = answer.paths
    game = read_rows(paths.tally, paths.plan.job.rules)
    plain = bet_by_count(game, [float(paths.plan.bet(row.count)) for row in game.rows])
    assert (answer.betting.ev, answer.betting.variance) == (plain.ev, plain.variance)
    assert paths.net_sum.sum() / paths.dealt.sum() == pytest.approx(plain.ev)
    # Paths are independent; rounds nearly so, and their error of the EV is nearly the same.
    assert answer.betting.standard_error == pytest.approx(plain.standard_error, rel=0.15)
    assert answer.variance_ratio[0] == pytest.approx(1, abs=4 * answer.variance_ratio[1])


def test_shares_and_formulas_are_those_of_the_same_question(answer):
    ruined, at_goal = answer.comparisons
    total = answer.ruined.number + answer.at_goal.number + answer.undecided.number
    assert total == answer.paths.plan.paths
    given = {"ev": answer.betting.ev, "variance": answer.betting.variance, "bankroll": 100.0}
    given |= {"goal": 60.0, "rounds": 1000.0}
    assert ruined.formula.value == risk_before_goal_in_time(**given)
    assert at_goal.formula.value == chance_of_goal_in_time(**given)
    assert dict(at_goal.formula.inputs) == given
    left, over = answer.left_at_ruin.mean, answer.over_goal.mean
    assert over > 0
    given |= {"bankroll": 100 - left, "goal": 60 + over}
    assert ruined.moved.value == risk_before_goal_in_time(**given)
    assert [figure.name for figure in answer.unlimited] == ["risk_of_ruin", "risk_before_goal"]


def test_the_errors_are_those_of_a_bootstrap_over_paths(answer):
    """Draw the paths anew: the formula, and simulated less formula, vary as their errors say."""
    paths, rng = answer.paths, np.random.default_rng(3)
    drawn = []
    for _ in range(400):
        chosen = rng.integers(0, paths.plan.paths, paths.plan.paths)
        dealt = paths.dealt[chosen].sum()
        ev = paths.net_sum[chosen].sum() / dealt
        variance = paths.square_sum[chosen].sum() / dealt - ev**2
        law = risk_before_goal_in_time(
            ev=ev, variance=variance, bankroll=100.0, goal=60.0, rounds=1000.0
        )
        drawn.append((law, paths.is_ruined[chosen].mean() - law))
    laws, differences = np.array(drawn).T
    ruined = answer.comparisons[0]
    assert ruined.formula.standard_error == pytest.approx(laws.std(), rel=0.15)
    error = (ruined.simulated.value - ruined.formula.value) / ruined.z
    assert error == pytest.approx(differences.std(), rel=0.15)


@pytest.mark.slow
def test_over_seeds_the_formula_with_moved_barriers_is_off_by_one_error():
    found = [
        play(ramp=None, seed=seed, bankroll=15, rounds=800, paths=300).comparisons[0]
        for seed in range(40)
    ]
    moved = np.array([each.moved_z for each in found])
    assert abs(moved.mean()) < 4 / math.sqrt(40)
    assert 0.7 < moved.std() < 1.35
    # Ruin comes half a bet late or early; over 40 seeds even that is seen as it stands.
    assert abs(np.mean([each.z for each in found])) > abs(moved.mean())


@pytest.mark.slow
def test_whole_bets_are_named_where_they_are_the_reason():
    """Half a bet beyond the goal is a lot for a bank of 8 bets."""
    answer = play(ramp=None, bankroll=8, goal=8, rounds=400, paths=20_000)
    for each in answer.comparisons:
        assert (each.agrees, each.agrees_moved) == (False, True)
    first, second, *_ = answer.notes()
    assert "Ruined: they differ because bets are whole" in first
    assert "At the goal: they differ because bets are whole" in second
    assert f"the goal was passed by {answer.over_goal.mean:.4g}" in second


def test_too_few_rounds_are_named_where_they_are_the_reason():
    answer = play(bankroll=8, rounds=40, paths=2000)
    (ruined,) = answer.comparisons
    assert (ruined.agrees, ruined.agrees_moved) == (False, False)
    note = answer.notes()[0]
    assert "moving the barriers does not explain it" in note
    assert "40 rounds and a bank of 1 times the largest bet" in note


def test_no_ruined_path_is_no_certainty():
    answer = play(ramp=None, bankroll=1000, rounds=500, paths=50)
    (ruined,) = answer.comparisons
    assert (ruined.simulated.number, ruined.moved, ruined.moved_z) == (0, None, None)
    assert ruined.agrees
    assert answer.left_at_ruin is None
    assert answer.ruined.interval[1] > 0.05


def test_a_bank_of_a_single_bet_is_still_reported():
    answer = play(bankroll=1, rounds=50, paths=100)
    (ruined,) = answer.comparisons
    assert math.isfinite(ruined.z)
    assert 0 < ruined.moved.value <= 1


def test_ruin_over_time_ends_at_the_comparison(answer):
    marks, simulated, formula, moved = answer.trace_ruin()
    assert (marks[0], simulated[0].number, formula[0], moved[0]) == (0, 0, 0.0, 0.0)
    assert simulated[-1] == answer.ruined
    assert formula[-1] == answer.comparisons[0].formula.value
    assert moved[-1] == answer.comparisons[0].moved.value
    assert list(formula) == sorted(formula)


def test_without_a_goal_the_formula_is_that_of_time_alone():
    answer = play(bankroll=50)
    (ruined,) = answer.comparisons
    betting = answer.betting
    wanted = risk_in_time(ev=betting.ev, variance=betting.variance, bankroll=50.0, rounds=1000.0)
    assert ruined.formula.value == wanted


def test_losing_and_doubtful_bets_are_named():
    losing = play(ramp=None, bankroll=50)
    assert any("ruin is certain" in note for note in losing.notes())
    doubtful = play(bankroll=500, rounds=1000, paths=100, ramp="1-16")
    assert 0 < doubtful.betting.ev < 3 * doubtful.betting.standard_error
    assert any("not settled" in note for note in doubtful.notes())


def test_json_holds_everything_and_no_more_than_numbers(answer):
    text = json.dumps(answer.to_json(), allow_nan=False)
    document = json.loads(text)
    assert document["shares"]["ruined"]["paths"] == answer.ruined.number
    assert document["comparisons"][0]["formula"]["inputs"]["goal"] == 60.0
    assert document["spreads"]["final"]["quantiles"]["0.5"] == answer.spreads["final"].quantiles[2]
    assert document["ramp"] == "1:1 2:2 3:4 4:6 5:8"


@pytest.mark.slow
@pytest.mark.parametrize(("bankroll", "goal"), [(400, None), (400, 400), (150, None)])
def test_hi_lo_one_to_eight_is_ruined_as_often_as_the_formula_says(bankroll, goal):
    """4,000 banks give a share to 0.8% at most, less than half of the 2% allowed."""
    answer = play("6D LS", bankroll=bankroll, goal=goal, rounds=20_000, paths=4_000, seed=7)
    for each in answer.comparisons:
        assert abs(each.moved_z) < 4
        assert each.formula.value == pytest.approx(each.simulated.value, abs=0.02)
    assert answer.variance_ratio[0] == pytest.approx(1, abs=0.06)
