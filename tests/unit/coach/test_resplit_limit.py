"""The room for splits that equal pairs of one spot share."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from upcard.players.evaluation import room_after, value_with_waiting


def naive_room(pair_cards, others, room):
    """Go through every order of the cards to come."""
    deck = ["X"] * pair_cards + ["o"] * others
    found = {}
    orders = set(permutations(deck))
    for order in orders:
        cards, halves, left = list(order), 2, room
        while halves and left:
            if cards.pop(0) == "X":
                halves, left = halves + 1, left - 1
            else:
                halves -= 1
        found[left] = found.get(left, 0) + Fraction(1, len(orders))
    return found


@pytest.mark.parametrize(("pair_cards", "others", "room"), [(2, 5, 2), (3, 4, 3), (1, 4, 1)])
def test_the_room_a_split_leaves(pair_cards, others, room):
    found = room_after(pair_cards, pair_cards + others, room=room)
    assert sum(found.values()) == pytest.approx(1)
    expected = {left: float(share) for left, share in naive_room(pair_cards, others, room).items()}
    assert found == pytest.approx(expected)


def value_of_split(ev, unsplit, later=None):
    """Value a split that takes the last room from another pair, which may be another's split."""
    later = ev if later is None else later
    return value_with_waiting(
        lambda most: ev, lambda most: later, unsplit, room=1, waiting=1, pair_cards=2, cards=50
    )


def test_without_waiting_pairs_a_split_is_worth_itself():
    ev = value_with_waiting(
        lambda most: most / 10, None, -0.5, room=3, waiting=0, pair_cards=2, cards=50
    )
    assert ev == 0.4


def test_the_last_room_is_worth_the_same_to_either_pair():
    ev = value_of_split(0.25, -0.5)
    assert ev == pytest.approx(-0.5)


def test_a_split_that_loses_takes_nothing_from_those_that_wait():
    ev = value_of_split(-0.75, -0.5)
    assert ev == pytest.approx(-0.75)


def test_the_last_room_goes_to_a_paid_pair_or_to_a_free_one_that_waits():
    """What the free one gains by a split is lost if the paid one takes the room."""
    ev = value_of_split(0.25, 0.125, later=0.75)
    assert ev == pytest.approx(0.25 + 0.125 - 0.75)
