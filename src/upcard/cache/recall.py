"""Results that were computed before, or are computed now and saved in a folder.

Files are opened here and nowhere else in the package, by names of hexadecimal digits. A folder that
is full or read-only is not an error: values are then computed again.
"""

import binascii
import os
import re
import stat
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar, cast

from upcard.cache import entry
from upcard.core.shared_files import replace
from upcard.core.user_files import expand_user

KINDS: Final = {
    "game": "values of games",
    "chart": "best charts",
    "free": "best charts of free hands",
    "cells": "values of a chart's cells",
    "costs": "cells that cost most",
    "exceptions": "hands to play by their cards",
    "bonus": "hands to play for a bonus",
    "hand": "values of hands",
    "split": "values of splits",
    "openings": "opening hands of a game",
    "dealer": "the dealer's totals",
    "removal": "effects of removal",
    "decisions": "effects of removal on decisions",
    "gone": "values when cards are gone",
    "rounds": "values of rounds",
    "sidebet": "edges of side bets",
    "indices": "indices of counts",
    "insurance": "insurance by the count",
}
"""Kinds of results, the words that file names begin with, and what they are called."""
MOST_BYTES: Final = 16_000_000
"""Room for all saved values together; those not used for longest leave first."""
_MOST_ENTRY_BYTES: Final = 2**20
_BLOCK: Final = 4096
"""A file takes whole blocks of the disk."""
_STALE_SECONDS: Final = 3600
"""Unfinished files that are older belong to a process that was killed."""
_ENTRY: Final = re.compile(r"([a-z]+)-([0-9a-f]{40})-([0-9a-f]{16})\.saved")
_PART: Final = re.compile(r"[0-9a-f]{16}\.part")
_WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
FILE_NAME: Final = "shipped.txt"
_HEAD: Final = "upcard shipped values 2"


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
        self.path = path
        self._stamp = stamp

    def read(self, name: str) -> bytes | None:
        """Return the bytes of an entry, now the last used; None if it cannot be read."""
        place = self._place(name)
        try:
            if place.stat().st_size > _MOST_ENTRY_BYTES:
                return None
            data = place.read_bytes()
        except OSError:
            return None
        with suppress(OSError):
            os.utime(place)
        return data

    def write(self, name: str, data: bytes) -> None:
        """Save an entry: readers see all of it or nothing; then drop what is too much."""
        part = self.path / f"{os.urandom(8).hex()}.part"
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                file = os.open(part, _WRITE, 0o600)
                with os.fdopen(file, "wb") as stream:
                    stream.write(data)
                replace(part, self._place(name))
            except OSError:
                with suppress(OSError):
                    part.unlink()
                raise
            self._trim()
        except OSError:
            return

    def list_files(self) -> list[SavedFile]:
        """Return the saved values, of every stamp."""
        return [
            SavedFile(path, match[1], match[3], found.st_size, found.st_mtime)
            for path, match, found in self._scan(_ENTRY)
        ]

    def clear(self) -> list[SavedFile]:
        """Delete all files that upcard wrote; return the saved values among them."""
        cleared = self.list_files()
        for pattern in (_ENTRY, _PART):
            for path, _, _ in self._scan(pattern):
                path.unlink(missing_ok=True)
        with suppress(OSError):  # something else is in it, or it never was
            self.path.rmdir()
        return cleared

    def _place(self, name: str) -> Path:
        return self.path / f"{name}-{self._stamp}.saved"

    def _scan(self, pattern: re.Pattern[str]) -> list[tuple[Path, re.Match[str], os.stat_result]]:
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
                        matched.append((Path(entry.path), match, found))
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


VARIABLE: Final = "UPCARD_CACHE"
OFF: Final = "off"
"""With this in the variable, every value is computed."""

# For the whole process, as a context variable does not reach threads: what each context computed.
_bypassed: list[dict[object, Any]] = []


def is_off() -> bool:
    """Whether saved values are neither read nor written."""
    return bool(_bypassed) or os.environ.get(VARIABLE, "").lower() == OFF


@contextmanager
def bypass_cache() -> Iterator[None]:
    """Compute every value, once, in all threads, until the context ends."""
    _bypassed.append({})
    try:
        yield
    finally:
        _bypassed.pop()


def cache_folder() -> Path:
    """Return the folder of saved values; it need not exist yet."""
    asked = os.environ.get(VARIABLE, "")
    if asked and asked.lower() != OFF:
        return expand_user(asked, f"folder that {VARIABLE} names")
    from platformdirs import user_cache_path

    return user_cache_path("upcard", appauthor=False)


Result = TypeVar("Result")
_only_saved: Final[ContextVar[bool]] = ContextVar("only_saved", default=False)


class _NotSavedError(Exception):
    """A value that would have to be computed."""


def open_folder() -> CacheFolder:
    """Return the folder of values saved by this program."""
    return CacheFolder(cache_folder(), program_stamp())


def recall(question: entry.SavedQuestion[Result]) -> Result:
    """Return the result of a question: shipped, saved, or computed and saved."""
    folder = None if is_off() else open_folder()
    outcome: Result | entry.SavedRefusal | None = None
    if folder is not None:
        outcome = _look_up(question, folder)
    if outcome is None:
        if _only_saved.get():
            raise _NotSavedError
        if folder is None:
            known = _bypassed[-1] if _bypassed else {}
            # A result has the rules that were asked about, with their name and side bets.
            key = question.name, question.rules.name, question.rules.side_bets
            if key not in known:
                known[key] = question.compute()
            return cast("Result", known[key])
        try:
            outcome = question.compute()
        except entry.REFUSALS as error:
            outcome = entry.SavedRefusal(error)
        with suppress(entry.MalformedError):
            content = entry.write_content(question, outcome)
            outcome = entry.read_content(question, content)  # as a later caller has it
            folder.write(question.name, entry.write_entry(question, content))
    if isinstance(outcome, entry.SavedRefusal):
        raise outcome.error
    return outcome


def peek(find: Callable[[], Result]) -> Result | None:
    """Return what `find` returns if saved values are enough for that; None if it would compute.

    `find` may ask several questions, and does nothing else that takes time.
    """
    token = _only_saved.set(True)
    try:
        return find()
    except _NotSavedError:
        return None
    finally:
        _only_saved.reset(token)


def _look_up(
    question: entry.SavedQuestion[Result], folder: CacheFolder
) -> Result | entry.SavedRefusal | None:
    with suppress(entry.MalformedError):
        shipped = find_shipped(question.name)
        if shipped is not None:
            return entry.read_content(question, shipped)
    with suppress(entry.MalformedError):  # a damaged file is computed and replaced
        data = folder.read(question.name)
        if data is not None:
            return entry.read_entry(question, data)
    return None


FOLDERS: Final = ("core", "rules", "strategy", "kernels", "exact")
"""The folders that compute, with those below: a change of a program there makes values stale."""


def program_stamp(folders: tuple[str, ...] = FOLDERS) -> str:
    """Return the stamp of the programs in some folders and below."""
    from upcard.kernels import stamp_sources

    return stamp_sources(folders, _read_file()[1])


@cache
def _read_file() -> tuple[str, str, bytes]:
    """Return the head of the shipped values, the programs that they come with, and their lines."""
    data = b""
    with suppress(OSError):
        data = files(__package__).joinpath(FILE_NAME).read_bytes()
    head, _, rest = data.replace(b"\r\n", b"\n").partition(b"\n")
    programs, _, lines = rest.partition(b"\n")
    return head.decode(errors="replace"), programs.decode(errors="replace"), b"\n" + lines


def read_shipped() -> bytes:
    """Return the lines of the shipped values; none if this program did not make them."""
    head, _, lines = _read_file()
    return lines if head == write_head() else b""


def find_shipped(name: str) -> str | None:
    """Return the shipped content of a question by its name; None if there is none."""
    lines = read_shipped()
    start = lines.find(f"\n{name} ".encode())
    if start < 0:
        return None
    begin = start + len(name) + 2
    try:
        return unpack(lines[begin : lines.index(b"\n", begin)])
    except (ValueError, zlib.error):  # a damaged installation
        return None


def count_shipped() -> int:
    """Return the number of shipped values that are read."""
    return max(read_shipped().count(b"\n") - 1, 0)


def unpack(packed: bytes) -> str:
    """Return the content of a packed line."""
    return zlib.decompress(binascii.a2b_base64(packed)).decode()


def write_head() -> str:
    """Return the first line of the file of shipped values."""
    return f"{_HEAD} {program_stamp()}"
