"""Checks of a store after something happened to the programs that wrote into it."""

from __future__ import annotations

import zlib
from contextlib import closing
from typing import TYPE_CHECKING

from campaign.case import FindingError
from upcard.store.bankroll import check_books
from upcard.store.database import open_store
from upcard.store.history import (
    read_round,
    read_rounds,
    read_rounds_of_shoe,
    read_shoes,
    replay_stored,
)
from upcard.store.kept_table import KeptTable
from upcard.store.reveals import check_reveal, make_reveal
from upcard.store.sessions import find_open_rounds

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from pathlib import Path

    from upcard.store.database import Store
    from upcard.table.state import RoundState


def digest(state: RoundState) -> str:
    """Return a short text that is equal for equal rounds, hidden cards included."""
    return f"{zlib.crc32(repr(state).encode()):08x}"


def check_store(path: Path, said: Sequence[Sequence[str]], rounds_before: int) -> int:
    """Check that a store is whole and holds what a killed session had said; return its rounds.

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
        for stored in rounds[rounds_before:]:
            replay_stored(stored)
        _check_open(store, said)
        return len(rounds)


def check_books_and_rounds(path: Path, rounds_before: int) -> None:
    """Check the books, and replay the rounds that came since.

    Raises: StoreError, and what `replay_stored` raises.
    """
    with open_store(path) as store:
        check_books(store)
        for stored in list(read_rounds(store))[rounds_before:]:
            replay_stored(stored)


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
    if left.number == int(number) and len(left.actions) < int(count):
        msg = f"{count} answers were told, {len(left.actions)} are kept"
        raise FindingError(msg)
    if left.number == int(number) and len(left.actions) == int(count):
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
                    kept = tuple(stored.actions[: len(left.actions)])
                    if kept != tuple(left.actions):
                        msg = f"answers {left.actions} were kept, {stored.actions} were settled"
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
