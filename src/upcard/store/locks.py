"""`Lock`: a file lock of one process, which the system releases when the process ends."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from weakref import WeakValueDictionary

from upcard.simulation.run_state import lock_file
from upcard.store.errors import StoreError


class Lock:
    """A lock with a file name. Locks of a store in RAM have no file and are always free."""

    def __init__(self, path: Path | None) -> None:
        """Set the file; `take` locks it."""
        self._path = path
        self._handle: int | None = None

    @property
    def is_taken(self) -> bool:
        """Whether it is taken, by this process."""
        return self._handle is not None

    def take(self) -> bool:
        """Take the lock; False if another process has it.

        Raises: StoreError if its file cannot be made or locked.
        """
        if self._path is None or self._handle is not None:
            return True
        taken = _taken.get(self._path)
        if taken is not None and taken.is_taken:
            return False
        handle = None
        try:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            if lock_file(handle, self._path):
                self._handle = handle
                _taken[self._path] = self
                return True
        except OSError as error:
            msg = f"cannot {'make' if handle is None else 'lock'} '{self._path}': {error.strerror}"
            raise StoreError(msg) from None
        finally:
            if handle is not None and self._handle is None:
                os.close(handle)
        return False

    def release(self) -> None:
        """Release the lock and remove its file."""
        if self._handle is None or self._path is None:
            return
        _taken.pop(self._path, None)
        if os.name == "nt":  # where an open file cannot be removed
            os.close(self._handle)
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
        else:
            self._path.unlink(missing_ok=True)
            os.close(self._handle)
        self._handle = None


_taken: WeakValueDictionary[Path, Lock] = WeakValueDictionary()
"""The locks that this process has, whose files need not be tried."""
