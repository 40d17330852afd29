"""Locks on open files: held by one process at a time, released by the system when it ends.

Everything that several processes may open is locked here: sessions in the store, runs on disk.
"""

from __future__ import annotations

import os
from pathlib import Path


def lock_file(handle: int, path: Path) -> bool:
    """Lock an open file for this process alone; return False if another process holds the lock.

    Also return False if `path` is a different file by now: the previous owner may have removed it.

    Raises: OSError if the file system does not support locks.
    """
    from filelock import lock_descriptor

    if not lock_descriptor(handle, blocking=False):
        return False
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False
