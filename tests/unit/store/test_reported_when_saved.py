"""What a front-end is told is on the disk by then: a second connection looks while it is told."""

import sqlite3

import pytest

from campaign.books import check_books
from upcard import Action, EmptyShoeError
from upcard.fair.fair_shoe import FairShoe
from upcard.store.bankroll import bankroll_of
from upcard.store.database import open_store
from upcard.store.files import StoreError
from upcard.store.history import read_rounds
from upcard.store.kept_table import KeptTable
from upcard.store.sessions import find_open_rounds
from upcard.table.events import Acted, Dealt, RoundEnded, RoundStarted, Settled


@pytest.fixture
def beside(path, store):
    """Another process's view of the file: what is not committed is not in it."""
    db = sqlite3.connect(path)
    yield db
    db.close()


def fail(*_, **__):
    msg = "the disk is full"
    raise StoreError(msg)


def test_a_result_is_booked_before_it_is_reported(store, sit, play, beside):
    """S3-1: at each `Settled` and `RoundEnded` the round and the bankroll are on the disk."""
    table, seen = sit(store, "vegas-strip"), []

    def look(event):
        if isinstance(event, Settled | RoundEnded):
            booked = beside.execute("SELECT max(number) FROM rounds").fetchone()[0]
            bankroll = beside.execute("SELECT amount FROM bankroll").fetchone()[0]
            assert booked == table.round_number
            assert beside.execute("SELECT * FROM open_rounds").fetchall() == []
            seen.append((booked, bankroll))

    table.listeners.append(look)
    play(table, rounds=20, bets=(10, 5))
    booked = {stored.number: str(stored.bankroll) for stored in read_rounds(store)}
    assert len(booked) == 20
    assert dict(seen) == booked


def test_bets_and_answers_are_recorded_before_their_cards_are_reported(store, sit, play, beside):
    """S3-1: a card that was told cannot be dealt otherwise after a power cut."""
    table = sit(store)
    answered = 0

    def look(event):
        nonlocal answered
        if isinstance(event, RoundStarted):
            answered = 0
        answered += isinstance(event, Acted)
        if isinstance(event, RoundStarted | Dealt | Acted):
            (text,) = beside.execute(
                "SELECT actions FROM open_rounds UNION ALL SELECT actions FROM rounds"
                " WHERE number = ? ORDER BY 1 DESC LIMIT 1",
                (table.round_number,),
            ).fetchone()
            assert len([word for word in text.split(", ") if word]) >= answered

    table.listeners.append(look)
    play(table, rounds=10)


def play_until_asked(table):
    while table.start([10]).is_over:
        pass


def stand_to_the_end(table):
    while table.is_playing:
        table.act(Action.STAND if Action.STAND in table.state.legal else Action.NO_INSURANCE)


def test_a_result_that_could_not_be_booked_is_not_reported(path, store, sit, monkeypatch):
    """S3-1: on a full disk nobody is told of a win, and the hand is found at the next start."""
    told = []
    with sit(store) as table:
        play_until_asked(table)
        table.listeners.append(told.append)
        bankroll = bankroll_of(store)
        monkeypatch.setattr("upcard.store.kept_table.KeptTable._settle", fail)
        with pytest.raises(StoreError, match="the disk is full"):
            stand_to_the_end(table)
        monkeypatch.undo()
        assert not [event for event in told if isinstance(event, Settled | RoundEnded)]
        assert bankroll_of(store) == bankroll
    with open_store(path) as later:
        (found,) = find_open_rounds(later)
        with KeptTable.resume(later, found) as table:
            assert table.state.is_over
            assert bankroll_of(later) == bankroll + table.state.net
        check_books(later)


def test_a_result_is_reported_when_it_could_be_booked_at_last(quick_store, sit, monkeypatch):
    """S3-1: no listener misses a card, so counts stay right where play continues."""
    table, told = sit(quick_store), []
    play_until_asked(table)
    table.listeners.append(told.append)
    monkeypatch.setattr("upcard.store.kept_table.KeptTable._settle", fail)
    with pytest.raises(StoreError):
        stand_to_the_end(table)
    monkeypatch.undo()
    table.start([10])
    kinds = [type(event) for event in told]
    assert kinds.index(RoundEnded) < kinds.index(RoundStarted)


def test_the_cards_of_a_void_round_are_reported(quick_store, sit, monkeypatch):
    """They were seen, though nothing comes of them."""
    table, told = sit(quick_store, "1D CSM"), []
    play_until_asked(table)
    table.listeners.append(told.append)
    while Action.HIT not in table.state.legal:
        table.act(Action.NO_INSURANCE)

    def draw(_):
        msg = "all 52 cards are on the table"
        raise EmptyShoeError(msg)

    monkeypatch.setattr(FairShoe, "draw", draw)
    with pytest.raises(EmptyShoeError):
        table.act(Action.HIT)
    assert told[-1] == Acted(0, Action.HIT)
