"""SCORE, DI, N0 and what else follows from the mean and the variance of a round."""

from __future__ import annotations

import math
import re
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_games import make_game

from upcard.analysis import figures
from upcard.analysis.figures import FORMULAS, Kind, bet_by_count, compute
from upcard.core.numbers import to_json

evs = st.floats(0.001, 0.2)
variances = st.floats(0.5, 100.0)
GIVEN = {
    "ev": 0.0123,
    "variance": 10.4,
    "bankroll": 800.0,
    "goal": 300.0,
    "rounds": 5000.0,
    "kelly": 0.5,
    "risk": 0.05,
}


@pytest.mark.parametrize(
    "name", sorted(FORMULAS.keys() - {"risk_before_goal_in_time", "chance_of_goal_in_time"})
)
@pytest.mark.parametrize("more", [{}, {"ev": 0.05, "variance": 30.0, "bankroll": 1500.0}])
def test_a_formula_computes_what_its_text_says(name, more):
    law = FORMULAS[name]
    inputs = {each: (GIVEN | more)[each] for each in law.inputs}
    functions = {"exp": math.exp, "log": math.log, "sqrt": math.sqrt, "N": NormalDist().cdf}
    read = eval(law.text.replace("^", "**"), functions, inputs)  # noqa: S307 (our own text)
    assert law.compute(**inputs) == pytest.approx(read, rel=1e-9)
    assert law.source


def test_every_input_of_a_formula_is_named_in_its_text():
    for law in FORMULAS.values():
        words = re.findall(r"[a-z]+", law.text)
        if law.name != "chance_of_goal_in_time":
            assert set(law.inputs) <= set(words)


@given(evs, variances)
def test_score_di_and_n0_say_the_same(ev, variance):
    """SCORE = DI^2 = 10^6 / N0; D. Schlesinger, Blackjack Attack."""
    score = figures.score(ev=ev, variance=variance)
    assert score == pytest.approx(figures.desirability_index(ev=ev, variance=variance) ** 2)
    assert score == pytest.approx(1e6 / figures.n0(ev=ev, variance=variance))


@given(evs, variances)
def test_score_is_the_win_of_100_rounds_with_10000_at_full_kelly(ev, variance):
    """Its definition: a bank of 10 000, a risk of ruin of 13.5 %, 100 rounds."""
    unit = figures.kelly_unit(ev=ev, variance=variance, bankroll=10_000, kelly=1)
    assert 100 * unit * ev == pytest.approx(figures.score(ev=ev, variance=variance))
    risk = figures.risk_of_ruin(ev=unit * ev, variance=unit**2 * variance, bankroll=10_000)
    assert risk == pytest.approx(0.135335, abs=1e-6)


def test_after_n0_rounds_the_win_expected_is_one_standard_deviation():
    rounds = figures.n0(ev=0.02, variance=9.0)
    assert figures.expected_win(ev=0.02, rounds=rounds) == pytest.approx(
        figures.sd_of_rounds(variance=9.0, rounds=rounds)
    )


def test_a_losing_game_has_no_score_and_no_bank_is_enough():
    lost = {"ev": -0.01, "variance": 1.3}
    assert figures.score(**lost) == 0
    assert figures.desirability_index(**lost) < 0
    assert figures.n0(**lost) == math.inf
    assert figures.bankroll_for_risk(**lost, risk=0.5) == math.inf
    assert figures.kelly_bankroll(**lost, kelly=1) == math.inf
    assert figures.rounds_to_double(ev=-0.01, bankroll=100) == math.inf
    assert figures.kelly_unit(**lost, bankroll=100, kelly=1) == 0


@given(evs, variances, st.floats(0.01, 0.99))
def test_risk_kelly_and_bank_agree(ev, variance, risk):
    kelly = figures.kelly_of_risk(risk=risk)
    assert figures.risk_of_kelly(kelly=kelly) == pytest.approx(risk)
    bank = figures.bankroll_for_risk(ev=ev, variance=variance, risk=risk)
    assert figures.kelly_bankroll(ev=ev, variance=variance, kelly=kelly) == pytest.approx(bank)
    assert figures.risk_of_ruin(ev=ev, variance=variance, bankroll=bank) == pytest.approx(risk)


@given(evs, variances, st.floats(0.1, 1.0))
def test_at_its_own_kelly_bank_half_the_win_is_certain(ev, variance, kelly):
    bank = figures.kelly_bankroll(ev=ev, variance=variance, kelly=kelly)
    certain = figures.certainty_equivalent(
        ev=ev, variance=variance, bankroll=bank, kelly=kelly, rounds=100
    )
    assert certain == pytest.approx(50 * ev)


# Errors.


def make_betting(rounds=1_000_000):
    game = make_game(rounds=rounds)
    return bet_by_count(game, [max(1.0, min(8.0, 2.0 * row.count)) for row in game.rows])


def figure_of(formula, betting, **fixed):
    return compute(formula, betting, name=formula, title="", kind=Kind.NUMBER, **fixed)


def test_errors_of_mean_and_variance_are_their_own():
    betting = make_betting()
    assert figure_of("expected_win", betting, rounds=7.0).standard_error == pytest.approx(
        7 * betting.standard_error
    )
    first, _, second = betting.covariance
    assert figure_of("sd_per_round", betting).standard_error == pytest.approx(
        math.sqrt(second) / 2 / betting.sd, rel=1e-3
    )
    assert first == pytest.approx(betting.variance / betting.rounds)


def test_the_error_of_score_is_the_delta_methods():
    betting = make_betting()
    first, both, second = betting.covariance
    by_ev = 2e6 * betting.ev / betting.variance
    by_variance = -1e6 * betting.ev**2 / betting.variance**2
    square = by_ev**2 * first + 2 * by_ev * by_variance * both + by_variance**2 * second
    error = figure_of("score", betting).standard_error
    assert error == pytest.approx(math.sqrt(square), rel=1e-4)


def test_the_error_of_ruin_is_the_delta_methods():
    betting = make_betting(100_000_000)
    risk = figure_of("risk_of_ruin", betting, bankroll=500)
    by_ev = -2 * 500 / betting.variance * risk.value
    assert risk.standard_error == pytest.approx(abs(by_ev) * betting.standard_error, rel=0.02)


def test_an_unknown_error_is_not_shown():
    betting = bet_by_count(make_game(rounds=3000), [1.0] * 13 + [1.05] * 8)
    assert figure_of("n0", betting).standard_error is None


def test_a_figure_says_what_went_in():
    betting = make_betting()
    document = to_json(figure_of("risk_of_ruin", betting, bankroll=500.0))
    assert document["formula"] == "exp(-2 * ev * bankroll / variance)"
    assert document["inputs"] == {
        "ev": betting.ev,
        "variance": betting.variance,
        "bankroll": 500.0,
    }
    assert document["source"]
