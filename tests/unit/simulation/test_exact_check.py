"""The check line: where an exact value exists, where not, and that it can fail."""

from __future__ import annotations

from itertools import cycle

import pytest
from fake_rounds import make_fake_job, play_fake
from random_jobs import SENSIBLE

from upcard.core.numbers import to_json
from upcard.exact.solve import basic_strategy, expected_value
from upcard.rules.model import Rules
from upcard.simulation.job import Engine
from upcard.simulation.run import simulate
from upcard.simulation.tally import ExactCheck, check_exactly, find_obstacle
from upcard.strategy.chart import DOUBLED_LABELS, Strategy
from upcard.strategy.deviations import load_deviations


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("text", "spots"), [("1D CSM NDAS H17", 1), ("6D CSM ENHC LS", 3), ("INF DAS RSA ES", 2)]
)
def test_where_every_round_is_a_first_one_simulation_meets_the_exact_value(text, spots):
    run = simulate(Rules.parse(text), rounds=2_000_000, seed=3, spots=spots)
    assert run.check.is_fresh
    assert run.check.exact_ev is not None
    assert abs(run.check.z) < 4
    assert run.check.cut_card_effect is None


@pytest.mark.parametrize(
    "text", ["6D H17 P22 FD9-11 FSNT RSA CSM", "INF P22", "INF FDANY DANY FSANY D3X"]
)
def test_a_chart_meets_its_exact_value_with_free_bets_and_a_22_that_pushes(text):
    check = simulate(Rules.parse(text), SENSIBLE, rounds=2_000_000, seed=3).check
    assert check.exact_ev is not None, check.reason
    assert abs(check.z) < 4


SPANISH = (
    "6D48 DANY BJW W21 SP4 RSA HSA double_split_aces=true LS RE CSM"
    " BON(5=3:2/6=2:1/7=3:1/678=3:2-2:1-3:1/777=3:2-2:1-3:1)"
)
GIVES_UP = Strategy(
    cells=SENSIBLE.cells,
    doubled=tuple((cell,) * 10 for cell, _ in zip(cycle(("S", "Rs", "Dr", "Ds")), DOUBLED_LABELS)),
)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        SPANISH,
        f"{SPANISH} H17 RD3",
        "6D48 H17 BB1 SP2 BJW W21 NOINS CSM BON(usual/777v7=100:1)",
        "1D RD2 DANY CSM",
    ],
)
def test_bonuses_and_rescues_of_many_rounds_meet_the_exact_value(text):
    check = simulate(Rules.parse(text), GIVES_UP, rounds=20_000_000, seed=5).check
    assert check.exact_ev is not None, check.reason
    assert abs(check.z) < 3


def test_the_last_bits_of_an_exact_value_are_not_kept(monkeypatch):
    """S4.10: two versions of NumPy gave two values, so the bytes of one run differed."""
    from upcard.cache import exact

    run = simulate(Rules.parse("1D CSM"), rounds=10_000, seed=3)
    told = []
    for ev in (-0.004059224176988166, -0.004059224176988181):
        monkeypatch.setattr(exact, "expected_value", lambda *_, ev=ev, **__: ev)
        told.append(check_exactly(run.job, run.tally))
    assert to_json(told[0]) == to_json(told[1])
    assert told[0].exact_ev == pytest.approx(-0.004059224176988, abs=1e-13)


def test_the_check_finds_a_wrong_game():
    run = simulate(Rules.parse("6D CSM 6:5"), rounds=1_000_000, seed=3)
    wrong = check_exactly(run.job.replace(rules=Rules.parse("6D CSM 3:2")), run.tally)
    assert wrong.is_suspicious
    assert not run.check.is_suspicious


def test_with_a_cut_card_the_difference_has_a_name_and_no_z():
    check = simulate(Rules.parse("6D"), rounds=1_000_000, seed=3).check
    assert (check.z, check.cut_card_effect) == (None, check.difference)
    assert not check.is_suspicious
    document = to_json(check)
    assert document["cut_card_effect"] == check.difference
    assert document["is_same_game"] is False


def test_rounds_that_were_sat_out_are_checked_too():
    options = {"rounds": 1_000_000, "seed": 3, "count": "hi-lo"}
    rules = Rules.parse("6D")
    wonging = simulate(rules, enter=1, leave=0, **options)
    assert wonging.check == simulate(rules, **options).check
    assert wonging.flat.ev > wonging.dealt.ev


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"engine": Engine.TABLE, "strategy": None, "player": "mimic"}, "player mimic follows no"),
        ({"deviations": load_deviations("i18")}, "with index plays"),
        ({"spots": 2, "rules": Rules.parse("6D max_total_hands=7")}, "takes hands from the others"),
    ],
)
def test_without_an_exact_value_the_reason_is_given(changes, words):
    job = make_fake_job(counts=True).replace(**changes)
    assert words in find_obstacle(job)
    check = check_exactly(job, play_fake(job, 0, 1000))
    assert check.exact_ev is None
    assert words in check.reason
    assert to_json(check)["reason"] == check.reason


@pytest.mark.slow
def test_a_chart_that_takes_insurance_has_an_exact_value_too():
    rules = Rules.parse("6D CSM")
    insures = Strategy(cells=basic_strategy(rules).cells, takes_insurance=True)
    check = simulate(rules, insures, rounds=1_000_000, seed=3).check
    assert check.exact_ev == round(expected_value(rules, strategy=insures), 13)
    assert abs(check.z) < 4


def test_a_refusal_of_the_solver_is_reported():
    job = make_fake_job().replace(rules=Rules.parse("6D SPINF"))
    assert "SPINF" in check_exactly(job, play_fake(job, 0, 1000)).reason


def test_too_few_rounds_have_no_difference():
    job = make_fake_job()
    check = check_exactly(job, play_fake(job, 0, 1))
    assert check.exact_ev is not None
    assert (check.difference, check.z) == (None, None)


def test_z_is_the_difference_in_standard_errors():
    check = ExactCheck(exact_ev=0.0, difference=0.05, standard_error=0.01, is_fresh=True)
    assert check.z == pytest.approx(5)
    assert check.is_suspicious
