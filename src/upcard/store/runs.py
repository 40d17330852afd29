"""Simulation runs: their files and results."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from upcard.core.user_files import expand_user
from upcard.store.database import Store
from upcard.store.objects import read_object
from upcard.store.schema import now


class StoredRun(NamedTuple):
    """A saved run. Its file may have been moved since."""

    path: Path
    summary: dict[str, Any]
    added_at: datetime


def add_run(store: Store, path: str | Path, summary: dict[str, Any]) -> None:
    """Add a run by its file; the same file again replaces it."""
    place = str(expand_user(path).resolve())
    text = json.dumps(summary, allow_nan=False)
    with store.change():
        store.run("INSERT OR REPLACE INTO runs VALUES (?, ?, ?)", place, text, now())


def remove_run(store: Store, path: str | Path) -> None:
    """Remove a run by its file, if it is there."""
    with store.change():
        store.run("DELETE FROM runs WHERE path = ?", str(expand_user(path).resolve()))


def read_runs(store: Store) -> list[StoredRun]:
    """Read all runs, oldest first. Raises: StoreDamagedError."""
    rows = store.rows("SELECT path, summary, added_at FROM runs ORDER BY added_at, path")
    return [
        StoredRun(Path(path), read_object(summary, f"run {path!r}"), datetime.fromisoformat(added))
        for path, summary, added in rows
    ]
