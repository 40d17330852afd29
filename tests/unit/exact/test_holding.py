"""Hands from one on: valued alone they have the values that they have among all."""

import random

import pytest

import upcard
from upcard.core.cards import RANKS
from upcard.exact.solve import choose_solver
from upcard.exact.solver_results import AskedHand


@pytest.mark.parametrize(
    "text",
    ["6D S17", "1D H17 LS", "2D ENHC", "double-exposure", "spanish-21", "free-bet", "zombie"],
)
def test_values_are_those_among_all_hands(text):
    rules, rng = upcard.Rules.parse(text), random.Random(f"holding {text}")
    for _ in range(6):
        cards = rng.sample(rules.full_shoe.cards, rules.full_shoe.size // 2)
        ranks = [card.rank for card in cards]
        shoe = (0.0, *(float(ranks.count(rank)) for rank in RANKS))
        hand, up = (ranks[0], ranks[1]), ranks[2]
        hole = ranks[3] if rules.shows_hole else 0
        if {up, hole} == {1, 10}:
            continue
        pair = hand[0] if hand[0] == hand[1] else 0
        given = {"upcards": (up,), "pairs": (pair,) if pair else (), "hole": hole}
        every = choose_solver(rules, shoe, **given)
        alone = choose_solver(rules, shoe, **given, holding=(pair,) if pair else hand)
        assert alone.values(hand, up, pair=pair) == every.values(hand, up, pair=pair)
        asked = AskedHand(hand, up)
        assert alone.dealer_outcomes(asked) == every.dealer_outcomes(asked)
        for action in every.values(hand, up):
            found = (one.outcome_probabilities(asked, action) for one in (alone, every))
            assert next(found) == next(found)


def test_the_hands_of_a_split_are_valued_too():
    rules, shoe = upcard.Rules.parse("6D"), (0.0, *(20.0, 23, 21, 24, 19, 22, 20, 23, 18), 90.0)
    for rank in RANKS:
        given = {"upcards": (6,), "pairs": (rank,)}
        alone = choose_solver(rules, shoe, **given, holding=(rank,))
        every = choose_solver(rules, shoe, **given)
        pair = (rank, rank)
        assert alone.values(pair, 6, pair=rank) == every.values(pair, 6, pair=rank)
