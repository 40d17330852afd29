"""A person's settings of a screen, saved by name for the next start."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from upcard.store.bankroll import PROFILE, find_profile
from upcard.store.objects import read_object

if TYPE_CHECKING:
    from upcard.store.database import Store


def save_setting(store: Store, name: str, value: dict[str, Any], *, profile: str = PROFILE) -> None:
    """Save a setting of a profile, any JSON object, replacing an earlier one.

    Raises: ValueError if it is not JSON; StoreError.
    """
    text = json.dumps(value, allow_nan=False)
    with store.change():
        number = find_profile(store, profile)
        store.run("INSERT OR REPLACE INTO settings VALUES (?, ?, ?)", number, name, text)


def load_setting(store: Store, name: str, *, profile: str = PROFILE) -> dict[str, Any] | None:
    """Return a setting of a profile; None if it was never saved. Raises: StoreDamagedError."""
    query = (
        "SELECT value FROM settings JOIN profiles ON profiles.id = profile_id"
        " WHERE profiles.name = ? AND settings.name = ?"
    )
    row = store.row(query, profile, name)
    return None if row is None else read_object(row[0], f"setting {name!r}")
