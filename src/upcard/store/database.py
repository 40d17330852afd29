"""`Store`, the open file, and its tables. Every change is one transaction.

A transaction is written to disk at once. Within `delaying_sync` it only outlasts the process, and
`sync` has the disk write all of them together, which takes as long as one. Several processes may
open the file. Its format has a number: a file of another format is refused, unchanged.

A process has one connection to a file, which all its stores share, and opens the file in no other
way while there is one: SQLite's locks are those of the process, and POSIX ends them with any close
of the file. The next process would take itself for the last one, and delete the log
(https://www.sqlite.org/howtocorrupt.html, section 2.2).
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final, Self
from weakref import WeakSet, WeakValueDictionary

from upcard._version import __version__
from upcard.core.shared_files import Identity, identify
from upcard.store import files

BUSY_SECONDS: Final = 10.0
_PAUSE_SECONDS: Final = 0.05
# As FULL, and without write-ahead logging the end of the journal too: by one that a power cut
# brought back, SQLite would undo the last transaction.
_SYNC_ALL: Final = "PRAGMA synchronous = EXTRA"
_MEMORY: Final = ":memory:"
# Larger files are not read whole at every start: damage is reported when it is reached.
_MOST_BYTES_CHECKED: Final = 32 * 1024 * 1024

APPLICATION_ID: Final = 0x75706364  # "upcd": marks the file as ours
FORMAT: Final = 1
"""The number of this format, from 1. Any change of `schema.sql` takes the next one."""
_SCHEMA: Final = Path(__file__).with_name("schema.sql")


class _Shared:
    """The connection to a file, and what the stores that use it have in common."""

    def __init__(self, db: sqlite3.Connection, log: Path | None) -> None:
        self.db = db
        self.log = log
        # One thread may read while another writes, so they take turns.
        self.turn = threading.RLock()
        self.delays = threading.local()
        self.syncing = threading.Lock()
        self.is_behind = False
        """Whether there are changes that a power cut could take."""
        self.users: WeakSet[Store] = WeakSet()
        self._handle: int | None = None

    def sync_log(self) -> None:
        """Have the disk write the log, which has no locks. Raises: OSError."""
        if self.log is not None:
            if self._handle is None:
                self._handle = os.open(self.log, os.O_RDWR)
            os.fsync(self._handle)

    def leave(self, store: Store) -> None:
        """Close the connection if this was the last store that uses it."""
        with _opening:
            self.users.discard(store)
            if self.users:
                return
            if self._handle is not None:
                os.close(self._handle)
                self._handle = None
            self.db.close()


_opening = threading.RLock()
_shared: WeakValueDictionary[Identity, _Shared] = WeakValueDictionary()
"""The connections of this process, by what their files are."""
_inherited: dict[Identity, sqlite3.Connection] = {}
"""Those of the process that this one is a forked copy of. They are not closed: that would write."""


def _give_up_inherited() -> None:
    """Give up the connections that a fork copied: the copy has none of the locks they remember."""
    global _opening  # noqa: PLW0603 (another thread may have held it, which the copy does not have)
    _opening = threading.RLock()
    for identity, shared in list(_shared.items()):
        if not shared.users:  # it was closed
            continue
        _inherited[identity] = shared.db
        shared.db, shared.turn = _refuse_all(), threading.RLock()
        for store in shared.users:
            store.db = shared.db


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_give_up_inherited)


@cache
def _refuse_all() -> sqlite3.Connection:
    """Return a connection that is closed."""
    db = sqlite3.connect(_MEMORY, check_same_thread=False)
    db.close()
    return db


class Store:
    """The open database. Make one with `open_store`; close it, or use it in a `with`."""

    def __init__(self, shared: _Shared, path: Path | None) -> None:
        """Use a connection; `path` is None for a store that is discarded at the end."""
        self.path = path
        self.file = None if path is None else path.resolve()
        """The file itself, also where `path` is a link to it."""
        self.db = shared.db
        """The connection, for work in bulk inside a change."""
        self._shared = shared
        shared.users.add(self)

    @property
    def folder(self) -> Path | None:
        """Folder of the file and its locks."""
        return None if self.file is None else self.file.parent

    @contextmanager
    def change(self) -> Iterator[Self]:
        """Make a transaction that writes everything to disk, or nothing."""
        with self._shared.turn, _NamingFaults(self.path), self._relaxing(), _changing(self.db):
            yield self

    @contextmanager
    def delaying_sync(self) -> Iterator[None]:
        """Leave it to `sync` to have the changes of this thread outlast a power cut.

        Each is still a transaction, which outlasts the end of the process. Report no change before
        `sync`. File systems without write-ahead logging write each change to disk at once.
        """
        before = getattr(self._shared.delays, "is_on", False)
        self._shared.delays.is_on = True
        try:
            yield
        finally:
            self._shared.delays.is_on = before

    def sync(self) -> None:
        """Have the disk write all changes that were delayed."""
        shared = self._shared
        with shared.syncing:  # who comes second waits until the changes of both are written
            if not shared.is_behind or shared.log is None:
                return
            shared.is_behind = False  # at once: a change that is made meanwhile waits for the next
            try:
                shared.sync_log()
            except OSError as error:
                shared.is_behind = True
                raise files.StoreError(f"cannot write '{shared.log}': {error.strerror}") from None

    @contextmanager
    def _relaxing(self) -> Iterator[None]:
        """Let the transaction of a thread that delays return before the disk has written it."""
        if self._shared.log is None or not getattr(self._shared.delays, "is_on", False):
            yield
            return
        # With NORMAL the log is written in order, but not synced: whatever is lost is at its end.
        self.db.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            self._shared.is_behind = True
            self.db.execute(_SYNC_ALL)

    def run(self, statement: str, *values: object) -> int:
        """Run a writing statement; return the row number of an insert."""
        with self._shared.turn, _NamingFaults(self.path):
            return self.db.execute(statement, values).lastrowid or 0

    def insert(self, table: str, *, replace: bool = False, **columns: object) -> int:
        """Insert a row, or replace the one with its key; return its number."""
        verb, marks = "INSERT OR REPLACE" if replace else "INSERT", ", ".join("?" * len(columns))
        statement = f"{verb} INTO {table} ({', '.join(columns)}) VALUES ({marks})"
        return self.run(statement, *columns.values())

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return all the rows of a query."""
        with self._shared.turn, _NamingFaults(self.path):
            return self.db.execute(query, values).fetchall()

    def row(self, query: str, *values: object) -> tuple[Any, ...] | None:
        """Return the first row of a query, or None."""
        with self._shared.turn, _NamingFaults(self.path):
            found: tuple[Any, ...] | None = self.db.execute(query, values).fetchone()
            return found

    def each(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Iterate over the rows of a query; other threads wait."""
        with self._shared.turn, _NamingFaults(self.path):
            yield from self.db.execute(query, values)

    @contextmanager
    def reading(self) -> Iterator[Store]:
        """Lend a store in which all statements see one state, whatever others write meanwhile.

        Inside a change it is the state with the change. Others wait for the reader only where
        there is no write-ahead logging. Its connection is SQLite's too, which keeps the locks of
        one process together.
        """
        with self._shared.turn:
            if self.db.in_transaction:  # this thread's own
                yield self
                return
            if self._shared.log is None or self.path is None:
                with self._one_state():
                    yield self
                return
        with _NamingFaults(self.path):
            uri = name_file(self.path.absolute().as_uri(), "mode=ro")
            snapshot = Store(_Shared(_connect(uri, uri=True), None), self.path)
        with snapshot, snapshot._one_state():
            yield snapshot

    @contextmanager
    def _one_state(self) -> Iterator[None]:
        with _NamingFaults(self.path):
            self.db.execute("BEGIN")
            try:
                yield
            finally:
                self.db.execute("ROLLBACK")

    def close(self) -> None:
        """Close the store; the file is closed with the last store of this process."""
        self._shared.leave(self)
        self.db = _refuse_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _NamingFaults:
    """Converts sqlite's exceptions to ours, with the file's name."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, sqlite3.Error):
            raise _translate(error, self._path) from error
        if isinstance(error, UnicodeDecodeError):  # sqlite's own message quotes the damaged bytes
            raise _damaged("a name in it is not UTF-8 text", self._path) from error


@contextmanager
def _changing(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # SQLite rolls back automatically when the disk is full
            db.execute("ROLLBACK")
        raise


def _translate(error: sqlite3.Error, path: Path | None) -> files.StoreError:
    where = f"'{path or _MEMORY}'"
    code = _code_of(error)
    if _is_busy(error):
        msg = f"{where} is in use: another process held it for {BUSY_SECONDS:.0f} s"
        return files.StoreBusyError(msg)
    if code == sqlite3.SQLITE_NOTADB:
        msg = f"{where} is not a store of upcard's: it is not an SQLite file. Nothing was changed"
        return files.StoreDamagedError(msg)
    if code == sqlite3.SQLITE_CORRUPT:
        return _damaged(str(error), path)
    if code == sqlite3.SQLITE_FULL:
        return files.StoreError(
            f"the disk is full: {where} was not changed. Saved games are safe, and a hand in"
            " progress continues at the next start"
        )
    return files.StoreError(f"cannot use {where}: {error}")


def _damaged(reason: str, path: Path | None) -> files.StoreDamagedError:
    return files.StoreDamagedError(
        f"'{path or _MEMORY}' is damaged ({reason}): nothing was changed. Move it away to begin"
        " again, or point UPCARD_DATA at another folder"
    )


def _code_of(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _is_busy(error: sqlite3.Error) -> bool:
    return _code_of(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def open_store(path: str | Path | None = None) -> Store:
    """Open the store; create it if missing. The default `path` is the user's, see `store_path`.

    Stores of one file in one process share a connection.
    """
    place = Path(path) if path is not None else files.store_path()
    with _opening:
        shared = _find_shared(place)
        if shared is None:
            shared = _open(place)
        else:
            files.make_private(place)
        return Store(shared, place)


def _find_shared(place: Path) -> _Shared | None:
    """Return the connection that this process has to a file; None if it has none."""
    try:
        identity = identify(place)
    except OSError:  # there is no such file yet
        return None
    if identity in _inherited:
        raise files.StoreError(
            f"cannot use '{place}' in a forked copy of a process that has it open: open it after"
            " the original has closed it, or in a process started afresh (multiprocessing: spawn)"
        )
    shared = _shared.get(identity)
    return shared if shared is not None and shared.users else None


def _open(place: Path) -> _Shared:
    verb = "make"
    try:
        if place.exists() and place.stat().st_size:
            verb = "write"
            _look_at(place)
        files.make_private(place)
    except OSError as error:
        raise files.StoreError(f"cannot {verb} '{place}': {error.strerror}") from None
    with _NamingFaults(place):
        db = _connect(str(place))
        try:
            has_log = _use_log(db)
            # A settled round must outlast a power cut, so each transaction reaches the disk.
            db.execute(_SYNC_ALL)
            db.execute("PRAGMA foreign_keys = ON")
            _create_tables(db, place)
        except BaseException:
            db.close()
            raise
    shared = _Shared(db, _beside(place, "-wal") if has_log else None)
    _shared[identify(place)] = shared
    return shared


def open_for_reading() -> Store:
    """Open the user's store for reading; an empty temporary one if there is none.

    On a read-only file system it is read without leaving a trace.
    """
    place = files.store_path()
    if not place.exists():
        return open_in_memory()
    try:
        return open_store()
    except (files.StoreDamagedError, files.StoreFormatError):
        raise
    except files.StoreError as error:
        try:
            return _open_read_only(place)
        except files.StoreError:
            raise error from None


def _open_read_only(place: Path) -> Store:
    """Open a store on a full disk, or with read access only."""
    db = _connect_to_read(place)
    with _NamingFaults(place):
        try:
            has_tables = _has_tables(db, place)
        except BaseException:
            db.close()
            raise
    if not has_tables:
        db.close()
        return open_in_memory()
    return Store(_Shared(db, None), place)


def _connect_to_read(place: Path) -> sqlite3.Connection:
    """Connect without writing anything."""
    how = ["mode=ro"]
    log = _beside(place, "-wal")
    if not (log.exists() and log.stat().st_size):
        # No process is writing: it is complete without a log, which may be impossible to create.
        how.append("immutable=1")
    while True:
        with _NamingFaults(place):
            db = _connect(name_file(place.absolute().as_uri(), how.pop(0)), uri=True)
            try:
                db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            except sqlite3.OperationalError:
                db.close()
                if not how:
                    raise
            else:
                return db


def open_in_memory() -> Store:
    """Open an empty store that is discarded when it is closed."""
    db = _connect(_MEMORY)
    _create_tables(db, None)
    return Store(_Shared(db, None), None)


def _create_tables(db: sqlite3.Connection, place: Path | None) -> None:
    if _has_tables(db, place):
        return
    with _changing(db):
        # Checked again under the lock: another process may just have created them.
        if not _has_tables(db, place):
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {FORMAT}")
            for statement in _SCHEMA.read_text("utf-8").split(";"):
                db.execute(statement)


def _has_tables(db: sqlite3.Connection, place: Path | None) -> bool:
    """Return whether a file has the tables of this format; a new one has none."""
    if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return False
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise files.StoreDamagedError(f"'{place}' is another program's: nothing was changed")
    found = db.execute("PRAGMA user_version").fetchone()[0]
    if found != FORMAT:
        age = "a newer" if found > FORMAT else "an older"
        raise files.StoreFormatError(
            f"'{place}' was made by {age} upcard, and its format {found} is not that of upcard"
            f" {__version__}, {FORMAT}: nothing was changed; use that upcard, or another folder"
            " (UPCARD_DATA)"
        )
    return True


def name_file(uri: str, how: str) -> str:
    """Return a file's URI for SQLite, with the mode `how`.

    SQLite does not accept a server name as the host of a URI.
    """
    if not uri.startswith("file:///"):
        uri = f"file:////{uri.removeprefix('file://')}"
    return f"{uri}?{how}"


def _connect(place: str, *, uri: bool = False) -> sqlite3.Connection:
    return sqlite3.connect(
        place, timeout=BUSY_SECONDS, isolation_level=None, uri=uri, check_same_thread=False
    )


def _use_log(db: sqlite3.Connection) -> bool:
    """Use write-ahead logging, so that others can read during a change; return whether it is used.

    File systems that do not support it use SQLite's older journal, which is as safe.
    """
    tries = int(BUSY_SECONDS / _PAUSE_SECONDS)
    for left in reversed(range(tries)):
        try:
            return bool(db.execute("PRAGMA journal_mode = WAL").fetchone()[0] == "wal")
        except sqlite3.OperationalError as error:  # this statement does not wait automatically
            if not left or not _is_busy(error):
                raise
            time.sleep(_PAUSE_SECONDS)
    return False


def _look_at(place: Path) -> None:
    """Check a file, and change it only to undo half a change."""
    if _beside(place, "-journal").exists():
        # A power cut or a kill ended a change: SQLite undoes it as soon as it reads the file.
        _check_whole(place, "mode=rw")
        return
    # Without a log next to it no process has it open, and it can be read without leaving a trace.
    if _beside(place, "-wal").exists():
        _check_whole(place, "mode=ro")
        return
    try:
        _check_whole(place, "immutable=1")
    except files.StoreDamagedError:  # or changed by another process while it was read
        _check_whole(place, "mode=ro")


def _beside(place: Path, end: str) -> Path:
    """Return one of SQLite's other files, which are not beside a link but beside the file."""
    real = place.resolve()
    return real.with_name(f"{real.name}{end}")


def _check_whole(place: Path, how: str) -> None:
    with _NamingFaults(place):
        db = _connect(name_file(place.absolute().as_uri(), how), uri=True)
        try:
            db.execute("BEGIN")  # read one state, even if others write
            _has_tables(db, place)
            if place.stat().st_size <= _MOST_BYTES_CHECKED:
                found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
                if found != "ok":
                    msg = f"'{place}' is damaged ({found}): nothing was changed"
                    raise files.StoreDamagedError(msg)
        finally:
            db.close()
