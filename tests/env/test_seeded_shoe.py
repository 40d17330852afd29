from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from upcard.core.errors import EmptyShoeError
from upcard.env.blackjack import SeededShoe
from upcard.rules.model import Rules
from upcard.simulation.job import Job
from upcard.simulation.kernels.loop_codes import RED_7
from upcard.simulation.kernels.randomness import STATE_WORDS, draw_independently, seed_state
from upcard.simulation.kernels.shoes import fill_shoe
from upcard.simulation.lower import lower
from upcard.strategy.chart import HAND_LABELS, Strategy
from upcard.strategy.count_system import load_system

CHART = Strategy(cells=(("S",) * 10,) * len(HAND_LABELS))


def kind_of(card, *, has_red_7=False):
    if has_red_7 and card.rank == 7 and card.suit in "DH":
        return RED_7
    return card.rank - 1


@pytest.mark.parametrize(
    ("text", "count"), [("6D", None), ("1D", "red-7"), ("2D CSM", None), ("6D48", None)]
)
def test_its_cards_are_those_of_the_simulators_shoe_with_the_same_seed(text, count):
    rules = Rules.parse(text)
    system = None if count is None else load_system(count)
    game = lower(Job(rules=rules, strategy=CHART, seed=1, system=system)).game
    shoe, state = SeededShoe(rules, 5), np.zeros(STATE_WORDS, np.uint64)
    for number in range(3):
        cards, size = np.zeros(600, np.uint8), len(game.deck)
        with np.errstate(over="ignore"):
            seed_state(state, np.uint64(5), np.uint64(2**63), np.uint64(number))
            fill_shoe(game.deck, game.weights, 0, size, cards, state)
        assert shoe.start_round()
        drawn = [kind_of(shoe.draw(), has_red_7=count is not None) for _ in range(size)]
        assert drawn == cards[:size].tolist()


def test_every_round_of_an_infinite_deck_has_a_stream_of_its_own():
    rules = Rules.parse("INF(1/2)")
    shoe, state = SeededShoe(rules, 9), np.zeros(STATE_WORDS, np.uint64)
    for number in range(2):
        cards = np.zeros(40, np.uint8)
        with np.errstate(over="ignore"):
            seed_state(state, np.uint64(9), np.uint64(2**63), np.uint64(number))
            draw_independently(cards, 0, 40, np.array([9, 1], np.int64), state)
        assert shoe.start_round() is False
        assert [kind_of(shoe.draw()) for _ in range(40)] == cards.tolist()


def test_an_infinite_deck_has_all_faces_in_their_proportion():
    shoe = SeededShoe(Rules(decks=None, ten_probability=Fraction(4, 13)), 2)
    shoe.start_round()
    faces = Counter(shoe.draw().face for _ in range(5200))
    assert all(300 < faces[face] < 500 for face in "A23456789TJQK")


def test_a_shoe_lasts_until_the_cut_card():
    shoe, same = (SeededShoe(Rules.parse("1D PEN50"), 1) for _ in range(2))
    assert [shoe.start_round(), *(shoe.draw() for _ in range(25))]
    *_, last = same.start_round(), *(same.draw() for _ in range(26))
    assert (shoe.start_round(), shoe.draw(), shoe.start_round()) == (False, last, True)
    assert (shoe.shuffles, shoe.cards_left) == (2, 52)


def test_an_empty_shoe_takes_the_discards_back_once():
    shoe = SeededShoe(Rules.parse("1D PEN100"), 1)
    shoe.start_round()
    earlier = [shoe.draw() for _ in range(20)]
    shoe.start_round()
    now = [shoe.draw() for _ in range(32)]
    again = [shoe.draw() for _ in range(20)]
    assert sorted(map(str, again)) == sorted(map(str, earlier))
    assert not set(again) & set(now)
    with pytest.raises(EmptyShoeError, match="all 52 cards are on the table"):
        shoe.draw()
    assert shoe.start_round()
    assert len({shoe.draw() for _ in range(52)}) == 52


def test_the_next_round_after_the_end_of_a_shoe_has_another():
    shoe = SeededShoe(Rules.parse("6D"), 1)
    shoe.start_round()
    shoe.end()
    assert shoe.start_round()
    assert shoe.shuffles == 2
