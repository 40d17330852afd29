"""Journal of a run's file, a line per finished chunk, so that a crash loses little.

The first line names the run. Each further line is a chunk's number, its rounds, its packed tally in
base 64 and a checksum. A line with a wrong checksum, such as one cut off by a crash, is skipped:
its chunk is played again.
"""

from __future__ import annotations

import base64
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from upcard.simulation.errors import RunError
from upcard.simulation.file_locks import lock_file

_TITLE: Final = "upcard journal 1"
_SYNC_SECONDS: Final = 1.0


class JournalEntry(NamedTuple):
    """A finished chunk."""

    chunk: int
    rounds: int
    packed: bytes
    """The tally, as `packing.pack` writes it."""


class Journal:
    """A journal open for writing, by one process at a time.

    Entries survive the end of this process at once. The disk writes them with the first that comes
    more than a second after the last time, so a power cut takes the chunks of one second at most.

    Raises: RunError if another process has it open, or it cannot be written.
    """

    def __init__(self, path: Path, run: str) -> None:
        """Open or create the journal of the `run` with this fingerprint; existing lines stay."""
        self.path = path
        self._head = f"{_TITLE} {run}\n".encode()
        self._synced = time.monotonic()
        with self._naming_faults():
            # Unbuffered, so that entries survive the end of this process.
            self._file = path.open("a+b", buffering=0)
            if not lock_file(self._file.fileno(), path):
                self.close()
                raise RunError(f"'{path}' is in use: another process is playing this run")

    @property
    def size(self) -> int:
        """Length of the journal in bytes."""
        return os.fstat(self._file.fileno()).st_size

    def read(self) -> list[JournalEntry]:
        """Return its chunks, and remove invalid lines. Raises: RunError if it is of another run."""
        with self._naming_faults():
            self._file.seek(0)
            data = self._file.readall()
            head, newline, body = data.partition(b"\n")
            if not newline:  # new, or killed before its first line
                self.clear()
                return []
            if head + newline != self._head:
                msg = f"'{self.path}' is the journal of another run: move it away, or remove it"
                raise RunError(msg)
            # An unfinished line has no end: the next entry must not be appended to it.
            if not data.endswith(b"\n"):
                self._file.truncate(data.rindex(b"\n") + 1)
        return list(_read_lines(body))

    def add(self, entry: JournalEntry) -> None:
        """Append a finished chunk. Raises: RunError if it cannot be written."""
        with self._naming_faults():
            self._write(_write_line(entry))
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()

    def clear(self) -> None:
        """Remove all chunks, once saved elsewhere. Raises: RunError if it cannot be written."""
        with self._naming_faults():
            self._file.truncate(0)
            self._write(self._head)
            os.fsync(self._file.fileno())
            sync_folder(self.path.parent)  # the file may be new

    def close(self) -> None:
        """Close the journal, so that another process may open it."""
        self._file.close()

    def remove(self) -> None:
        """Close and delete the journal of a finished run."""
        if os.name == "nt":  # where an open file cannot be removed
            self.close()
        self.path.unlink(missing_ok=True)
        self.close()

    def _write(self, line: bytes) -> None:
        while line:
            line = line[self._file.write(line) :]

    @contextmanager
    def _naming_faults(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RunError(f"cannot write '{self.path}': {error.strerror}") from None


def sync_folder(folder: Path) -> None:
    """Have the disk write the names in a folder, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # a system that does not open folders
        return
    try:
        os.fsync(handle)
    except OSError:  # a file system without it
        pass
    finally:
        os.close(handle)


def _write_line(entry: JournalEntry) -> bytes:
    text = f"{entry.chunk} {entry.rounds} {base64.b64encode(entry.packed).decode()}"
    return f"{text} {_checksum(text)}\n".encode()


def _read_lines(body: bytes) -> Iterator[JournalEntry]:
    for line in body.split(b"\n")[:-1]:
        try:
            text, _, checksum = line.decode("ascii").rpartition(" ")
            if _checksum(text) != checksum:
                continue
            chunk, rounds, packed = text.split(" ")
            yield JournalEntry(int(chunk), int(rounds), base64.b64decode(packed, validate=True))
        except ValueError:
            continue


def _checksum(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
