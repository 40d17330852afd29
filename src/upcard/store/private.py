"""The files of memory are their owner's alone: they hold the seeds of the shoe in play.

On Windows a user's folder is private already, and modes say nothing.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
_OTHERS: Final = 0o077
_BESIDE: Final = ("", "-wal", "-shm", "-journal")
"""What SQLite adds to the file's name; it gives new ones the mode of the file."""


def make_private(file: Path) -> None:
    """Make a file and its folder, or take from others what they may do with those that exist.

    A folder in which other files lie than those of memory is left as it is.

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
    """Take rights away from others; only an owner can, and SQLite's files come and go."""
    with suppress(OSError):
        found = place.stat()
        if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) & _OTHERS:
            place.chmod(mode)
