"""A file of the tables as they were before there was company: all of it still reads."""

import json
import sqlite3
from pathlib import Path

import pytest

from upcard.fair import verify_shuffle
from upcard.fair.seeds import FairnessError
from upcard.store import schema
from upcard.store.bankroll import bankroll_of, check_books, load_setting
from upcard.store.database import open_store
from upcard.store.history import read_rounds, read_rounds_of_shoe, read_shoes, replay_stored
from upcard.store.kept_table import KeptTable
from upcard.store.learning import load_drill, read_judgements
from upcard.store.reveals import check_reveal, make_reveal
from upcard.store.sessions import find_open_rounds

OLD_STEPS = ("create_bankroll", "create_rounds", "create_judgements", "create_drills_and_runs")


DATA = Path(__file__).parent / "data"


@pytest.fixture
def first_method(tmp_path):
    """A store as upcard 0.1 left it: `data/store_of_method_1.sql` was made by that version.

    Twelve rounds of vegas-strip, a judgement, a drill, and a round in play of a shoe of six decks
    with the player's seed "lucky seven ♣".
    """
    path = tmp_path / "first" / "upcard.db"
    path.parent.mkdir()
    db = sqlite3.connect(path)
    db.executescript((DATA / "store_of_method_1.sql").read_text(encoding="utf-8"))
    db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    db.close()
    return path


@pytest.fixture
def old_path(path, first_method, monkeypatch):
    """A file with only the first four steps done: rounds, an open one, a judgement, a drill."""
    new = first_method
    assert schema.NAMES[:4] == OLD_STEPS
    monkeypatch.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:4])
    open_store(path).close()
    monkeypatch.undo()
    db = sqlite3.connect(path)
    db.execute("ATTACH ? AS new", (str(new),))
    tables = db.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall()
    for (name,) in tables:
        if name == "migrations":
            continue
        columns = ", ".join(row[1] for row in db.execute(f"PRAGMA main.table_info({name})"))
        copy = f"INSERT INTO main.{name} ({columns}) SELECT {columns} FROM new.{name}"  # noqa: S608
        db.execute(copy)
    db.commit()
    columns = [row[1] for row in db.execute("PRAGMA main.table_info(rounds)")]
    db.close()
    assert "own" not in columns
    return path


def test_all_of_an_older_file_reads(old_path, play):
    with open_store(old_path) as store:
        check_books(store)
        rounds = list(read_rounds(store))
        assert len(rounds) >= 12
        for stored in rounds:
            assert stored.player_spots == tuple(range(len(stored.bets)))
            assert stored.own_answers == tuple(range(len(stored.actions)))
            assert stored.session.company == ""
            replay_stored(stored)
        assert len(read_shoes(store)) >= 2
        assert [item.judgement.step for item in read_judgements(store)] == [0]
        assert load_drill(store, "basic") == {"asked": 4}
        assert load_setting(store, "look") is None
        (found,) = find_open_rounds(store)
        assert (found.player_spots, found.session.company) == ((0,), "")
        before = bankroll_of(store)
        with KeptTable.resume(store, found) as table:
            state = table.state
            while not state.is_over:
                state = table.act(state.legal[-1])
            assert bankroll_of(store) == before + state.net
            play(table, bets=(1, 2))
        check_books(store)


def test_shoes_of_the_first_method_still_fit(first_method):
    with open_store(first_method) as store:
        check_books(store)
        over, in_play = read_shoes(store)
        assert (over.method, in_play.reveal) == ("upcard-shuffle-1", None)
        document = make_reveal(over, read_rounds_of_shoe(store, over.id))
    assert "number" not in document
    assert check_reveal(document) == verify_shuffle.check_file(document) == 12


def test_a_shoe_of_the_first_method_in_play_goes_on_with_the_seeds_it_was_committed_to(
    first_method, play
):
    """Both commitments were shown by upcard 0.1, before the file was closed."""
    shown = (
        "39c147f34df9ce59e693ddabc0af2c5783e9de9cab2a82e08a37674086d05245",
        "071ac778d7dd5fe4bc5a55946252bc66f251d42caa3a1691618c43f16eaf1873",
    )
    with open_store(first_method) as store:
        (found,) = find_open_rounds(store)
        with KeptTable.resume(store, found) as table:
            shoe = table.fair_shoe
            assert (str(shoe.commitment), str(shoe.next_commitment)) == shown
            assert shoe.player_seed == "lucky seven ♣"
            while not table.state.is_over:
                table.act(table.state.legal[-1])
            table.end_shoe()
            # Left and taken up in the second shoe, whose seed is the last of the old ones.
            table.start([1])
        number = table.session.id
        (found,) = (one for one in find_open_rounds(store) if one.session.id == number)
        with KeptTable.resume(store, found) as table:
            assert str(table.fair_shoe.commitment) == shown[1]
            while not table.state.is_over:
                table.act(table.state.legal[-1])
            table.end_shoe()
            assert str(table.fair_shoe.commitment) not in shown
            assert table.fair_shoe.player_seed == ""
            play(table, bets=(1,))
            table.end_shoe()
        check_books(store)
        methods = []
        for stored in read_shoes(store)[1:]:
            document = make_reveal(stored, read_rounds_of_shoe(store, stored.id))
            assert check_reveal(document) == verify_shuffle.check_file(document) == 1
            methods.append(document["method"])
        assert methods == ["upcard-shuffle-1", "upcard-shuffle-1", "upcard-shuffle-2"]


def test_reveal_files_of_the_first_method_still_fit():
    documents = json.loads((DATA / "reveals_of_method_1.json").read_text(encoding="utf-8"))
    assert len(documents) == 5
    for document in documents:
        assert check_reveal(document) == verify_shuffle.check_file(document) > 0
        document["commitment"] = "00" * 32
        with pytest.raises(FairnessError):
            check_reveal(document)
        with pytest.raises(verify_shuffle.MismatchError):
            verify_shuffle.check_file(document)
