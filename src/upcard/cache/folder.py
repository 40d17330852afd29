"""The folder of saved values: one file each, written whole or not at all, and a bound on all.

Files are opened here and nowhere else in the package, by names of hexadecimal digits. A folder that
is full or read-only is no error: values are then computed again.
"""

from __future__ import annotations

import os
import re
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

_MIB: Final = 2**20
MOST_BYTES: Final = 16_000_000
"""Room for all saved values together; those not used for longest leave first."""
_MOST_ENTRY_BYTES: Final = _MIB
_MOST_HITS: Final = _MIB
_BLOCK: Final = 4096
"""A file takes whole blocks of the disk."""
_STALE_SECONDS: Final = 3600
"""Unfinished files that are older belong to a process that was killed."""
_ENTRY: Final = re.compile(r"([a-z]+)-([0-9a-f]{40})-([0-9a-f]{16})\.saved")
_PART: Final = re.compile(r"[0-9a-f]{16}\.part")
_HITS: Final = re.compile(r"([a-z]+)\.hits")
_READ: Final = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOFOLLOW", 0)  # no link leads out of the folder
    | getattr(os, "O_NONBLOCK", 0)  # a pipe does not keep us waiting
)
_WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_APPEND: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)


class _ListedFile(NamedTuple):
    path: Path
    match: re.Match[str]
    found: os.stat_result


class SavedFile(NamedTuple):
    """A file of the folder."""

    path: Path
    kind: str
    stamp: str
    """Stamp of the program that wrote it."""
    size: int
    used: float
    """When it was last used, in seconds since 1970."""

    @property
    def room(self) -> int:
        """Bytes that it takes on the disk."""
        return -(-self.size // _BLOCK) * _BLOCK


class CacheFolder:
    """Saved values of one stamp in a folder; those of other stamps are never read."""

    def __init__(self, path: Path, stamp: str) -> None:
        """Use the folder `path`, which need not exist."""
        self.path = path
        self._stamp = stamp

    def read(self, name: str) -> bytes | None:
        """Return the bytes of an entry, now the last used; None if it cannot be read."""
        try:
            file = os.open(self._place(name), _READ)
        except OSError:
            return None
        try:
            found = os.fstat(file)
            if not stat.S_ISREG(found.st_mode) or found.st_size > _MOST_ENTRY_BYTES:
                return None
            with os.fdopen(file, "rb", closefd=False) as stream:
                data = stream.read(_MOST_ENTRY_BYTES)
            with suppress(OSError):
                os.utime(self._place(name))
        except OSError:
            return None
        else:
            return data
        finally:
            os.close(file)

    def write(self, name: str, data: bytes) -> None:
        """Save an entry: readers see all of it or nothing; then drop what is too much."""
        part = self.path / f"{os.urandom(8).hex()}.part"
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                file = os.open(part, _WRITE, 0o600)
                with os.fdopen(file, "wb") as stream:
                    stream.write(data)
                part.replace(self._place(name))
            except OSError:
                with suppress(OSError):
                    part.unlink()
                raise
            self._trim()
        except OSError:
            return

    def count_hit(self, kind: str) -> None:
        """Count a value that was read: one more byte in a file, which many processes may do."""
        with suppress(OSError):
            file = os.open(self.path / f"{kind}.hits", _APPEND, 0o600)
            try:
                if os.fstat(file).st_size < _MOST_HITS:
                    os.write(file, b".")
            finally:
                os.close(file)

    def list_files(self) -> list[SavedFile]:
        """Return the saved values, of every stamp."""
        return [
            SavedFile(path, match[1], match[3], found.st_size, found.st_mtime)
            for path, match, found in self._scan(_ENTRY)
        ]

    def count_hits(self) -> dict[str, int]:
        """Return how many values were read, by kind."""
        return {match[1]: found.st_size for _, match, found in self._scan(_HITS)}

    def clear(self) -> list[SavedFile]:
        """Delete all files that upcard wrote; return the saved values among them.

        Raises: OSError if the folder cannot be changed.
        """
        cleared = self.list_files()
        for pattern in (_ENTRY, _PART, _HITS):
            for path, _, _ in self._scan(pattern):
                path.unlink(missing_ok=True)
        with suppress(OSError):  # something else is in it, or it never was
            self.path.rmdir()
        return cleared

    def _place(self, name: str) -> Path:
        return self.path / f"{name}-{self._stamp}.saved"

    def _scan(self, pattern: re.Pattern[str]) -> list[_ListedFile]:
        """Return the files whose names match; others are not ours."""
        matched = []
        with suppress(OSError), os.scandir(self.path) as entries:
            for entry in entries:
                match = pattern.fullmatch(entry.name)
                with suppress(OSError):  # another process deleted it
                    if match is None:
                        continue
                    found = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(found.st_mode):
                        matched.append(_ListedFile(Path(entry.path), match, found))
        return matched

    def _trim(self) -> None:
        """Delete what was not used for longest, if there is too much, and unfinished files."""
        kept = sorted(self.list_files(), key=lambda file: file.used)
        room = sum(file.room for file in kept)
        for file in kept:
            if room <= MOST_BYTES:
                break
            with suppress(OSError):
                file.path.unlink()
            room -= file.room
        long_ago = time.time() - _STALE_SECONDS
        for path, _, found in self._scan(_PART):
            if found.st_mtime < long_ago:
                with suppress(OSError):
                    path.unlink()
