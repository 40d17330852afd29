"""Changes that are delayed outlast the process at once, and reach the disk together."""

import os
import sqlite3
import threading
from contextlib import closing

import pytest

from upcard.store.bankroll import bankroll_of, deposit
from upcard.store.database import open_in_memory, open_store
from upcard.store.errors import StoreError

NORMAL, FULL = 1, 2


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
    store.run("INSERT OR IGNORE INTO profiles VALUES (1, 'person', '0', '')")
    store.insert("deposits", profile_id=1, amount=str(number), reason="", made_at="")


def test_a_change_outside_or_of_another_thread_waits_for_the_disk_itself(store):
    levels = []

    def change():
        with store.change():
            levels.append(level_of(store))

    with store.delaying_sync():
        with pytest.raises(ZeroDivisionError), store.change():
            _ = 1 / 0
        assert level_of(store) == FULL
        other = threading.Thread(target=change)
        other.start()
        other.join()
        change()
    change()
    assert levels == [FULL, NORMAL, FULL]


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
            assert level_of(store) == FULL
        store.sync()
    with open_in_memory() as store, store.delaying_sync():
        deposit(store, 5)
        store.sync()
