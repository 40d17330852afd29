"""Chips, and what is saved by name: bankroll, deposits and open bets; settings, drills and runs.

One row holds the bankroll. It changes only inside a transaction that has the file's write lock, so
that two terminals never overwrite each other; bets on open rounds are not free to be bet elsewhere.
Settings, the progress of drills and the summaries of runs are JSON objects of one table.
"""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from upcard.core.errors import BlackjackError
from upcard.core.user_files import expand_user
from upcard.store.files import NotCoveredError, StoreError, reading
from upcard.store.records import now, read_amount, read_object, write_amount

if TYPE_CHECKING:
    from upcard.store.database import Store

_SETTING: Final = "setting"
_RUN: Final = "run"


def bankroll_of(store: Store) -> Fraction:
    """Return the bankroll, including chips on tables; 0 at first."""
    with reading("the bankroll"):
        ((text,),) = store.rows("SELECT amount FROM bankroll")
        return read_amount(text)


def free_chips_of(store: Store, *, besides: int = 0) -> Fraction:
    """Return the bankroll less the bets on open rounds.

    The open round of the session `besides` does not count.
    """
    # One statement: a round that is settled between two would count twice, or not at all.
    query = (
        "SELECT amount, NULL FROM bankroll UNION ALL"
        " SELECT NULL, at_risk FROM open_rounds WHERE session_id != ?"
    )
    free = Fraction(0)
    for bankroll, bet in store.rows(query, besides):
        with reading("the bankroll"):
            free += read_amount(bankroll) if bet is None else -read_amount(bet)
    return free


def chips_on_tables(store: Store) -> Fraction:
    """Return the chips on open rounds."""
    bets = store.rows("SELECT at_risk FROM open_rounds")
    return sum((read_amount(text) for (text,) in bets), start=Fraction(0))


def deposit(store: Store, amount: Fraction | int | str, *, reason: str = "brought") -> Fraction:
    """Add chips, or withdraw them; return the new bankroll."""
    try:
        chips = Fraction(amount)
    except (ValueError, ZeroDivisionError):
        raise StoreError(f"{amount!r} is not an amount: write a number, such as 100") from None
    with store.change():
        free = free_chips_of(store)
        if chips < 0 and free + chips < 0:
            raise NotCoveredError(f"cannot take {-chips} chips: {free} are free")
        store.insert("deposits", amount=write_amount(chips), reason=reason, made_at=now())
        return change_bankroll(store, chips)


def change_bankroll(store: Store, amount: Fraction) -> Fraction:
    """Book an amount, inside a change; return the new bankroll."""
    left = bankroll_of(store) + amount
    store.run("UPDATE bankroll SET amount = ?", write_amount(left))
    return left


def buy_in(store: Store, chips: Fraction | None = None) -> Fraction:
    """Have `chips` free to play with, or without them whatever there is; return what was brought.

    The difference is brought to the table, or taken home (less than 0), and saved as such. Who has
    nothing and asks for nothing brings 100.
    """
    from upcard.table.bet_limits import BUY_IN

    free = free_chips_of(store)
    if chips is None:
        chips = free if free > 0 else BUY_IN
    brought = chips - free
    if brought:
        deposit(store, brought, reason="brought" if brought > 0 else "taken home")
    return brought


def has_bought_in(store: Store) -> bool:
    """Whether chips were ever brought; the first time is not announced."""
    return store.row("SELECT 1 FROM deposits") is not None


def list_open_sessions(store: Store) -> list[int]:
    """Return the numbers of the sessions with a round in progress, the oldest round first."""
    rows = store.rows("SELECT session_id FROM open_rounds ORDER BY started_at")
    return [number for (number,) in rows]


def save_setting(store: Store | None, name: str, value: dict[str, Any]) -> None:
    """Save a setting, any JSON object, in place of an earlier one; without a store forget it."""
    if store is not None:
        save_object(store, _SETTING, name, value)


def load_setting(store: Store | None, name: str) -> dict[str, Any] | None:
    """Return a setting; None if it was never saved."""
    return None if store is None else load_object(store, _SETTING, name)


def load_choices(store: Store | None, name: str) -> dict[str, Any]:
    """Return a saved setting; empty if there is none, or it cannot be read."""
    with suppress(BlackjackError):
        return load_setting(store, name) or {}
    return {}


def add_run(store: Store, path: str | Path, summary: dict[str, Any]) -> None:
    """Add a run by its file; the same file again replaces it."""
    save_object(store, _RUN, _name_run(path), summary)


def remove_run(store: Store, path: str | Path) -> None:
    """Remove a run by its file, if it is there."""
    with store.change():
        delete_object(store, _RUN, _name_run(path))


def read_runs(store: Store) -> list[tuple[Path, dict[str, Any]]]:
    """Read all runs, oldest first: the file, which may have been moved since, and the summary."""
    query = "SELECT name, value FROM objects WHERE kind = ? ORDER BY saved_at, rowid"
    return [
        (Path(path), read_object(summary, f"run {path!r}"))
        for path, summary in store.rows(query, _RUN)
    ]


def _name_run(path: str | Path) -> str:
    return str(expand_user(path).resolve())


def save_object(store: Store, kind: str, name: str, value: dict[str, Any]) -> None:
    """Save a JSON object of a kind, replacing an earlier one of this name."""
    text = json.dumps(value, allow_nan=False)
    store.insert("objects", replace=True, kind=kind, name=name, value=text, saved_at=now())


def list_objects(store: Store, kind: str) -> list[str]:
    """Return the names of the objects of a kind, the last saved at the end.

    Each saving gives a row a new number, which orders those of one moment.
    """
    query = "SELECT name FROM objects WHERE kind = ? ORDER BY saved_at, rowid"
    return [name for (name,) in store.rows(query, kind)]


def delete_object(store: Store, kind: str, name: str) -> None:
    """Delete an object of a kind, if there is one."""
    store.run("DELETE FROM objects WHERE kind = ? AND name = ?", kind, name)


def load_object(store: Store, kind: str, name: str) -> dict[str, Any] | None:
    """Return an object of a kind; None if it was never saved."""
    row = store.row("SELECT value FROM objects WHERE kind = ? AND name = ?", kind, name)
    return None if row is None else read_object(row[0], f"{kind} {name!r}")
