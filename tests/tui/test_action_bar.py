"""The keys at the bottom: which of them stand there where not all have room."""

from __future__ import annotations

import pytest

from upcard.core.actions import Action
from upcard.tui.keys import HELP_KEY, LEAVE_KEY, TABLE_KEYS, WHY, Key, answer_keys, fit_keys

OPENING = (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)


def width(keys):
    return sum(key.width for key in keys) + len(keys) - 1


def test_why_stands_on_the_bar_beside_every_answer_at_80_columns():  # F14
    shown = fit_keys([*answer_keys(OPENING), *TABLE_KEYS], 78)
    assert [key.words for key in shown[:5]] == list(map(str, OPENING))
    assert [(key.cap, key.words) for key in shown[5:]] == [("W", "why"), ("?", "more"), ("Q", "")]


@pytest.mark.parametrize("room", range(3, 120))
def test_help_is_always_there_and_the_bar_never_too_long(room):
    shown = fit_keys([*answer_keys(OPENING), Key("u", "U", "undo", weight=2), *TABLE_KEYS], room)
    assert "?" in [key.cap for key in shown]
    assert width(shown) <= room


def test_help_says_where_keys_are_left_out():
    assert HELP_KEY in fit_keys([*answer_keys(OPENING), *TABLE_KEYS], 120)
    assert HELP_KEY not in fit_keys([*answer_keys(OPENING), *TABLE_KEYS], 78)


def test_every_answer_keeps_its_key_at_40_columns():
    shown = fit_keys([*answer_keys(OPENING), *TABLE_KEYS], 38)
    assert [key.cap for key in shown] == ["H", "S", "D", "P", "R", "W", "?", "Q"]
    assert [key.words for key in fit_keys([*answer_keys(OPENING[:3]), *TABLE_KEYS], 38)][:3] == [
        "hit",
        "stand",
        "dbl.",
    ]


def test_the_least_important_goes_first():
    keys = [Key("a", "A", "one", 1), Key("b", "B", "two", 2), Key("w", "W", "why", WHY), LEAVE_KEY]
    assert [key.cap for key in fit_keys(keys, width(keys) - 1)] == ["B", "W", "Q"]
