"""Locks on open files: held by one process at a time, released by the system when it ends.

Everything that several processes may open is locked here: sessions in the store, runs on disk.
"""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from pathlib import Path

_TAKEN: Final = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
# Beyond the end of any file: on Windows no other process can read or write a locked byte.
_LOCKED_BYTE: Final = 2**30


def lock_file(handle: int, path: Path) -> bool:
    """Lock an open file for this process alone; return False if another process holds the lock.

    Also return False if `path` is a different file by now: the previous owner may have removed it.

    Raises: OSError if the file system does not support locks.
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

    windows: Any = msvcrt  # other systems have no such names
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
