"""Chips and saved settings: bankroll, deposits, bets on open rounds, settings and runs."""

from __future__ import annotations

import json
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from upcard.core.user_files import expand_user
from upcard.store.files import NotCoveredError, StoreError, reading
from upcard.store.records import (
    read_amount,
    read_object,
    write_amount,
)
from upcard.store.results import check_results
from upcard.store.schema import now

if TYPE_CHECKING:
    from upcard.store.database import Store


PROFILE: Final = "main"
"""Default profile."""
_LONGEST_NAME: Final = 40
_AT_RISK: Final = (
    "at_risk FROM open_rounds JOIN sessions ON sessions.id = session_id"
    " JOIN profiles ON profiles.id = profile_id WHERE profiles.name = ?"
)


def bankroll_of(store: Store, profile: str = PROFILE) -> Fraction:
    """Return the bankroll of a profile, including chips on its tables; 0 for a new one."""
    found = store.row("SELECT bankroll FROM profiles WHERE name = ?", profile)
    with reading(f"profile {profile!r}"):
        return read_amount(found[0]) if found else Fraction(0)


def bankrolls_of(store: Store) -> dict[str, Fraction]:
    """Return the bankroll of each profile, the oldest profile first. Raises: StoreDamagedError."""
    names = store.rows("SELECT name FROM profiles ORDER BY id")
    return {name: bankroll_of(store, name) for (name,) in names}


def free_chips_of(store: Store, profile: str = PROFILE, *, besides: int = 0) -> Fraction:
    """Return the bankroll of a profile less its bets on open rounds.

    The open round of the session `besides` does not count.
    """
    # One statement: a round that is settled between two would count twice, or not at all.
    query = (
        f"SELECT bankroll, NULL FROM profiles WHERE name = ? UNION ALL SELECT NULL, {_AT_RISK}"  # noqa: S608
        " AND session_id != ?"
    )
    free = Fraction(0)
    for bankroll, bet in store.rows(query, profile, profile, besides):
        with reading(f"profile {profile!r}"):
            free += read_amount(bankroll) if bet is None else -read_amount(bet)
    return free


def chips_on_tables(store: Store, profile: str = PROFILE) -> Fraction:
    """Return the chips of a profile on its open rounds."""
    bets = store.rows(f"SELECT {_AT_RISK}", profile)
    return sum((read_amount(text) for (text,) in bets), start=Fraction(0))


def deposit(
    store: Store, amount: Fraction | int | str, *, profile: str = PROFILE, reason: str = "brought"
) -> Fraction:
    """Add chips to a profile, or withdraw them; return the new bankroll.

    Raises: NotCoveredError for withdrawing more than is free; StoreError.
    """
    try:
        chips = Fraction(amount)
    except (ValueError, ZeroDivisionError):
        raise StoreError(f"{amount!r} is no amount of chips: write a number, such as 100") from None
    with store.change():
        number = find_profile(store, profile)
        free = free_chips_of(store, profile)
        if chips < 0 and free + chips < 0:
            raise NotCoveredError(f"cannot take {-chips} chips from {profile!r}: {free} are free")
        amount = write_amount(chips)
        store.insert("deposits", profile_id=number, amount=amount, reason=reason, made_at=now())
        return change_bankroll(store, number, chips)


def find_profile(store: Store, name: str) -> int:
    """Return the number of a profile; inside a change, create it if needed.

    Raises: StoreError for an invalid name.
    """
    if not name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
        raise StoreError(f"profile {name!r}: a name has 1 to {_LONGEST_NAME} printable characters")
    found = store.row("SELECT id FROM profiles WHERE name = ?", name)
    if found:
        return int(found[0])
    return store.insert("profiles", name=name, bankroll="0", created_at=now())


def change_bankroll(store: Store, profile_id: int, amount: Fraction) -> Fraction:
    """Book an amount, inside a change; return the new bankroll."""
    found = store.row("SELECT bankroll FROM profiles WHERE id = ?", profile_id)
    if found is None:
        raise StoreError(f"there is no profile number {profile_id}")
    left = read_amount(found[0]) + amount
    store.run("UPDATE profiles SET bankroll = ? WHERE id = ?", write_amount(left), profile_id)
    return left


def check_books(store: Store) -> None:
    """Compare every bankroll with deposits and results, and all sums with the rounds.

    Raises: StoreError naming the profile or the session that differs.
    """
    with store.reading() as state:
        for number, name, bankroll in state.rows("SELECT id, name, bankroll FROM profiles"):
            amounts = state.rows(
                "SELECT amount FROM deposits WHERE profile_id = ? UNION ALL"
                " SELECT booked FROM rounds JOIN sessions ON sessions.id = session_id"
                " WHERE profile_id = ?",
                number,
                number,
            )
            due = sum((read_amount(amount) for (amount,) in amounts), start=Fraction(0))
            if due != read_amount(bankroll):
                msg = f"the bankroll of {name!r} is {bankroll}, and its rounds add up to {due}"
                raise StoreError(msg)
        check_results(state)


def list_open_sessions(store: Store) -> list[int]:
    """Return the numbers of the sessions with a round in progress, the oldest round first.

    Raises: StoreError.
    """
    rows = store.rows("SELECT session_id FROM open_rounds ORDER BY started_at")
    return [number for (number,) in rows]


def save_setting(store: Store, name: str, value: dict[str, Any], *, profile: str = PROFILE) -> None:
    """Save a setting of a profile, any JSON object, replacing an earlier one.

    Raises: ValueError if it is not JSON; StoreError.
    """
    text = json.dumps(value, allow_nan=False)
    with store.change():
        number = find_profile(store, profile)
        store.run("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", number, name, text)


def load_setting(store: Store, name: str, *, profile: str = PROFILE) -> dict[str, Any] | None:
    """Return a setting of a profile; None if it was never saved. Raises: StoreDamagedError."""
    query = (
        "SELECT value FROM settings JOIN profiles ON profiles.id = profile_id"
        " WHERE profiles.name = ? AND settings.name = ?"
    )
    row = store.row(query, profile, name)
    return None if row is None else read_object(row[0], f"setting {name!r}")


class StoredRun(NamedTuple):
    """A saved run. Its file may have been moved since."""

    path: Path
    summary: dict[str, Any]
    added_at: datetime


def add_run(store: Store, path: str | Path, summary: dict[str, Any]) -> None:
    """Add a run by its file; the same file again replaces it."""
    place = str(expand_user(path).resolve())
    text = json.dumps(summary, allow_nan=False)
    with store.change():
        store.run("INSERT OR REPLACE INTO runs VALUES (?, ?, ?)", place, text, now())


def remove_run(store: Store, path: str | Path) -> None:
    """Remove a run by its file, if it is there."""
    with store.change():
        store.run("DELETE FROM runs WHERE path = ?", str(expand_user(path).resolve()))


def read_runs(store: Store) -> list[StoredRun]:
    """Read all runs, oldest first. Raises: StoreDamagedError."""
    rows = store.rows("SELECT path, summary, added_at FROM runs ORDER BY added_at, path")
    return [
        StoredRun(Path(path), read_object(summary, f"run {path!r}"), datetime.fromisoformat(added))
        for path, summary, added in rows
    ]
