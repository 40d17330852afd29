"""Every value in `exact_values.json`, to 1e-10; published ones to the digits that are printed.

The file says who computed each value: none is ours. Its games are played without insurance and
even money.
"""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path

import pytest

import upcard

DATA = json.loads((Path(__file__).parent / "exact_values.json").read_text(encoding="utf-8"))
EXACT = 1e-10
PUBLISHED = 1e-5
"""What Wizard of Odds' totals are good to, as the file says."""

WHOLE_GAMES = [
    pytest.param(rules, splits, ev, id=f"{rules} {splits}")
    for rules, by_class in DATA["overall_ev"].items()
    for splits, ev in by_class.items()
]
GAMES_BY_UPCARD = [
    pytest.param(rules, splits, evs, id=f"{rules} {splits}")
    for rules, by_class in DATA["ev_by_upcard"].items()
    for splits, evs in by_class.items()
]
ANSWERS = [
    pytest.param(rules, splits, hand, list(rows), id=f"{hand} in {rules} {splits}")
    for rules, by_class in DATA["hand_ev"].items()
    for splits, all_rows in by_class.items()
    for hand, rows in groupby(
        sorted(all_rows, key=lambda row: (row["hand"], row["upcard"])), lambda row: row["hand"]
    )
]
INFINITE = [
    pytest.param(rules, ev, id=rules)
    for rules, ev in DATA["infinite_deck"].items()
    if rules != "source"
]
NO_HOLE_CARD = [
    pytest.param(rules, ev, id=rules)
    for rules, ev in DATA["no_hole_card_all_bets_lost"].items()
    if rules != "source"
]
MORE_MEMORY = DATA["full_memory_of_more_hands_or_decks"]["rows"]
QUICK = MORE_MEMORY[0]
FULL_MEMORY = [
    pytest.param(
        row,
        id=f"{row['rules'].split()[0]} {row['hand']} v {row['upcard']}",
        marks=() if row["hand"] == "AA" or row == QUICK else pytest.mark.slow,
    )
    for row in (*DATA["full_memory_split"]["rows"], *MORE_MEMORY)
]


def test_nothing_in_the_file_is_left_out():
    assert set(DATA) == {
        "origin",
        "about",
        "overall_ev",
        "hand_ev",
        "ev_by_upcard",
        "effects_of_removal",
        "full_memory_split",
        "full_memory_of_more_hands_or_decks",
        "infinite_deck",
        "no_hole_card_all_bets_lost",
    }


@pytest.mark.fast_cases(6)
@pytest.mark.parametrize(("rules", "splits", "ev"), WHOLE_GAMES)
def test_whole_game(rules, splits, ev):
    offered = upcard.Rules.parse(rules)
    assert upcard.expected_value(offered, splits=splits) == pytest.approx(ev, abs=EXACT, rel=0)
    not_offered = upcard.Rules.parse(f"{rules} NOINS")
    assert upcard.expected_value(not_offered, splits=splits) == pytest.approx(ev, abs=EXACT, rel=0)


@pytest.mark.parametrize(("rules", "splits", "evs"), GAMES_BY_UPCARD)
def test_whole_game_by_upcard(rules, splits, evs):
    game = upcard.solve_game(upcard.Rules.parse(rules), splits=splits)
    assert game.by_upcard == pytest.approx(evs, abs=EXACT, rel=0)


@pytest.mark.fast_cases(15)
@pytest.mark.parametrize(("rules", "splits", "hand", "rows"), ANSWERS)
def test_answers_to_a_hand_given_no_natural(rules, splits, hand, rows):
    parsed = upcard.Rules.parse(rules)
    upcards = {row["upcard"] for row in rows}
    values = {up: upcard.solve(parsed, hand, up, splits=splits) for up in upcards}
    ours = {(row["upcard"], row["action"]): values[row["upcard"]].ev[row["action"]] for row in rows}
    expected = {(row["upcard"], row["action"]): row["ev"] for row in rows}
    assert ours == pytest.approx(expected, abs=EXACT, rel=0)


@pytest.mark.slow
@pytest.mark.parametrize("rules", DATA["effects_of_removal"])
def test_effects_of_removal(rules):
    rows = DATA["effects_of_removal"][rules]
    splits = {name for _, _, name in rows}
    assert len(splits) == 1
    effects = upcard.effects_of_removal(upcard.Rules.parse(rules), splits=splits.pop())
    expected = {rank: effect for rank, effect, _ in rows}
    assert effects == pytest.approx(expected, abs=EXACT, rel=0)


@pytest.mark.parametrize("row", FULL_MEMORY)
def test_split_with_full_memory(row):
    """A peek makes values conditional; the file counts a natural as one bet lost there."""
    rules = upcard.Rules.parse(row["rules"])
    value = upcard.solve(rules, row["hand"], row["upcard"], splits="full")
    natural = value.natural_probability if value.is_conditional else 0.0
    unconditional = value.ev["split"] * (1 - natural) - natural
    assert unconditional == pytest.approx(row["ev"], abs=EXACT, rel=0)


@pytest.mark.parametrize(("rules", "ev"), INFINITE)
def test_infinite_deck(rules, ev):
    assert upcard.expected_value(upcard.Rules.parse(f"INF {rules}")) == pytest.approx(
        ev, abs=EXACT, rel=0
    )


@pytest.mark.parametrize(("rules", "ev"), NO_HOLE_CARD)
def test_no_hole_card_and_all_bets_lost_to_a_natural(rules, ev):
    assert upcard.expected_value(upcard.Rules.parse(rules)) == pytest.approx(
        ev, abs=PUBLISHED, rel=0
    )
