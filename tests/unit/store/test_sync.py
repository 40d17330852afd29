"""Changes that are delayed outlast the process at once, and reach the disk together."""

import os
import shutil
import sqlite3
import threading
from contextlib import closing, contextmanager
from functools import partial

import pytest

from upcard import Rules
from upcard.store.bankroll import bankroll_of, deposit
from upcard.store.database import open_in_memory, open_store
from upcard.store.files import Lock, StoreError
from upcard.store.sessions import start_session

NORMAL, EXTRA = 1, 3


def level_of(store):
    return store.row("PRAGMA synchronous")[0]


@pytest.fixture
def syncs(monkeypatch):
    """The numbers of the files that we have the disk write."""
    found, write = [], os.fsync

    def fsync(handle):
        found.append(os.fstat(handle).st_ino)
        write(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    return found


def test_delayed_changes_are_visible_at_once_and_reach_the_disk_together(path, store, syncs):
    levels = []
    with store.delaying_sync(), closing(sqlite3.connect(path)) as beside:
        for number in range(1, 4):
            with store.change():
                levels.append(level_of(store))
                deposit_in(store, number)
            assert beside.execute("SELECT count(*) FROM deposits").fetchone() == (number,)
        assert syncs == []
        store.sync()
    log = path.with_name("upcard.db-wal")
    assert (levels, syncs) == ([NORMAL] * 3, [log.stat().st_ino])
    store.sync()
    assert len(syncs) == 1  # there is nothing to write


def deposit_in(store, number):
    store.insert("deposits", amount=str(number), reason="", made_at="")


def test_a_change_outside_or_of_another_thread_waits_for_the_disk_itself(store):
    levels = []

    def change():
        with store.change():
            levels.append(level_of(store))

    with store.delaying_sync():
        with pytest.raises(ZeroDivisionError), store.change():
            _ = 1 / 0
        assert level_of(store) == EXTRA
        other = threading.Thread(target=change)
        other.start()
        other.join()
        change()
    change()
    assert levels == [EXTRA, NORMAL, EXTRA]


def test_a_disk_that_does_not_write_is_reported_until_it_does(store, monkeypatch):
    def fail(_):
        raise OSError(5, "Input/output error")

    with store.delaying_sync():
        deposit(store, 5)
    monkeypatch.setattr(os, "fsync", fail)
    for _ in range(2):
        with pytest.raises(StoreError, match=r"cannot write '.*-wal': Input/output error"):
            store.sync()
    monkeypatch.undo()
    store.sync()
    assert bankroll_of(store) == 5


def test_without_a_log_a_change_is_never_delayed(path, monkeypatch):
    monkeypatch.setattr("upcard.store.database._use_log", lambda _: False)
    with open_store(path) as store, store.delaying_sync():
        with store.change():
            assert level_of(store) == EXTRA
        store.sync()
    with open_in_memory() as store, store.delaying_sync():
        deposit(store, 5)
        store.sync()


def test_without_a_log_the_end_of_the_journal_reaches_the_disk_too(path, monkeypatch):
    """SQLite would undo the last transaction by a journal that a power cut brings back."""
    monkeypatch.setattr("upcard.store.database._use_log", lambda db: False)
    with open_store(path) as store:
        assert level_of(store) == EXTRA


def test_a_change_that_a_power_cut_ended_is_undone_at_the_next_start(path, tmp_path):
    with open_store(path) as store:
        store.rows("PRAGMA journal_mode = DELETE")
        deposit(store, 100)
    found = tmp_path / "found" / path.name
    found.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size = 1")  # pages go to the file before the end of the change
        db.execute("BEGIN")
        db.execute("DELETE FROM deposits")
        db.execute("CREATE TABLE big AS SELECT randomblob(9999)")
        for name in (path.name, f"{path.name}-journal"):
            shutil.copy(path.with_name(name), found.with_name(name))
        db.execute("ROLLBACK")
    with open_store(found) as store:
        assert bankroll_of(store) == 100
        assert store.row("SELECT count(*) FROM sqlite_master WHERE name = 'big'") == (0,)


def test_a_session_that_cannot_be_saved_leaves_its_lock(store, monkeypatch):
    with monkeypatch.context() as patched:
        patched.setattr(store, "change", partial(change_nothing, store.change))
        with pytest.raises(StoreError, match="full"):
            start_session(store, Rules())
    session, lock = start_session(store, Rules())
    assert session.id == 1
    assert not Lock(lock._path).take()
    lock.release()


@contextmanager
def change_nothing(change):
    with change() as store:
        yield store
        raise StoreError("the disk is full")
