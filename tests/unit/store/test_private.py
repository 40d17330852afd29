"""The files of memory are their owner's alone: they hold the seeds of the shoe in play."""

import os
import stat

import pytest

from upcard.store.bankroll import bankroll_of, deposit
from upcard.store.database import open_store
from upcard.store.files import VARIABLE, store_path

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="Windows keeps a user's folder private"),
    pytest.mark.usefixtures("usual_umask"),
]


def mode_of(path):
    return oct(stat.S_IMODE(path.stat().st_mode))


def test_a_new_folder_and_its_files_are_private(path):
    """S3-7: with the umask of most accounts they were 0755 and 0644."""
    with open_store(path) as store:
        deposit(store, 100)
        assert mode_of(path.parent) == oct(0o700)
        files = {file.name: mode_of(file) for file in path.parent.iterdir()}
        assert set(files) == {"upcard.db", "upcard.db-wal", "upcard.db-shm"}
        assert set(files.values()) == {oct(0o600)}


def test_files_of_an_older_upcard_are_made_private_when_they_are_opened(path):
    path.parent.mkdir(mode=0o755)
    path.touch(mode=0o644)
    with open_store(path) as store:
        deposit(store, 100)
        for file in path.parent.iterdir():
            file.chmod(0o644)
        path.parent.chmod(0o755)
        with open_store(path) as again:
            assert bankroll_of(again) == 100
        assert mode_of(path.parent) == oct(0o700)
        assert {mode_of(file) for file in path.parent.iterdir()} == {oct(0o600)}


def test_a_folder_with_other_things_in_it_is_left_as_it_is(tmp_path):
    """Memory may be kept in a folder that is not upcard's: its file is private even there."""
    folder = tmp_path / "documents"
    folder.mkdir(mode=0o755)
    (folder / "letter.txt").touch(mode=0o644)
    open_store(folder / "upcard.db").close()
    assert mode_of(folder) == oct(0o755)
    assert mode_of(folder / "letter.txt") == oct(0o644)
    assert mode_of(folder / "upcard.db") == oct(0o600)


def test_a_folder_made_on_the_way_keeps_the_usual_mode(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "share" / "upcard"))
    open_store().close()
    assert mode_of(store_path().parent) == oct(0o700)
    assert mode_of(tmp_path / "share") == oct(0o755)
