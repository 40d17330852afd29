"""The journal keeps what was finished, whatever happens to its last line."""

from __future__ import annotations

import errno
import os
import random
import sys

import numpy as np
import pytest
from fake_rounds import CHUNK, make_fake_job, make_state, play_fake
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from campaign.recording import Recorder
from upcard.simulation.document import Keeper, make_document, save_document
from upcard.simulation.job import RunError
from upcard.simulation.run_state import Journal, JournalEntry
from upcard.simulation.tally import Tally, pack, unpack

SHAPE = (2, 2, 3, 5)
ENTRIES = [
    JournalEntry(chunk, 1000, pack(play_fake(make_fake_job(), chunk, 1000))) for chunk in (2, 0, 5)
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.json.part"


def write(path, entries=ENTRIES, run="this-run"):
    journal = Journal(path, run)
    journal.clear()
    for entry in entries:
        journal.add(entry)
    journal.close()


def read(path, run="this-run"):
    journal = Journal(path, run)
    try:
        return journal.read()
    finally:
        journal.close()


@pytest.mark.slow
@given(
    rounds=arrays(np.int64, SHAPE, elements=st.integers(0, 2**40), fill=st.just(0)),
    added=arrays(np.int64, SHAPE[:3], elements=st.integers(0, 2**40)),
    numbers=st.tuples(st.integers(-99, 99), st.integers(-99, 99), st.integers(0, 2**60)),
)
def test_a_tally_packs_and_unpacks(rounds, added, numbers):
    tally = Tally(
        unit=2,
        least_net=numbers[0],
        least_count=numbers[1],
        spots=3,
        rounds=rounds,
        added=added,
        shoes=numbers[2],
        cards=numbers[2] + 1,
    )
    assert unpack(pack(tally)) == tally


@pytest.mark.parametrize("packed", [b"", b"nonsense", pack(play_fake(make_fake_job(), 0, 9))[:-9]])
def test_what_is_no_packed_tally_is_refused(packed):
    with pytest.raises(RunError, match="no packed tally"):
        unpack(packed)


def test_what_was_added_is_read(path):
    write(path)
    assert read(path) == ENTRIES


def test_a_line_that_was_torn_anywhere_costs_only_itself(path):
    write(path)
    whole = path.read_bytes()
    last = whole[:-1].rindex(b"\n") + 1
    for length in (last, last + 1, last + 20, len(whole) - 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        assert read(path) == ENTRIES[:2]
        journal = Journal(path, "this-run")
        journal.read()
        journal.add(ENTRIES[2])
        journal.close()
        assert read(path) == ENTRIES


@pytest.mark.parametrize("byte", [b"7", b" ", b"\xff"])
def test_a_damaged_line_is_passed_over(path, byte):
    write(path)
    lines = path.read_bytes().split(b"\n")
    middle = len(lines[2]) // 2
    assert lines[2][middle : middle + 1] != byte
    lines[2] = lines[2][:middle] + byte + lines[2][middle + 1 :]
    path.write_bytes(b"\n".join(lines))
    assert read(path) == [ENTRIES[0], ENTRIES[2]]


@pytest.mark.parametrize("begun", [b"", b"upcard jour"])
def test_a_journal_that_was_hardly_begun_is_empty(path, begun):
    path.write_bytes(begun)
    assert read(path) == []
    assert path.read_bytes() == b"upcard journal 1 this-run\n"


def test_the_journal_of_another_run_is_refused_and_left_alone(path):
    write(path)
    before = path.read_bytes()
    with pytest.raises(RunError, match="journal of another run"):
        read(path, "that-run")
    assert path.read_bytes() == before


def test_one_process_at_a_time(path):
    first = Journal(path, "this-run")
    with pytest.raises(RunError, match="another process is playing this run"):
        Journal(path, "this-run")
    first.close()
    Journal(path, "this-run").close()


def test_a_journal_is_removed_for_good(path):
    journal = Journal(path, "this-run")
    journal.remove()
    assert not path.exists()
    journal.close()


def test_a_journal_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(RunError, match=r"cannot write .*No such file"):
        Journal(tmp_path / "nowhere" / "run.json.part", "this-run")


def test_a_new_journal_has_its_name_on_the_disk(path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))
    write(path, entries=())
    assert synced == [path.stat().st_ino, path.parent.stat().st_ino]


def test_what_a_full_disk_cut_off_is_removed(path, monkeypatch):
    run = path.with_name("run.json")
    save_document(run, make_document(make_state(2 * CHUNK)))
    before = run.read_bytes()

    def refuse(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(RunError, match="No space left"):
        save_document(run, make_document(make_state(CHUNK)))
    assert [one.name for one in run.parent.iterdir()] == ["run.json"]
    assert run.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="the layer needs /proc")
def test_a_run_outlasts_a_power_cut_at_every_moment(tmp_path):
    """RUN.json is whole, and what was on the disk is in it or in the journal."""
    state, place = make_state(3 * CHUNK), tmp_path / "recorded" / "run.json"
    place.parent.mkdir()
    with Recorder(place.parent) as recorder:
        keeper = Keeper.start(place, state)
        for chunk in range(3):
            entry = JournalEntry(chunk, CHUNK, pack(play_fake(state.job, chunk, CHUNK)))
            state.receive([entry])
            keeper.add(entry, state)
            os.fsync(keeper._journal._file.fileno())
            recorder.say(chunk + 1)
        keeper.fold(state)
        keeper.close()
    for until in recorder.tape.find_risky():
        promised = [int(chunks) for (chunks,) in recorder.tape.said(until)]
        for seed in range(5):
            folder = tmp_path / f"{until}-{seed}"
            folder.mkdir()
            recorder.tape.cut(until, random.Random(seed), folder)
            if promised or (folder / "run.json").exists():
                again, found = Keeper.resume(folder / "run.json")
                again.close()
                assert found.chunks >= max(promised, default=0)
