"""What all voices of the line game owe: ends, bets, chips, bots."""

from __future__ import annotations

import os

import pytest
from driving import ANSWERS, HOUSES, ending, pipe, talk

import upcard


@pytest.mark.parametrize("house", HOUSES)
def test_end_of_input_at_every_prompt_ends_with_the_balance(house) -> None:
    for given_answers in range(len(ANSWERS[house]) + 1):
        answer = talk(["play", *HOUSES[house]], ANSWERS[house][:given_answers])
        assert answer.code == 0
        assert answer.err == ""
        assert ending(answer.out)


@pytest.mark.parametrize("house", HOUSES)
def test_interrupt_at_every_prompt_ends_with_the_balance(house) -> None:
    for given_answers in range(len(ANSWERS[house]) + 1):
        answers = ANSWERS[house][:given_answers]
        answer = talk(["play", *HOUSES[house]], answers, interrupts=True)
        assert answer.code == 0
        assert answer.err == ""
        assert ending(answer.out)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("house", HOUSES)
def test_ascii_is_seven_bit(house) -> None:
    answers = ["Zoë ♠ \x1b[31m", "♥", *ANSWERS[house]]
    answer = pipe(["play", *HOUSES[house], "--ascii"], "\n".join(answers))
    assert answer.code == 0
    assert answer.out.isascii()
    assert "\x1b" not in answer.out


def test_a_stream_without_glyphs_gets_ascii() -> None:
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    answer = pipe(["play", "--house", "seven-hands", "--seed", "1"], "n\n2\n10\n", env=environment)
    assert answer.code == 0
    assert "+----+ +----+    +----+" in answer.out


@pytest.mark.slow
def test_input_that_is_no_text_is_nonsense() -> None:
    answer = pipe(["play", "--seed", "1"], b"\xff\xfe\x00\n\xe2\x28\n10\ns\n")
    assert answer.code == 0
    assert answer.out.count("write a number over 0") == 2


def test_script_that_runs_out_in_a_round_voids_it() -> None:
    answer = talk(["play", "--cards", "T 6 4 8 5"], ["10", "h", "s"])
    assert answer.code == 0
    assert "No card is left in the script; this round does not count." in answer.out
    assert ending(answer.out) == "Balance 100"


def test_seed_deals_the_same_cards_again() -> None:
    options = ["play", "--house", "vegas-strip", "--seed", "42"]
    answers = ["10", "s", "s", "10", "s", "s"]
    assert talk(options, answers) == talk(options, answers)
    assert talk(options, answers) != talk([*options[:-1], "43"], answers)


@pytest.mark.parametrize(
    "bet", ["0", "-1", "nan", "inf", "1e999", "1e999999999", "ten", "101", "1/0"]
)
def test_bet_that_cannot_be_is_asked_again(bet) -> None:
    answer = talk(["play", "--seed", "1"], [bet, "10"])
    assert answer.out.count("Your bet [10]: ") == 2


def test_limit_holds_for_a_person() -> None:
    answer = talk(["play", "--seed", "1", "--limit", "25"], ["26", "25"])
    assert "The table's limit is 25 a hand." in answer.out


def test_rounds_hold_for_a_person() -> None:
    answer = talk(["play", "--cards", "A 9 K 8 A 9 K 8", "--rounds", "1"], ["10", "10"])
    assert answer.out.endswith("Balance 115 after 1 round, net +15.\n")


@pytest.mark.parametrize("house", ["vegas-strip", "seven-hands"])
def test_bets_on_all_hands_together_may_not_exceed_the_balance(house) -> None:
    options = ["play", "--house", house, "--hands", "3", "--seed", "1"]
    options += ["--unit", "0.1"] if house == "vegas-strip" else []
    answers = ["50", "33.4", "33.3"] if house == "vegas-strip" else ["n", "50", "33.4", "33.3"]
    answer = talk(options, answers)
    assert "A bet of 50 on each of 3 hands is more than your balance of 100." in answer.out
    assert "A bet of 33.4 on each of 3 hands is more than your balance of 100." in answer.out
    assert "A bet of 33.3" not in answer.out


def test_half_chips_are_exact_and_written_as_decimals() -> None:
    answer = talk(["play", "--cards", "A 9 K 8"], ["5"])
    assert "You win 7.5 with a natural." in answer.out
    assert ending(answer.out) == "Balance 107.5"


def test_words_and_letters_in_any_case() -> None:
    cards = "8 6 8 T 2 3 T T T"
    answer = talk(["play", "--cards", cards], ["10", "SPLIT", "Double Down", "D", "q"])
    assert "Hand 1 wins 20" in answer.out
    assert "Hand 2 wins 20" in answer.out
    assert ending(answer.out) == "Balance 140"


def test_what_the_chips_do_not_cover_is_not_offered_and_says_why() -> None:
    cards = "8 A 8 6 2 T"
    answer = talk(["play", "--chips", "12", "--cards", cards], ["10", "p", "d", "s"])
    assert "Insurance" not in answer.out
    assert "[D]ouble" not in answer.out
    assert (
        "Cannot split: it takes 10 more chips and you have 2 left. Legal: hit, stand" in answer.out
    )
    assert (
        "Cannot double: it takes 10 more chips and you have 2 left. Legal: hit, stand" in answer.out
    )


def test_insurance_costs_half_and_is_settled() -> None:
    answer = talk(["play", "--cards", "T A 9 K"], ["10", "yes"])
    assert "Insurance for 5? [y/n] " in answer.out
    assert "Insurance wins 10." in answer.out
    assert ending(answer.out) == "Balance 100"


def test_insurance_that_loses_is_told() -> None:
    answer = talk(["play", "--cards", "T A 9 9"], ["10", "y", "s"])
    assert "no natural" in answer.out
    assert "Insurance loses 5." in answer.out
    assert ending(answer.out) == "Balance 85"


def test_question_mark_explains_the_rules_in_force() -> None:
    answer = talk(["play", "--rules", "2D H17 LS", "--seed", "1"], ["?", "10", "?"])
    assert answer.out.count("hits soft 17") == 2
    assert " ".join(answer.out.split()).count("half your bet, after the dealer has looked") == 2


# Bots.


@pytest.mark.parametrize("house", upcard.house_names())
def test_bot_plays_every_house_in_its_voice(house) -> None:
    answer = talk(["play", "--house", house, "--player", "mimic", "--rounds", "5", "--seed", "1"])
    assert answer.code == 0
    assert ending(answer.out)


def test_bot_stops_when_its_chips_do_not_cover_the_next_bet() -> None:
    cards = "T T 6 7 " * 3
    options = ["play", "--cards", cards, "--player", "never-bust", "--betting", "martingale"]
    answer = talk([*options, "--chips", "30"])
    assert "The chips do not cover the next bet, 40." in answer.out
    assert ending(answer.out) == "Balance 0"


def test_bot_plays_ten_rounds_unless_told_otherwise() -> None:
    options = ["play", "--player", "mimic", "--seed", "1", "--bet", "1"]
    assert "after 10 rounds" in talk(options).out
    assert "after 3 rounds" in talk([*options, "--rounds", "3"]).out
