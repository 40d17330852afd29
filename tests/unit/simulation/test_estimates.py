"""Means and errors against the plainest way to work them out: the list of all rounds."""

from __future__ import annotations

import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from fake_rounds import make_fake_job, play_fake
from hypothesis import given
from hypothesis import strategies as st

from upcard.core.errors import RulesError
from upcard.simulation.tally import (
    DEALT,
    check_ramp,
    estimate_counts,
    estimate_flat,
    estimate_ramp,
)
from upcard.strategy.ramp import BetRamp


def list_rounds(tally):
    """Write every round out: seat, count, net in bets."""
    for _, seat, row, column in np.argwhere(tally.rounds):
        for _ in range(tally.rounds[0, seat, row, column]):
            yield seat, row + tally.least_count, Fraction(column + tally.least_net, tally.unit)


def error_of(values):
    return statistics.stdev(map(float, values)) / math.sqrt(len(values))


@pytest.mark.slow
@given(seed=st.integers(0, 1000), rounds=st.integers(2, 300), enter=st.sampled_from([None, 1]))
def test_estimates_are_those_of_the_list_of_rounds(seed, rounds, enter):
    tally = play_fake(make_fake_job(seed, counts=True, enter=enter, spots=2), 0, rounds)
    listed = list(list_rounds(tally))
    dealt = [float(net) for _, _, net in listed]
    played = [float(net) for seat, _, net in listed if seat]
    ramp = BetRamp(least=-1, bets=(Fraction(0), Fraction(1), Fraction(5, 2)))
    bets = [float(net * ramp.bet(count)) if seat else 0.0 for seat, count, net in listed]
    flat = estimate_flat(tally, seats=DEALT)
    assert flat.ev == pytest.approx(statistics.mean(dealt) / 2)
    assert flat.standard_error == pytest.approx(error_of(dealt) / 2)
    assert flat.standard_deviation == pytest.approx(statistics.stdev(dealt))
    spread = estimate_ramp(tally, ramp)
    assert spread.rounds == rounds
    assert spread.ev == pytest.approx(statistics.mean(bets))
    assert spread.standard_error == pytest.approx(error_of(bets))
    if len(played) > 1:
        assert estimate_flat(tally).ev == pytest.approx(statistics.mean(played) / 2)
        assert estimate_flat(tally).standard_error == pytest.approx(error_of(played) / 2)
    for row in estimate_counts(tally):
        here = [float(net) for seat, count, net in listed if seat and count == row.count]
        assert row.flat.rounds == len(here)
        assert row.flat.ev == pytest.approx(statistics.mean(here) / 2)
        assert row.share == pytest.approx(len(here) / len(played))


@pytest.mark.parametrize("rounds", [2, 3])
def test_the_error_of_few_rounds_is_that_of_a_sample(rounds):
    """The sum of squares over n - 1, not over n: with three rounds that is 22 % more."""
    tally = play_fake(make_fake_job(4, spots=2), 0, rounds)
    nets = [float(net) for *_, net in list_rounds(tally)]
    assert len(set(nets)) > 1
    flat = estimate_flat(tally)
    assert flat.standard_deviation == pytest.approx(statistics.stdev(nets))
    assert flat.standard_error == pytest.approx(error_of(nets) / 2)


def test_no_rounds_have_no_estimate():
    tally = play_fake(make_fake_job(counts=True, enter=9), 0, 100)
    assert math.isnan(estimate_flat(tally).ev)
    assert estimate_counts(tally) == []
    assert estimate_flat(tally, seats=DEALT).rounds == 100


def test_the_ends_of_a_tally_say_that_they_stand_for_more():
    labels = [row.label for row in estimate_counts(play_fake(make_fake_job(), 0, 1000))]
    assert labels == ["<= -3", "-2", "-1", "0", "+1", "+2", ">= +3"]


@pytest.mark.parametrize("least", [-4, 3])
def test_a_ramp_that_changes_beyond_the_tally_is_refused(least):
    tally = play_fake(make_fake_job(counts=True), 0, 100)
    with pytest.raises(RulesError, match="beyond the counts a run distinguishes, -3 to 3"):
        check_ramp(tally, BetRamp(least=least, bets=(Fraction(1), Fraction(2))))
    for allowed in (-3, 2):
        check_ramp(tally, BetRamp(least=allowed, bets=(Fraction(1), Fraction(2))))
