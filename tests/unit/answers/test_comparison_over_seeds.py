"""The errors that a comparison prints, against the spread of its figures over seeds."""

from __future__ import annotations

import math
from statistics import fmean, stdev

import pytest

from upcard.answers.games.side_by_side import compare_counts, compare_games

_SEEDS = {"counts": 32, "games": 20}
_SURE = 4
"""Standard errors of a spread over the seeds."""
_TERMS = (
    {"spread": "1-8", "bankroll": 10_000},
    {"spread": "1-8", "unit": 10},
    {"spread": "1-8", "bankroll": 10_000, "chip": 5},
    {"spread": "1-12", "wong": 1, "unit": 10},
)


def _check(found):
    values, errors = zip(*found, strict=True)
    spread = stdev(values) / math.sqrt(fmean(error**2 for error in errors))
    assert abs(spread - 1) < _SURE / math.sqrt(2 * (len(values) - 1)), spread


@pytest.mark.slow
@pytest.mark.usefixtures("saved_values")  # every seed has the same exact part
@pytest.mark.parametrize("kind", _SEEDS)
def test_errors_are_the_spread_over_seeds(tmp_path, kind):
    """The hourly win, and how far a game or count is behind."""
    found = {}
    for seed in range(1, _SEEDS[kind] + 1):
        for bets in _TERMS:
            given = {**bets, "rounds": "1.5M", "seed": seed, "output": tmp_path / f"{seed}"}
            if kind == "counts":  # on the same shoes
                answer = compare_counts("6D S17 PEN85", ["hi-lo", "zen"], **given)
            else:
                answer = compare_games(["6D S17 PEN85", "2D H17"], count="hi-lo", **given)
            wins = [(one.ev_per_hour, one.ev_per_hour_standard_error) for one in answer.games]
            other = answer.games[1 - answer.best]
            assert other.same_shoes == (kind == "counts")
            behind = (wins[0][0] - wins[1][0], other.ev_behind_standard_error)
            for place, pair in enumerate([*wins, behind]):
                found.setdefault((str(bets), place), []).append(pair)
    for pairs in found.values():
        _check(pairs)
