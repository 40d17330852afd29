"""One table lists the settings: fields of `Rules`, notation, codes and the start screen agree."""

import dataclasses
from enum import StrEnum
from typing import get_args, get_type_hints

import pytest

from upcard.exact.supported_rules import KNOWN_SETTINGS
from upcard.rules.model import RULE_NAMES, Rules
from upcard.rules.settings import SETTINGS
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


def test_every_engine_knows_every_setting_of_today():
    from upcard.simulation.job import _KNOWN_SETTINGS

    assert set(SETTINGS) == KNOWN_SETTINGS == _KNOWN_SETTINGS


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
