"""Chips in the line game: the smallest bet, what is missing, what is brought, what is left."""

from __future__ import annotations

from fractions import Fraction

import pytest
from driving import ending, fix_shuffle, read_lines, talk

from campaign.books import check_books
from upcard.store.bankroll import bankroll_of
from upcard.store.database import open_store

LOSE = "T 9 6 T T"  # 16 against 19: one card busts


def chips_of_memory():
    with open_store() as store:
        check_books(store)
        return bankroll_of(store)


def test_chips_are_brought_where_the_smallest_bet_is_not_covered() -> None:
    """F5: the line game said just "Balance 0.1. Your bet:" without a way out."""
    answer = talk(["play", "--chips", "0.1"], ["10", "b", "q"])
    assert "Your balance of 0.1 does not cover the smallest bet, 1." in answer.out
    assert answer.out.count("Type b to bring 100 chips or q to leave: ") == 2
    assert "Please answer b to bring 100 chips or q to leave." in answer.out
    assert "You bring 100 more chips to the table." in answer.out
    assert "Balance 100.1. Your bet [10]: " in answer.out
    assert chips_of_memory() == Fraction("100.1")


def test_who_has_lost_all_can_go_on_in_practice_too() -> None:
    """F5: the game ended when the chips were gone."""
    cards = f"{LOSE}  {LOSE}"
    answer = talk(["play", "--cards", cards], ["100", "h", "bring", "50", "h"])
    assert "You have no chips left.\n" in answer.out
    assert ending(answer.out) == "Balance 50"
    left = talk(["play", "--cards", cards], ["100", "h"])
    assert ending(left.out) == "Balance 0"


def test_fewer_hands_are_offered_where_the_chips_do_not_cover_all() -> None:
    """F6: "not enough for three hands", with what is possible."""
    options = ["play", "--chips", "2", "--hands", "3", "--seed", "1"]
    answer = talk(options, ["3", "2", "1"])
    assert "Not enough for 3 hands: you have 2, the smallest bet is 1." in answer.out
    assert "Type b to bring 100 chips, 1 to 2 to play fewer hands or q to leave: " in answer.out
    assert "Please answer b to bring" in answer.out
    assert "Your bet on each of 2 hands [1]: " in answer.out
    assert "\nHand 2 " in answer.out


def test_no_bet_is_offered_that_typing_refuses() -> None:
    """F6: the default is a multiple of the smallest bet."""
    answer = talk(["play", "--chips", "17.5", "--hands", "2", "--seed", "1"], [])
    assert "Your bet on each of 2 hands [8]: " in answer.out
    answer = talk(["play", "--chips", "17.5", "--hands", "2", "--unit", "0.5", "--seed", "1"], [])
    assert "Your bet on each of 2 hands [8.5]: " in answer.out


def test_bets_are_whole_chips_by_default() -> None:
    """F6: bets are multiples of `--unit`."""
    answer = talk(["play", "--cards", "T T 8 7"], ["2.5", "2", "s"])
    assert "A bet of 2.5: bets are whole chips." in answer.out
    assert ending(answer.out) == "Balance 102"
    answer = talk(["play", "--cards", "T T 8 7", "--unit", "0.5"], ["2.2", "2.5", "s"])
    assert "A bet of 2.2: bets are multiples of 0.5." in answer.out
    assert ending(answer.out) == "Balance 102.5"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--bet", "2.5"], "--bet 2.5: bets are multiples of --unit 1; --unit 0.5 takes it"),
        (["--limit", "0.5"], "--limit 0.5: below the smallest bet, --unit 1"),
        (["--unit", "5", "--house", "deshmukh"], "--unit: deshmukh speaks in its document's words"),
        (["--unit", "5", "--house", "roanoke"], "--unit: there are no bets in roanoke"),
        (["--unit", "5", "--player", "mimic"], "--unit: it is for your own game"),
    ],
)
def test_a_unit_that_does_not_fit_is_refused(options, reason) -> None:
    answer = talk(["play", *options])
    assert (answer.code, answer.out) == (2, "")
    assert reason in answer.err


def test_documents_and_bots_bet_any_amount() -> None:
    answer = talk(["play", "--house", "lott", "--seed", "1"], ["2.5"])
    assert "whole chips" not in answer.out
    assert talk(["play", "--player", "mimic", "--bet", "2.5", "--rounds", "1"]).code == 0


def test_b_says_when_chips_are_brought() -> None:
    answer = talk(["play", "--practice"], ["b", "q"])
    assert "Chips are brought between hands, once the smallest bet is not covered." in answer.out


def test_json_asks_for_chips_and_brings_them() -> None:
    """F5: a program had no way to bring chips either."""
    answer = talk(["play", "--json", "--chips", "2", "--hands", "3"], ["nonsense", "bring", "q"])
    asked = [line for line in read_lines(answer.out) if line["type"] == "asked"]
    assert asked[0] == {
        "type": "asked",
        "question": "chips",
        "reason": "Not enough for 3 hands: you have 2, the smallest bet is 1.",
        "hands": 3,
        "unit": 1,
        "balance": 2,
        "brings": 100,
        "answers": ["bring", "1", "2", "leave"],
    }
    assert asked[-1]["question"] == "bet"
    assert asked[-1]["unit"] == 1
    assert {"type": "chips_brought", "chips": 100} in read_lines(answer.out)
    assert read_lines(answer.out)[-1]["balance"] == 102


def test_leaving_in_mid_hand_names_the_bet_on_the_table(monkeypatch) -> None:
    """F27: "Balance 100 after 0 rounds" with 10 of them on the table."""
    fix_shuffle(monkeypatch)
    answer = talk(["play"], ["10"])
    assert "Balance 90, and 10 on the table, after 0 rounds, net 0." in answer.out
    fix_shuffle(monkeypatch)
    answer = talk(["play", "--json"], ["q"])
    assert read_lines(answer.out)[-1]["balance"] == 90
    assert read_lines(answer.out)[-1]["on_table"] == 10
