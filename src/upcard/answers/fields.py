"""Fields that a person fills in, for commands and pages: how each is read, and its help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its reader, which raises BlackjackError for a text that it refuses, and its help."""

    read: Callable[[str], Any]
    help: str
    metavar: str = "TEXT"
    """The value in the help of a command."""
