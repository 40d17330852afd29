"""Company in the line game, and a counter who plays by himself."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from driving import ending, talk

# Dealt in turn to mimic, you, never-bust, then the dealer.
CARDS = "T 9 T 8  6 9 7 T  5"
COMPANY = ["--company", "mimic; you; never-bust martingale"]


def test_names_stand_before_their_hands() -> None:
    answer = talk(["play", "--cards", CARDS, *COMPANY], ["20", "s"])
    assert "At the table, in turn: mimic, you, never-bust martingale.\n" in answer.out
    assert "Bets of the others: mimic 20, never-bust martingale 20.\n" not in answer.out
    assert "Bets of the others: mimic 10, never-bust martingale 10.\n" in answer.out
    for line in (
        "Dealer                 8 ??",
        "mimic                  10 6",
        "You                    9 9",
        "never-bust martingale  10 7",
        "mimic: hit",
        "mimic                  10 6 5",
        "You: [H]it  [S]tand  [D]ouble  s[P]lit? s",
        "never-bust martingale: stand",
        "mimic wins 10, 21 against 18.",
        "You push, 18 against 18.",
        "never-bust martingale loses 10, 17 against 18.",
    ):
        assert f"\n{line}" in answer.out
    assert ending(answer.out) == "Balance 100"


def test_practice_with_company_takes_nothing_back() -> None:
    answer = talk(["play", "--cards", CARDS, *COMPANY], ["10", "u", "s"])
    assert "Practice: nothing is saved.\n" in answer.out
    assert "Cannot undo: there is company, which has played on." in answer.out


def test_namesakes_are_numbered() -> None:
    answer = talk(["play", "--cards", CARDS, "--company", "mimic; mimic; you"], ["10"])
    assert "mimic 1, mimic 2, you." in answer.out
    assert "\nmimic 2  9 9" in answer.out


def test_several_hands_of_ones_own_are_numbered_among_them() -> None:
    cards = "T 9 8 7  9 9 8 T  T T T"
    answer = talk(["play", "--cards", cards, "--company", "mimic", "--hands", "2"], ["10", "s"])
    assert "you (2 hands), mimic." in answer.out
    assert "Hand 1: [H]it" in answer.out
    assert "Hand 2: [H]it" in answer.out


def test_a_split_of_the_company_is_told_apart() -> None:
    # Basic splits eights against a seven; it gets a ten on each.
    cards = "8 T 7  8 9 T  T T"
    answer = talk(["play", "--cards", cards, "--company", "basic; you"], ["10", "s"])
    assert "\nbasic wins 10, 18 against 17.\nbasic (2) wins 10, 18 against 17.\n" in answer.out
    assert ending(answer.out) == "Balance 110"


def test_insurance_of_the_company_is_its_own() -> None:
    # Document 003's player rejects; a counter takes it when the shoe is rich. Here you do.
    cards = "T 9 A  9 9 T"
    answer = talk(["play", "--cards", cards, "--company", "lott; you"], ["10", "y"])
    assert "Insurance wins 10." in answer.out
    assert ending(answer.out) == "Balance 100"


def test_a_counter_raises_his_bet_and_you_do_not() -> None:
    # Low cards go by: the count rises, and the next round is bet by it.
    cards = "2 2 3  3 3 4  4 4 5  5 5 6  6 6 6 " + "T T 9  9 9 8"
    answer = talk(
        ["play", "--rules", "1D", "--cards", cards, "--company", "counter; you"],
        ["10", *["s"] * 8, "10", "s"],
    )
    bets = [line for line in answer.out.splitlines() if line.startswith("Bets of the others")]
    assert bets[0] == "Bets of the others: counter 10."
    assert bets[1] != bets[0]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--company", "nobody"], "no player is called 'nobody'"),
        (["--company", "you; you"], "you sit at one place"),
        (["--company", "basic", "--hands", "7"], "7 hands beside 1 of the company"),
        (["--company", "basic", "--house", "seven-hands"], "have no company"),
        (["--company", "basic", "--player", "mimic"], "it is for your own game, and mimic plays"),
        (["--company", "counter", "--rules", "INF"], "leave nothing to count"),
    ],
)
def test_company_that_cannot_be_is_refused(options, reason) -> None:
    answer = talk(["play", *options])
    assert (answer.code, answer.out) == (2, "")
    assert reason in answer.err
    assert not Path(os.environ["UPCARD_DATA"]).exists()


def test_json_names_who_sits_where() -> None:
    answer = talk(["play", "--json", "--cards", CARDS, *COMPANY], ["20", "stand"])
    lines = [json.loads(line) for line in answer.out.splitlines()]
    assert lines[0]["company"] == ["mimic", None, "never-bust martingale"]
    (started,) = (line for line in lines if line["type"] == "round_started")
    assert started["bets"] == [10, 20, 10]
    (asked,) = (line for line in lines if line["type"] == "asked" and "legal" in line)
    assert asked["hand"] == 1
    assert lines[-1]["balance"] == 100


# A counter by himself.


def bets_of(options) -> set[str]:
    answer = talk(["play", "--seed", "3", "--rounds", "120", "--chips", "100000", *options])
    assert answer.code == 0
    lines = answer.out.splitlines()
    return {line.partition(", bet ")[2] for line in lines if line.startswith("Round ")}


def test_a_counter_bets_by_his_ramp() -> None:
    assert {"10", "20"} < bets_of(["--player", "counter"])
    assert {"5", "10"} < bets_of(["--player", "counter:zen", "--bet", "5"])


def test_a_counter_bets_otherwise_if_told() -> None:
    assert bets_of(["--player", "counter", "--betting", "flat"]) == {"10"}
    assert bets_of(["--player", "counter", "--limit", "15"]) == {"10", "15"}


@pytest.mark.parametrize(
    "command",
    [
        ["simulate", "--player", "counter", "--rounds", "100"],
        ["simulate", "--player", "counter:zen", "--engine", "table", "--rounds", "100"],
        ["sessions", "--player", "counter", "--sessions", "2"],
    ],
    ids=" ".join,
)
def test_a_counter_where_he_would_hear_nothing_is_refused(command) -> None:
    """Else he would play by a count of 0, and nobody would see."""
    answer = talk(command)
    assert (answer.code, answer.out) == (2, "")
    assert "player 'counter" in answer.err
