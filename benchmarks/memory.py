"""The user's memory after a million rounds: what commands take with it, and what they hold.

The history is made up: a few sessions are played at the table, then copied with their shoes until
there are enough rounds. So every round replays, and sums, bankrolls and places are right.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from benchmarks.jobs import COMMAND
from benchmarks.timing import Figure, run_yardstick, time_once

if TYPE_CHECKING:
    import resource
    import sqlite3
    from collections.abc import Iterator

    from upcard.store.database import Store

ROUNDS: Final = 1_000_000
_GAMES: Final = ("6D", "vegas-strip", "6D LS", "european", "2D H17")
_ROUNDS_OF_A_SESSION: Final = 400
_JUDGED: Final = 0.9
_MISTAKES: Final = 0.1
_CHIPS: Final = 10**9


class Cost(NamedTuple):
    """What a command took: its time, start of the interpreter included, and MB at most."""

    figure: Figure
    megabytes: float

    def to_json(self) -> dict[str, float]:
        """Return it as what JSON knows."""
        return {**self.figure._asdict(), "megabytes": self.megabytes}


def make_history(path: Path, rounds: int = ROUNDS) -> None:
    """Make a store with so many rounds."""
    from upcard.store.database import open_in_memory, open_store

    with open_in_memory() as pattern, open_store(path) as store:
        _play_sessions(pattern)
        copies = rounds // (len(_GAMES) * _ROUNDS_OF_A_SESSION)
        with store.change():
            _copy(pattern.db, store.db, copies)


def _play_sessions(store: Store) -> None:
    """Play a session in each house, with a player whose answers are often judged."""
    from upcard import Action, Rules
    from upcard.fair.fair_shoe import FairShoe
    from upcard.store.bankroll import deposit
    from upcard.store.kept_table import KeptTable
    from upcard.store.learning import record_judgement
    from upcard.store.records import JudgementRecord

    rng = random.Random(1)
    deposit(store, _CHIPS)
    for game in _GAMES:
        rules = Rules.parse(game)
        shoe = FairShoe(rules, seeds=lambda: rng.randbytes(32))
        with KeptTable.sit_down(store, rules, shoe=shoe) as table:
            for _ in range(_ROUNDS_OF_A_SESSION):
                state = table.start([rng.choice((5, 10, 10, 10, 25))])
                while not state.is_over:
                    hand = state.hands[state.active]
                    action = Action.HIT if hand.total < 16 else Action.STAND
                    action = action if action in state.legal else state.legal[-1]
                    step = len(table.actions)
                    state = table.act(action)
                    if rng.random() > _JUDGED:
                        continue
                    cost = rng.random() / 10 if rng.random() < _MISTAKES else 0.0
                    judgement = JudgementRecord(
                        step=step,
                        situation=f"hard {hand.total} v T",
                        category=f"hard {action}s",
                        chosen=action,
                        best=action,
                        cost_ev=cost,
                        cost_chips=cost * 10,
                        method="made up",
                    )
                    record_judgement(store, table.session, table.round_number, judgement)


def _copy(source: sqlite3.Connection, db: sqlite3.Connection, copies: int) -> None:
    """Copy sessions, shoes, rounds and judgements so often, each time with numbers of its own."""
    most = {
        name: source.execute(f"SELECT max(id) FROM {name}").fetchone()[0]  # noqa: S608
        for name in ("sessions", "shoes", "rounds")
    }
    deposits = source.execute("SELECT * FROM deposits").fetchall()
    db.executemany("INSERT INTO deposits VALUES (?, ?, ?, ?)", deposits)
    rows = {name: _read_table(source, name) for name in (*most, "judgements")}
    references = {
        "sessions": {"id": "sessions"},
        "shoes": {"id": "shoes", "session_id": "sessions"},
        "rounds": {"id": "rounds", "session_id": "sessions", "shoe_id": "shoes"},
        "judgements": {"session_id": "sessions"},
    }
    for name, columns in references.items():
        marks = ", ".join("?" * len(rows[name][0]))
        names = ", ".join(rows[name][0])
        statement = f"INSERT INTO {name} ({names}) VALUES ({marks})"  # noqa: S608
        db.executemany(statement, _number(rows[name], columns, most, copies))
    last = "SELECT bankroll FROM rounds ORDER BY id DESC LIMIT 1"
    db.execute(f"UPDATE bankroll SET amount = ({last})")  # noqa: S608


def _number(
    rows: list[dict[str, Any]], columns: dict[str, str], most: dict[str, int], copies: int
) -> Iterator[tuple[Any, ...]]:
    chips = Fraction(_CHIPS)
    for copy in range(copies):
        for row in rows:
            moved = dict(row)
            for column, table in columns.items():
                moved[column] += copy * most[table]
            if "booked" in row:
                chips += Fraction(row["booked"])
                moved["bankroll"] = str(chips)
            yield tuple(moved.values())


def _read_table(db: sqlite3.Connection, name: str) -> list[dict[str, Any]]:
    found = db.execute(f"SELECT * FROM {name} ORDER BY rowid")  # noqa: S608
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found]


COMMANDS: Final = {
    "upcard stats": ("stats",),
    "upcard stats --chart": ("stats", "--chart"),
    "upcard history": ("history",),
    "upcard history --last 5": ("history", "--last", "5"),
    "upcard history --last 5 --json": ("history", "--last", "5", "--json"),
    "upcard history --last 10000 --csv": ("history", "--last", "10000", "--csv", os.devnull),
    "upcard play --line, left at once": ("play", "--line"),
}


def measure_memory(runs: int, *, rounds: int = ROUNDS) -> dict[str, Cost]:
    """Measure commands in fresh processes, on a store with so many rounds; their median counts."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "upcard.db"
        start = time.perf_counter()
        make_history(path, rounds)
        made = time.perf_counter() - start
        size = path.stat().st_size / 1e6
        print(f"{rounds:,} rounds made in {made:.0f} s, {size:,.0f} MB", file=sys.stderr)
        costs: dict[str, Cost] = {}
        for name, words in COMMANDS.items():
            _run(folder, words)  # what a house is worth is worked out once
            taken = [_run(folder, words) for _ in range(runs)]
            costs[name] = sorted(taken, key=lambda cost: cost.figure.seconds)[runs // 2]
        return costs


def _run(folder: str, words: tuple[str, ...]) -> Cost:
    yardstick = time_once(run_yardstick)
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *words],
        env=os.environ | {"UPCARD_DATA": folder, "UPCARD_CACHE": folder},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - start
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, words)
    return Cost(Figure(seconds, seconds / yardstick), _megabytes(usage))


def _megabytes(usage: resource.struct_rusage) -> float:
    unit = 1 if sys.platform == "darwin" else 1024
    return usage.ru_maxrss * unit / 1e6
