"""The ramp that is printed, read back with the same money, is the same plan."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.analysis.made_games import make_game
from upcard.analysis.figures import risk_of_ruin
from upcard.analysis.ramp_plan import RampQuestion, make_plans
from upcard.answers.ramp_report import describe_ramp, write_ramp
from upcard.core.errors import AnalysisError
from upcard.strategy.ramp import read_pairs

GAME = make_game(slope=0.008, edge=-0.004)
_AMOUNT = re.compile(r": ([\d,.]+)")

_questions = st.fixed_dictionaries(
    {
        "spread": st.integers(2, 20).map(float),
        "chip": st.sampled_from([None, 1.0, 2.5, 5.0, 25.0]),
        "chips": st.integers(1, 12),
        "bankroll": st.sampled_from([4_000.0, 10_000.0, 57_300.0, None]),
        "gives_unit": st.booleans(),
        "wong": st.sampled_from([None, None, 0, 1]),
        "levels": st.sampled_from([None, None, 3]),
    }
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(terms=_questions)
def test_the_printed_ramp_is_the_plan(terms):
    chip, chips, gives_unit = terms["chip"], terms.pop("chips"), terms.pop("gives_unit")
    unit = chips * (chip or 5.0) if gives_unit else None
    if chip is not None and unit is None and terms["bankroll"] is None:
        unit = chips * chip
    try:
        question = RampQuestion(**terms, unit=unit)
        plans = make_plans(GAME, question)
    except AnalysisError:  # no such bets win
        return
    for plan in plans:
        line, has_money = write_ramp(plan), unit is not None or terms["bankroll"] is not None
        money = plan.unit if has_money else None
        if unit is not None:
            assert plan.unit == pytest.approx(unit)  # the unit that is printed is the one given
        pasted = RampQuestion(ramp=read_pairs(line), unit=money, bankroll=terms["bankroll"])
        [again] = make_plans(GAME, pasted)
        assert again.betting.bets == pytest.approx(plan.betting.bets, rel=1e-9)
        for name in ("ev", "variance"):
            one, other = getattr(again.betting, name), getattr(plan.betting, name)
            assert one == pytest.approx(other, rel=1e-6)
        assert again.betting.average_bet.value == pytest.approx(plan.betting.average_bet.value)
        ruins = [
            risk_of_ruin(ev=each.betting.ev, variance=each.betting.variance, bankroll=each.bankroll)
            for each in (again, plan)
        ]
        assert ruins[0] == pytest.approx(ruins[1], rel=1e-6)
        _check_words(plan, question)


def _check_words(plan, question):
    """Every amount that a person reads is a bet in money."""
    if question.unit is None and question.bankroll is None:
        return
    words = describe_ramp(plan, question)
    assert "unit" not in words
    bets = {round(bet, 2) for bet in plan.betting.bets}
    amounts = [float(one.replace(",", "")) for one in _AMOUNT.findall(words)]
    assert amounts
    for amount in amounts:
        assert any(abs(amount - bet) < 0.0051 for bet in (*bets, 0.0)), words


def test_side_bets_of_a_ramp_are_in_money_too():
    ramp = read_pairs("0:1 1:4; 21+3 1 from 4, 2 from 6")
    question = RampQuestion(ramp=ramp, unit=25.0)
    plan = make_plans(make_game(), RampQuestion(ramp=read_pairs("0:1 1:4"), unit=25.0))[0]
    told = type(plan)(
        **{name: getattr(plan, name) for name in plan.__dataclass_fields__} | {"ramp": ramp}
    )
    words = describe_ramp(told, question)
    assert words == "up to 0: 25; +1 and more: 100; side bet 21+3 25 from 4, 50 from 6"
