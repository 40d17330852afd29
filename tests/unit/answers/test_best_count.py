"""The best tags beside the systems of their level, simulated on the same shoes."""

import math
from statistics import mean, stdev
from typing import NamedTuple

import numpy as np
import pytest

from upcard.analysis.best_tags import TagGoal
from upcard.analysis.figures import Measurement
from upcard.answers.games import best_count
from upcard.answers.games.best_count import find_best_count
from upcard.rules.model import Rules
from upcard.strategy.count_system import load_system

GAME = Rules()

# Every count that is rated asks for the same exact values of the game.
pytestmark = pytest.mark.usefixtures("saved_values")


class Played(NamedTuple):
    """As much of a run as is looked at."""

    name: str
    rounds: int


@pytest.mark.slow
def test_the_systems_of_the_level_and_hi_lo_are_beside_the_best():
    found = find_best_count(GAME, "betting", level="2", rounds=0)
    assert [one.system.name for one in found.counts] == [
        *("best-betting-2", "hi-opt-2", "hi-lo", "zen", "omega-2")
    ]
    correlations = [one.betting_correlation for one in found.counts]
    assert correlations == sorted(correlations, reverse=True)
    assert [one.growth_estimate is None for one in found.counts] == [False, True, *[False] * 3]
    assert found.rounds == 0


@pytest.mark.slow
def test_tags_that_are_known_are_named():
    topics = dict(find_best_count(GAME, "betting", rounds=0).sentences())
    assert topics["Known"] == "these are the tags of hi-lo."
    topics = dict(find_best_count(GAME, "betting", sums=True, rounds=0).sentences())
    assert topics["Known"] == "these are the tags of ko."
    assert topics["Count"].startswith("the tags, and 4 less for each deck seen")


@pytest.mark.slow
def test_differences_are_those_of_the_figures_with_smaller_errors():
    found = find_best_count(GAME, "growth", level="2", spread=12.0, rounds=4_000_000)
    best, zen, *_, hi_lo = (one for one in found.counts if one.measured)
    assert (zen.system.name, hi_lo.system.name) == ("zen", "hi-lo")
    assert best.behind is None
    for other in (zen, hi_lo):
        assert other.behind.value == best.measured.value - other.measured.value
        apart = math.hypot(best.measured.standard_error, other.measured.standard_error)
        assert other.behind.standard_error < 0.7 * apart
        assert other.measured.value > 0


@pytest.mark.slow
def test_the_best_tags_for_plays_win_at_flat_bets():
    found = find_best_count(GAME, "playing", sums=True, rounds=20_000_000)
    hi_lo = next(one for one in found.counts if one.system.name == "hi-lo")
    assert hi_lo.behind.value > 2 * hi_lo.behind.standard_error


def test_what_another_count_wins_less_is_above_0_and_what_it_wins_more_below(monkeypatch):
    """Three systems of known results, block by block on the same shoes."""
    won = {"best": [5.0, 7.0, 6.0, 6.0], "hi-lo": [4.0, 6.5, 4.5, 5.0], "ko": [6.0, 7.5, 7.0, 6.5]}
    counts = [
        best_count.RatedCount(
            system=load_system("hi-lo").replace(name=name),
            tags=(0,) * 9 + (place,),
            betting_correlation=0.9,
            playing_efficiency=0.5,
            insurance_correlation=0.7,
            growth_estimate=None,
        )
        for place, name in enumerate(won)
    ]
    asked = {"goal": TagGoal.BETTING, "level": "1", "sums": False, "spread": 8.0}
    found = best_count.BestCount(
        rules=GAME, counts=tuple(counts), per_deck=0, unit=1, rounds=0, seed=1, **asked
    )
    monkeypatch.setattr(best_count, "_play", lambda _, system, __: Played(system.name, 40))
    monkeypatch.setattr(
        best_count,
        "_measure",
        lambda _, run: (Measurement(mean(won[run.name]), 1.0), np.array(won[run.name])),
    )
    raced = best_count._simulate(found, every=True, rounds=40)
    best, hi_lo, ko = raced.counts
    assert (best.measured.value, best.behind) == (6.0, None)
    assert hi_lo.behind == (1.0, pytest.approx(stdev([1.0, 0.5, 1.5, 1.0]) / 2))
    assert ko.behind == (-0.75, pytest.approx(stdev([-1.0, -0.5, -1.0, -0.5]) / 2))


@pytest.mark.slow
def test_an_interrupted_simulation_has_the_systems_so_far(monkeypatch):
    names = []

    def play(found, system, rounds, workers, watch):
        if names:
            raise KeyboardInterrupt
        names.append(system.name)
        return real(found, system, rounds, workers, watch)

    real = best_count._play
    monkeypatch.setattr(best_count, "_play", play)
    found = find_best_count(GAME, "betting", level="2", rounds=200_000)
    assert not found.is_whole
    assert names == ["best-betting-2"]
    assert found.rounds == 200_000
    assert [one.measured is None for one in found.counts] == [False, *[True] * 4]
    assert isinstance(found.best.measured, Measurement)


@pytest.mark.slow
def test_all_systems_of_the_level_are_simulated_if_they_count_other_tags():
    found = find_best_count(GAME, "betting", every=True, rounds=40_000)
    measured = {one.system.name for one in found.counts if one.measured}
    assert measured <= {"best-betting-1", "hi-opt-1", "ko", "red-7", "ace-five"}
    assert found.is_whole
    names = [row[0] for row in list(found.tables())[-1].rows]
    assert set(names) == measured
