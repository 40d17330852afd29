"""Replay of rounds in the history, compared with the booked results."""

from __future__ import annotations

from upcard.store.database import Store
from upcard.store.errors import StoreError
from upcard.store.history import read_rounds_of_shoe
from upcard.store.records import SettledRound
from upcard.table.events import Event
from upcard.table.settle import net_of_spots
from upcard.table.state import RoundState


def replay_stored(stored: SettledRound) -> tuple[RoundState, ...]:
    """Replay a settled round as `RoundRecord.play` does, and compare it with the booked result.

    Raises: StoreError if they differ.
    """
    states = stored.record.play()
    state = states[-1]
    dealt = sorted([*state.dealer, *(card for hand in state.hands for card in hand.cards)], key=str)
    nets = net_of_spots(state) if state.is_over else ()
    net = sum((nets[spot] for spot in stored.player_spots if nets), start=stored.net * 0)
    if not state.is_over or net != stored.net or dealt != sorted(stored.cards, key=str):
        raise StoreError(
            f"round {stored.id} does not replay: its cards and answers give"
            f" {net if state.is_over else 'no end'}, {stored.net} was booked"
        )
    return states


def hear_shoe_before(store: Store, stored: SettledRound) -> tuple[Event, ...]:
    """Return the events of the same shuffle before a round.

    Raises: StoreError if some of those cards are not on record.
    """
    if stored.session.rules.is_infinite:
        return ()
    earlier = [
        other
        for other in read_rounds_of_shoe(store, stored.shoe_id)
        if other.place.shuffle == stored.place.shuffle and other.place.dealt < stored.place.dealt
    ]
    known = sum(len(other.cards) for other in earlier)
    if known != stored.place.dealt:
        raise StoreError(
            f"round {stored.id} began after {stored.place.dealt} cards of its shuffle, and"
            f" {known} of them are on record: the cards seen are not known"
        )
    return tuple(event for other in earlier for event in other.record.events)
