"""Splits with full memory: the solver against its naive twin, on shoes small enough to play out."""

from __future__ import annotations

import pytest
from marks import slow_except
from naive_dealer import shoe_of
from naive_memory import MemoryGame

import upcard
from upcard.core.actions import Action
from upcard.rules.model import Rules

NAMES = "?A23456789T"
CASES = {
    "S17": ("", {}, {1: 3, 5: 4, 8: 5, 10: 5}),
    "H17 NDAS": ("H17 NDAS", {"soft_17": "hit", "das": False}, {1: 3, 5: 4, 8: 5, 10: 5}),
    "ENHC": ("ENHC", {"hole_card": "none"}, {4: 3, 7: 5, 10: 6}),
    "HSA": ("HSA", {"hsa": True}, {1: 5, 7: 4, 10: 6}),
    "ENHC HSA DANY": (
        "ENHC HSA DANY",
        {"hole_card": "none", "hsa": True, "double_on": "any number"},
        {1: 4, 6: 5, 10: 6},
    ),
    "OBO": (
        "OBO",
        {"hole_card": "none", "natural_takes": "original"},
        {1: 3, 5: 4, 8: 5, 10: 5},
    ),
}


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("splits", ["full", "full-at-once"])
@pytest.mark.parametrize("name", slow_except(["ENHC", "HSA"], CASES))
def test_full_memory_is_worth_what_trying_everything_gives(name, splits):
    text, facts, counts = CASES[name]
    rules, shoe = Rules.parse(f"1D SP2 {text}"), shoe_of(counts)
    for up in counts:
        twin = MemoryGame(facts, shoe, up, at_once=splits == "full-at-once")
        for pair in counts:
            if counts[pair] - (pair == up) < 2:
                continue
            hand = NAMES[pair] * 2
            found = upcard.solve(rules, hand, NAMES[up], shoe=shoe, splits=splits).ev[Action.SPLIT]
            expected = float(twin.split((pair, pair)))
            assert found == pytest.approx(expected, rel=0, abs=1e-12), f"{hand} v {NAMES[up]}"


def test_seeing_the_card_of_the_other_hand_is_worth_something():
    shoe = shoe_of({1: 3, 5: 4, 8: 5, 10: 5})
    later, at_once = (
        MemoryGame({}, shoe, 8, at_once=at_once).split((10, 10)) for at_once in (False, True)
    )
    assert later < at_once
