"""Small things stay small however much was played: the work is counted, not timed."""

import pytest

from upcard.line.game import ShoeTeller
from upcard.line.messages import LineMessages
from upcard.store.history import read_rounds
from upcard.store.sessions import find_open_rounds


def count_work(store, do):
    """Return how many steps SQLite's machine takes, and how many rows come back."""
    steps = 0

    def count():
        nonlocal steps
        steps += 1

    store.db.set_progress_handler(count, 1)
    try:
        do()
    finally:
        store.db.set_progress_handler(None, 1)
    return steps


@pytest.fixture
def grown(quick_store, sit, play):
    """Return a function that adds sessions of one shoe each to the store."""

    def grow(sessions):
        for _ in range(sessions):
            with sit(quick_store) as table:
                play(table)
        return quick_store

    return grow


def leave(store, sit, play):
    """Play a round at a table and return what it costs to leave it."""
    table = play(sit(store))
    teller = ShoeTeller(table, LineMessages())
    work = count_work(store, teller.close)
    table.close()
    return work


def test_leaving_looks_at_no_other_shoe(grown, sit, play):
    """S2-2: every end of a shoe read all the shoes that were ever dealt."""
    few = leave(grown(2), sit, play)
    assert leave(grown(60), sit, play) <= few * 1.2


def test_an_answer_and_a_round_look_at_no_other_round(grown, sit, play):
    few = count_work(grown(2), lambda: play(sit(grown(0))))
    many = count_work(grown(60), lambda: play(sit(grown(0))))
    assert many <= few * 2  # sessions that have ended are passed over


def test_the_newest_rounds_are_found_without_the_others(grown):
    few = count_work(grown(8), lambda: list(read_rounds(grown(0), last=5)))
    assert count_work(grown(60), lambda: list(read_rounds(grown(0), last=5))) <= few * 1.2


def test_hands_left_open_are_found_without_reading_rounds(grown):
    few = count_work(grown(2), lambda: list(find_open_rounds(grown(0))))
    assert count_work(grown(60), lambda: list(find_open_rounds(grown(0)))) <= few * 1.2
