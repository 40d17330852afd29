"""Practice: what is taken back is as if it had never been."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_rules import any_rules

from upcard import EmptyShoeError, IllegalActionError, Rules
from upcard.core.cards import DECK
from upcard.core.errors import RulesError
from upcard.fair.fair_shoe import FairShoe, KeyedShoe
from upcard.session.game_session import PracticeTable
from upcard.table.shoe import ScriptedShoe, ShuffledShoe, make_practice_shoe, make_shoe

SHOES = {
    "scripted": lambda: ScriptedShoe(DECK),
    "shuffled": lambda: make_shoe(Rules.parse("1D"), random.Random(1)),
    "infinite": lambda: make_shoe(Rules.parse("INF"), random.Random(1)),
    "keyed": lambda: KeyedShoe(Rules.parse("1D"), bytes(16)),
    "keyed infinite": lambda: KeyedShoe(Rules.parse("INF"), bytes(16)),
    "fair": lambda: FairShoe(Rules.parse("1D"), seeds=lambda: bytes(32)),
}


@pytest.mark.parametrize("make", SHOES.values(), ids=SHOES)
def test_a_shoe_set_back_deals_the_same_cards_again_in_their_order(make) -> None:
    shoe = make()
    shoe.start_round()
    first = [shoe.draw() for _ in range(9)]
    left = shoe.cards_left
    shoe.position -= 8
    assert shoe.cards_left == (None if left is None else left + 8)
    assert [shoe.draw() for _ in range(8)] == first[1:]
    assert shoe.cards_left == left


@pytest.mark.parametrize("make", SHOES.values(), ids=SHOES)
def test_a_shoe_set_back_deals_what_is_left_in_the_next_round(make) -> None:
    shoe, other = make(), make()
    for one in (shoe, other):
        one.start_round()
        first = [one.draw() for _ in range(2)]
    other.start_round()
    other_next = [other.draw() for _ in range(3)]
    shoe.position -= 1
    shoe.start_round()
    if isinstance(shoe, KeyedShoe | FairShoe) and shoe.cards_left is None:
        # With a key every round has a place of its own in an infinite deck.
        assert [shoe.draw() for _ in range(3)] == other_next
    else:
        assert [shoe.draw() for _ in range(3)] == [first[1], *other_next[:2]]


def test_a_shuffle_takes_all_cards_in() -> None:
    rules = Rules.parse("1D CSM")
    shoe = ShuffledShoe(rules, random.Random(1))
    shoe.start_round()
    shoe.draw()
    shoe.position -= 1
    assert shoe.start_round()
    assert shoe.cards_left == 52
    assert len({shoe.draw() for _ in range(52)}) == 52


@pytest.mark.parametrize(("name", "make"), SHOES.items(), ids=SHOES)
def test_every_shoe_says_whether_it_has_a_cut_card(name, make) -> None:
    assert make().has_cut_card is (name not in ("scripted", "infinite"))


def test_a_table_remembers_the_cards_of_its_round() -> None:
    """Hole cards too, and none of those that were taken back."""
    table = PracticeTable(Rules.parse("6D"), ScriptedShoe("T T 6 9 5 T 8 T 8"))
    table.act(table.start([10]).legal[0])
    assert [str(card) for card in table.cards] == ["T", "T", "6", "9", "5"]
    table.undo()
    assert [str(card) for card in table.cards] == ["T", "T", "6", "9"]
    table.act(table.state.legal[0])
    table.start([10])
    assert [str(card) for card in table.cards] == ["T", "8", "T", "8"]


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


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True])
def test_practice_has_the_seeds_of_everything_else(seed) -> None:
    with pytest.raises(RulesError, match="a seed is a whole number from 0"):
        make_practice_shoe(Rules(), seed=seed)
