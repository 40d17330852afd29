"""`Lock`: a file that one process at a time holds; the system lets go of it when that one dies."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from upcard.store.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path


class Lock:
    """A lock by the name of a file. Locks of a store in memory have no file and are always free."""

    def __init__(self, path: Path | None) -> None:
        """Name the lock; `take` takes it."""
        self._path = path
        self._handle: int | None = None

    def take(self) -> bool:
        """Take the lock if nobody else has it; False if somebody does.

        Raises: StoreError if its file cannot be made.
        """
        if self._path is None or self._handle is not None:
            return True
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            msg = f"cannot make '{self._path}': {error.strerror}"
            raise StoreError(msg) from None
        if _lock(handle) and self._is_there(handle):
            self._handle = handle
            return True
        os.close(handle)
        return False

    def release(self) -> None:
        """Let go of the lock, and take its file away."""
        if self._handle is None or self._path is None:
            return
        if os.name == "nt":  # where an open file cannot be removed
            os.close(self._handle)
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
        else:
            self._path.unlink(missing_ok=True)
            os.close(self._handle)
        self._handle = None

    def _is_there(self, handle: int) -> bool:
        """Whether the file is still the one by that name: its last owner may have removed it."""
        try:
            return self._path is not None and os.path.samestat(os.fstat(handle), self._path.stat())
        except FileNotFoundError:
            return False


def _lock(handle: int) -> bool:
    try:
        import fcntl
    except ImportError:
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
