"""Practice: what is taken back is as if it had never been."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_rules import any_rules

from upcard import EmptyShoeError, IllegalActionError, Rules
from upcard.session.practice import PracticeTable, RewindShoe
from upcard.table.shoe import ScriptedShoe, ShuffledShoe, make_shoe


def test_cards_taken_back_are_dealt_again_in_their_order() -> None:
    shoe = RewindShoe(ScriptedShoe("2 3 4 5 6"))
    shoe.start_round()
    first = [shoe.draw() for _ in range(4)]
    shoe.take_back(1)
    assert (shoe.dealt, shoe.cards_left) == (1, 4)
    assert [shoe.draw() for _ in range(3)] == first[1:]
    assert str(shoe.draw()) == "6"
    with pytest.raises(EmptyShoeError):
        shoe.draw()


def test_cards_taken_back_are_left_for_the_next_round() -> None:
    shoe = RewindShoe(ScriptedShoe("2 3 4"))
    shoe.start_round()
    shoe.draw()
    shoe.draw()
    shoe.take_back(1)
    shoe.start_round()
    assert [str(shoe.draw()) for _ in range(2)] == ["3", "4"]


def test_a_shuffle_takes_all_cards_in() -> None:
    rules = Rules.parse("1D CSM")
    shoe = RewindShoe(ShuffledShoe(rules, random.Random(1)))
    shoe.start_round()
    shoe.draw()
    shoe.take_back(0)
    assert shoe.start_round()
    assert shoe.cards_left == 52
    assert len({shoe.draw() for _ in range(52)}) == 52


def test_a_shoe_tells_of_its_cut_card() -> None:
    assert RewindShoe(ShuffledShoe(Rules(), random.Random(1))).has_cut_card
    assert not RewindShoe(ScriptedShoe("2 3")).has_cut_card


def test_an_answer_is_taken_back_with_the_end_of_its_round() -> None:
    table = PracticeTable(Rules.parse("6D"), ScriptedShoe("T T 6 9 5"))
    asked = table.start([10])
    over = table.act(asked.legal[1])
    assert over.is_over
    assert table.answers == 1
    assert table.undo() == asked
    assert table.is_playing
    assert table.act(asked.legal[0]).hands[0].total == 21


def test_nothing_is_taken_back_before_an_answer() -> None:
    table = PracticeTable(Rules.parse("6D"), ScriptedShoe("T T 6 9 5"))
    table.start([10])
    with pytest.raises(IllegalActionError, match="no answer of this round"):
        table.undo()


def test_a_new_round_forgets_the_answers_of_the_last() -> None:
    table = PracticeTable(Rules.parse("6D"), ScriptedShoe("T T 6 9 T T 6 9"))
    table.act(table.start([10]).legal[1])
    table.start([10])
    assert table.answers == 0


def test_an_illegal_answer_leaves_nothing_to_take_back() -> None:
    from upcard import Action

    table = PracticeTable(Rules.parse("6D"), ScriptedShoe("T T 6 9 5"))
    table.start([10])
    with pytest.raises(IllegalActionError):
        table.act(Action.SPLIT)
    assert table.answers == 0


@given(rules=any_rules(), seed=st.integers(0, 99))
@settings(max_examples=60)
def test_rounds_with_answers_taken_back_end_as_those_without(rules, seed) -> None:
    """Whatever is taken back: the same answers at last mean the same cards and the same end."""
    rng = random.Random(seed)
    plain = PracticeTable(rules, make_shoe(rules, random.Random(seed)))
    changing = PracticeTable(rules, make_shoe(rules, random.Random(seed)))
    for _ in range(3):
        try:
            state = plain.start([2])
            again = changing.start([2])
            while not state.is_over:
                for _ in range(rng.randrange(3)):
                    changing.act(rng.choice(again.legal))
                    while changing.answers > plain.answers:
                        again = changing.undo()
                assert again == state
                action = rng.choice(state.legal)
                state, again = plain.act(action), changing.act(action)
        except EmptyShoeError:
            return
        assert again == state
