"""Rounds without the luck of their cards: unbiased, the same in both loops, with true errors."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from upcard import resume, simulate
from upcard.core.errors import RulesError, UnsupportedRuleError
from upcard.rules.notation import parse_rules
from upcard.simulation import tally as tallies
from upcard.simulation.cuda_chunks import plan_device
from upcard.simulation.job import Job, RunError, make_job, read_ramp
from upcard.simulation.kernel_rounds import (
    RoundSums,
    find_misfit,
    play_chunk,
    play_rounds,
    play_whole_shoes,
    refer,
)
from upcard.simulation.kernels.references import NO_KIND
from upcard.simulation.lower import lower
from upcard.simulation.run_state import (
    Goal,
    Run,
    find_differences,
    make_document,
    read_tally,
    subtract,
)
from upcard.simulation.tally import LuckSums, Tally, pack, unpack


def job_of(rules: str, **options: Any) -> Job:
    """Return a job without luck."""
    return make_job(parse_rules(rules), **{"seed": 1, "without_luck": True, **options})


SHAPE = (2, 2, 3, 5)


def make_tally(seed: int) -> Tally:
    """Return a tally of three counts with luck, of random numbers."""
    random = np.random.default_rng(seed)
    return Tally(
        unit=2,
        least_net=-2,
        least_count=-1,
        spots=1,
        rounds=random.integers(0, 9, SHAPE),
        added=random.integers(0, 9, SHAPE[:3]),
        shoes=7,
        cards=99,
        luck=LuckSums(
            bits=20,
            product_bits=11,
            luck=random.integers(-9, 9, SHAPE[:3]) << 20,
            products=random.integers(0, 9, (3, 4, 4)),
        ),
    )


def test_sums_without_luck_survive_files_workers_and_subtraction() -> None:
    one, two = make_tally(1), make_tally(2)
    assert Tally.from_json(json.loads(json.dumps(one.to_json()))) == one
    assert unpack(pack(one)) == one
    assert subtract(one + two, two) == one
    assert one != two
    assert one != replace(one, luck=None)


def test_sums_with_and_without_luck_do_not_mix() -> None:
    tally = make_tally(1)
    with pytest.raises(RulesError, match="without luck"):
        _ = tally + replace(tally, luck=None)
    with pytest.raises(RulesError, match="games"):
        _ = tally + replace(tally, luck=replace(tally.luck, bits=3))  # type: ignore[type-var]
    products = np.full((3, 4, 4), 2**62)
    large = replace(tally, luck=replace(tally.luck, products=products))  # type: ignore[type-var]
    with pytest.raises(RulesError, match="too large"):
        _ = large + large


@pytest.mark.parametrize(
    "change",
    [
        {"luck": [[0, 0, 9, 1]]},
        {"luck": [[0, 0, -1, 1]]},
        {"products": "none"},
        {"bits": 99},
        {"product_bits": None},
    ],
)
def test_faulty_sums_are_refused(change: dict[str, Any]) -> None:
    document = make_tally(1).to_json()
    document["luck"] |= change
    with pytest.raises(RulesError, match="tally"):
        Tally.from_json(document)


def make_shoes(times: int) -> Tally:
    """Return `times` pairs of shoes of one count.

    The one has 3 rounds that won 2 bets in all, and luck had won 1 of them; the other one round
    that lost one. In half bets their nets without luck are 2 and -2.
    """
    rounds = np.zeros((1, 2, 1, 5), np.int64)
    rounds[0, 1, 0, 4], rounds[0, 1, 0, 2], rounds[0, 1, 0, 0] = 2 * times, times, times
    products = np.zeros((3, 2, 2), np.int64)
    products[:, 0, 0] = np.array([9 + 1, 2 * 3 - 2, 4 + 4]) * times
    luck = LuckSums(
        bits=4, product_bits=0, luck=np.array([[[0], [(2 << 4) * times]]]), products=products
    )
    return Tally(
        unit=2,
        least_net=-2,
        least_count=0,
        spots=1,
        rounds=rounds,
        added=np.zeros((1, 2, 1), np.int64),
        shoes=2 * times,
        cards=20 * times,
        luck=luck,
    )


def test_an_estimate_is_the_mean_without_luck_and_its_error_that_of_shoes() -> None:
    tally = make_shoes(10)
    found, with_luck = (
        tallies.estimate_flat(tally),
        tallies.estimate_flat(replace(tally, luck=None)),
    )
    mean = (2 * 1 - 1 - 1) / 4
    assert found.ev == mean
    assert with_luck.ev == (2 * 1 - 1) / 4
    shoes = [(3, 1.0), (1, -1.0)] * 10  # rounds, and bets won
    spread = sum((won - mean * number) ** 2 for number, won in shoes)
    equal = 40**2 / sum(number**2 for number, _ in shoes)
    assert found.standard_error == pytest.approx((spread * equal / (equal - 1)) ** 0.5 / 40)
    assert found.standard_deviation == with_luck.standard_deviation
    larger = replace(tally, luck=replace(tally.luck, product_bits=-1))  # type: ignore[type-var]
    assert tallies.estimate_flat(larger).standard_error == pytest.approx(2 * found.standard_error)
    assert Tally.from_json(larger.to_json()) == larger


def test_too_few_shoes_show_no_error_of_their_own() -> None:
    """One shoe with a rare count has no spread, and would be thought exact."""
    tally = make_shoes(1)
    with_luck = tallies.estimate_flat(replace(tally, luck=None))
    assert tallies.estimate_flat(tally).standard_error == with_luck.standard_error
    (row,) = tallies.estimate_counts(tally)
    assert row.flat.standard_error == with_luck.standard_error


@pytest.mark.parametrize("tens", ["3001/30001", "0.30001", "3077/10000"])
def test_an_infinite_deck_too_fine_for_32_bits_is_refused(tens: str) -> None:
    with pytest.raises(UnsupportedRuleError, match="too fine"):
        refer(job_of(f"INF ten_probability={tens}"))
    assert refer(job_of("INF(0.3)")).cards == 90


def test_a_run_says_in_words_whether_it_has_luck() -> None:
    job = job_of("6D")
    (difference,) = find_differences(job.replace(without_luck=False), job)
    assert "no there" in difference
    assert "yes here" in difference


def test_a_file_with_luck_but_a_job_without_is_refused() -> None:
    run = Run(job_of("6D"), Goal(rounds=5))
    document = make_document(run)
    document["tally"] = replace(make_tally(1), luck=None).to_json()
    with pytest.raises(RunError, match="luck"):
        read_tally(document, run.job, None)


@pytest.mark.parametrize("options", [{"engine": "table"}, {"player": "mimic"}])
def test_the_table_leaves_luck_in(options: dict[str, Any]) -> None:
    with pytest.raises(RulesError, match="the kernel"):
        job_of("6D", **options)


def test_a_cuda_device_leaves_luck_in() -> None:
    with pytest.raises(UnsupportedRuleError, match="without luck"):
        plan_device(job_of("6D"))


def test_references_value_hands_as_an_infinite_deck_does() -> None:
    """Compare with the exact solver: the mean of the upcard's row is the value of a round."""
    from upcard.cache.exact import expected_value

    for rules in ("INF S17 SP2", "INF H17 NDAS ENHC SP2", "INF S17 ES SP2"):
        job = job_of(rules)
        tables, unit = refer(job), lower(job).game.unit
        shares = tables.deck / tables.cards
        row = tables.rows.reshape(-1, 16)[1]
        value = float(row @ shares) / (unit * 2.0**tables.bits)
        exact = expected_value(job.rules, strategy=job.strategy)
        assert value == pytest.approx(exact, abs=1e-4), rules


def test_a_peek_bars_the_kind_that_makes_a_natural() -> None:
    barred = refer(job_of("6D S17")).barred.tolist()
    assert (barred[0], barred[9]) == (9, 0)
    assert set(barred[1:9]) == {NO_KIND}
    assert set(refer(job_of("6D ENHC")).barred.tolist()) == {NO_KIND}


GAMES: list[tuple[str, dict[str, Any]]] = [
    ("6D S17 DAS", {}),
    ("1D H17 NDAS PEN100", {}),
    ("2D H17 LS PEN60", {"count": "hi-lo", "indices": "i18+fab4"}),
    ("6D S17 DAS", {"count": "red-7", "enter": 2, "leave": 0}),
    ("6D ENHC H17 ES", {"count": "hi-lo"}),
    ("8D OBBO RSA", {}),
    ("1D CSM H17", {}),
    ("INF S17 DAS", {}),
    ("6D FD9-11 FSNT P22", {}),
    ("2D S17 6CC", {"count": "ko"}),
    ("6D W21 RE BON(5=3:2)", {}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "options"), GAMES)
def test_both_loops_take_the_same_luck(rules: str, options: dict[str, Any]) -> None:
    job = job_of(rules, **options)
    assert find_misfit(job) is None
    lowered = lower(job)
    side_by_side = RoundSums.zeros(lowered, refer(job))
    play_whole_shoes(job, 3, 60_000, side_by_side)
    rounds = int(side_by_side.totals[2])
    assert rounds > 50_000
    in_turn = RoundSums.zeros(lowered, refer(job))
    play_rounds(job, lowered, 3, rounds, sums=in_turn)
    assert in_turn.to_tally(lowered, job) == side_by_side.to_tally(lowered, job)
    with_luck = play_chunk(job.replace(without_luck=False), 3, rounds)
    assert np.array_equal(with_luck.rounds, in_turn.to_tally(lowered, job).rounds)


FRESH: list[tuple[str, dict[str, Any]]] = [
    ("6D S17 DAS CSM", {}),
    ("1D H17 NDAS CSM", {}),
    ("2D S17 ENHC CSM", {}),
    ("2D H17 LS RSA CSM", {}),
    ("2D ES CSM", {}),
    ("4D OBBO RSA CSM", {}),
    ("2D S17 6:5 CSM", {}),
    ("2D S17 DAS CSM", {"spots": 3}),
    ("2D ENHC CSM", {"spots": 2}),
    ("2D W21 RE BON(5=3:2) CSM", {}),
    ("2D FD9-11 FSNT P22 CSM", {}),
    ("2D S17 6CC CSM", {}),
    ("INF H17 LS SP4 RSA", {}),
    ("INF ENHC DANY", {}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "options"), FRESH)
def test_the_mean_is_the_exact_value(rules: str, options: dict[str, Any]) -> None:
    """The rounds of fresh cards: an error of .01% and less, where luck would leave .3%."""
    run = simulate(rules, rounds=100_000, seed=5, without_luck=True, **options)
    check = run.check
    assert check.exact_ev is not None, check.reason
    if check.is_fresh:
        assert check.z is not None
        assert abs(check.z) < 4.5
    else:
        assert abs(run.ev - check.exact_ev) < 4.5 * run.standard_error + 1e-9
    assert run.standard_error < 0.0004


COVERED: list[tuple[str, dict[str, Any]]] = [
    ("6D S17 DAS PEN80", {}),
    ("1D H17 PEN60", {"count": "hi-lo"}),
    ("2D H17 PEN70", {"count": "hi-lo", "indices": "i18"}),
    ("8D S17 PEN80", {"count": "hi-lo", "enter": 1, "leave": 0}),
    ("6D S17 PEN80", {"count": "hi-lo", "indices": "i18"}),
    ("6D CSM", {}),
    ("INF S17", {}),
]
SEEDS = 200


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "options"), COVERED)
def test_printed_errors_are_the_spread_of_many_seeds(rules: str, options: dict[str, Any]) -> None:
    """Both kinds of errors: without luck by shoes, with it by rounds."""
    job = job_of(rules, **options)
    ramps = [None, *(read_ramp(text, job) for text in ("1-8", "1-12") if job.system is not None)]
    found: dict[tuple[str, bool], list[tuple[float, float]]] = {}
    for seed in range(SEEDS):
        tally = play_chunk(job.replace(seed=seed), 0, 20_000)
        for ramp in ramps:
            for kept in (tally, replace(tally, luck=None)):
                if ramp is None:
                    one = tallies.estimate_flat(kept)
                else:
                    one = tallies.estimate_ramp(kept, ramp)
                key = str(ramp), kept.luck is None
                found.setdefault(key, []).append((one.ev, one.standard_error))
    for key, pairs in found.items():
        evs, errors = np.array(pairs).T
        ratio = float(evs.std(ddof=1) / np.sqrt((errors**2).mean()))
        assert 0.88 < ratio < 1.12, (key, ratio)


@pytest.mark.slow
def test_a_run_without_luck_is_the_same_however_it_is_played() -> None:
    options: dict[str, Any] = {"count": "hi-lo", "ramp": "1-8", "seed": 4, "without_luck": True}
    whole = simulate("6D", rounds=2_100_000, workers=1, **options)
    parts = resume(simulate("6D", rounds=1_000_000, workers=2, **options), extend=1_100_000)
    assert parts.tally == whole.tally
    assert parts.document()["tally"] == whole.document()["tally"]
    with_luck = simulate("6D", rounds=2_100_000, **options | {"without_luck": False})
    assert np.array_equal(with_luck.tally.rounds, whole.tally.rounds)
    assert whole.standard_deviation == with_luck.standard_deviation
    assert whole.standard_error < with_luck.standard_error / 6
    assert abs(whole.ev - with_luck.ev) < 4.5 * with_luck.standard_error
