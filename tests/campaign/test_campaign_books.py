"""Books of a store: a round is replayed whole, cards of side bets and their results included."""

import dataclasses
import json
import random

import pytest

from campaign.books import replay_stored
from upcard.rules.model import Rules
from upcard.store.bankroll import deposit
from upcard.store.database import open_in_memory
from upcard.store.files import StoreError
from upcard.store.history import read_rounds
from upcard.store.kept_table import KeptTable


@pytest.fixture
def played():
    """A store with rounds of a bet that a card is turned up for where nobody draws one."""
    with open_in_memory() as store:
        deposit(store, 10_000)
        rules = Rules.parse("6D +hot-3 +super-sevens +buster")
        rng = random.Random(1)
        with KeptTable.sit_down(store, rules) as table:
            for _ in range(40):
                state = table.start([f"10 {' 1 '.join(bet.code for bet in rules.side_bets)} 1"])
                while not state.is_over:
                    state = table.act(rng.choice(state.legal))
        yield store


def test_a_round_with_a_card_turned_up_for_side_bets_replays(played):
    rounds = list(read_rounds(played))
    named = [len(one.dealer) + sum(len(hand.cards) for hand in one.hands) for one in rounds]
    assert any(len(one.cards) > named[at] for at, one in enumerate(rounds))  # a card was turned up
    for stored in rounds:
        replay_stored(stored)


def test_a_side_bet_that_was_booked_otherwise_is_found(played):
    stored = next(one for one in read_rounds(played) if one.side)
    first, *others = stored.side
    changed = first._replace(row="a row that did not pay")
    with pytest.raises(StoreError, match="its side bets end as"):
        replay_stored(dataclasses.replace(stored, side=(changed, *others)))


def test_a_card_that_was_not_dealt_is_found(played):
    stored = next(iter(read_rounds(played)))
    with pytest.raises(StoreError, match="its cards are others"):
        replay_stored(dataclasses.replace(stored, cards=stored.cards[:-1]))


def test_the_side_bets_are_in_the_stored_hands(played):
    assert any(
        "bet" in str(json.loads(text)) for (text,) in played.rows("SELECT hands FROM rounds")
    )
