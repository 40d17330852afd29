"""Paths of a bank: against the recorded rounds of the same chunks, and on any workers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.rules.model import Rules
from upcard.simulation import bank_paths as module
from upcard.simulation.bank_paths import BankPlan, play_paths
from upcard.simulation.job import make_job, read_ramp
from upcard.simulation.kernel_rounds import play_chunk
from upcard.simulation.kernels.bank_walk import AT_GOAL, PLAYING, RUINED
from upcard.simulation.lower import lower
from upcard.simulation.run_rounds import record_shoe

FIELDS = ("ending", "rounds", "final", "lowest", "highest", "kept", "dealt")


def make_plan(rules="6D", *, ramp="1-8", bankroll=60, rounds=300, paths=6, **changes):
    amounts = {name: changes.pop(name) for name in ("unit", "goal") if name in changes}
    settings = {"count": "hi-lo", "seed": 11} | changes
    job = make_job(Rules.parse(rules), **settings)
    return BankPlan(
        job=job,
        ramp=None if ramp is None else read_ramp(ramp, job),
        bankroll=Fraction(bankroll),
        rounds=rounds,
        paths=paths,
        **amounts,
    )


def assert_same(one, other):
    for name in FIELDS:
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert one.tally == other.tally
    assert np.array_equal(one.net_sum, other.net_sum)


def recorded(job, chunk, rounds):
    """The first rounds of a chunk, from the kernel compiled with its log."""
    shoe, found = 0, []
    while len(found) < rounds:
        found += record_shoe(job, chunk, shoe, rounds=rounds)
        shoe += 1
    return found[:rounds]


def walk_plainly(plan, path):
    """Walk recorded rounds in exact money."""
    bank = lowest = highest = plan.bankroll
    unit = lower(plan.job).game.unit
    counts = range(-100, 101)
    least = plan.job.spots * min(plan.bet(count) for count in counts if plan.bet(count))
    for number, played in enumerate(recorded(plan.job, path, plan.rounds)):
        bet = plan.bet(played.count) if played.is_seated else Fraction(0)
        if bet * plan.job.spots > bank:
            return RUINED, number, bank, lowest, highest
        bank += bet * played.net / unit
        lowest, highest = min(lowest, bank), max(highest, bank)
        if plan.goal is not None and bank >= plan.bankroll + plan.goal:
            return AT_GOAL, number + 1, bank, lowest, highest
        if bank < least:
            return RUINED, number + 1, bank, lowest, highest
    return PLAYING, plan.rounds, bank, lowest, highest


PLANS = {
    "a count and a ramp": {},
    "thirds of a unit": {"ramp": "0:1/3 1:2 3:7/2", "unit": Fraction(25, 2), "bankroll": 500},
    "a goal, 6 to 5": {"rules": "6D 6:5", "goal": Fraction(55, 2), "rounds": 400},
    "rounds sat out by the ramp": {"ramp": "0:0 1:2 2:8", "bankroll": 15},
    "wonging, two spots, index plays": {
        "indices": "i18",
        "spots": 2,
        "enter": 1,
        "leave": 0,
        "ramp": "1:1 2:4",
        "bankroll": 30,
    },
    "flat, no count": {"ramp": None, "count": None, "bankroll": 12},
    "a fresh shoe each round": {"rules": "1D CSM", "ramp": None, "count": None, "bankroll": 12},
}


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("changes", PLANS.values(), ids=PLANS)
def test_a_path_is_the_recorded_rounds_of_its_chunk_walked_plainly(changes):
    plan = make_plan(**changes)
    found = play_paths(plan, workers=1)
    amounts = [found.final, found.lowest, found.highest]
    for path in range(plan.paths):
        ours = (*(int(each[path]) * found.chip for each in amounts),)
        wanted = walk_plainly(plan, path)
        assert (found.ending[path], found.rounds[path], *ours) == wanted


@pytest.mark.slow
def test_the_plans_end_in_every_way():
    endings = {
        int(ending)
        for changes in PLANS.values()
        for ending in play_paths(make_plan(**changes), workers=1).ending
    }
    assert endings == {PLAYING, RUINED, AT_GOAL}


@pytest.mark.slow
def test_workers_change_nothing():
    plan = make_plan(paths=300, rounds=20_000, bankroll=100)
    one = play_paths(plan, workers=1)
    for workers in (2, 5):
        assert_same(one, play_paths(plan, workers=workers))


def test_pieces_change_nothing(monkeypatch):
    plan = make_plan(paths=20, rounds=5000, bankroll=40, goal=Fraction(200))
    whole = play_paths(plan, workers=1)
    monkeypatch.setattr(module, "_FIRST_PIECE", 64)
    pieces = play_paths(plan, workers=1)
    for name in ("ending", "rounds", "final", "lowest", "highest", "kept"):
        assert np.array_equal(getattr(whole, name), getattr(pieces, name)), name
    assert (pieces.dealt <= whole.dealt).all()
    assert pieces.dealt.sum() < whole.dealt.sum()
    assert pieces.tally.seen == pieces.dealt.sum()


def test_a_long_path_goes_on_with_chunks_that_no_other_path_has(monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", 1000)
    plan = make_plan(paths=2, rounds=2500, bankroll=100_000)
    found = play_paths(plan, workers=1)
    job, game = plan.job, lower(plan.job).game
    chunks = [0, 1 << 32, 1 << 33, 1, (1 << 32) + 1, (1 << 33) + 1]
    total = sum(
        (play_chunk(job, chunk, 500 if chunk >= 1 << 33 else 1000) for chunk in chunks[1:]),
        start=play_chunk(job, chunks[0], 1000),
    )
    assert np.array_equal(found.tally.rounds, total.rounds.sum(axis=0, keepdims=True))
    assert np.array_equal(found.tally.added, total.added.sum(axis=0, keepdims=True))
    assert (found.tally.shoes, found.tally.cards) == (total.shoes, total.cards)
    assert found.tally.unit == game.unit


def test_who_is_not_stopped_has_won_what_the_tally_says():
    plan = make_plan(paths=8, rounds=3000, bankroll=100_000, unit=Fraction(5, 2))
    found = play_paths(plan, workers=1)
    won = found.money(found.final) - 100_000
    assert won == pytest.approx(found.net_sum, abs=1e-6)
    rows = found.tally.by_count()
    bets = np.array([float(plan.bet(int(count))) for count in rows.count])
    unit = found.tally.unit
    assert float(bets @ rows.net_sum) / unit == pytest.approx(won.sum())
    assert float(bets**2 @ rows.square_sum) / unit**2 == pytest.approx(found.square_sum.sum())


def test_the_bank_is_kept_along_the_way():
    plan = make_plan(paths=30, rounds=1000, bankroll=60)
    found = play_paths(plan, workers=1)
    assert found.marks.tolist() == list(range(0, 1001, 4))
    assert (found.kept[:, 0] * found.chip == 60).all()
    assert np.array_equal(found.kept[:, -1], found.final)
    for kept, rounds, final in zip(found.kept, found.rounds, found.final, strict=True):
        assert (kept[found.marks >= rounds] == final).all()
    ruined = found.count_ruined(found.marks)
    assert (ruined[0], ruined[-1]) == (0, found.is_ruined.sum())
    assert ruined.tolist() == [int((found.rounds[found.is_ruined] <= m).sum()) for m in found.marks]


FAULTS = {
    "no bank": ({"bankroll": 0}, "a bankroll of 0"),
    "no unit": ({"unit": Fraction(0)}, "a unit of 0"),
    "no goal": ({"goal": Fraction(-5)}, "a goal of -5"),
    "no time": ({"rounds": 0}, "0 rounds of a path"),
    "one path": ({"paths": 1}, "1 paths: 2 to"),
    "too many paths": ({"paths": 10**7}, "1,000,000"),
    "a bank under the least bet": ({"bankroll": 9, "unit": Fraction(10)}, "does not cover"),
    "too fine": ({"bankroll": Fraction(10**20 + 1, 10**9)}, "whole chips"),
    "a ramp beyond the counts": ({"ramp": "1:1 900:2"}, "changes beyond"),
    "the table": ({"engine": "table"}, "table engine"),
}


@pytest.mark.parametrize(("changes", "words"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_is_refused(changes, words):
    with pytest.raises(RulesError, match=words):
        play_paths(make_plan(**changes))


def test_a_ramp_without_a_count_is_refused():
    plan = make_plan()
    flat = make_job(Rules(), seed=1)
    with pytest.raises(RulesError, match="needs a count"):
        BankPlan(job=flat, ramp=plan.ramp, bankroll=Fraction(9), rounds=9, paths=9)


def test_no_workers_are_refused():
    with pytest.raises(RulesError, match="0 workers"):
        play_paths(make_plan(), workers=0)


def test_rules_of_the_table_alone_are_refused():
    with pytest.raises(UnsupportedRuleError):
        make_plan("6D SPINF betting=false", engine="kernel")


def test_news_come_as_batches_are_done():
    news = []
    play_paths(make_plan(paths=600, rounds=10), workers=2, watch=news.append)
    assert news == sorted(news)
    assert news[-1] == 600
