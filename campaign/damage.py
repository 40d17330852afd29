"""Damaged files: the store, runs, reveal files and houses, read by the commands that read them.

A command may give its answer or refuse in one line; a damaged run or reveal file may never pass for
what it is not.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from campaign.case import FindingError, Subject, describe_error
from campaign.console import talk
from campaign.entries import TEXTS
from campaign.fuzz import HangError, limit_time, shorten
from campaign.material import copy_store, make_material
from campaign.mutation import choose_text

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from campaign.case import Case
    from campaign.console import Answer
    from campaign.material import Material

_STORE_COMMANDS: Final = (
    *(("history",), ("history", "--json"), ("history", "--codes"), ("history", "--csv", "-")),
    *(("stats",), ("stats", "--json"), ("verify",), ("verify", "--shoe", "1"), ("replay", "1")),
    *(("replay", "12", "--json"), ("play", "--json", "--rounds", "1"), ("play", "--rounds", "1")),
    *(("train", "strategy", "--json"), ("train", "countdown"), ("verify", "--shoe", "3", "--json")),
)
_RUN_COMMANDS: Final = (
    *(("ramp", "RUN.json"), ("ramp", "RUN.json", "--json"), ("ramp", "RUN.json", "--explain")),
    *(("simulate", "--resume", "RUN.json"), ("bankroll", "RUN.json", "--bankroll", "400")),
    *(("simulate", "--extend", "10k", "RUN.json"), ("replay", "RUN.json", "--shoe", "0")),
)
_ANSWERS: Final = ("5", "s", "no", "s", "h", "s", "1", "2", "2", "q", "s", "s")
_VALUES: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, -1, 7, 10**9, 10**30, -(10**12), 0.5, 1e308, "", "x", "0", "-1"),
    *("1e999999999", "1/0", "x" * 400, "hi-lo", [], {}, [[]], [1, 2], {"a": 1}, float("inf")),
    float("nan"),
)


class Damager:
    """Damages copies of files in a folder."""

    def __init__(self, folder: Path, material: Material) -> None:
        self.folder = folder
        self.material = material
        self._right: dict[tuple[str, ...], str] = {}
        self._cards = {
            played["cards"] for text in material.reveals for played in json.loads(text)["rounds"]
        }

    def warm_up(self) -> None:
        """Run the commands once on a sound run, so that compiling counts as no hang later."""
        for words in _RUN_COMMANDS:
            Path("RUN.json").write_text(self.material.runs[0], encoding="utf-8")
            if words[0] != "bankroll":  # its work is behind a seam, and it takes long
                talk(words)

    def damage_store(self, case: Case) -> None:
        """Damage a copy of the store, as bytes or field by field, and run a command."""
        rng = case.rng
        path = copy_store(self.material, self.folder / "data")
        if rng.random() < 0.5:
            data = damage_bytes(path.read_bytes(), rng)
            path.write_bytes(data)
            case.count("stores damaged as bytes")
            where = f"a store of {len(data)} bytes, damaged"
        else:
            where = change_fields(path, rng)
            case.count("stores with changed fields")
        words = rng.choice(_STORE_COMMANDS)
        self._run(list(words), where, _ANSWERS)

    def damage_run(self, case: Case) -> None:
        """Damage a run's file as bytes: it is refused, or answers as before."""
        rng = case.rng
        which = rng.randrange(len(self.material.runs))
        text = self.material.runs[which]
        words = rng.choice(_RUN_COMMANDS[:3])
        place = Path("RUN.json")
        if (str(which), *words) not in self._right:
            place.write_text(text, encoding="utf-8")
            self._right[str(which), *words] = self._run(list(words), "an undamaged run").out
        place.write_bytes(damage_bytes(text.encode(), rng))
        answer = self._run(list(words), "a damaged run")
        if answer.code == 0 and answer.out != self._right[str(which), *words]:
            msg = f"upcard {words} answers otherwise for a damaged run: {answer.out[:300]!r}"
            raise FindingError(msg)
        case.count("runs damaged as bytes")

    def forge_run(self, case: Case) -> None:
        """Change a field of a run's file and make its checksum anew."""
        from upcard.simulation import run_state

        rng = case.rng
        found = json.loads(rng.choice(self.material.runs))
        path = []
        for _ in range(rng.choice((1, 1, 2))):
            path = change_leaf(found, rng)
        try:
            found["checksum"] = run_state._checksum(  # noqa: SLF001 (forged on purpose)
                {name: value for name, value in found.items() if name != "checksum"}
            )
            text = json.dumps(found)
        except ValueError:
            text = json.dumps(found)  # infinite numbers have no checksum
        Path("RUN.json").write_text(text, encoding="utf-8")
        words = rng.choice(_RUN_COMMANDS)
        self._run(list(words), f"a run with another {'.'.join(map(str, path))}: {shorten(text)}")
        case.count("runs with changed fields and a right checksum")

    def damage_reveal(self, case: Case) -> None:
        """Damage a reveal file: it may fit only with the cards that were dealt."""
        rng = case.rng
        text = rng.choice(self.material.reveals)
        if rng.random() < 0.5:
            data = damage_bytes(text.encode(), rng)
        else:
            found = json.loads(text)
            change_leaf(found, rng)
            data = json.dumps(found).encode()
        Path("reveal.json").write_bytes(data)
        answer = self._run(["verify", "reveal.json"], shorten(data.decode("utf-8", "replace")))
        if answer.code == 0:
            cards = {played["cards"] for played in json.loads(data)["rounds"]}
            if not all(self._was_dealt(one) for one in cards):
                msg = f"a changed reveal file fits: {shorten(data.decode())}"
                raise FindingError(msg)
        case.count("reveal files")

    def _was_dealt(self, cards: str) -> bool:
        """Whether these are the cards of a round, or its first ones."""
        said = cards.split()
        return bool(said) and any(one.split()[: len(said)] == said for one in self._cards)

    def damage_house(self, case: Case) -> None:
        """Damage the TOML file of a house or of a counting system."""
        rng = case.rng
        kind, words = rng.choice(
            (
                ("house file", ["rules", "damaged.toml"]),
                ("house file", ["play", "--house", "damaged.toml", "--practice", "--json"]),
                ("counting system", ["counts", "damaged.toml"]),
                ("index plays", ["counts", "hi-lo", "--indices", "damaged.toml"]),
            )
        )
        text = rng.choice(TEXTS[kind].examples)
        Path("damaged.toml").write_bytes(damage_bytes(text.encode(), rng))
        self._run(words, f"a damaged {kind}", _ANSWERS)
        case.count("houses, counting systems and index plays")

    def _run(self, words: list[str], where: str, answers: tuple[str, ...] = ()) -> Answer:
        """Run a command; raise a finding unless it ends as it may."""
        said = f"upcard {' '.join(words)} on {where}"
        with limit_time(lambda: said):
            try:
                answer = talk(words, answers)
            except (Exception, SystemExit) as error:
                msg = f"{said}:\n{describe_error(error)}"
                raise FindingError(msg) from None
        may = (0, 1, 2) if words[0] in ("verify", "replay") else (0, 2)
        if answer.code not in may or "Traceback" in answer.out + answer.err:
            msg = f"{said} ended with {answer.code}: {answer.err[-400:]}"
            raise FindingError(msg)
        if answer.code == 2 and not 1 <= len(answer.err.strip().splitlines()) <= 3:
            msg = f"{said} refused in other than one line: {answer.err[-600:]!r}"
            raise FindingError(msg)
        return answer


def damage_bytes(data: bytes, rng: random.Random) -> bytes:
    """Flip bits, cut, swap, or repeat blocks."""
    changed = bytearray(data)
    match rng.randrange(5):
        case 0:
            return data[: rng.randrange(len(data) + 1)]
        case 1:
            size = rng.choice((1, 16, 512, 4096))
            one, two = rng.randrange(len(data)), rng.randrange(len(data))
            changed[one : one + size], changed[two : two + size] = (
                data[two : two + size],
                data[one : one + size],
            )
        case 2:
            at, size = rng.randrange(len(data)), rng.choice((1, 16, 512, 4096))
            changed[at : at + size] = rng.randbytes(min(size, len(data) - at))
        case 3:
            at, size = rng.randrange(len(data)), rng.choice((1, 16, 512))
            changed[at:at] = data[at : at + size]
        case _:
            for _ in range(rng.choice((1, 1, 2, 8))):
                changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def change_fields(path: Path, rng: random.Random) -> str:
    """Change some fields of a store's rows; say which."""
    told = []
    with closing(sqlite3.connect(path)) as db:
        tables = [
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        for _ in range(rng.choice((1, 1, 1, 2, 5))):
            table = rng.choice(tables)
            described = db.execute(f"PRAGMA table_info({table})").fetchall()
            column = rng.choice([row[1] for row in described])
            keys = [row[1] for row in described if row[5]] or ["rowid"]
            rows = db.execute(f"SELECT {', '.join(keys)} FROM {table}").fetchall()
            if not rows:
                continue
            row = rng.choice(rows)
            where = " AND ".join(f"{key} IS ?" for key in keys)
            old = db.execute(f"SELECT {column} FROM {table} WHERE {where}", row)
            new = _choose_field(rng, old.fetchone()[0])
            told.append(f"{table}.{column} = {shorten(str(new))} in row {row}")
            # The store may refuse it, and SQLite what it has no type for.
            with suppress(sqlite3.Error, OverflowError, UnicodeEncodeError):
                db.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (new, *row))
        db.commit()
    return "a store with " + "; ".join(told)


def _choose_field(rng: random.Random, old: object) -> object:
    if rng.random() < 0.5 and isinstance(old, str):
        return choose_text(rng, (old or "x",))
    return rng.choice(
        (None, 0, -1, 1, 2**40, 0.5, "", "x", "0", "-5", "1e9999", "1/0", b"\xff\x00", "9" * 500)
    )


def change_leaf(document: Any, rng: random.Random) -> list[object]:
    """Put another value somewhere into a document; return the way there."""
    way: list[object] = []
    place = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = rng.choice(keys)
        way.append(key)
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or rng.random() < 0.15:
            break
        place = inner
    match rng.randrange(4):
        case 0 if isinstance(place, dict):
            del place[key]
        case 1 if isinstance(place[key], str):
            place[key] = choose_text(rng, (place[key] or "x",))
        case 2 if isinstance(place[key], int | float):
            place[key] = rng.choice((place[key] + 1, -place[key], place[key] * 10**9))
        case _:
            place[key] = rng.choice(_VALUES)
    return way


def start(folder: Path) -> Callable[[Case], None]:
    """Make files to damage."""
    from campaign.seams import close_seams

    os.chdir(folder)
    damager = Damager(folder, make_material(folder / "material"))
    damager.warm_up()
    close_seams()
    signal.signal(signal.SIGPROF, _ring)
    kinds = (
        *(damager.damage_store, damager.damage_store, damager.damage_run, damager.forge_run),
        *(damager.forge_run, damager.damage_reveal, damager.damage_reveal, damager.damage_house),
    )

    def run(case: Case) -> None:
        kinds[case.rng.randrange(len(kinds))](case)

    return run


def _ring(*_: object) -> None:
    raise HangError


SUBJECT: Final = Subject(
    name="damage",
    about="damaged stores, runs, reveal files and houses: a right answer or one line",
    unit="damaged files",
    quick=2_000,
    long=6_000,
    start=start,
    patience=60.0,
    megabytes=3000,
)
