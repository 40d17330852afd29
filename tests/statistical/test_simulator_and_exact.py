"""The simulator's mean against the exact value of the same chart, where every round is shuffled."""

from __future__ import annotations

import math

import pytest

import upcard
from upcard.simulation.job import Job
from upcard.simulation.kernel_rounds import play_chunk

ROUNDS = 16_000_000
RULES = [
    "1D H17 D10 NDAS CSM",
    "1D S17 DAS CSM",
    "1D S17 DAS LS CSM",
    "1D H17 RSA HSA CSM",
    "1D S17 ENHC NDAS CSM",
    "1D S17 DANY SP8 CSM",
    "2D H17 DAS CSM",
    "2D S17 DAS LS RSA CSM",
    "2D S17 ENHC D9 DAS CSM",
    "2D H17 OBO DAS CSM",
    "2D S17 ES CSM",
    "2D H17 6:5 NDAS CSM",
    "4D S17 DAS CSM",
    "4D H17 DAS LS RSA HSA CSM",
    "4D S17 OBO LS CSM",
    "5D S17 D9 SP2 CSM",
    "6D S17 DAS CSM",
    "6D S17 DAS LS CSM",
    "6D H17 DAS LS RSA CSM",
    "6D S17 ENHC DAS CSM",
    "6D S17 ENHC ES DAS CSM",
    "6D S17 ENHC LS DAS CSM",
    "6D S17 OBO DAS CSM",
    "6D S17 OBO ES DAS CSM",
    "6D S17 ES DAS CSM",
    "6D S17 DANY DAS CSM",
    "6D S17 ND SP1 CSM",
    "6D H17 6:5 NDAS CSM",
    "6D S17 1:1 DAS CSM",
    "6D S17 2:1 DAS CSM",
    "8D S17 DAS CSM",
    "2D48 H17 DAS LS CSM",
    "6D48 S17 RSA CSM",
    "8D H17 SP3 CSM",
    "8D S17 SP8 RSA CSM",
    "6D H17 P22 ZOMBIE CSM",
    "2D S17 DANY SP2 ZOMBIE CSM",
    "6D H17 P22 1:1 SWITCH NOINS CSM",
    "1D LS SP2 SWITCH NOINS CSM",
    "INF S17 DAS",
    "INF H17 DAS LS",
    "INF(1/2) S17 DAS",
    "INF(0.2) H17 ENHC DAS RSA HSA",
    "INF S17 ES DANY SPINF",
    *("atlantic-city CSM", "double-deck CSM", "downtown CSM", "european CSM", "helsinki CSM"),
    *("las-vegas CSM", "single-deck CSM", "six-to-five CSM", "sydney CSM", "united-kingdom CSM"),
    *("vegas-strip CSM", "free-bet CSM", "free-bet-any CSM", "pontoon-au CSM", "spanish-21 CSM"),
    *("double-exposure CSM", "double-exposure-reno CSM"),
    *("infinite-blackjack CSM", "1D 5CC(2:1) DANY ENHC CSM"),
]


@pytest.mark.slow
@pytest.mark.parametrize("text", RULES)
def test_the_mean_is_within_four_standard_errors(text):
    rules = upcard.Rules.parse(text)
    chart = upcard.basic_strategy(rules)
    job = Job(rules=rules, strategy=chart, seed=2026, spots=rules.min_spots)
    tally = play_chunk(job, 0, ROUNDS)
    rows = tally.by_count()
    bets = tally.unit * tally.spots
    mean = int(rows.net_sum.sum()) / ROUNDS / bets
    square = int(rows.square_sum.sum()) / ROUNDS / bets**2
    error = math.sqrt((square - mean**2) / ROUNDS)
    exact = upcard.expected_value(rules, strategy=chart)
    assert abs(mean - exact) < 4 * error, (mean, exact, (mean - exact) / error)
