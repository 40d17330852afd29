"""A file has one owner at a time (S3-8); on Windows by the tests of filelock."""

from __future__ import annotations

import pytest

from upcard.core.shared_files import lock_file
from upcard.simulation.job import RunError
from upcard.simulation.run_state import Keeper
from upcard.store.files import Lock


def test_a_run_is_played_by_one_process(tmp_path):
    path = tmp_path / "r.json"
    keeper = Keeper(path)
    with pytest.raises(RunError, match="is in use: another process is playing this run"):
        Keeper(path)
    keeper.close()
    Keeper(path).close()
    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_cannot_be_made_is_named(tmp_path):
    with pytest.raises(RunError, match=r"cannot write .*run.json.part.*No such file"):
        Keeper(tmp_path / "nowhere" / "run.json")


def test_a_session_is_held_by_one_process(tmp_path):
    path = tmp_path / "session.lock"
    lock, other = Lock(path), Lock(path)
    assert lock.take()
    assert not other.take()
    lock.release()
    assert not path.exists()


def test_a_file_that_was_removed_is_no_longer_the_one(tmp_path):
    path = tmp_path / "x"
    with path.open("wb") as file:
        path.unlink()
        assert not lock_file(file.fileno(), path)
        path.touch()
        assert not lock_file(file.fileno(), path)


def test_a_file_system_without_locks_is_told_from_a_lock_that_is_taken(tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def flock(handle, how):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(OSError, match="No locks"), (tmp_path / "x").open("wb") as file:
        lock_file(file.fileno(), tmp_path / "x")
