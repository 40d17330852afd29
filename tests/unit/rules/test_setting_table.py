"""One table lists the settings: fields of `Rules`, notation, codes and the start screen agree."""

import dataclasses
from enum import StrEnum
from typing import get_args, get_type_hints

import pytest

from upcard.rules import engines
from upcard.rules.model import RULE_NAMES, Rules
from upcard.rules.settings import SETTINGS, EngineName
from upcard.rules.side_bets import SideBet
from upcard.rules.tokens import read_tokens


def test_the_table_and_the_fields_of_rules_agree():
    fields = [field.name for field in dataclasses.fields(Rules) if field.compare and field.init]
    assert list(SETTINGS) == list(RULE_NAMES) == fields
    hints = get_type_hints(Rules, localns={"SideBet": SideBet})
    for name, setting in SETTINGS.items():
        written = (tuple,) if name == "side_bets" else get_args(hints[name]) or (hints[name],)
        assert setting.kinds == written, name
        assert setting.default == getattr(Rules(), name), name
        assert type(setting.default) in setting.kinds, name


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=lambda setting: setting.name)
def test_words_menus_and_sentences_are_about_values_that_the_setting_may_have(setting):
    base = Rules(decks=6, max_hands=4, double_after_split=True, hole_card="no-peek")
    words = setting.words.values if setting.words else {}
    options = setting.menu.options if setting.menu else {}
    for value in (*words.values(), *options.values()):
        for name, changed in setting.changes(value).items():
            assert SETTINGS[name].coerce(changed) == changed
            assert type(changed) in SETTINGS[name].kinds
    for word, value in words.items():
        (token,), faults = read_tokens([word.lower()])
        assert (token.changes, faults) == (setting.changes(value), [])
    if setting.topic and issubclass(setting.kind, StrEnum):
        assert all(setting.say(member).endswith(".") for member in setting.kind)
    assert isinstance(setting.say(getattr(base, setting.name)), str)


def test_each_rule_says_for_every_engine_what_becomes_of_it():
    """Without a row it is refused by name, also by the table: never ignored."""
    assert set(engines.ROWS) == set(SETTINGS)
    assert all(tuple(row) == tuple(EngineName) for row in engines.ROWS.values())


@pytest.mark.parametrize("engine", [one for one in EngineName if one is not EngineName.SWITCH])
def test_a_rule_without_a_row_is_refused_by_every_engine(engine, monkeypatch):
    rows = {name: row for name, row in engines.ROWS.items() if name != "soft_17"}
    monkeypatch.setattr(engines, "ROWS", rows)
    monkeypatch.setattr(engines, "_rows_of", engines._rows_of.__wrapped__)
    refused = ("soft_17=hit", engines.UNKNOWN)
    assert refused in engines.find_refusals(Rules.parse("6D H17"), engine)
    assert refused not in engines.find_refusals(Rules.parse("6D"), engine)


def test_the_simulator_has_room_for_the_pays_that_its_row_names():
    from upcard.simulation.lower import loop_codes

    assert loop_codes.RESULTS - loop_codes.BONUS == engines.MOST_PAYS


def test_rules_are_imported_without_a_cycle_but_that_of_rules_and_their_text():
    import ast
    from pathlib import Path

    import upcard.rules

    folder = Path(upcard.rules.__file__).parent
    needs = {}
    for path in folder.glob("*.py"):
        tree = ast.parse(path.read_text())
        typing_only = {
            inner
            for node in ast.walk(tree)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            for inner in ast.walk(node)
        }
        needs[path.stem] = {
            node.module.removeprefix("upcard.rules.")
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            and node not in typing_only
            and str(node.module).startswith("upcard.rules.")
        }
    needs["model"].discard("notation")  # `Rules.parse` and `str(rules)`: a value and its text form
    while free := [name for name, needed in needs.items() if not needed & set(needs)]:
        for name in free:
            del needs[name]
    assert needs == {}
