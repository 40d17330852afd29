"""Memory that can be read and not written: what only reads works, the rest says why not."""

import json
import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from driving import fix_shuffle, talk

import upcard
from upcard.store.database import name_file
from upcard.store.files import VARIABLE

NOBODY = 65534


@pytest.fixture
def folder(monkeypatch):
    """A folder with two rounds in it, whose files may be read and not written."""
    if os.name == "nt":
        pytest.skip("modes say nothing there")
    place = Path(tempfile.mkdtemp())  # one that an ordinary user can get to
    monkeypatch.setenv(VARIABLE, str(place))
    fix_shuffle(monkeypatch)
    talk(["play", "--rules", "6D NOINS"], ["10", "s", "10", "s", "q"])
    yield place
    place.chmod(0o755)
    shutil.rmtree(place)


@pytest.fixture
def user():
    """Return a function that continues as an ordinary user, whom modes stop: root they do not."""
    is_root = os.geteuid() == 0

    def go_on():
        if not is_root:
            return
        os.seteuid(NOBODY)
        try:
            Path(upcard.__file__).read_bytes()
            Path(pytest.__file__).read_bytes()
        except PermissionError:
            pytest.skip("the tests run as root, from where nobody else may read")

    yield go_on
    if is_root:
        os.seteuid(0)


def close(folder):
    """Let everybody read what is in a folder, and nobody write it."""
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)


READERS = {
    "history": ["history"],
    "history --json": ["history", "--json"],
    "history --csv": ["history", "--csv", "-"],
    "stats": ["stats"],
    "stats --chart": ["stats", "--chart", "--json"],
    "verify": ["verify"],
    "verify --shoe": ["verify", "--shoe", "1"],
    "replay": ["replay", "1"],
}


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
def test_what_only_reads_works_where_nothing_can_be_written(folder, user, words):
    """S4.8: "unable to open database file", though nothing was to be written."""
    expected = talk(words)
    close(folder)
    before = sorted(file.name for file in folder.iterdir())
    user()
    assert talk(words) == expected
    assert expected.code == 0
    assert sorted(file.name for file in folder.iterdir()) == before


def test_playing_there_names_practice(folder, user):
    close(folder)
    user()
    answer = talk(["play", "--line"], ["10"])
    assert answer.code == 2
    assert "--practice plays without saving" in answer.err


def test_a_store_of_another_format_is_refused_there_too(folder, user):
    with closing(sqlite3.connect(folder / "upcard.db")) as db:
        db.execute("PRAGMA user_version = 99")
    close(folder)
    user()
    answer = talk(["history", "--json"])
    assert answer.code == 2
    assert "made by a newer upcard" in answer.err


def test_an_empty_file_has_no_rounds_there(folder, user):
    for file in folder.iterdir():
        file.unlink()
    (folder / "upcard.db").touch()
    close(folder)
    user()
    answer = talk(["history", "--json"])
    assert answer.code == 0
    assert json.loads(answer.out)["rounds"] == []


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("file://server/share/a%20b/upcard.db", "file:////server/share/a%20b/upcard.db"),
        ("file:///C:/data/upcard.db", "file:///C:/data/upcard.db"),
        ("file:///home/ann/upcard.db", "file:///home/ann/upcard.db"),
    ],
)
def test_a_path_on_a_server_names_no_host(uri, name):
    """S3-8: SQLite refuses `file://server/...`."""
    assert name_file(uri, "mode=ro") == f"{name}?mode=ro"
