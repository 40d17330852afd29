"""Who watches a shoe is told every card once, when it comes to light."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upcard import EmptyShoeError, Rules
from upcard.core.cards import parse_cards
from upcard.players.seen_cards import ShoeTracker
from upcard.table import Table, make_shoe
from upcard.table.events import DealerDealt, Dealt, Revealed, RoundEnded, RoundStarted, Shuffled


def watch(rules):
    """Return a watch and the cards that it tells of."""
    told = []
    return ShoeTracker(rules, see=told.append, forget=told.clear), told


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize("notation", ["6D", "1D PEN100 H17", "2D48 ENHC PEN90", "1D OBO CSM"])
@pytest.mark.parametrize("tells_hole_cards", [True, False])
@given(seed=st.integers(0, 2**32), spots=st.integers(1, 4))
@settings(max_examples=15)
def test_the_reported_cards_are_those_out_less_those_face_down(
    notation, tells_hole_cards, seed, spots
):
    rules = Rules.parse(notation)
    rng = random.Random(seed)
    table = Table(rules, make_shoe(rules, rng))
    shoe, told = watch(rules)
    table.listeners.append(shoe.hear)
    try:
        for _ in range(25):
            table.start([1] * spots)
            while True:
                state = table.state
                out = Counter(table.shoe._cards[: table.shoe.position])
                down = Counter(state.dealer) - Counter(state.shown_dealer_cards)
                assert shoe.cards_left == table.shoe.cards_left
                assert len(told) == out.total() - down.total() - shoe.never_shown
                assert not Counter(told) - out
                if tells_hole_cards:
                    assert Counter(told) == out - down
                if state.is_over:
                    break
                table.act(rng.choice(state.legal))
            assert shoe.has_unshown == bool(down)
            if tells_hole_cards:
                shoe.finish_round(state.dealer)
                assert not shoe.has_unshown
    except EmptyShoeError:
        pass  # many spots and one deck: no round was settled


def test_a_hole_card_that_was_not_turned_up_is_known_to_be_missing():
    shoe, told = watch(Rules.parse("6D"))
    up, hole = parse_cards("9 5")
    for event in (RoundStarted(()), DealerDealt(up, 9), DealerDealt(None, 9)):
        shoe.hear(event)
    assert (told, shoe.cards_left, shoe.has_unshown) == ([up], 310, False)
    shoe.hear(RoundEnded(0))
    assert shoe.has_unshown
    shoe.hear(RoundStarted(()))
    assert (shoe.never_shown, shoe.has_unshown) == (1, False)
    shoe.hear(DealerDealt(hole, 5))
    shoe.hear(Revealed((hole, up), 14))
    shoe.finish_round((hole, up))
    assert told == [up, hole, up]
    shoe.hear(Shuffled(100))
    assert (told, shoe.cards_left, shoe.never_shown) == ([], 100, 0)


def test_an_infinite_deck_never_runs_out():
    shoe, told = watch(Rules.parse("INF"))
    for card in parse_cards("K " * 60):
        shoe.hear(Dealt(0, card, 10))
    assert (len(told), shoe.cards, shoe.cards_left) == (60, 0, 0)
