"""Bets that are found from the rounds by which they are valued: their errors count it.

Tallies are drawn again and again from one game. Over the draws every figure has a spread, which is
what its printed error must be.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.unit.analysis.made_games import make_tally
from upcard.analysis import ramp_plan
from upcard.analysis.count_rows import read_rows
from upcard.analysis.ramp_plan import RampQuestion, make_plans
from upcard.answers.ramp_report import list_figures, write_unit
from upcard.strategy.ramp import read_pairs

_DRAWS = 120
_ROUNDS = 2_000_000
_SURE = 4
"""Standard errors of a spread over the draws."""
_FIGURES = ("average_bet", "ev", "sd", "ev_per_hour", "initial", "action", "ev_per_bet", "score")
_RAMP = read_pairs("0:1 1:3 2:8")
_FOUND = [
    {"spread": 8.0, "bankroll": 10_000.0},
    {"spread": 8.0, "unit": 10.0},
    {"ramp": _RAMP, "bankroll": 10_000.0},
    {"spread": 8.0},
    {"spread": 12.0, "bankroll": 10_000.0, "kelly": 0.5, "rounds_per_hour": 70.0},
    {"spread": 4.0, "unit": 10.0, "bankroll": 5000.0},
    {"spread": 8.0, "unit": 10.0, "wong": 1},
    {"spread": 8.0, "bankroll": 10_000.0, "wong": 1},
    {"spread": 8.0, "bankroll": 10_000.0, "levels": 3},
    {"spread": 8.0, "unit": 25.0, "chip": 5.0},
    {"spread": 8.0, "bankroll": 20_000.0, "chip": 5.0},
    {"spread": 8.0, "bankroll": 20_000.0, "chip": 5.0, "risk": 0.05},
    {"ramp": _RAMP, "unit": 10.0, "bankroll": 10_000.0},
]


@pytest.fixture(scope="module")
def games():
    """The same game, played by chance."""
    tally = make_tally(slope=0.008, edge=-0.004)
    source = np.random.default_rng(11)
    chances = tally.rounds.reshape(-1) / tally.rounds.sum()
    share = _ROUNDS / tally.rounds.sum()
    drawn = []
    for _ in range(_DRAWS):
        rounds = source.multinomial(_ROUNDS, chances).reshape(tally.rounds.shape)
        added = (tally.added * share).astype(np.int64)
        shoes = round(tally.shoes * share)
        drawn.append(read_rows(replace(tally, rounds=rounds, added=added, shoes=shoes)))
    return drawn


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("terms", _FOUND, ids=str)
def test_the_error_is_the_spread(games, terms):
    question = RampQuestion(**terms)
    plans = [make_plans(game, question)[-1] for game in games]
    found = [{one.name: one for one in list_figures(plan, question)} for plan in plans]
    for name in _FIGURES:
        values = [one[name].value for one in found]
        errors = [one[name].standard_error for one in found]
        if None in errors or (name != "ev_per_hour" and "unit" in terms and "ramp" in terms):
            continue  # the counts of shoes bound the errors of a given ramp from above
        _compare(name, values, errors)
    if "unit" not in terms and "chip" not in terms and "bankroll" in terms:
        _compare("unit", [one.unit for one in plans], [one.unit_error for one in plans])
        assert "±" in write_unit(plans[0])


def _compare(name, values, errors):
    error = math.sqrt(np.mean(np.square(errors)))
    off = np.std(values, ddof=1) / error - 1
    # Chips and the bounds of shoes make errors a little larger than they need be.
    sure = _SURE / math.sqrt(2 * (_DRAWS - 1))
    assert -sure - 0.1 < off < sure + 0.1, name


@pytest.mark.parametrize("terms", _FOUND[:-1], ids=str)
def test_what_was_found_is_noted(games, terms):
    """Given again as they are, the bets have the error that they had as bets that were given."""
    question = RampQuestion(**terms)
    plan = make_plans(games[0], question)[-1]
    assert plan.betting.standard_error > plan.given.standard_error
    unit = plan.unit if plan.unit != 1 else None
    [again] = make_plans(
        games[0],
        RampQuestion(ramp=plan.ramp, unit=unit, bankroll=terms.get("bankroll"))
        if unit
        else RampQuestion(ramp=plan.ramp),
    )
    assert again.betting.ev == pytest.approx(plan.betting.ev)
    assert again.betting.standard_error == pytest.approx(plan.given.standard_error)


def test_slopes_are_those_of_the_plan(monkeypatch):
    """Move what one count wins a little: the plan's win moves as its slope says."""
    monkeypatch.setattr(ramp_plan, "FINENESS", 10**9)
    for terms in _FOUND[:9]:
        if "levels" in terms:
            continue
        question = RampQuestion(**terms)
        game = read_rows(make_tally(slope=0.008, edge=-0.004))
        [plan] = make_plans(game, question)
        for place, row in enumerate(game.rows):
            if game.frequency(row) < 0.01:
                continue
            step = 1e-5 / game.frequency(row)
            wins = []
            for by in (-step, step):
                moments = (row.moments[0] + by, *row.moments[1:])
                rows = list(game.rows)
                rows[place] = replace(row, moments=moments)
                wins.append(make_plans(replace(game, rows=tuple(rows)), question)[0].betting.ev)
            slope = (wins[1] - wins[0]) / (2 * step * game.frequency(row))
            assert plan.ev_slope[place] == pytest.approx(slope, rel=0.02, abs=0.01 * plan.unit)
