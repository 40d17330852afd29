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
    "SP3": ("SP3", {"max_hands": 3}, {8: 5, 10: 7}),
    "SP3 H17 NDAS": (
        "SP3 H17 NDAS",
        {"max_hands": 3, "soft_17": "hit", "das": False},
        {1: 4, 5: 5, 10: 8},
    ),
    "SP3 ENHC": ("SP3 ENHC", {"max_hands": 3, "hole_card": "none"}, {1: 2, 6: 6, 10: 7}),
    "SP3 RSA": ("SP3 RSA", {"max_hands": 3, "rsa": True}, {1: 6, 6: 4, 10: 8}),
    "SP3 RSA HSA": ("SP3 RSA HSA", {"max_hands": 3, "rsa": True, "hsa": True}, {1: 5, 7: 4, 10: 8}),
    "SP3 DANY": ("SP3 DANY", {"max_hands": 3, "double_on": "any number"}, {4: 4, 6: 5, 9: 8}),
    "SP4": ("SP4", {"max_hands": 4}, {8: 6, 10: 9}),
    "SP4 H17 D10": (
        "SP4 H17 D10",
        {"max_hands": 4, "soft_17": "hit", "double_on": "10 to 11"},
        {5: 6, 6: 4, 10: 9},
    ),
    "SP4 OBO": (
        "SP4 OBO",
        {"max_hands": 4, "hole_card": "none", "natural_takes": "original"},
        {1: 2, 7: 6, 10: 10},
    ),
}


@pytest.mark.parametrize("splits", ["full", "full-at-once"])
@pytest.mark.parametrize("name", slow_except(["ENHC", "SP3"], CASES))
def test_full_memory_is_worth_what_trying_everything_gives(name, splits):
    text, facts, counts = CASES[name]
    rules = Rules.parse(f"1D {text}" if "SP" in text else f"1D SP2 {text}")
    shoe = shoe_of(counts)
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
