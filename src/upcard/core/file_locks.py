"""Locks on open files: one process at a time has one, and the system drops it with the process.

Everything that several processes may open is locked here: sessions in the store, runs on disk.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pathlib import Path

_TAKEN: Final = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
# Behind all that a file has: where Windows locks a byte, nobody else can read or write it.
_LOCKED_BYTE: Final = 2**30


def lock_file(handle: int, path: Path) -> bool:
    """Take an open file for this process alone; False if another process has it.

    False too if `path` is another file by now: whoever had the lock may have removed it.

    Raises: OSError if the file system has no locks.
    """
    try:
        import fcntl
    except ImportError:
        is_ours = _lock_byte(handle)
    else:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_ours = True
        except OSError as error:
            is_ours = _refuse_unless_taken(error)
    return is_ours and _is_there(handle, path)


def _lock_byte(handle: int) -> bool:
    import msvcrt

    windows: Any = msvcrt  # which has no such names elsewhere
    place = os.lseek(handle, 0, os.SEEK_CUR)
    os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
    try:
        windows.locking(handle, windows.LK_NBLCK, 1)
    except OSError as error:
        return _refuse_unless_taken(error)
    finally:
        os.lseek(handle, place, os.SEEK_SET)
    return True


def _refuse_unless_taken(error: OSError) -> bool:
    if error.errno not in _TAKEN:
        raise error
    return False


def _is_there(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
