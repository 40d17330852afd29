"""The sentences and figures of a run: what its exact value says, and how numbers are written."""

from __future__ import annotations

import math

import pytest

from upcard.answers.run_results import answer_state, describe_settings, read_check, write_share
from upcard.rules.model import Rules
from upcard.simulation.run import simulate
from upcard.simulation.run_state import Run
from upcard.simulation.tally import ExactCheck

CHECKS = [
    (
        ExactCheck(exact_ev=None, reason="with index plays the chart is another"),
        ("", "There is none to compare with: with index plays the chart is another.", False),
    ),
    (ExactCheck(exact_ev=-0.004), ("−0.40000%", "", False)),
    (
        ExactCheck(exact_ev=-0.004, difference=1.9e-3, standard_error=1e-3),
        (
            "−0.40000%",
            (
                "That is the first round of a shoe. Cut-card effect: 0.19% ± 0.10%, under three"
                " standard errors, so not distinguishable from chance."
            ),
            False,
        ),
    ),
    (
        ExactCheck(exact_ev=-0.004, difference=-3e-3, standard_error=1e-3),
        (
            "−0.40000%",
            (
                "That is the first round of a shoe. Cut-card effect: −0.30% ± 0.10%, which is what"
                " playing on until the cut card changes."
            ),
            False,
        ),
    ),
    (
        ExactCheck(exact_ev=0.001, difference=-2e-3, standard_error=1e-3, is_fresh=True),
        ("+0.10000%", "Simulated minus exact: −0.20% ± 0.10%, z = −2.00.", False),
    ),
    (
        ExactCheck(exact_ev=0.001, difference=5e-3, standard_error=1e-3, is_fresh=True),
        (
            "+0.10000%",
            (
                "Simulated minus exact: 0.50% ± 0.10%, z = +5.00. The two differ by more than 4"
                " standard errors: chance does that once in 16,000 runs, so one of the two is"
                " probably wrong. Please report it."
            ),
            True,
        ),
    ),
]


@pytest.fixture(scope="module")
def run():
    return simulate(Rules.parse("6D"), count="hi-lo", ramp="1-8", rounds=2000, seed=1, workers=1)


@pytest.mark.parametrize(("check", "words"), CHECKS)
def test_the_exact_value_is_told_with_its_difference(run, monkeypatch, check, words):
    monkeypatch.setattr(Run, "check", check)
    told = answer_state(run).check
    assert (told.text, told.sentence, told.is_suspicious) == words
    assert (told.ev, told.difference, told.error, told.z) == (
        *(check.exact_ev, check.difference, check.standard_error),
        check.z,
    )


def test_the_check_of_a_document_is_that_of_the_run(run):
    document = run.document()
    assert read_check(document) == run.check
    assert read_check(document | {"exact": None}) is None


def test_the_figures_are_those_of_the_run_with_their_errors(run):
    figures = {one.name: one for one in answer_state(run).figures}
    quoted, flat = run.quoted, run.flat
    assert (figures["ramp_ev"].value, figures["ramp_ev"].error) == (
        quoted.ev,
        quoted.standard_error,
    )
    assert (figures["ev"].value, figures["house_edge"].value) == (flat.ev, -run.dealt.ev)
    assert figures["sd"].value == flat.standard_deviation
    assert figures["rounds"].value == 2000


def test_the_table_by_count_has_every_count_with_its_bet(run):
    table = answer_state(run).by_count
    assert [column.name for column in table.columns] == [
        *("count", "label", "rounds", "frequency", "ev", "standard_error"),
        *("standard_deviation", "added", "bet"),
    ]
    rows = table.to_dicts()
    assert sum(row["frequency"] for row in rows) == pytest.approx(1)
    assert {row["bet"] for row in rows} >= {1, 8}


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (-0.0123456, 0.00012, "−1.235% ± 0.012%"),
        (0.5, None, "50%"),
        (math.nan, 0.1, "not known"),
        (None, None, "not known"),
    ],
)
def test_a_share_is_written_to_the_second_digit_of_its_error(value, error, text):
    assert write_share(value, error) == text


def test_the_settings_of_a_run_are_topics_with_texts(run):
    topics = dict(describe_settings(run.job, run.ramp))
    assert list(topics) == ["Played by", "Count", "Ramp"]
    assert topics["Count"] == "Hi-Lo (true count, floor, decks left exact)"
