"""Even money: table, solver, coach and the value of the game go by one rule."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import upcard
from upcard.coach.adviser import Coach
from upcard.core.actions import Action
from upcard.rules.model import Rules
from upcard.rules.settings import EvenMoney
from upcard.simulation.job import Job, make_job
from upcard.store.sessions import read_rules, write_rules
from upcard.table import ScriptedShoe, Table


def deal(rules):
    """Deal a natural that faces an ace."""
    table = Table(rules, ScriptedShoe("A A K 7 5 5 5"))
    table.start([10])
    return table


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("6D SP1", True),
        ("6D SP1 2:1", True),
        ("6D SP1 6:5", False),
        ("6D SP1 7:5", False),
        ("6D SP1 1:1", False),
        ("6D SP1 NOINS", False),
        ("six-to-five SP1", False),
        ("6D SP1 6:5 even_money=instead", True),
        ("6D SP1 6:5 even_money=first", True),
        ("6D SP1 even_money=never", False),
    ],
)
def test_table_solver_and_coach_agree_on_whether_even_money_is_offered_and_what_it_is_worth(
    text, offered
):
    """F1: `edge` left out what table and coach offered at 6:5, even where the rules said so."""
    rules = Rules.parse(text)
    assert Rules.parse(str(rules)) == rules
    table = deal(rules)
    legal = table.legal_actions()
    assert (Action.EVEN_MONEY in legal) is offered
    gain = upcard.solve(rules, "AT", "A").even_money_ev
    assert (gain is not None) is offered
    game = upcard.solve_game(rules)
    if not offered:
        assert game.insurance_ev == 0
        return
    advice = Coach(rules).advise(table.view(), legal)
    assert advice.ev[Action.EVEN_MONEY] - advice.ev[Action.NO_EVEN_MONEY] == pytest.approx(gain)
    chance = Fraction(24, 312) * 2 * Fraction(23, 311) * Fraction(96, 310)
    assert game.insurance_ev == pytest.approx(float(chance) * max(gain, 0.0), rel=1e-9)


def test_even_money_goes_by_the_payout_until_the_rules_say_otherwise():
    usual = Rules.parse("6D")
    thin = usual.replace(natural_pays="6:5")
    assert (usual.even_money, thin.even_money) == (EvenMoney.INSTEAD, EvenMoney.NEVER)
    assert thin.replace(natural_pays="3:2") == usual
    assert Rules.parse("6D 1:1").replace(natural_pays="3:2") == usual
    first = Rules.parse("6D even_money=first")
    assert first.replace(natural_pays="6:5").even_money is EvenMoney.FIRST


def test_saved_rules_offer_even_money_as_they_did():
    """F1: rounds were played with it, and a run that continues must continue with it."""
    for text in ("6D 6:5", "6D 6:5 even_money=first", "6D 6:5 NOINS", "6D 1:1", "6D", "lott 6:5"):
        rules = Rules.parse(text)
        assert read_rules(write_rules(rules), "") == rules
        assert (
            Job.from_json(json.loads(json.dumps(make_job(rules, seed=1).to_json()))).rules == rules
        )
