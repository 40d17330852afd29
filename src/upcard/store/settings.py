"""What a person has set for a screen, by name, so that it is the same at the next start."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from upcard.store.bankroll import PROFILE, find_profile
from upcard.store.learning import read_object

if TYPE_CHECKING:
    from upcard.store.database import Store


def save_setting(store: Store, name: str, value: dict[str, Any], *, profile: str = PROFILE) -> None:
    """Keep a setting of a profile, as anything that JSON can say; a later one replaces it.

    Raises: ValueError for what JSON cannot say; StoreError.
    """
    text = json.dumps(value, allow_nan=False)
    with store.change():
        number = find_profile(store, profile)
        store.run("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", number, name, text)


def load_setting(store: Store, name: str, *, profile: str = PROFILE) -> dict[str, Any] | None:
    """Return a setting of a profile; None if it was never kept.

    Raises: StoreDamagedError.
    """
    row = store.row(
        "SELECT value FROM settings JOIN profiles ON profiles.id = profile_id"
        " WHERE profiles.name = ? AND settings.name = ?",
        profile,
        name,
    )
    return None if row is None else read_object(row[0], f"setting {name!r}")
