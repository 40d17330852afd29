"""Sessions killed at random moments, and several at once: nothing settled is lost, ever."""

import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from campaign.books import check_books, replay_stored
from upcard.rules.model import Rules
from upcard.store.bankroll import bankroll_of, deposit
from upcard.store.database import open_store
from upcard.store.history import (
    check_reveal,
    make_reveal,
    read_round,
    read_rounds,
    read_rounds_of_shoe,
    read_shoes,
)
from upcard.store.kept_table import KeptTable
from upcard.store.sessions import find_open_rounds, lock_of

SCRIPT = Path(__file__).with_name("automatic_session.py")


def begin(path, seed, rounds):
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), str(path), str(seed), str(rounds)],
        stdout=subprocess.PIPE,
        text=True,
    )


def play_until_killed(path, seed, rng):
    """Kill a session at a random moment; return what it had said until then."""
    process = begin(path, seed, 10_000)
    said = []
    has_opened = threading.Event()

    def read():
        for line in process.stdout:
            said.append(line.split())
            has_opened.set()

    reader = threading.Thread(target=read)
    reader.start()
    if rng.random() < 0.9:  # else while it starts
        has_opened.wait(timeout=60)
    time.sleep(rng.random() ** 2 * 0.3)
    process.kill()
    process.wait()
    reader.join()
    process.stdout.close()
    return said


def check_all(path, said, rounds_before):
    """Check that the store is whole and has all that was said; return its rounds."""
    with open_store(path) as store:
        check_books(store)
        settled = [line for line in said if line[0] == "settled"]
        for _, number, bankroll in settled:
            assert str(read_round(store, int(number)).bankroll) == bankroll
        rounds = list(read_rounds(store))
        assert rounds_before <= len(rounds) <= rounds_before + len(settled) + 1
        for stored in rounds[rounds_before:]:
            replay_stored(stored)
        still_open = list(find_open_rounds(store))
        assert len(still_open) <= 1
        if still_open and said and said[-1][0] == "act":
            _, number, count = said[-1]
            assert still_open[0].number > int(number) or len(still_open[0].record.actions) >= int(
                count
            )
        return len(rounds)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 100, 20))
def test_a_hundred_killed_sessions_lose_nothing_settled(path, first):
    """A store for every twenty: after each kill all that its store holds is checked again."""
    rng = random.Random(first)
    with open_store(path) as store:
        deposit(store, 10**7)
    rounds = 0
    for number in range(20):
        said = play_until_killed(path, first + number, rng)
        rounds = check_all(path, said, rounds)
    assert rounds
    finish(path)


def finish(path):
    """Let a last session end in peace: no round is open then, and every shoe can be checked."""
    done = begin(path, 0, 1)
    done.communicate(timeout=60)
    assert done.returncode == 0
    with open_store(path) as store:
        check_books(store)
        assert list(find_open_rounds(store)) == []
        for shoe in read_shoes(store):
            rows = read_rounds_of_shoe(store, shoe.id)
            assert check_reveal(make_reveal(shoe, rows)) == len(rows)
    assert sorted(item.name for item in path.parent.iterdir()) == ["upcard.db"]


@pytest.mark.slow
def test_several_terminals_at_once_do_not_corrupt_the_store(path):
    with open_store(path) as store:
        deposit(store, 10**6)
    sessions = [begin(path, seed, 15) for seed in range(4)]
    said = [process.communicate(timeout=120)[0] for process in sessions]
    assert [process.returncode for process in sessions] == [0] * 4
    assert [text.count("settled") for text in said] == [15] * 4
    with open_store(path) as store:
        check_books(store)
        rounds = list(read_rounds(store))
        assert len(rounds) == 60
        # Booked one after another, each on what the one before it left.
        left = 10**6
        for stored in rounds:
            left += stored.net
            assert stored.bankroll == left
            replay_stored(stored)
        assert bankroll_of(store) == left


def test_the_lock_of_a_session_that_was_killed_goes_at_the_next_start(tmp_path):
    """S4.11."""
    with open_store(tmp_path / "upcard.db") as store:
        killed = KeptTable.sit_down(store, Rules())
        left = lock_of(store, killed.session.id)._path
        os.close(killed._lock._handle)  # as the system does for a process that is killed
        killed._lock._handle = None
        assert left.exists()
        KeptTable.sit_down(store, Rules()).close()
        assert not left.exists()
        assert list(tmp_path.glob("*.lock")) == []
