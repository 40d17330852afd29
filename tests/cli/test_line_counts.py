"""`--ask-count` and `--check-bets` in the line game: asked, judged, scored, or refused by name."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from driving import talk

from upcard.rules.model import Rules
from upcard.session.count_check import BetRemark, CountCheck, CountRemark
from upcard.strategy.count_system import CountBy, load_system

# You stand on 20 against 18, twice; all tens but the eights: the count falls by 3 a round.
CARDS = "T T T 8 T T T 8 T T T 8"
PLAY = ["play", "--cards", CARDS]

QUESTION = f"What is the running count ({load_system('hi-lo')})?"


def judge(count: int, said: int) -> str:
    return str(CountRemark(count=Fraction(count), said=Fraction(said)))


def compare(bet: int, *, units: int, chips: int, count: int = 0) -> str:
    """Say what a bet is beside the ramp's."""
    ramp = {"units": Fraction(units), "chips": Fraction(chips), "possible": Fraction(chips)}
    return str(BetRemark(count=count, by=CountBy.TRUE, bet=Fraction(bet), **ramp))


def test_the_question_is_that_of_the_session() -> None:
    check = CountCheck(Rules.parse("6D"), load_system("hi-lo"), every=0)
    assert check.question == QUESTION


def lines_of(answer, kind: str) -> list[dict]:
    return [one for one in map(json.loads, answer.out.splitlines()) if one["type"] == kind]


def test_the_count_is_asked_for_between_rounds_before_the_bet() -> None:
    answer = talk([*PLAY, "--ask-count", "hi-lo:1"], ["10", "s", "-3", "10", "s", "+5", "q"])
    assert answer.code == 0
    assert f"\n{QUESTION} -3\n{judge(-3, -3)}\n" in answer.out
    assert f"{judge(-6, 5)}\n" in answer.out
    assert answer.out.index(judge(-3, -3)) < answer.out.rindex("Your bet")
    assert "1 of 2" in answer.out.rstrip().splitlines()[-1]


def test_enter_skips_the_question_and_it_is_not_scored() -> None:
    answer = talk([*PLAY, "--ask-count", "hi-lo:1"], ["10", "s", "", "10", "s"])
    assert QUESTION in answer.out
    assert "Counts:" not in answer.out


def test_what_is_no_number_is_asked_again_and_asides_work() -> None:
    answer = talk([*PLAY, "--ask-count", "hi-lo:1"], ["10", "s", "three", "help", "-3", "q"])
    assert answer.out.count("'three'") == 1
    assert answer.out.count(QUESTION) == 3
    assert judge(-3, -3) in answer.out


def test_a_round_taken_back_at_the_question_is_counted_anew() -> None:
    answer = talk([*PLAY, "--ask-count", "hi-lo:1"], ["10", "s", "u", "s", "-3", "q"])
    assert "Taken back." in answer.out
    assert judge(-3, -3) in answer.out


def test_a_bet_that_is_not_the_ramps_is_told_before_the_deal() -> None:
    # Six low cards of a deck: the dealer has 4+5+6, you 5+6 and stand; then the shoe is rich.
    cards = "5 4 6 5 6 2 T T 8 9"
    play = ["play", "--rules", "1D", "--cards", cards, "--check-bets", "1-8"]
    answer = talk(play, ["10", "s", "10"])
    said = compare(10, units=8, chips=80, count=6)
    assert said in answer.out
    assert answer.out.rindex("Dealer") > answer.out.index(said)
    assert "The ramp" not in talk(play, ["10", "s", "80"]).out


def test_the_unit_of_the_ramp_is_the_smallest_bet_where_it_is_given() -> None:
    play = ["play", "--cards", CARDS, "--unit", "5", "--check-bets", "1-8"]
    answer = talk(play, ["10", "s"])
    assert compare(10, units=1, chips=5) in answer.out


def test_json_asks_and_judges_in_lines_of_its_own() -> None:
    play = [*PLAY, "--json", "--ask-count", "hi-lo:1", "--check-bets", "1-8"]
    answer = talk(play, ["20", "s", "5", "10", "s", "-6", "q"])
    asked = [one for one in lines_of(answer, "asked") if one["question"] == "count"]
    assert asked == [{"type": "asked", "question": "count", "system": "hi-lo"}] * 2
    assert lines_of(answer, "count_checked") == [
        {"type": "count_checked", "count": -3, "answer": 5, "right": False},
        {"type": "count_checked", "count": -6, "answer": -6, "right": True},
    ]
    assert lines_of(answer, "bet_checked") == [
        {
            "type": "bet_checked",
            "count": 0,
            "by": "true",
            "units": 1,
            "chips": 10,
            "possible": 10,
            "bet": 20,
        }
    ]
    assert lines_of(answer, "sitting_report")[0]["counts"] == {"asked": 2, "right": 1}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--ask-count", "hi-lo", "--player", "mimic"], "--ask-count: it is for your own game"),
        (["--check-bets", "1-8", "--player", "mimic"], "--check-bets: it is for your own game"),
        (
            ["--ask-count", "hi-lo", "--rules", "INF"],
            "--ask-count: the player counting cannot honour INF",
        ),
        (["--ask-count", "hi-lo", "--rules", "6D CSM"], "shuffled before every round"),
        (["--check-bets", "1-8", "--rules", "6D CSM"], "--check-bets: the cards are shuffled"),
        (["--ask-count", "hi-lo", "--house", "deshmukh"], "--ask-count: deshmukh speaks in its"),
        (["--ask-count", "hi-lo", "--house", "seven-hands"], "--ask-count: seven-hands speaks"),
        (["--ask-count", "hi-lo", "--house", "roanoke"], "--ask-count: roanoke speaks in its"),
        (["--ask-count", "high"], "--ask-count: "),
        (["--ask-count", "hi-lo:0"], "--ask-count: 'hi-lo:0': write a number of rounds, 1 to 99"),
        (["--ask-count", "hi-lo:100"], "1 to 99, after the colon"),
        (["--ask-count", "hi-lo:x"], "1 to 99, after the colon"),
        (["--check-bets", "steep"], "--check-bets: ramp 'steep'"),
        (["--check-bets", "1-8", "--bet", "10"], "--check-bets: --bet places every bet"),
        (["--check-bets", "1-8", "--rules", "6D betting=false"], "--check-bets: there are no bets"),
    ],
)
def test_what_cannot_be_asked_is_refused_by_name(options, reason) -> None:
    answer = talk(["play", *options])
    assert answer.code == 2
    assert not answer.out
    assert reason in answer.err


def test_a_system_that_needs_suits_refuses_listed_cards_without_them() -> None:
    cards = ["play", "--cards", "7 T T 8", "--ask-count", "red-7"]
    answer = talk(cards)
    assert answer.code == 2
    assert answer.err.count("--ask-count: ") == 1


def test_a_hole_card_that_no_line_shows_is_not_counted() -> None:
    # You go over 21, so the dealer's hole card stays down: T, 9, T and the 4 are -1.
    play = ["play", "--rules", "6D NOINS", "--cards", "T 4 9 T T T", "--ask-count", "hi-lo:1"]
    answer = talk(play, ["10", "h", "-1"])
    assert judge(-1, -1) in answer.out


def test_a_bet_is_compared_with_the_ramp_also_where_the_cards_run_out_in_the_deal() -> None:
    answer = talk([*PLAY[:2], "T T T", "--check-bets", "1-8"], ["5"])
    assert compare(5, units=1, chips=10) in answer.out
    assert answer.out.index(compare(5, units=1, chips=10)) < answer.out.index("script")
