"""Opening: new files, those of another format, damaged ones; the platform's folder."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from campaign.recording import Recorder, SqliteLayer
from upcard.store import database
from upcard.store.bankroll import bankroll_of, deposit
from upcard.store.database import FORMAT, open_for_reading, open_store
from upcard.store.files import (
    StoreDamagedError,
    StoreError,
    StoreFormatError,
    data_folder,
    store_path,
)


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def format_of(path):
    with sqlite3.connect(path) as db:
        found = db.execute("PRAGMA user_version").fetchone()[0]
    db.close()
    return found


def set_format(path, number):
    with sqlite3.connect(path) as db:  # another upcard may keep its journal in another way
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute(f"PRAGMA user_version = {number}")
    db.close()


def test_a_new_store_has_the_number_of_its_format(path):
    open_store(path).close()
    assert format_of(path) == FORMAT
    open_store(path).close()
    assert format_of(path) == FORMAT


def test_a_store_keeps_what_was_written(path):
    with open_store(path) as store:
        deposit(store, "12.5")
    with open_store(path) as store:
        assert str(bankroll_of(store)) == "25/2"


def test_a_store_that_could_not_be_created_is_left_empty(path, tmp_path, monkeypatch):
    half = tmp_path / "half.sql"
    half.write_text("CREATE TABLE half (id); CREATE TABLE half (id)")
    monkeypatch.setattr(database, "_SCHEMA", half)
    with pytest.raises(StoreError, match="table half already exists"):
        open_store(path)
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == []
    db.close()
    monkeypatch.undo()
    open_store(path).close()
    assert format_of(path) == FORMAT


@pytest.mark.parametrize(("number", "age"), [(0, "an older"), (FORMAT + 1, "a newer")])
def test_a_store_of_another_format_is_refused_and_left_as_it_is(path, number, age):
    open_store(path).close()
    set_format(path, number)
    before = files_of(path.parent)
    told = f"made by {age} upcard, and its format {number} is not that of upcard .*, {FORMAT}: "
    with pytest.raises(StoreFormatError, match=told):
        open_store(path)
    assert files_of(path.parent) == before


@pytest.mark.parametrize("number", [0, FORMAT + 1])
def test_a_store_of_another_format_is_not_read_either(path, monkeypatch, number):
    monkeypatch.setenv("UPCARD_DATA", str(path.parent))
    open_store(path).close()
    set_format(path, number)
    with pytest.raises(StoreFormatError, match="nothing was changed"):
        open_for_reading()


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
    with pytest.raises(StoreDamagedError, match="is not an SQLite file"):
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
    assert format_of(path) == FORMAT


def test_a_change_is_kept_whole_or_not_at_all(store):
    def fail_in_the_middle():
        with store.change():
            store.run("INSERT INTO objects VALUES ('run', 'a', '{}', '')")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail_in_the_middle()
    assert store.rows("SELECT * FROM objects") == []
    deposit(store, 5)
    assert bankroll_of(store) == 5


def test_a_store_that_another_holds_is_reported(path, monkeypatch):
    monkeypatch.setattr("upcard.store.database.BUSY_SECONDS", 0.1)
    with open_store(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="is in use"):
            deposit(store, 5)


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
    assert format_of(path) == FORMAT


@pytest.mark.skipif(sys.platform == "win32", reason="the layer needs /proc")
@pytest.mark.parametrize("room", [0, 5_000, 50_000])
def test_a_disk_that_is_full_from_the_start_is_named(tmp_path, room):
    with SqliteLayer(), Recorder(tmp_path, room=room) as recorder:
        with pytest.raises(StoreError, match=r"the disk is full|No space left"):
            open_store(tmp_path / "upcard.db")
        recorder.room = None
        open_store(tmp_path / "upcard.db").close()
