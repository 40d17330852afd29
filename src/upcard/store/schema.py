"""The tables, and migrations of older files: named steps, each run once and recorded.

A step never changes once it has been released: later changes are steps of their own.
Amounts are exact texts (`5/2`), times ISO 8601 in UTC, answers their words with commas between.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, TypeAlias

from upcard._version import __version__
from upcard.store.files import StoreDamagedError, StoreNewerError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    Migration: TypeAlias = Callable[[sqlite3.Connection], None]

APPLICATION_ID: Final = 0x75706364  # "upcd": marks the file as ours


def create_bankroll(db: sqlite3.Connection) -> None:
    """Profiles and their deposits."""
    db.execute(
        "CREATE TABLE profiles (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
        " bankroll TEXT NOT NULL, created_at TEXT NOT NULL)"
    )
    db.execute(
        "CREATE TABLE deposits (id INTEGER PRIMARY KEY,"
        " profile_id INTEGER NOT NULL REFERENCES profiles, amount TEXT NOT NULL,"
        " reason TEXT NOT NULL, made_at TEXT NOT NULL)"
    )


def create_rounds(db: sqlite3.Connection) -> None:
    """Sessions, their shoes, settled rounds and the one round that may be open."""
    db.execute(
        "CREATE TABLE sessions (id INTEGER PRIMARY KEY,"
        " profile_id INTEGER NOT NULL REFERENCES profiles, house TEXT NOT NULL,"
        " rules TEXT NOT NULL, player TEXT NOT NULL, started_at TEXT NOT NULL, ended_at TEXT)"
    )
    db.execute(
        "CREATE TABLE shoes (id INTEGER PRIMARY KEY,"
        " session_id INTEGER NOT NULL REFERENCES sessions, number INTEGER NOT NULL,"
        " method TEXT NOT NULL, commitment TEXT NOT NULL, server_seed TEXT NOT NULL,"
        " player_seed TEXT NOT NULL, next_server_seed TEXT NOT NULL,"
        " next_player_seed TEXT NOT NULL, started_at TEXT NOT NULL, ended_at TEXT,"
        " UNIQUE (session_id, number))"
    )
    db.execute(
        "CREATE TABLE open_rounds (session_id INTEGER PRIMARY KEY REFERENCES sessions,"
        " number INTEGER NOT NULL, shoe_id INTEGER NOT NULL REFERENCES shoes,"
        " shuffle INTEGER NOT NULL, dealt INTEGER NOT NULL, bets TEXT NOT NULL,"
        " actions TEXT NOT NULL, at_risk TEXT NOT NULL, started_at TEXT NOT NULL)"
    )
    db.execute(
        "CREATE TABLE rounds (id INTEGER PRIMARY KEY,"
        " session_id INTEGER NOT NULL REFERENCES sessions, number INTEGER NOT NULL,"
        " shoe_id INTEGER NOT NULL REFERENCES shoes, shuffle INTEGER NOT NULL,"
        " dealt INTEGER NOT NULL, bets TEXT NOT NULL, actions TEXT NOT NULL,"
        " cards TEXT NOT NULL, hands TEXT NOT NULL, dealer TEXT NOT NULL,"
        " insurance_net TEXT NOT NULL, net TEXT NOT NULL, booked TEXT NOT NULL,"
        " bankroll TEXT NOT NULL,"
        " started_at TEXT NOT NULL, settled_at TEXT NOT NULL, UNIQUE (session_id, number))"
    )
    db.execute("CREATE INDEX rounds_of_a_shoe ON rounds (shoe_id)")


def create_judgements(db: sqlite3.Connection) -> None:
    """Judgements of the coach on each decision, and values of games."""
    db.execute(
        "CREATE TABLE judgements (session_id INTEGER NOT NULL REFERENCES sessions,"
        " number INTEGER NOT NULL, step INTEGER NOT NULL, situation TEXT NOT NULL,"
        " category TEXT NOT NULL, chosen TEXT NOT NULL, best TEXT NOT NULL,"
        " cost_ev REAL NOT NULL, cost_chips REAL NOT NULL, method TEXT NOT NULL,"
        " made_at TEXT NOT NULL, PRIMARY KEY (session_id, number, step))"
    )
    db.execute(
        "CREATE TABLE game_values (rules TEXT PRIMARY KEY, ev REAL, method TEXT NOT NULL,"
        " version TEXT NOT NULL)"
    )


def create_drills_and_runs(db: sqlite3.Connection) -> None:
    """Progress of drills, and simulation runs."""
    db.execute(
        "CREATE TABLE drills (profile_id INTEGER NOT NULL REFERENCES profiles,"
        " name TEXT NOT NULL, progress TEXT NOT NULL, updated_at TEXT NOT NULL,"
        " PRIMARY KEY (profile_id, name))"
    )
    db.execute(
        "CREATE TABLE runs (path TEXT PRIMARY KEY, summary TEXT NOT NULL, added_at TEXT NOT NULL)"
    )


def add_company_and_settings(db: sqlite3.Connection) -> None:
    """Add the company at a table, the owners of spots, and a person's settings.

    `own` are numbers of spots, `own_answers` those of answers, from 0 with commas between; an empty
    `own` means that all of them are the person's.
    """
    db.execute("ALTER TABLE sessions ADD COLUMN company TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE open_rounds ADD COLUMN own TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE rounds ADD COLUMN own TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE rounds ADD COLUMN own_answers TEXT NOT NULL DEFAULT ''")
    db.execute(
        "CREATE TABLE settings (profile_id INTEGER NOT NULL REFERENCES profiles,"
        " name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (profile_id, name))"
    )


def add_chains_of_seeds(db: sqlite3.Connection) -> None:
    """Add the secret from which all server seeds of a session follow, and the committed rules.

    `chain_number` is the number of the shoe in its chain; shoes of the first method have 0 and
    empty texts.
    """
    db.execute("ALTER TABLE shoes ADD COLUMN chain_seed TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE shoes ADD COLUMN chain_number INTEGER NOT NULL DEFAULT 0")
    db.execute("ALTER TABLE shoes ADD COLUMN committed_rules TEXT NOT NULL DEFAULT ''")


def add_results(db: sqlite3.Connection) -> None:
    """Add sums of rounds, by session and by situation; count those of an older file.

    The indexes find mistakes of a round and unfinished sessions without reading the others.
    """
    from upcard.store.results import create_tables, fill_tables

    create_tables(db)
    fill_tables(db)
    db.execute("CREATE INDEX mistakes ON judgements (session_id, number) WHERE cost_chips > 0")
    db.execute("CREATE INDEX sessions_going_on ON sessions (id) WHERE ended_at IS NULL")


MIGRATIONS: Final[tuple[Migration, ...]] = (
    create_bankroll,
    create_rounds,
    create_judgements,
    create_drills_and_runs,
    add_company_and_settings,
    add_chains_of_seeds,
    add_results,
)
NAMES: Final = tuple(step.__name__ for step in MIGRATIONS)


def list_applied(db: sqlite3.Connection) -> tuple[str, ...]:
    """Return the names of the steps that were applied to a file, none for a new one."""
    found = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").fetchone()
    if not found:
        return ()
    return tuple(name for (name,) in db.execute("SELECT name FROM migrations ORDER BY number"))


def check_known(applied: tuple[str, ...], where: str) -> None:
    """Refuse a file whose steps are not the first of ours.

    Raises: StoreNewerError naming the first unknown step; StoreDamagedError for known steps in
    another order.
    """
    if applied == NAMES[: len(applied)]:
        return
    unknown = next((name for name in applied if name not in NAMES), None)
    if unknown is None:
        msg = f"'{where}' is damaged: its list of migrations is {', '.join(map(str, applied))}"
        raise StoreDamagedError(msg)
    raise StoreNewerError(
        f"'{where}' was made by a newer upcard: it has the step {unknown!r}, which upcard"
        f" {__version__} does not know. Nothing was changed; use the newer upcard, or another"
        " folder (UPCARD_DATA)"
    )


def migrate(db: sqlite3.Connection, where: str) -> None:
    """Apply the missing steps, each in a transaction of its own with its record.

    Raises: StoreNewerError; sqlite3.Error, with the failed step undone.
    """
    for number, step in enumerate(MIGRATIONS):
        db.execute("BEGIN IMMEDIATE")
        try:
            # Checked under the lock: another process may just have applied it.
            applied = list_applied(db)
            check_known(applied, where)
            if number >= len(applied):
                _apply(db, number, step)
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:  # SQLite undoes it itself when the disk is full
                db.execute("ROLLBACK")
            raise


def _apply(db: sqlite3.Connection, number: int, step: Migration) -> None:
    if number == 0:
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(
            "CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
            " version TEXT NOT NULL, applied_at TEXT NOT NULL)"
        )
    step(db)
    db.execute(
        "INSERT INTO migrations VALUES (?, ?, ?, ?)", (number, step.__name__, __version__, now())
    )


def now() -> str:
    """Return this moment in UTC, to the millisecond."""
    return write_moment(datetime.now(tz=UTC))


def write_moment(moment: datetime) -> str:
    """Write a time as the database has it: in UTC, to the millisecond; texts compare as times."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")
