"""Document 004's computer: its formula, its three numbers and their edges."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import upcard
from upcard import RulesError
from upcard.documents.lott import Game, make_hand
from upcard.documents.roanoke import Computer
from upcard.table import ScriptedShoe


class Sequence(random.Random):
    """Gives known random numbers."""

    def __init__(self, *numbers):
        super().__init__(0)
        self.numbers = list(numbers)

    def random(self):
        return self.numbers.pop(0)


def test_004_17_the_documents_example():
    """Document 004: 100 % on 12, then 10 % less for each point to 50 % on 17."""
    computer = Computer(1, 17, 0.5)
    chances = {count: computer.hit_probability(count) for count in range(4, 22)}
    assert chances == {
        **dict.fromkeys(range(4, 13), 1.0),
        13: 0.9,
        14: 0.8,
        15: 0.7,
        16: 0.6,
        17: 0.5,
        **dict.fromkeys(range(18, 22), 0.0),
    }


@pytest.mark.parametrize(("number", "hits"), [(0.0, True), (0.5999, True), (0.6, False)])
def test_004_9_hits_if_the_random_number_is_less_than_the_chance(number, hits):
    computer = Computer(1, 17, 0.5, rng=Sequence(number))
    assert computer.hit(make_hand("T 6")) is hits


@pytest.mark.parametrize(("cards", "hits"), [("5 6", True), ("T 2", True), ("T 8", False)])
def test_004_9_sure_answers_take_no_random_number(cards, hits):
    assert Computer(1, 17, 0.5, rng=Sequence()).hit(make_hand(cards)) is hits


@pytest.mark.parametrize("highest", [0, 5, 11, 12, 21])
def test_004_9_always_hits_under_12(highest):
    assert Computer(0, highest, 0).hit_probability(11) == 1


def test_004_9_counts_use_the_soft_total():
    computer = Computer(1, 17, 0.5)
    assert computer.hit(make_hand("A 8")) is False
    assert computer.hit(make_hand("A A")) is True


def test_004_9_the_chance_may_rise_too():
    computer = Computer("0.2", 16, "0.6")
    assert [computer.hit_probability(count) for count in (12, 13, 16)] == [0.2, 0.3, 0.6]


def test_004_15_highest_12_does_not_divide_by_zero():
    computer = Computer(0.75, 12, 0.75)
    assert [computer.hit_probability(count) for count in (11, 12, 13)] == [1, 0.75, 0]
    assert computer.note == ""


def test_004_15_highest_12_with_two_probabilities_takes_the_first_and_says_so():
    computer = Computer(0.75, 12, 0.25)
    assert computer.hit_probability(12) == 0.75
    assert "0.75 counts, 0.25 is ignored" in computer.note


@pytest.mark.parametrize("highest", [0, 11])
def test_004_16_highest_under_12_sticks_from_12_on(highest):
    computer = Computer(1, highest, 1)
    assert [computer.hit_probability(count) for count in (11, 12, 13, 21)] == [1, 0, 0, 0]


@pytest.mark.parametrize(
    "numbers",
    [
        (1.01, 17, 0.5),
        (-0.01, 17, 0.5),
        (1, 17, 2),
        (1, 22, 0.5),
        (1, -1, 0.5),
        (1, "17.5", 0.5),
        ("nan", 17, 0.5),
        (float("nan"), 17, 0.5),
        (float("inf"), 17, 0.5),
        ("1e999", 17, 0.5),
        ("1e999999999999", 17, 0.5),
        ("x", 17, 0.5),
        ("", 17, 0.5),
        ("1/0", 17, 0.5),
        (1, "", 0.5),
    ],
)
def test_004_16_numbers_out_of_range_are_refused(numbers):
    with pytest.raises(RulesError) as error:
        Computer(*numbers)
    assert len(error.value.faults) == 1


def test_004_16_all_bad_numbers_are_named_at_once():
    with pytest.raises(RulesError, match=r"'2'.*'30'.*'-1'") as error:
        Computer(2, 30, -1)
    assert len(error.value.faults) == 3


@pytest.mark.parametrize("number", ["1e-5", "1/2", Fraction(1, 3), 0, 1, 0.1])
def test_a_probability_may_be_written_in_many_ways(number):
    assert 0 <= Computer(number, 17, 0.5).hit_probability(12) <= 1


def test_004_b_the_documents_second_sample():
    """Document 004: 11 hits, 16 hits as the random number is under 0.6, 25 busts."""
    computer = Computer(1, 17, 0.5, rng=Sequence(0.59))
    result = Game(upcard.house("roanoke"), computer, ScriptedShoe("6D 5H 7D TC 5C 9S")).cycle()
    assert result.hands[0].total == 25
    assert result.hands[0].outcome == "bust"


def test_a_seed_makes_it_repeatable():
    answers = [
        [Computer(1, 17, 0.5, rng=random.Random(7)).hit(make_hand("T 6")) for _ in range(5)]
        for _ in range(2)
    ]
    assert answers[0] == answers[1]


def test_without_a_seed_it_plays_all_the_same():
    assert Computer(1, 17, 0.5).hit(make_hand("T 7")) in (True, False)
