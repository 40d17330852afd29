"""The voices of the documents, by the documents' own scenarios."""

from __future__ import annotations

import re

import pytest
from driving import ending, pipe, talk

import upcard
import upcard.table

HUMAN_SAMPLE = """\
Welcome to the Blackjack Casino!
===============================

Please enter the player's name (or enter Computer): Bozo

Dealing Bozo's hand...
Cards are 8 of Diamonds and 5 of Hearts
Count is 13

Dealing Dealer's hand...
Top card is 10 of Clubs

Bozo's turn...
Do you want to hit or stick (h or s)? h

New card is 6 of Clubs
Count is 19

Do you want to hit or stick (h or s)? s

Dealer's turn...
Bottom card is 4 of Diamonds
Count is 14

Dealer hits...

New card is 3 of Spades
Count is 17

Dealer sticks...

Bozo's count is 19
Dealer's count is 17

Bozo wins!

Play again?"""

COMPUTER_SAMPLE = """\
Welcome to the Blackjack Casino!
===============================

Please enter the player's name (or enter Computer): Computer

Enter the probability of hitting on a count of 12: 1
Enter the highest count for a hit: 17
Enter the probability of hitting on a count of 17: 0.5

Dealing Computer's hand...
Cards are 6 of Diamonds and 5 of Hearts
Count is 11

Dealing Dealer's hand...
Top card is 10 of Clubs

Computer's turn...

Computer hits...

New card is 5 of Clubs
Count is 16

Computer hits...

New card is 9 of Spades
Count is 25

Computer busts

Dealer wins!
"""


@pytest.mark.slow
def test_004_a_first_sample_dialogue_word_for_word() -> None:
    """Document 004, sample output with a human player."""
    cards = "8D 5H 4D TC 6C 3S"
    answer = pipe(["play", "--house", "roanoke", "--cards", cards], "Bozo\nh\ns\n")
    assert answer.code == 0
    assert answer.out.startswith(HUMAN_SAMPLE)


def test_004_b_second_sample_dialogue_word_for_word() -> None:
    """Document 004, sample output with the computer, its slip "Computers's" put right."""
    cards = "6D 5H 7D TC 5C 9S"
    options = ["play", "--house", "roanoke", "--cards", cards, "--seed", "1"]
    assert talk(options, ["Computer", "1", "17", "0.5"]).out.startswith(COMPUTER_SAMPLE)
    bot = talk([*options, "--player", "computer:1,17,0.5", "--rounds", "1"])
    assert bot.out.startswith(COMPUTER_SAMPLE)


def test_004_i_counts_are_printed_at_the_end() -> None:
    """Document 004, scenario i: a win, a loss and a tie."""
    cards = "8D 5H 4D TC 6C 3S  TD 6C TS 7D  KC TD QH TS"
    answers = ["Bozo", "h", "s", "y", "s", "yes", "s", "n"]
    answer = talk(["play", "--house", "roanoke", "--cards", cards], answers)
    assert answer.out.endswith("Bozo wins: 1\nDealer wins: 1\nTies: 1\n")


def test_004_1_the_name_dealer_is_refused_politely() -> None:
    answer = talk(["play", "--house", "roanoke"], ["DEALER", "", "Ann"])
    assert answer.out.count("Please enter the player's name") == 3
    assert "reserved for the dealer" in answer.out
    assert "Dealing Ann's hand..." in answer.out


def test_004_15_numbers_of_the_computer_are_asked_again_when_out_of_range() -> None:
    answers = ["computer", "1.5", "nan", "-1", "one", "1", "22", "-1", "x", "12", "2", "0.5", "n"]
    answer = talk(["play", "--house", "roanoke"], answers)
    assert (
        answer.out.count("Enter the probability of hitting on a count of 12: ") == 7
    )  # the third prompt repeats the 12
    assert answer.out.count("Enter the highest count for a hit: ") == 4
    assert "is ignored" in answer.out  # with a highest count of 12 the first probability counts
    assert "Computer's turn..." in answer.out or "Computer has a blackjack" in answer.out


@pytest.mark.parametrize(
    "count", ["00019", "0001999", "0" * 5000, "\u0661\u0662", "1e1", "9" * 5000]
)
def test_004_15_a_count_is_read_whole_or_asked_again(count) -> None:
    """S4.2: four digits were looked at, and all of them read."""
    answer = talk(["play", "--house", "roanoke"], ["computer", "1", count, "13", "0.5", "n"])
    asked = answer.out.count("Enter the highest count for a hit: ")
    assert asked == (1 if count == "00019" else 2)
    assert answer.code == 0


@pytest.mark.parametrize(
    ("cards", "answers", "balance"),
    [
        ("A K 9 8", [], 110),
        ("A K A K", [], 100),
        ("T 9 2 K 6", ["2"], 110),
        ("T 5 T 4 2", ["2"], 90),
        ("3 A 9 7 2 6 A", ["1", "1", "1"], 90),
        ("A A 9 7 9", ["hit"], 110),
        ("T 5 A K 6", ["h", "s"], 90),
    ],
    ids=list("abdefgo"),
)
def test_000_balance_after_a_scenario(cards, answers, balance) -> None:
    answer = talk(["play", "--house", "deshmukh", "--cards", cards], ["100", "10", *answers])
    assert f"\nBalance: {balance} chips\n" in answer.out.partition("Your bet?")[2]


def test_000_any_other_input_than_hit_and_stand_is_asked_again() -> None:
    """Document 000, behaviour 11: the original took every other number for stand."""
    answers = ["100", "10", "3", "0", "", "stop", "-1", "2"]
    answer = talk(["play", "--house", "deshmukh", "--cards", "T 5 T 4 2"], answers)
    assert answer.out.count("Please answer 1 or 2, hit or stand.") == 5


def test_000_zero_and_negative_chips_are_refused() -> None:
    """Document 000, behaviour 4."""
    answers = ["0", "-5", "inf", "1e400", "100", "0", "-1", "101", "10"]
    answer = talk(["play", "--house", "deshmukh", "--seed", "1"], answers)
    assert answer.out.count("How many chips will you play with? ") == 5
    assert answer.out.count("Your bet? ") == 4


def test_000_dealers_first_card_is_hidden_and_values_are_listed() -> None:
    """Document 000: the dealer's face-down card, ACE CONDITIONS case 2."""
    answers = ["100", "10", "1", "1", "1"]
    answer = talk(["play", "--house", "deshmukh", "--cards", "3C AH 9D 7S 2C 6D AD"], answers)
    assert "(face down)\n   Seven of Spades = 7\n" in answer.out
    assert "Nine of Diamonds" not in answer.out
    last = answer.out.rpartition("Your cards:")[2]
    assert "Ace of Hearts = 1\n" in last
    assert "Ace of Diamonds = 11\n   Making a total of 23" in last


@pytest.mark.parametrize(
    ("cards", "values"),
    [
        ("9 T A", [9, 10, 1]),
        ("A 9 A", [11, 9, 1]),
        ("A A", [1, 11]),
        ("6 A T", [6, 1, 10]),
        ("3 A 2 6 A", [3, 1, 2, 6, 11]),
        ("5 4 A 5", [5, 4, 11, 5]),
    ],
)
def test_000_values_of_aces_add_up_to_the_total(cards, values) -> None:
    """Document 000, THE ACE CONDITIONS: cases 1 and 2 and the example."""
    from upcard.line.deshmukh import value_cards

    rules = upcard.house("deshmukh")
    assert value_cards(upcard.table.parse_cards(cards), rules.ace_rule) == values


def test_000_no_chips_left_ends_the_match_and_a_new_one_asks_for_chips() -> None:
    answers = ["10", "10", "2", "1", "50", "5"]
    answer = talk(["play", "--house", "deshmukh", "--cards", "T 9 A K A K T 9 9 9"], answers)
    assert "You have no chips left: the match is over." in answer.out
    assert answer.out.count("How many chips") == 2
    assert ending(answer.out) == "Balance: 55"


def test_001_m_values_stand_beneath_the_boxes() -> None:
    """Document 001, the sample hands: 8, 20, 14 and 18."""
    cards = "5S 3H AH 9S 7C 6C JD 3D TS 7H AS 5D"
    options = ["play", "--house", "seven-hands", "--bet", "5", "--hands", "4", "--cards", cards]
    answer = talk(options, ["n", "2", "2", "1", "1", "2", "2", "n"])
    picture = answer.out.rpartition("DEAL")[2]
    assert "│♠  5│ │♥  A│ │♣  7│ │♦  J│" in picture
    assert re.search(r"^ +8 +20 +│", picture, re.MULTILINE)
    assert re.search(r"^ +14 +18\n", picture, re.MULTILINE)


def test_001_17_only_legal_options_are_numbered() -> None:
    cards = "8S 8H 9S 5H 3C 2D"
    options = ["play", "--house", "seven-hands", "--bet", "5", "--hands", "1", "--cards", cards]
    answer = talk(options, ["n", "split"])
    assert "Hand 1: 1 hit  2 stand  3 double down  4 split  5 surrender\n" in answer.out
    assert "Hand 1: 1 hit  2 stand  3 double down\n" in answer.out  # no surrender after a split
    assert "\n *11    *10" in answer.out


def test_001_14_number_of_hands_is_asked_again() -> None:
    answer = talk(["play", "--house", "seven-hands"], ["", "0", "8", "x", "1.5", "", "7", "1"])
    assert answer.out.count("How many hands (1-7)? ") == 6


def test_001_seven_hands_fit_the_screen() -> None:
    answers = ["n", "7", "1", *["1"] * 60]
    answer = talk(["play", "--house", "seven-hands", "--seed", "1"], answers)
    assert max(map(len, answer.out.splitlines())) <= 80


def test_001_19_upcard_can_be_hidden() -> None:
    options = ["play", "--rules", "seven-hands shows_upcard=false", "--seed", "1", "--hands", "1"]
    answer = talk(options, ["n", "5"])
    assert "│▒▒▒▒│" in answer.out.partition("DEAL")[2]
    assert "Terminal blackjack for one to seven hands (seven-hands, changed)" in answer.out
