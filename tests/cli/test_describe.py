"""The description of rules leaves no setting out."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

import pytest

import upcard
from upcard import Rules
from upcard.rules.bonuses import Bonuses
from upcard.rules.describe import describe_rules
from upcard.rules.model import RULE_NAMES
from upcard.rules.settings import SETTINGS

# Settings that only another one gives a meaning, and that other one.
BASES = {
    "ten_probability": {"decks": None},
    "natural_takes": {"hole_card": "none"},
    "double_split_aces": {"hit_split_aces": True},
    "dealer_rule": {"max_spots": 1, "max_hands": 1},
    "shows_upcard": {"insurance": False, "hole_card": "no-peek"},
    "even_money": {"natural_pays": 2},
    "charlie_pays": {"charlie": 5},
    "bonuses": {"player_21": "always-wins"},
    "switch": {"max_spots": 2, "insurance": False},
}
NUMBERS = {
    "decks": 3,
    "deck_size": 48,
    "max_hands": 3,
    "max_doubles": 2,
    "max_total_hands": 7,
    "max_spots": 3,
    "charlie": 5,
    "dealer_wins_ties": 18,
    "min_stand": 15,
    "double_stake": 3,
    "max_ace_hands": 2,
}
SHARES = {
    "penetration": Fraction(1, 3),
    "ten_probability": Fraction(1, 3),
    "natural_pays": Fraction(7, 5),
    "suited_natural_pays": Fraction(2),
    "charlie_pays": Fraction(2),
    "insurance_pays": Fraction(5, 2),
}


def other_values(name: str) -> list[object]:
    """Return settings that `name` may have besides the default."""
    values: list[object] = []
    for kind in SETTINGS[name].kinds:
        if issubclass(kind, StrEnum):
            values += list(kind)
        elif kind is bool:
            values += [True, False]
        elif kind is int:
            values.append(NUMBERS[name])
        elif kind is Fraction:
            values.append(SHARES[name])
        elif kind is str:
            values += ["4", "4T"]
        elif kind is tuple:
            values.append(["21+3-flat"])
        elif kind is Bonuses:
            values += ["usual", "5=3:2"]
        else:
            values.append(None)
    return values


@pytest.mark.parametrize("name", RULE_NAMES)
def test_every_value_of_a_setting_reads_differently(name) -> None:
    base = Rules(**BASES.get(name, {}))
    if name == "player_21":
        base = base.replace(hole_card="no-peek")
    variants = {base.replace(**{name: value}) for value in other_values(name)} | {base}
    texts = {str(describe_rules(rules)) for rules in variants}
    assert len(variants) > 1
    assert len(texts) == len(variants)


@pytest.mark.parametrize("house", upcard.house_names())
def test_houses_read_differently_and_in_sentences(house) -> None:
    described = describe_rules(upcard.house(house))
    others = [describe_rules(upcard.house(name)) for name in upcard.house_names() if name != house]
    assert described not in others
    for topic, sentence in described:
        assert topic[0].isupper() or topic[0].isdigit()
        assert sentence.endswith(".")
        assert "  " not in sentence
