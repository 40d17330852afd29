"""Opening: new files, older ones, newer ones, damaged ones; the platform's folder."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from campaign.recording import Recorder, SqliteLayer
from upcard.store import schema
from upcard.store.bankroll import bankroll_of, deposit
from upcard.store.database import open_for_reading, open_store
from upcard.store.files import (
    StoreDamagedError,
    StoreError,
    StoreNewerError,
    data_folder,
    store_path,
)
from upcard.store.schema import MIGRATIONS, NAMES


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def version_of(path):
    with sqlite3.connect(path) as db:
        names = schema.list_applied(db)
    db.close()
    return names


def test_a_new_store_has_been_through_every_step(path):
    open_store(path).close()
    assert version_of(path) == NAMES
    open_store(path).close()
    assert version_of(path) == NAMES


def test_a_store_keeps_what_was_written(path):
    with open_store(path) as store:
        deposit(store, "12.5")
    with open_store(path) as store:
        assert str(bankroll_of(store)) == "25/2"


@pytest.mark.parametrize("steps", range(len(MIGRATIONS)))
def test_an_older_store_is_brought_up_to_date(path, monkeypatch, steps):
    monkeypatch.setattr(schema, "MIGRATIONS", MIGRATIONS[:steps])
    open_store(path).close()
    assert version_of(path) == NAMES[:steps]
    if steps:
        with sqlite3.connect(path) as db:
            db.execute("INSERT INTO profiles (name, bankroll, created_at) VALUES ('a', '7', '')")
        db.close()
    monkeypatch.undo()
    with open_store(path) as store:
        assert version_of(path) == NAMES
        assert bankroll_of(store, "a") == (7 if steps else 0)


def test_a_step_that_fails_is_undone_and_can_be_done_later(path, monkeypatch):
    def create_half(db):
        db.execute("CREATE TABLE half (id)")
        db.execute("CREATE TABLE profiles (id)")

    monkeypatch.setattr(schema, "MIGRATIONS", (*MIGRATIONS[:2], create_half))
    with pytest.raises(StoreError, match="table profiles already exists"):
        open_store(path)
    assert version_of(path) == NAMES[:2]
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT name FROM sqlite_master WHERE name = 'half'").fetchall() == []
    db.close()
    monkeypatch.undo()
    open_store(path).close()
    assert version_of(path) == NAMES


def test_a_newer_store_is_refused_and_left_as_it_is(path, monkeypatch):
    def create_future(db):
        db.execute("CREATE TABLE future (id)")

    monkeypatch.setattr(schema, "MIGRATIONS", (*MIGRATIONS, create_future))
    monkeypatch.setattr(schema, "NAMES", (*NAMES, "create_future"))
    open_store(path).close()
    monkeypatch.undo()
    with sqlite3.connect(path) as db:  # a newer upcard may keep its journal in another way
        db.execute("PRAGMA journal_mode = DELETE")
    db.close()
    before = files_of(path.parent)
    with pytest.raises(StoreNewerError, match=r"step 'create_future', which upcard .* not know"):
        open_store(path)
    assert files_of(path.parent) == before


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE migrations SET number = 99 WHERE number = 1",
        "DELETE FROM migrations WHERE number = 1",
    ],
    ids=["out of order", "one missing"],
)
def test_a_store_whose_list_of_steps_is_damaged_is_refused(path, change):
    """Found by `make campaign ARGS=damage`: it was a traceback."""
    open_store(path).close()
    with sqlite3.connect(path) as db:
        db.execute(change)
    db.close()
    with pytest.raises(StoreDamagedError, match="damaged: its list of migrations"):
        open_store(path)


def test_a_store_whose_damage_sqlite_cannot_put_into_words_is_refused(path):
    """Found by `make campaign ARGS=damage`: a name that is not UTF-8 was a traceback."""
    open_store(path).close()
    whole = path.read_bytes()
    assert b"CREATE TABLE deposits (" in whole
    path.write_bytes(whole.replace(b"CREATE TABLE deposits (", b"CREATE \xe9ABLE deposits (", 1))
    with pytest.raises(StoreDamagedError, match="is damaged"):
        open_store(path)


def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(path):
    path.parent.mkdir()
    path.write_text("my notes of an evening")
    with pytest.raises(StoreDamagedError, match="is no SQLite file"):
        open_store(path)
    assert files_of(path.parent) == {"upcard.db": b"my notes of an evening"}


def test_another_programs_database_is_refused_and_left_as_it_is(path):
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipes (id)")
    db.close()
    before = files_of(path.parent)
    with pytest.raises(StoreDamagedError, match="is another program's"):
        open_store(path)
    assert files_of(path.parent) == before


@pytest.mark.parametrize("where", ["first page", "middle", "torn"])
def test_a_damaged_store_is_refused_and_left_as_it_is(path, where):
    with open_store(path) as store:
        for _ in range(200):
            deposit(store, 1, reason="x" * 100)
    data = bytearray(path.read_bytes())
    if where == "torn":
        del data[len(data) // 2 :]
    else:
        start = 100 if where == "first page" else len(data) // 2 // 4096 * 4096
        data[start : start + 2000] = bytes(range(200)) * 10
    path.write_bytes(data)
    with pytest.raises(StoreDamagedError, match=r"damaged|another program's"):
        open_store(path)
    assert path.read_bytes() == data


def test_an_empty_file_becomes_a_store(path):
    path.parent.mkdir()
    path.touch()
    open_store(path).close()
    assert version_of(path) == NAMES


def test_a_change_is_kept_whole_or_not_at_all(store):
    def fail_in_the_middle():
        with store.change():
            store.run("INSERT INTO runs VALUES ('a', '{}', '')")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail_in_the_middle()
    assert store.rows("SELECT * FROM runs") == []
    deposit(store, 5)
    assert bankroll_of(store) == 5


def test_a_store_that_another_holds_is_reported(path, monkeypatch):
    monkeypatch.setattr("upcard.store.database.BUSY_SECONDS", 0.1)
    with (
        open_store(path) as store,
        open_store(path) as other,
        other.change(),
        pytest.raises(StoreError, match="is in use"),
    ):
        store.run("BEGIN IMMEDIATE")


def test_a_folder_that_cannot_be_made_is_reported(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot make"):
        open_store(tmp_path / "file" / "upcard.db")


def test_the_folder_is_the_platforms_or_the_one_asked_for(monkeypatch, tmp_path):
    monkeypatch.delenv("UPCARD_DATA", raising=False)
    assert data_folder().name == "upcard"
    assert data_folder().is_absolute()
    monkeypatch.setenv("UPCARD_DATA", str(tmp_path))
    assert store_path() == tmp_path / "upcard.db"


def test_looking_makes_no_file(monkeypatch, tmp_path):
    monkeypatch.setenv("UPCARD_DATA", str(tmp_path / "data"))
    with open_for_reading() as store:
        assert bankroll_of(store) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_several_processes_may_begin_at_once(path):
    script = Path(__file__).with_name("automatic_session.py")
    processes = [
        subprocess.Popen([sys.executable, str(script), str(path), str(seed), "0"])
        for seed in range(4)
    ]
    assert [process.wait(timeout=60) for process in processes] == [0] * 4
    assert version_of(path) == NAMES


@pytest.mark.skipif(sys.platform == "win32", reason="the layer needs /proc")
@pytest.mark.parametrize("room", [0, 5_000, 50_000])
def test_a_disk_that_is_full_from_the_start_is_named(tmp_path, room):
    with SqliteLayer(), Recorder(tmp_path, room=room) as recorder:
        with pytest.raises(StoreError, match=r"the disk is full|No space left"):
            open_store(tmp_path / "upcard.db")
        recorder.room = None
        open_store(tmp_path / "upcard.db").close()
