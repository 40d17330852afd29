"""Checks of a store after something happened to the programs that wrote into it."""

from __future__ import annotations

import zlib
from contextlib import closing
from dataclasses import fields
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from campaign.case import FindingError
from upcard.core.actions import Action
from upcard.store.bankroll import bankroll_of
from upcard.store.database import open_store
from upcard.store.files import StoreError
from upcard.store.history import (
    check_reveal,
    make_reveal,
    read_round,
    read_rounds,
    read_rounds_of_shoe,
    read_shoes,
)
from upcard.store.kept_table import KeptTable
from upcard.store.records import JudgementRecord, read_amount
from upcard.store.sessions import find_open_rounds
from upcard.table.events import TurnedUp
from upcard.table.settle import net_of_spots

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from pathlib import Path

    from upcard.store.database import Store
    from upcard.store.records import SettledRound
    from upcard.table.events import Event
    from upcard.table.state import RoundState


def digest(state: RoundState) -> str:
    """Return a short text that is equal for equal rounds, hidden cards included."""
    return f"{zlib.crc32(repr(state).encode()):08x}"


def check_books(store: Store) -> None:
    """Compare the bankroll with all deposits and results. Raises: StoreError if they differ."""
    with store.reading() as state:
        query = "SELECT amount FROM deposits UNION ALL SELECT booked FROM rounds"
        due = sum((read_amount(amount) for (amount,) in state.rows(query)), start=Fraction(0))
        bankroll = bankroll_of(state)
    if due != bankroll:
        raise StoreError(f"the bankroll is {bankroll}, and its rounds add up to {due}")


class JudgedDecision(NamedTuple):
    """A judgement with its session and the round's number in the session."""

    session_id: int
    number: int
    judgement: JudgementRecord


def read_judgements(store: Store) -> list[JudgedDecision]:
    """Read all judgements of settled rounds, in the order of the decisions."""
    names = [field.name for field in fields(JudgementRecord)]
    rows = store.rows(
        f"SELECT session_id, number, {', '.join(names)} FROM judgements"
        " JOIN rounds USING (session_id, number) ORDER BY rounds.id, step"
    )
    found = []
    for session, number, *row in rows:
        columns = dict(zip(names, row, strict=True))
        columns |= {name: Action(columns[name]) for name in ("chosen", "best")}
        found.append(JudgedDecision(session, number, JudgementRecord(**columns)))
    return found


def replay_stored(stored: SettledRound) -> tuple[RoundState, ...]:
    """Replay a settled round as `RoundRecord.play` does, and compare it with what was booked.

    Raises: StoreError if they differ.
    """
    events: list[Event] = []
    states = stored.record.play(events.append)
    state = states[-1]
    # A card that is turned up for side bets is no hand's.
    dealt = [*state.dealer, *(event.card for event in events if isinstance(event, TurnedUp))]
    dealt += [card for hand in state.hands for card in hand.cards]
    nets = net_of_spots(state) if state.is_over else ()
    net = sum((nets[spot] for spot in stored.player_spots if nets), start=Fraction(0))
    faults = {
        "the round does not end": not state.is_over,
        f"its net is {net}, {stored.net} was booked": net != stored.net,
        "its cards are others": sorted(dealt, key=str) != sorted(stored.cards, key=str),
        f"its side bets end as {state.side.results}": state.side.results != stored.side,
    }
    wrong = [fault for fault, is_so in faults.items() if is_so]
    if wrong:
        raise StoreError(f"round {stored.id} does not replay: {wrong[0]}")
    return states


def check_store(
    path: Path, said: Sequence[Sequence[str]], rounds_before: int
) -> list[SettledRound]:
    """Check that a store is whole and holds what a killed session had said; return new rounds.

    Lines that are said: `act NUMBER COUNT DIGEST`, and `settled ID BANKROLL`.

    Raises: FindingError, StoreError.
    """
    with open_store(path) as store:
        check_books(store)
        settled = [words for words in said if words[0] == "settled"]
        for _, number, bankroll in settled:
            booked = str(read_round(store, int(number)).bankroll)
            if booked != bankroll:
                msg = f"round {number} was told with bankroll {bankroll}, the store has {booked}"
                raise FindingError(msg)
        rounds = list(read_rounds(store))
        if not rounds_before <= len(rounds) <= rounds_before + len(settled) + 2:
            msg = f"{len(rounds)} rounds after {rounds_before} and {len(settled)} told as settled"
            raise FindingError(msg)
        new = rounds[rounds_before:]
        for stored in new:
            replay_stored(stored)
        _check_open(store, said)
        return new


def check_books_and_rounds(path: Path, rounds_before: int) -> list[SettledRound]:
    """Check the books, and replay the rounds that came since; return those.

    Raises: StoreError, and what `replay_stored` raises.
    """
    with open_store(path) as store:
        check_books(store)
        new = list(read_rounds(store))[rounds_before:]
        for stored in new:
            replay_stored(stored)
        return new


def _check_open(store: Store, said: Sequence[Sequence[str]]) -> None:
    """Check that the hand that was left is found as it stood."""
    found = list(find_open_rounds(store))
    if len(found) > 1:
        msg = f"{len(found)} hands were left open by one session"
        raise FindingError(msg)
    if not found or not said or said[-1][0] != "act":
        return
    left = found[0]
    _, number, count, stood = said[-1]
    if left.number == int(number) and len(left.record.actions) < int(count):
        msg = f"{count} answers were told, {len(left.record.actions)} are kept"
        raise FindingError(msg)
    if left.number == int(number) and len(left.record.actions) == int(count):
        with closing(KeptTable.resume(store, left)) as table:
            if table.is_playing and digest(table.state) != stood:
                msg = f"the hand was found as {table.state}, and stood otherwise when it was left"
                raise FindingError(msg)


def finish_open(path: Path, rng: random.Random) -> int:
    """Play open hands to their ends at random, and check what is settled; return how many."""
    finished = 0
    with open_store(path) as store:
        for left in list(find_open_rounds(store)):
            with closing(KeptTable.resume(store, left)) as table:
                while table.is_playing:
                    table.act(rng.choice(table.legal_actions()))
                if table.last_round is not None:
                    stored = read_round(store, table.last_round)
                    replay_stored(stored)
                    kept, settled = left.record.actions, stored.record.actions
                    if settled[: len(kept)] != kept:
                        msg = f"answers {kept} were kept, {settled} were settled"
                        raise FindingError(msg)
            finished += 1
        check_books(store)
        if list(find_open_rounds(store)):
            msg = "a hand is still open after it was finished"
            raise FindingError(msg)
    return finished


def check_shoes(path: Path) -> int:
    """Check every shoe that has ended against its commitment; return how many."""
    checked = 0
    with open_store(path) as store:
        for shoe in read_shoes(store):
            rows = read_rounds_of_shoe(store, shoe.id)
            if shoe.reveal is not None:
                if check_reveal(make_reveal(shoe, rows)) != len(rows):
                    msg = f"the reveal file of shoe {shoe.id} lacks rounds"
                    raise FindingError(msg)
                checked += 1
    return checked
