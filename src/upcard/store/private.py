"""Private files: only their owner may read them, since they hold the seeds of the shoe in play.

On Windows a user's folder is private already, and modes have no effect.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
_OTHERS: Final = 0o077
_BESIDE: Final = ("", "-wal", "-shm", "-journal")
"""Suffixes of SQLite's additional files, which get the mode of the main file."""


def make_private(file: Path) -> None:
    """Make a file and its folder private, creating them if needed.

    The mode of a folder with any other files is not changed.

    Raises: OSError.
    """
    file.parent.parent.mkdir(parents=True, exist_ok=True)
    file.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, FILE_MODE))
    if os.name == "nt":
        return
    for end in _BESIDE:
        _tighten(file.with_name(f"{file.name}{end}"), FILE_MODE)
    if all(other.name.startswith(file.name) for other in file.parent.iterdir()):
        _tighten(file.parent, FOLDER_MODE)


def _tighten(place: Path, mode: int) -> None:
    """Remove the rights of others; only an owner can, and SQLite's files come and go."""
    with suppress(OSError):
        found = place.stat()
        if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) & _OTHERS:
            place.chmod(mode)
