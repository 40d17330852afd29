"""A round played again from its code, at the table: every question, and what could have been."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.core.errors import BlackjackError, NotationError
from upcard.store.codes import code_of, decode_round
from upcard.store.errors import StoreError
from upcard.store.history import read_rounds_of_shoe
from upcard.table.replay import summarize_round
from upcard.table.settle import net_of_spots
from upcard.table.table import Table

if TYPE_CHECKING:
    from upcard.core.actions import Action
    from upcard.store.codes import CodedRound
    from upcard.store.database import Store
    from upcard.store.records import StoredRound
    from upcard.table.events import Event
    from upcard.table.replay import RoundResult
    from upcard.table.state import RoundState


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A round played again."""

    coded: CodedRound
    states: tuple[RoundState, ...]
    """The round at each question, in order, then as it ended."""
    events: tuple[Event, ...]

    @property
    def is_over(self) -> bool:
        """Whether the round was played to its end; a code may break off earlier."""
        return self.states[-1].is_over

    @property
    def result(self) -> RoundResult:
        """How it ended.

        Raises: NotationError if the code breaks off before the end.
        """
        if not self.is_over:
            msg = f"the code breaks off after {len(self.coded.actions)} answers: no end is known"
            raise NotationError(msg)
        return summarize_round(self.states[-1], self.events)


def replay(code: str | CodedRound) -> Replay:
    """Play a round again from its code.

    Raises: NotationError if it is no code, or its answers do not fit its cards.
    """
    coded = code if not isinstance(code, str) else decode_round(code)
    table = Table(coded.rules, coded.make_shoe())
    events: list[Event] = []
    table.listeners.append(events.append)
    states: list[RoundState] = []
    try:
        states.append(table.start(coded.bets))
        states.extend(table.act(action) for action in coded.actions)
    except BlackjackError as error:
        msg = f"the code cannot be played: {error}"
        raise NotationError(msg) from None
    return Replay(coded=coded, states=tuple(states), events=tuple(events))


def table_at(code: str | CodedRound, *, answers: int) -> Table:
    """Return a table at which a round stands after so many of its answers, to be played on.

    What if the next one had been another? Where the code lists cards (`has_shoe` is false), those
    after the round are unknown, and the table raises EmptyShoeError for one more.

    Raises: NotationError, as `replay` does, or if the round has fewer answers.
    """
    coded = code if not isinstance(code, str) else decode_round(code)
    if not 0 <= answers <= len(coded.actions):
        msg = f"answer {answers} of a round with {len(coded.actions)}: 0 to {len(coded.actions)}"
        raise NotationError(msg)
    table = Table(coded.rules, coded.make_shoe())
    try:
        table.start(coded.bets)
        for action in coded.actions[:answers]:
            table.act(action)
    except BlackjackError as error:
        msg = f"the code cannot be played: {error}"
        raise NotationError(msg) from None
    return table


def replay_stored(stored: StoredRound) -> Replay:
    """Play a stored round again, and hold the result against what was booked.

    Raises: StoreError if they differ.
    """
    again = replay(code_of(stored))
    state = again.states[-1]
    cards = tuple(card for card in stored.cards)
    dealt = sorted([*state.dealer, *(card for hand in state.hands for card in hand.cards)], key=str)
    nets = net_of_spots(state) if again.is_over else ()
    net = sum((nets[spot] for spot in stored.player_spots if nets), start=stored.net * 0)
    if not again.is_over or net != stored.net or dealt != sorted(cards, key=str):
        msg = (
            f"round {stored.id} does not replay: its cards and answers give"
            f" {net if again.is_over else 'no end'}, {stored.net} was booked"
        )
        raise StoreError(msg)
    return again


def hear_shoe_before(store: Store, stored: StoredRound) -> tuple[Event, ...]:
    """Tell what was dealt from the same shuffle before a round, as its players heard it.

    Raises: StoreError if some of those cards are in no record.
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
        msg = (
            f"round {stored.id} began after {stored.place.dealt} cards of its shuffle, and"
            f" {known} of them are on record: the cards seen are not known"
        )
        raise StoreError(msg)
    return tuple(event for other in earlier for event in replay(code_of(other)).events)


def actions_of(replayed: Replay) -> tuple[tuple[RoundState, Action], ...]:
    """Return each question of a round with the answer that was given."""
    return tuple(zip(replayed.states, replayed.coded.actions, strict=False))
