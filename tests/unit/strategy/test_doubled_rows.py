"""Rows of a chart for hands that have doubled."""

from dataclasses import replace

import pytest

import upcard
from upcard.core.actions import Action
from upcard.core.errors import NotationError
from upcard.strategy.chart import DOUBLED_LABELS, Strategy

RULES = upcard.Rules.parse("spanish-21 H17 RD3")
LEGAL = (Action.STAND, Action.DOUBLE, Action.SURRENDER)


@pytest.fixture(scope="module")
def chart():
    return upcard.basic_strategy(RULES)


def decide(chart, total, legal=LEGAL, *, is_soft=False, upcard_=8):
    return chart.decide(
        total=total, is_soft=is_soft, pair_rank=0, upcard=upcard_, legal=legal, doubles=1
    )


@pytest.mark.slow
def test_a_text_keeps_them(chart):
    text = str(chart)
    assert text.splitlines()[34].startswith("x5\tS")
    assert Strategy.parse(text) == chart
    assert Strategy.parse(text.upper().replace("DH", "Dh")) == chart


def test_a_plain_house_has_none():
    assert upcard.basic_strategy("6D").doubled == ()
    assert "x" not in str(upcard.basic_strategy("6D"))


def test_answers_depend_on_what_is_left(chart):
    assert decide(chart, 12) is Action.DOUBLE
    assert decide(chart, 12, (Action.STAND, Action.SURRENDER)) is Action.SURRENDER
    assert decide(chart, 12, (Action.STAND,)) is Action.STAND
    assert decide(chart, 20) is Action.STAND
    assert decide(chart, 4, upcard_=10) is Action.STAND
    assert decide(chart, 18, is_soft=True, upcard_=4) is Action.DOUBLE


def test_without_rows_every_doubled_hand_stands(chart):
    assert decide(replace(chart, doubled=()), 13) is Action.STAND


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: rows[:-1], "row xA9 is missing"),
        (
            lambda rows: [*rows[:-1], rows[-1].replace("S", "H", 1)],
            "unknown cell 'H': one of S, Rs",
        ),
        (lambda rows: [*rows[:-1], rows[-1] + "\tS"], "row xA9 has 11 cells, not 10"),
    ],
)
def test_faults_are_named(chart, change, message):
    with pytest.raises(NotationError, match=message):
        Strategy.parse("\n".join(change(str(chart).splitlines())))


def test_a_chart_that_never_rescues_is_worth_the_game_without_rescue():
    with_rescue, without = (upcard.Rules.parse(f"6D DANY {extra}") for extra in ("RE", ""))
    cells = upcard.basic_strategy(without).cells
    standing = Strategy(cells=cells, doubled=(("S",) * 10,) * len(DOUBLED_LABELS))
    plain = Strategy(cells=cells)
    assert upcard.expected_value(with_rescue, strategy=standing) == pytest.approx(
        upcard.expected_value(without, strategy=plain), abs=1e-13
    )


@pytest.mark.slow
def test_a_chart_without_rows_plays_doubled_hands_best():
    rules = upcard.Rules.parse("6D DANY RE")
    chart = upcard.basic_strategy(rules)
    assert "Rs" in {cell for row in chart.doubled for cell in row}
    with_rows, best = (
        upcard.expected_value(rules, strategy=one) for one in (chart, replace(chart, doubled=()))
    )
    assert with_rows <= best + 1e-13
    assert with_rows == pytest.approx(best, abs=1e-6)


@pytest.mark.slow
def test_a_chart_that_always_redoubles_follows_its_rows():
    """All of a doubled hand's draws, counted by hand against a 6 in a shoe of one card."""
    rules = upcard.Rules.parse("6D DANY RD2 SP1")
    chart = upcard.basic_strategy(rules)
    always = replace(chart, doubled=(("Ds",) * 10,) * len(DOUBLED_LABELS))
    assert upcard.expected_value(rules, strategy=always) < upcard.expected_value(
        rules, strategy=chart
    )


@pytest.mark.slow
@pytest.mark.parametrize("text", ["spanish-21 CSM", "spanish-21 H17 RD3 CSM"])
def test_simulated_rounds_agree_with_the_value_of_the_chart(text):
    rules = upcard.Rules.parse(text)
    chart = upcard.basic_strategy(rules)
    run = upcard.simulate(rules, chart, rounds=300_000, seed=30)
    exact = upcard.expected_value(rules, strategy=chart)
    assert abs(run.ev - exact) < 3.5 * run.standard_error
