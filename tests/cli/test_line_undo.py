"""Answers taken back in practice."""

from __future__ import annotations

import json

from driving import ending, fix_shuffle, talk

SIXTEEN = ["play", "--cards", "T T 6 7 9 4 4"]


def test_an_answer_is_taken_back_after_the_end_of_the_round() -> None:
    answer = talk(SIXTEEN, ["10", "h", "u", "s", "q"])
    assert "You lose 10, over 21." in answer.out
    assert answer.out.count("Taken back.\nDealer   10 ??") == 1
    assert "You lose 10, 16 against 17." in answer.out
    assert ending(answer.out) == "Balance 90"
    assert "after 1 round, net −10." in answer.out


def test_the_same_card_comes_again() -> None:
    answer = talk(SIXTEEN, ["10", "h", "undo", "h", "q"])
    assert answer.out.count("You      10 6 9                   25 bust") == 2


def test_an_answer_is_taken_back_in_the_middle_of_a_round() -> None:
    cards = "2 T 3 7 4 5 T"
    answer = talk(["play", "--cards", cards], ["10", "h", "h", "u", "u", "d", "q"])
    assert answer.out.count("Taken back.") == 2
    assert "You lose 20" in answer.out


def test_where_another_round_is_asked_for_it_can_be_taken_back_too() -> None:
    answer = talk([*SIXTEEN, "--bet", "10"], ["h", "u", "s", "n"])
    assert "Another round? [Y/n] u\nTaken back." in answer.out
    assert ending(answer.out) == "Balance 90"


def test_nothing_is_left_to_take_back() -> None:
    answer = talk(SIXTEEN, ["u", "10", "u", "h", "u", "u", "s", "q"])
    assert answer.out.count("Cannot undo: no answer of this round is left to take back.") == 3


def test_a_kept_game_says_why_not(monkeypatch) -> None:
    fix_shuffle(monkeypatch)
    answer = talk(["play"], ["10", "u", "s", "u", "q"])
    assert answer.out.count("Cannot undo: this game is saved; only practice takes answers") == 2


def test_a_round_taken_back_counts_once_for_a_number_of_rounds() -> None:
    cards = "T T 8 7  T T 8 7  T T 8 7"
    answer = talk(["play", "--cards", cards, "--rounds", "2"], ["10", "s", "u", "s", "10", "s"])
    assert answer.out.endswith("Balance 120 after 2 rounds, net +20.\n")


def test_verdicts_follow_what_was_answered_in_the_end() -> None:
    answer = talk([*SIXTEEN, "--coach", "after"], ["10", "s", "u", "h", "q"])
    assert answer.out.count("You stood on 16 v 10. Hit was better") == 1
    assert answer.out.count("Coach: no mistake.") == 1


def test_an_answer_taken_back_in_the_middle_has_no_verdict() -> None:
    options = ["play", "--cards", "2 T 3 7 9 5 T", "--coach", "after"]
    answer = talk(options, ["10", "h", "u", "s", "q"])
    assert answer.out.count("Coach: You ") == 1
    assert "Coach: You stood" in answer.out


def test_json_takes_back_too() -> None:
    answer = talk([*SIXTEEN, "--json"], ["10", "hit", "undo", "stand", "q"])
    lines = [json.loads(line) for line in answer.out.splitlines()]
    (back,) = (line for line in lines if line["type"] == "taken_back")
    assert back["hands"] == [["T", "6"]]
    assert back["dealer"] == ["T", None]
    assert lines[-1]["balance"] == 90


def test_a_void_round_is_not_judged() -> None:
    """Fault 11: the report counted the hit on 12 v 6, in a round that does not count."""
    answer = talk(["play", "--cards", "T 6 2 T 2", "--coach", "after"], ["10", "h", "h", "u"])
    assert "this round does not count" in answer.out
    assert "better" not in answer.out
    assert "right" not in answer.out
    assert ending(answer.out) == "Balance 100"
