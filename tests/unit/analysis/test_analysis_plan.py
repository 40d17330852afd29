"""Questions and plans: what decides what, and what is refused."""

from __future__ import annotations

import contextlib
import math

import pytest
from made_games import LEAST, MOST, make_document, make_game, make_tally

from upcard.analysis.count_rows import read_document
from upcard.analysis.figures import kelly_of_risk
from upcard.analysis.ramp_plan import RampQuestion, make_plans
from upcard.answers.ramp_report import (
    answer_ramp,
    describe_ramp,
    list_figures,
    write_bank,
    write_unit,
)
from upcard.core.errors import AnalysisError, RulesError
from upcard.core.numbers import with_error
from upcard.simulation.tally import estimate_ramp
from upcard.strategy.ramp import BetRamp

GAME = make_game(slope=0.007)
RAMP = BetRamp(least=1, bets=(1, 2, 4, 6, 8))
LOSES = BetRamp(least=0, bets=(1,))


def figures_of(question, game=GAME):
    return [
        {figure.name: figure for figure in list_figures(plan, question)}
        for plan in make_plans(game, question)
    ]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({}, "give a ramp or a spread"),
        ({"ramp": RAMP, "spread": 8.0}, "give a ramp or a spread"),
        ({"spread": 8.0, "risk": 0.05, "kelly": 0.5}, "each decides the other"),
        ({"spread": 8.0, "risk": 0.05, "unit": 5.0, "bankroll": 1e4}, "they decide the third"),
        ({"ramp": RAMP, "chip": 5.0, "bankroll": 1e4}, "whole chips are for the best ramp"),
        ({"ramp": RAMP, "levels": 4}, "levels are for the best ramp of a spread"),
        ({"spread": 8.0, "levels": 0}, "levels 0: at least 1 bet"),
        ({"spread": 8.0, "chip": 5.0}, "whole chips need a bankroll or a unit"),
        ({"spread": 8.0, "chip": 5.0, "unit": 12.0}, "is not whole chips of 5"),
        ({"spread": 8.0, "chip": 5.0, "unit": 2.0}, "is not whole chips of 5"),
        ({"spread": 0.5}, "1 or more times the least"),
        ({"spread": 8.0, "risk": 1.0}, "over 0 and under 100%"),
        ({"spread": 8.0, "risk": 0.0}, "over 0 and under 100%"),
        ({"spread": 8.0, "bankroll": 0.0}, "bankroll 0: it must be over 0"),
        ({"spread": 8.0, "kelly": -1.0}, "it must be over 0"),
        ({"spread": 8.0, "hours": math.nan}, "it must be over 0"),
        ({"spread": 8.0, "goal": math.inf}, "it must be over 0"),
        ({"spread": 8.0, "bankroll": 1e-308}, "bankroll 1e-308: it must be from 1e-12 to"),
        ({"spread": 8.0, "unit": 1e300}, "it must be from 1e-12 to"),
    ],
)
def test_what_clashes_is_refused(asked, told):
    with pytest.raises(AnalysisError, match=told):
        RampQuestion(**asked)


@pytest.mark.parametrize("chip", [0.1, 0.3, 2.5, 5.0])
def test_a_unit_of_whole_chips_is_one_in_fractions_too(chip):
    RampQuestion(spread=8.0, chip=chip, unit=3 * chip)


def test_bank_and_risk_decide_the_unit():
    for risk in (0.135335283, 0.05, 0.01):
        question = RampQuestion(spread=12.0, bankroll=10_000.0, risk=risk)
        [figures] = figures_of(question)
        assert figures["risk_of_ruin"].value == pytest.approx(risk)
        assert figures[f"bankroll_for_{100 * risk:g}_percent"].value == pytest.approx(10_000)


def test_bank_and_kelly_decide_the_unit():
    [plan] = make_plans(GAME, RampQuestion(spread=12.0, bankroll=10_000.0, kelly=0.5))
    assert plan.unit > 0
    [figures] = figures_of(RampQuestion(spread=12.0, bankroll=10_000.0, kelly=0.5))
    assert figures["risk_of_ruin"].value == pytest.approx(math.exp(-4))
    certain = figures["certainty_equivalent_per_hour"].value
    assert certain == pytest.approx(figures["ev_per_hour"].value / 2)


def test_a_bank_of_10000_at_full_kelly_wins_its_score():
    [figures] = figures_of(RampQuestion(spread=12.0, bankroll=10_000.0))
    assert figures["ev_per_100"].value == pytest.approx(figures["score"].value)
    assert figures["rounds_to_double"].value == pytest.approx(figures["n0"].value)


def test_unit_and_risk_decide_the_bank():
    question = RampQuestion(ramp=RAMP, unit=10.0, risk=0.05)
    [plan] = make_plans(GAME, question)
    assert plan.unit == 10
    [figures] = figures_of(question)
    assert figures["risk_of_ruin"].value == pytest.approx(0.05)
    assert plan.bankroll == pytest.approx(figures["bankroll_for_5_percent"].value)


def test_unit_and_bank_decide_the_risk():
    question = RampQuestion(ramp=RAMP, unit=10.0, bankroll=4000.0)
    [plan] = make_plans(GAME, question)
    [figures] = figures_of(question)
    expected = math.exp(-2 * plan.betting.ev * 4000 / plan.betting.variance)
    assert figures["risk_of_ruin"].value == pytest.approx(expected)
    assert plan.kelly == 1


def test_half_the_money_is_the_same_game():
    [one] = figures_of(RampQuestion(ramp=RAMP, unit=10.0, bankroll=4000.0, goal=500.0, hours=30.0))
    [two] = figures_of(RampQuestion(ramp=RAMP, unit=5.0, bankroll=2000.0, goal=250.0, hours=30.0))
    for name, figure in one.items():
        factor = {"amount": 2, "square": 4}.get(figure.kind, 1)
        assert figure.value == pytest.approx(factor * two[name].value)


def test_a_goal_and_a_limit_of_time_lower_the_risk():
    [figures] = figures_of(
        RampQuestion(ramp=RAMP, unit=10.0, bankroll=1500.0, goal=1000.0, hours=40.0)
    )
    values = {name: figure.value for name, figure in figures.items()}
    assert values["risk_before_goal_in_time"] < values["risk_before_goal"]
    assert values["risk_before_goal_in_time"] < values["risk_in_time"]
    assert values["risk_before_goal"] < values["risk_of_ruin"]
    assert values["risk_in_time"] < values["risk_of_ruin"]
    assert figures["risk_in_time"].inputs["rounds"] == 4000.0


def test_the_pace_changes_hours_only():
    slow, fast = (
        figures_of(RampQuestion(ramp=RAMP, rounds_per_hour=pace))[0] for pace in (60.0, 120.0)
    )
    assert fast["ev_per_hour"].value == pytest.approx(2 * slow["ev_per_hour"].value)
    assert fast["ev_per_100"].value == slow["ev_per_100"].value
    assert fast["n0"].value == slow["n0"].value


def test_a_losing_ramp_has_no_unit_and_no_bank():
    with pytest.raises(AnalysisError, match="no unit has a risk of ruin of"):
        make_plans(GAME, RampQuestion(ramp=LOSES, bankroll=1000.0))
    [plan] = make_plans(GAME, RampQuestion(ramp=LOSES))
    assert plan.bankroll == math.inf
    [figures] = figures_of(RampQuestion(ramp=LOSES))
    assert figures["score"].value == 0
    assert "risk_of_ruin" not in figures
    [known] = figures_of(RampQuestion(ramp=LOSES, unit=1.0, bankroll=100.0, hours=10.0))
    assert known["risk_of_ruin"].value == 1
    assert 0 < known["risk_in_time"].value < 1


# Wonging.


def test_counts_below_the_entry_are_sat_out():
    [plan] = make_plans(GAME, RampQuestion(ramp=RAMP, wong=1))
    assert [bet > 0 for bet in plan.betting.bets] == [row.count >= 1 for row in GAME.rows]
    assert plan.ramp.bet(0) == 0
    assert plan.ramp.bet(1) == 1


def test_the_best_entry_of_a_ramp_has_the_highest_score():
    [best] = figures_of(RampQuestion(ramp=RAMP, wong="best"))
    scores = [
        figures_of(RampQuestion(ramp=RAMP, wong=count))[0]["score"].value
        for count in range(LEAST + 1, MOST + 1)
    ]
    assert best["score"].value == pytest.approx(max(scores))


def test_a_run_that_wonged_is_not_wonged_again():
    game = make_game(unseated=0.3)
    with pytest.raises(AnalysisError, match="sat rounds out itself"):
        make_plans(game, RampQuestion(spread=8.0, wong=1))


@pytest.mark.parametrize(
    ("wong", "told"), [(MOST + 1, "highest count"), (LEAST, "are merged; from -9 on")]
)
def test_an_entry_that_the_run_cannot_tell_apart_is_refused(wong, told):
    with pytest.raises(AnalysisError, match=told):
        make_plans(GAME, RampQuestion(spread=8.0, wong=wong))


# Chips.


@pytest.mark.parametrize(
    "asked",
    [
        {"bankroll": 10_000.0, "risk": 0.05, "chip": 5.0},
        {"bankroll": 10_000.0, "chip": 25.0},
        {"unit": 10.0, "chip": 5.0},
        {"unit": 10.0, "bankroll": 3000.0, "chip": 10.0, "wong": "best"},
    ],
)
def test_chips_are_whole_and_have_figures_of_their_own(asked):
    _, chips = make_plans(GAME, RampQuestion(spread=12.0, **asked))
    assert all(bet % asked["chip"] == 0 for bet in chips.betting.bets)
    played = [bet for bet in chips.betting.bets if bet]
    assert max(played) <= 12 * min(played)
    if "unit" in asked:
        assert min(played) == asked["unit"]
    first, second = figures_of(RampQuestion(spread=12.0, **asked))
    assert second["score"].value < first["score"].value
    assert first.keys() == second.keys()


@pytest.mark.parametrize("slope", [0.004, 0.006])
def test_the_best_entry_in_chips_has_the_highest_certainty_equivalent(slope):
    """Where chips are large for the bank, that is not the entry of the highest SCORE."""
    game = make_game(rounds=10**9, slope=slope)
    asked = {"spread": 12.0, "bankroll": 1000.0, "chip": 5.0}

    def worth_of(wong):
        figures = figures_of(RampQuestion(**asked, wong=wong), game)[1]
        return figures["certainty_equivalent_per_hour"].value

    worths = []
    for count in range(LEAST + 1, MOST + 1):
        with contextlib.suppress(AnalysisError):
            worths.append(worth_of(count))
    assert worth_of("best") == pytest.approx(max(worths))


# Runs.


def test_a_run_is_read_with_its_own_ramp():
    tally = make_tally(slope=0.007)
    run = read_document(make_document(tally, ramp="1:1 2:2 3:4 4:6 5:8"))
    assert run.ramp == RAMP
    assert run.parse_ramp("1-8") == RAMP
    question = RampQuestion(ramp=run.ramp)
    [plan] = make_plans(run.game, question)
    theirs = estimate_ramp(tally, RAMP)
    assert plan.betting.ev == pytest.approx(theirs.ev)
    assert plan.betting.standard_error == pytest.approx(theirs.standard_error)


def test_a_run_without_a_count_is_refused():
    with pytest.raises(AnalysisError, match="run again with --count hi-lo"):
        read_document(make_document(system=None))


def test_a_ramp_that_changes_beyond_the_counts_of_the_run_is_refused():
    run = read_document(make_document())
    with pytest.raises(RulesError, match="changes beyond the counts"):
        run.parse_ramp("10:1 12:2")


@pytest.mark.parametrize(("chip", "noted"), [(15.0, True), (1.0, False)])
def test_chips_too_large_for_the_kelly_fraction_are_noted(chip, noted):
    run = read_document(make_document(make_tally(10**9, slope=0.007)))
    question = RampQuestion(
        spread=12.0, bankroll=10_000.0, kelly=kelly_of_risk(risk=0.05), chip=chip
    )
    notes = answer_ramp(run, question).notes()
    assert [note for note in notes if "not 5%" in note] == (notes if noted else [])
    assert len(notes) == noted


@pytest.mark.parametrize("wong", [None, pytest.param("best", marks=pytest.mark.slow)])
@pytest.mark.parametrize("chip", [1.0, 5.0, 8.0])
def test_chips_have_at_most_the_risk_that_is_asked_for(chip, wong):
    for risk in (0.01, 0.05, 0.2):
        question = RampQuestion(spread=12.0, bankroll=10_000.0, risk=risk, chip=chip, wong=wong)
        with contextlib.suppress(AnalysisError):
            found = figures_of(question)[-1]["risk_of_ruin"].value
            assert 0.05 * risk < found <= risk


def test_chips_too_large_for_a_risk_are_refused():
    question = RampQuestion(spread=12.0, bankroll=10_000.0, risk=0.05, chip=10.0)
    with pytest.raises(
        AnalysisError, match="no bets in whole chips have a risk of ruin of at most 5%"
    ):
        make_plans(GAME, question)


def test_what_follows_from_the_rounds_is_rounded_by_its_error():
    question = RampQuestion(ramp=RAMP, unit=10.0, risk=0.05)
    [plan], [figures] = make_plans(GAME, question), figures_of(question)
    shown = figures["bankroll_for_5_percent"]
    assert write_bank(plan, question) == with_error(shown.value, shown.standard_error)
    question = RampQuestion(ramp=RAMP, bankroll=4321.5, risk=0.05)
    [plan] = make_plans(GAME, question)
    assert write_bank(plan, question) == "4,321.5"
    value, error = (float(each) for each in write_unit(plan).split(" ± "))
    relative = shown.standard_error / shown.value  # the bank is in proportion to the unit
    assert (value, error) == pytest.approx((plan.unit, plan.unit * relative), abs=error / 10)
    question = RampQuestion(spread=8.0, unit=2.5, chip=2.5, risk=0.05)
    assert [write_unit(plan) for plan in make_plans(GAME, question)] == ["2.5", "2.5"]


def test_notes_say_what_must_not_be_overlooked():
    document = make_document(make_tally(100_000))
    run = read_document(document)
    for ramp, told in ((LOSES, "ruin is certain"), (RAMP, "not settled")):
        answer = answer_ramp(run, RampQuestion(ramp=ramp, unit=1.0, bankroll=100.0))
        assert any(told in note for note in answer.notes())


@pytest.mark.parametrize(
    ("ramp", "words"),
    [
        ("1-1", "at every count: 1 unit"),
        ("1:1 2:2 3:4 4:6 5:8", "up to +1: 1 unit; +2: 2; +3: 4; +4: 6; +5 and more: 8"),
        ("-1:1 1:2.5 4:12", "up to 0: 1 unit; +1 to +3: 2.5; +4 and more: 12"),
        ("0:2 1:31/8", "up to 0: 2 units; +1 and more: 3.9"),
    ],
)
def test_a_ramp_is_told_in_units(ramp, words):
    run = read_document(make_document())
    question = RampQuestion(ramp=run.parse_ramp(ramp))
    [plan] = make_plans(run.game, question)
    assert describe_ramp(plan, question) == words
