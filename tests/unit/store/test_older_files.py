"""A file of the tables as they were before there was company: all of it still reads."""

import sqlite3

import pytest

from upcard import Action
from upcard.store import schema
from upcard.store.bankroll import bankroll_of, check_books
from upcard.store.database import open_store
from upcard.store.history import read_rounds, read_shoes
from upcard.store.kept_table import KeptTable
from upcard.store.learning import load_drill, read_judgements, record_judgement, save_drill
from upcard.store.records import Judgement
from upcard.store.replay import replay_stored
from upcard.store.sessions import find_open_rounds
from upcard.store.settings import load_setting

OLD_STEPS = ("create_bankroll", "create_rounds", "create_judgements", "create_drills_and_runs")


@pytest.fixture
def old_path(path, tmp_path, sit, play, monkeypatch):
    """A file with only the first four steps done: rounds, an open one, a judgement, a drill."""
    new = tmp_path / "new.db"
    with open_store(new) as store:
        with sit(store, "vegas-strip") as table:
            play(table, rounds=12, bets=(10, 5))
            judgement = Judgement(
                step=0,
                situation="hard 16 v T",
                category="hard hits",
                chosen=Action.HIT,
                best=Action.STAND,
                cost_ev=0.01,
                cost_chips=0.1,
                method="made up",
            )
            record_judgement(store, table.session, 3, judgement)
            save_drill(store, "basic", {"asked": 4})
        with sit(store, "6D", chips=0) as table:
            while table.start([10]).is_over:
                pass
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
            assert stored.own == tuple(range(len(stored.bets)))
            assert stored.own_answers == tuple(range(len(stored.actions)))
            assert stored.session.company == ""
            replay_stored(stored)
        assert len(read_shoes(store)) >= 2
        assert [item.judgement.step for item in read_judgements(store)] == [0]
        assert load_drill(store, "basic") == {"asked": 4}
        assert load_setting(store, "look") is None
        (found,) = find_open_rounds(store)
        assert (found.own, found.session.company) == ((0,), "")
        before = bankroll_of(store)
        with KeptTable.resume(store, found) as table:
            state = table.state
            while not state.is_over:
                state = table.act(state.legal[-1])
            assert bankroll_of(store) == before + state.net
            play(table, bets=(1, 2))
        check_books(store)
