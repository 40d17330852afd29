"""Sessions: started, ended, and their open rounds found again.

A session holds a file lock, which the system drops with its process. This distinguishes an
unfinished hand from one that another terminal is playing.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from upcard.core.numbers import digits_of
from upcard.fair.fair_shoe import FairState, Place
from upcard.fair.seeds import SeedChain
from upcard.rules.house import house_names
from upcard.rules.model import Rules
from upcard.rules.notation import parse_rules
from upcard.rules.side_bets import as_written
from upcard.store import bankroll, files, records
from upcard.table.rounds import RoundRecord

if TYPE_CHECKING:
    from upcard.store import database


_TRIES: Final = 200
_PAUSE_SECONDS: Final = 0.01
SESSION_COLUMNS: Final = (
    "sessions.id, sessions.house, sessions.rules, sessions.player, sessions.company"
)
"""The columns of `read_session`, in a query that joins sessions."""


def start_session(
    store: database.Store, rules: Rules, *, player: str = "person", company: str = ""
) -> tuple[records.SessionRecord, files.Lock]:
    """Start a session; return it with the lock of its process.

    `company` describes the others at the table, in the front-end's words; it is saved unchanged.
    Sessions without a process and an open round are ended.
    """
    end_left_sessions(store)
    house = rules.name if rules.name in house_names() else ""
    who: dict[str, Any] = {"player": player, "company": company}
    lock = None
    try:
        with store.change():
            written, moment = write_rules(rules), records.now()
            number = store.insert("sessions", house=house, rules=written, **who, started_at=moment)
            # Taken before the session is visible, so that no other process finds it abandoned.
            lock = _take_lock(store, number)
    except BaseException:  # such as a full disk, at the end of the change
        if lock is not None:
            lock.release()
        raise
    return records.SessionRecord(id=number, house=house, rules=rules, **who), lock


def _take_lock(store: database.Store, number: int) -> files.Lock:
    """Take the lock of a new session; another process may hold it while cleaning up old ones."""
    lock = lock_of(store, number)
    for _ in range(_TRIES):
        if lock.take():
            return lock
        time.sleep(_PAUSE_SECONDS)
    raise files.StoreError(f"cannot begin session {number}: another process holds its lock")


def end_session(store: database.Store, session: records.SessionRecord) -> None:
    """End a session and its shoe in play, unless a round is open."""
    with store.change():
        _end_unless_open(store, session.id)


def end_left_sessions(store: database.Store) -> None:
    """End all sessions without a process and an open round."""
    rows = store.rows(
        "SELECT id FROM sessions WHERE ended_at IS NULL"
        " AND id NOT IN (SELECT session_id FROM open_rounds)"
    )
    left = {number for (number,) in rows}
    for number in sorted(left | _locks_without_session(store)):
        lock = lock_of(store, number)
        if lock.take():
            try:
                if number in left:
                    with store.change():
                        _end_unless_open(store, number)
            finally:
                lock.release()


def _locks_without_session(store: database.Store) -> set[int]:
    """Find locks of sessions that have ended or were never saved."""
    if store.file is None:
        return set()
    going = {number for (number,) in store.rows("SELECT id FROM sessions WHERE ended_at IS NULL")}
    names = store.file.parent.glob(f"{store.file.name}.session-*.lock")
    numbers = {path.name.removesuffix(".lock").rpartition("-")[2] for path in names}
    return {number for one in numbers if (number := digits_of(one)) is not None} - going


def _end_unless_open(store: database.Store, number: int) -> None:
    if store.row("SELECT 1 FROM open_rounds WHERE session_id = ?", number):
        return
    moment = records.now()
    store.run("UPDATE sessions SET ended_at = ? WHERE id = ? AND ended_at IS NULL", moment, number)
    end_shoe_in_play(store, number, moment)


def end_shoe_in_play(store: database.Store, number: int, moment: str) -> None:
    """Record the end of the shoe of a session, inside a change, so that its seeds may be shown."""
    statement = "UPDATE shoes SET ended_at = ? WHERE session_id = ? AND ended_at IS NULL"
    store.run(statement, moment, number)


def find_open_rounds(store: database.Store) -> Iterator[records.SavedRound]:
    """Find the unfinished rounds that no terminal is playing, oldest first."""
    for number in bankroll.list_open_sessions(store):
        lock = lock_of(store, number)
        if not lock.take():
            continue
        lock.release()
        found = read_open_round(store, number)
        if found is not None:
            yield found


def read_open_round(store: database.Store, session_id: int) -> records.SavedRound | None:
    """Read the open round of a session, None if it has none."""
    row = store.row(
        f"SELECT {SESSION_COLUMNS}, open_rounds.number, bets, own, actions, shuffle, dealt,"  # noqa: S608
        " chain_seed, committed_rules, chain_number, player_seed, next_player_seed FROM open_rounds"
        " JOIN sessions ON sessions.id = open_rounds.session_id JOIN shoes ON shoes.id = shoe_id"
        " WHERE open_rounds.session_id = ?",
        session_id,
    )
    if row is None:
        return None
    number, bets, player_spots, actions, shuffle, dealt = row[5:11]
    secret, rules, in_chain, player_seed, next_player_seed = row[11:]
    with files.reading(f"the open round of session {session_id}"):
        laid, session = records.read_bets(bets), read_session(row[:5])
        seeds, place = SeedChain(bytes.fromhex(secret), rules), Place(shuffle, dealt)
        source = FairState(seeds, in_chain, player_seed, place, next_player_seed)
        answers = records.read_actions(actions)
        return records.SavedRound(
            session=session,
            number=number,
            player_spots=records.read_numbers(player_spots) or tuple(range(len(laid))),
            record=RoundRecord(rules=session.rules, bets=laid, source=source, actions=answers),
        )


@lru_cache(maxsize=256)
def read_session(row: tuple[Any, ...]) -> records.SessionRecord:
    """Make a session from `SESSION_COLUMNS`."""
    number, house, rules, player, company = row
    texts = {"house": house, "player": player, "company": company}
    with files.reading(f"session {number}"):
        for name, text in texts.items():
            if not isinstance(text, str):
                raise files.damaged(f"its {name} is not text")
        return records.SessionRecord(id=number, rules=read_rules(rules, house), **texts)


@lru_cache(maxsize=256)
def write_rules(rules: Rules) -> str:
    """Write rules without their house's name: a house may change, but not a session's rules.

    A side bet that is not shipped is written whole: its file may change too.
    """
    side_bets = tuple(one if one.is_shipped else as_written(one) for one in rules.side_bets)
    return str(rules.replace(name="", side_bets=side_bets))


def read_rules(text: str, house: str) -> Rules:
    """Read rules as `write_rules` writes them."""
    return parse_rules(text).replace(name=house)


def lock_of(store: database.Store, number: int) -> files.Lock:
    """Return the lock of a session."""
    file = store.file
    return files.Lock(file and file.with_name(f"{file.name}.session-{number}.lock"))
