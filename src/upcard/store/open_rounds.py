"""The sessions with a round in progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from upcard.store.database import Store


def list_open_sessions(store: Store) -> list[int]:
    """Return the numbers of the sessions with a round in progress, the oldest round first.

    Raises: StoreError.
    """
    rows = store.rows("SELECT session_id FROM open_rounds ORDER BY started_at")
    return [number for (number,) in rows]
