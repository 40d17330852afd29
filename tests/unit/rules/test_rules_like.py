"""Public functions take rules as `Rules`, notation, the name of a house or the path of its file."""

from __future__ import annotations

from pathlib import Path

import pytest

import upcard
from upcard.core.errors import BlackjackError, RulesError
from upcard.rules.house import as_rules

HOUSE = Path(upcard.__file__).parent / "rules" / "houses" / "european.toml"
WAYS = ("european", str(HOUSE), HOUSE, upcard.house("european"))
QUICK = upcard.Rules.parse("INF")


@pytest.mark.parametrize("rules", WAYS, ids=["name", "text of a path", "path", "Rules"])
def test_each_way_names_the_same_rules(rules):
    assert as_rules(rules) == upcard.house("european")


def test_a_path_may_have_blanks(tmp_path):
    house = tmp_path / "my house é.toml"
    house.write_bytes(HOUSE.read_bytes())
    assert as_rules(str(house)) == as_rules(house) == upcard.house("european")


@pytest.mark.parametrize(
    "ask",
    [
        upcard.basic_strategy,
        upcard.expected_value,
        lambda rules: upcard.solve_game(rules).by_upcard,
        lambda rules: upcard.solve(rules, "T6", "T").ev,
        lambda rules: upcard.dealer_outcomes(rules, "6"),
        lambda rules: upcard.simulate(rules, rounds=100, seed=1, engine="table").tally,
        lambda rules: upcard.play_round(rules, "T 6 8 T 9", decisions=["stand"]).net,
        lambda rules: upcard.Table(rules).rules,
    ],
)
def test_a_text_answers_as_its_rules_do(ask):
    assert ask("INF") == ask(QUICK)


def test_effects_and_indices_take_a_text():
    text, rules = "1D SP1", upcard.Rules.parse("1D SP1")
    assert upcard.effects_of_removal(text) == upcard.effects_of_removal(rules)
    with pytest.raises(BlackjackError) as caught:
        upcard.indices("6D NOPE")
    assert "NOPE" in str(caught.value)


@pytest.mark.parametrize("wrong", [5, None, ["6D"]])
def test_anything_else_is_refused_with_what_is_possible(wrong):
    with pytest.raises(RulesError) as caught:
        upcard.expected_value(wrong)
    assert "the name of a house" in str(caught.value)


def test_a_wrong_text_is_refused_as_the_commands_refuse_it(capsys):
    from upcard.cli.app import run

    with pytest.raises(BlackjackError) as caught:
        upcard.basic_strategy("6D H18")
    assert run(["chart", "--rules", "6D H18"]) == 2
    assert str(caught.value) in capsys.readouterr().err
