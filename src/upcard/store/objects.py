"""JSON objects in columns of the store."""

from __future__ import annotations

from typing import Any

from upcard.core.errors import UserFileError
from upcard.core.user_files import parse_json
from upcard.store.errors import damaged


def read_object(text: str, what: str) -> dict[str, Any]:
    """Read a JSON object of the store. Raises: StoreDamagedError naming `what` it is."""
    try:
        found = parse_json(text, what)
    except UserFileError:
        found = None
    if not isinstance(found, dict):
        raise damaged(f"{what} is no JSON object")
    return found
