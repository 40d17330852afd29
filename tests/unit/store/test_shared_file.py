"""One process, one connection: no close of the file takes away the locks that SQLite has on it.

POSIX locks of a process on a file end with any close of the file in that process. Without them the
next process that closes the store believes that it is the last one, and deletes the log that this
one writes to (https://www.sqlite.org/howtocorrupt.html, section 2.2).
"""

import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

import upcard
from upcard.answers.asked import mastery
from upcard.rules.model import Rules
from upcard.store import files
from upcard.store.bankroll import bankroll_of, deposit
from upcard.store.database import open_for_reading, open_store
from upcard.store.files import StoreError
from upcard.store.sessions import start_session


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv(files.VARIABLE, str(tmp_path / "data"))
    return files.store_path()


def forks(test):
    """Mark a test that forks: the copy only opens a store, whatever threads pytest's own has."""
    few = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
    return pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")(few(test))


def look_from_another_process(how="open_for_reading"):
    code = f"from upcard.store import bankroll, database\nwith database.{how}() as store:\n"
    code += "    print(bankroll.bankroll_of(store))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def log_of(path):
    return path.with_name(f"{path.name}-wal").stat().st_ino


def read_history():
    return list(upcard.history())


def open_link(path):
    link = path.with_name("link.db")
    link.symlink_to(path)
    open_store(link).close()


def in_a_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def open_and_read():
    with open_store() as store, store.reading() as snapshot:
        bankroll_of(snapshot)


AGAIN = {
    "open_store": lambda: open_store().close(),
    "open_for_reading": lambda: open_for_reading().close(),
    "by another name": lambda: open_store(Path(os.path.relpath(files.store_path()))).close(),
    "history in Python": read_history,
    "what you know": lambda: mastery.answer(Rules()),
    "private again": lambda: files.make_private(files.store_path()),
    "a link": lambda: open_link(files.store_path()),
    "a thread": lambda: in_a_thread(lambda: open_store().close()),
    "a snapshot": open_and_read,
}


@pytest.mark.parametrize("again", AGAIN)
def test_the_log_outlasts_another_reader_after_the_store_was_opened_twice(path, again):
    with open_store() as store:
        deposit(store, 5)
        log = log_of(path)
        AGAIN[again]()
        assert look_from_another_process() == "5"
        assert log_of(path) == log
        deposit(store, 2)
        with closing(sqlite3.connect(path)) as beside:
            assert beside.execute("SELECT count(*) FROM deposits").fetchone() == (2,)
            assert beside.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert look_from_another_process("open_store") == "7"


@pytest.fixture
def opened(path):
    """The names of files that this process opens by path, without SQLite."""
    found = []
    _watch.append(found)
    yield found
    _watch.remove(found)


_watch = []


def _note(event, arguments):
    if event == "open" and _watch and isinstance(arguments[0], (str, bytes, os.PathLike)):
        for found in _watch:
            found.append(Path(os.fsdecode(arguments[0])).name)


sys.addaudithook(_note)


@pytest.mark.parametrize("again", AGAIN)
def test_no_file_of_the_store_is_opened_by_path_while_a_connection_exists(path, opened, again):
    with open_store() as store, store.delaying_sync():
        deposit(store, 5)
        store.sync()
        opened.clear()
        AGAIN[again]()
        deposit(store, 5)
        store.sync()
        with store.reading() as snapshot:
            bankroll_of(snapshot)
        assert [name for name in opened if name.startswith("upcard.db")] == []


def test_stores_of_one_process_share_a_connection_until_the_last_is_closed(path):
    with open_store() as first:
        with open_store() as second:
            assert second.db is first.db
            deposit(second, 5)
        assert bankroll_of(first) == 5
        second.close()  # again: it ends nothing that is another's
        assert bankroll_of(first) == 5
        with pytest.raises(StoreError, match="closed"):
            bankroll_of(second)
    with pytest.raises(StoreError, match="closed"):
        bankroll_of(first)
    assert sorted(file.name for file in path.parent.iterdir()) == ["upcard.db"]


def test_the_first_may_be_closed_before_the_second(path):
    first, second = open_store(), open_store()
    first.close()
    deposit(second, 5)
    assert bankroll_of(second) == 5
    second.close()
    assert sorted(file.name for file in path.parent.iterdir()) == ["upcard.db"]


def test_a_file_in_the_place_of_another_is_another_store(path):
    with open_store() as store:
        deposit(store, 5)
        for file in path.parent.iterdir():
            file.rename(path.parent.with_name(file.name))
        with open_store() as other:
            assert bankroll_of(other) == 0
        assert bankroll_of(store) == 5


def test_threads_that_open_and_close_at_once_share_what_is_open(path):
    def work(number):
        for _ in range(20):
            with open_store() as store:
                deposit(store, number)

    threads = [threading.Thread(target=work, args=(number,)) for number in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with open_store() as store:
        assert bankroll_of(store) == 120


@forks
def test_a_forked_copy_does_not_use_what_it_inherited(path):
    """It has none of the locks that its copy of SQLite remembers."""
    with open_store() as store:
        deposit(store, 5)
        log = log_of(path)
        child = os.fork()
        if not child:
            told = 0
            for work in (lambda: bankroll_of(store), lambda: open_store().close()):
                try:
                    work()
                except StoreError:
                    told += 1
            os._exit(told)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
        assert look_from_another_process() == "5"
        assert log_of(path) == log
        assert bankroll_of(store) == 5


@forks
def test_a_forked_copy_opens_what_was_closed_before(path):
    """Found by `make campaign ARGS=processes`: a store that was closed counted as open."""
    with open_store() as store:
        deposit(store, 5)
    child = os.fork()
    if not child:
        with open_store() as again:
            deposit(again, 2)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert store.path == path  # it is closed, and still there
    with open_store() as again:
        assert bankroll_of(again) == 7


def test_a_store_that_is_reached_by_a_link_has_its_log_and_locks_beside_the_file(path):
    link = path.parent.with_name("link.db")
    link.symlink_to(path)
    path.parent.mkdir()
    with open_store(link) as store, store.delaying_sync():
        deposit(store, 5)
        store.sync()
        assert log_of(path)
        session, lock = start_session(store, Rules())
        assert path.with_name(f"upcard.db.session-{session.id}.lock").exists()
        lock.release()
        assert store.folder == path.parent
        with open_store(path) as same:
            assert same.db is store.db
