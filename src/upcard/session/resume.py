"""The events of the rounds from a shoe, replayed when its session is resumed."""

from __future__ import annotations

from collections.abc import Iterator

from upcard.core.cards import DECK, Card
from upcard.rules.settings import Shuffle
from upcard.store.history import read_rounds_in_play
from upcard.store.kept_table import KeptTable
from upcard.table.events import Event, Shuffled


def replay_shoe(table: KeptTable) -> Iterator[tuple[tuple[Event, ...], tuple[Card, ...]]]:
    """Tell the settled rounds of the shoe in play: the events of each, and the dealer's cards.

    A shoe that is shuffled every round has none, as nothing of it is left to know.
    """
    rules = table.rules
    if rules.shuffle is not Shuffle.CUT_CARD or rules.is_infinite:
        return
    shuffled: tuple[Event, ...] = (Shuffled((rules.decks or 1) * len(DECK)),)
    for stored in read_rounds_in_play(table.store, table.session):
        events = list(shuffled)
        end = stored.record.play(events.append)[-1]
        yield tuple(events), end.dealer
        shuffled = ()
