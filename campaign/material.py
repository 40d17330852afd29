"""Files to work on, made by upcard once for each worker: a store, runs, reveal files."""

from __future__ import annotations

import json
import random
import shutil
from contextlib import chdir
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from unittest import mock

from campaign.console import talk
from campaign.games import choose_wager, list_games
from upcard.store.bankroll import deposit
from upcard.store.database import open_store
from upcard.store.history import make_reveal, read_rounds, read_rounds_of_shoe, read_shoe
from upcard.store.kept_table import KeptTable
from upcard.store.round_codes import encode_round

if TYPE_CHECKING:
    from pathlib import Path

_GAMES: Final = 8
"""How many of the games are played, spread over their list."""
_ROUNDS: Final = 8
_RUNS: Final = (
    ("--rules", "6D LS", "--count", "hi-lo", "--ramp", "1-8", "--indices", "i18"),
    ("--rules", "1D"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Files of upcard's own, and texts from them."""

    store: Path
    """A store with rounds of several houses, two shoes of each; the last one is still in play."""
    codes: tuple[str, ...]
    reveals: tuple[str, ...]
    runs: tuple[str, ...]


def make_material(folder: Path, *, has_runs: bool = True) -> Material:
    """Play a little and simulate a little in a folder, always the same.

    Raises: RuntimeError if upcard cannot do even that.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "upcard.db"
    play_rounds(path, _ROUNDS)
    with open_store(path) as store:
        rounds = list(read_rounds(store))
        codes = tuple(encode_round(stored.record) for stored in rounds)
        shoes = dict.fromkeys(stored.shoe_id for stored in rounds)
        found = [(read_shoe(store, shoe), read_rounds_of_shoe(store, shoe)) for shoe in shoes]
        reveals = tuple(
            json.dumps(make_reveal(shoe, rows), indent=2)
            for shoe, rows in found
            if shoe.reveal is not None
        )
    runs = []
    with chdir(folder):
        for number, words in enumerate(_RUNS if has_runs else ()):
            name = f"run-{number}.json"
            done = talk(["simulate", *words, "--rounds", "20k", "--seed", "1", "-o", name])
            if done.code:
                msg = f"upcard simulate {words} failed: {done.err}"
                raise RuntimeError(msg)
            runs.append((folder / name).read_text(encoding="utf-8"))
    return Material(store=path, codes=codes, reveals=reveals, runs=tuple(runs))


def play_rounds(path: Path, count: int) -> None:
    """Play rounds at random at several tables, two shoes at each."""
    rng = random.Random(1)
    # The same server seeds in every worker, so that a case finds the same files again.
    with mock.patch("secrets.token_bytes", rng.randbytes), open_store(path) as store:
        deposit(store, 10_000)
        games = list_games()
        for rules in games[:: len(games) // _GAMES]:
            with KeptTable.sit_down(store, rules) as table:
                for number in range(count):
                    state = table.start([choose_wager(rules, rng)] * rules.min_spots)
                    while not state.is_over:
                        state = table.act(rng.choice(state.legal))
                    if number == count // 2:
                        table.end_shoe()


def copy_store(material: Material, folder: Path) -> Path:
    """Put a fresh copy of the store into a folder; return its path."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(material.store, folder / "upcard.db")
    return folder / "upcard.db"
