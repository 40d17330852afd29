"""How the compiled loop is called, what it adds up, and what it fails of."""

import numpy as np
import pytest

from upcard.core.errors import EmptyShoeError, UnsupportedRuleError
from upcard.players.bots import basic_chart
from upcard.rules.model import Rules
from upcard.simulation.job import Engine, Job, VersionsDifferError
from upcard.simulation.kernel_rounds import RoundSums, play_chunk, play_rounds
from upcard.simulation.kernels import loop_codes
from upcard.simulation.lower import lower, lower_asked
from upcard.strategy.chart import Strategy
from upcard.strategy.count_system import load_system

GREEDY = Strategy.parse(
    "\n".join(
        [
            *(f"{total} H H H H H H H H H H" for total in range(5, 20)),
            *(f"A{rank} H H H H H H H H H H" for rank in range(2, 10)),
            *(f"{pair} P P P P P P P P P P" for pair in ("22", "33", "44", "55", "66", "77")),
            *(f"{pair} P P P P P P P P P P" for pair in ("88", "99", "1010", "AA")),
        ]
    )
)


def make_job(notation, **changes):
    rules = Rules.parse(notation)
    return Job(rules=rules, **({"strategy": basic_chart(rules), "seed": 3} | changes))


@pytest.mark.parametrize("engine", Engine)
@pytest.mark.parametrize("change", [{"version": "0.0.1"}, {"kernel_version": 0}])
def test_a_chunk_of_another_versions_job_is_refused(engine, change):
    with pytest.raises(VersionsDifferError, match=r"the job comes from upcard .* not mixed"):
        play_chunk(make_job("6D", engine=engine, **change), 0, 10)


def test_what_goes_by_the_upcard_alone_is_refused_where_the_hole_card_is_seen():
    counted = make_job("6D UP2", system=load_system("hi-lo"))
    with pytest.raises(UnsupportedRuleError, match="cannot honour shows_hole=true with a count"):
        play_chunk(counted, 0, 10)
    with pytest.raises(UnsupportedRuleError, match="the columns of the chart are for the upcard"):
        play_chunk(make_job("6D UP2", strategy=basic_chart(Rules.parse("6D"))), 0, 10)
    with pytest.raises(UnsupportedRuleError, match="cannot honour shows_hole=true"):
        lower_asked(Rules.parse("6D UP2"))


def test_sums_of_chunks_add_up_to_those_of_both_tallies():
    job = make_job("2D H17", spots=2)
    lowered = lower(job)
    both = RoundSums.zeros(lowered)
    for chunk in (0, 1):
        sums = RoundSums.zeros(lowered)
        assert play_rounds(job, lowered, chunk, 500, sums=sums)
        both.add(sums)
    assert both.to_tally(lowered, job) == play_chunk(job, 0, 500) + play_chunk(job, 1, 500)


@pytest.mark.parametrize(("entries", "is_enough"), [(1024 + 40, False), (4096, True)])
def test_a_log_that_is_too_short_is_told(entries, is_enough):
    job = make_job("6D")
    lowered = lower(job)
    log = np.zeros((entries, loop_codes.LOG_FIELDS), np.int64)
    ended = play_rounds(job, lowered, 0, 20, sums=RoundSums.zeros(lowered), log=log)
    assert ended is is_enough
    rounds = np.count_nonzero(log[1 : log[0, 0], 0] == loop_codes.LOG_END)
    assert (rounds == 20) == is_enough


def test_more_hands_than_it_holds_are_refused():
    job = make_job("INF(9/10) SPINF", strategy=GREEDY)
    with pytest.raises(UnsupportedRuleError, match="SPINF: a hand was split into more than 16"):
        play_chunk(job, 0, 1000)


def test_a_round_with_too_few_cards_ends_the_run():
    job = make_job("1D CSM", strategy=GREEDY, spots=7)
    with pytest.raises(EmptyShoeError, match="a round of 7 spots needed more than the 52 cards"):
        play_chunk(job, 0, 1000)
