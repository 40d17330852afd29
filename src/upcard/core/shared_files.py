"""Files that several processes use at once: locked for one holder, or replaced as a whole.

A lock is of the system, which releases it when the process ends. A file that others may read is
written beside its place and renamed, so that they see the old one or the new one, and a full disk
or a kill leaves the old one. docs/reliability.md lists every such file of upcard.
"""

import os
import stat
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

Identity: TypeAlias = tuple[int, int | str]
"""Device and number of a file."""

IS_WINDOWS: Final = os.name == "nt"
_locking: Final = threading.Lock()
_held: Final[dict[Identity, int]] = {}
"""The files that this process has locked, with their handles."""
_TRIES: Final = 20
_PAUSE_SECONDS: Final = 0.05


def identify(file: Path) -> Identity:
    """Return what a file is, whatever the name by which it is found. Raises: OSError."""
    return _identify(file.stat(), file)


def _identify(found: os.stat_result, file: Path) -> Identity:
    return found.st_dev, found.st_ino or str(file.resolve())  # some file systems have no numbers


def take_lock(path: Path, mode: int = 0o600) -> int | None:
    """Open a file, making it if needed, and lock it; None if it has another holder.

    A file that this process has locked is not opened again: on network file systems, where the
    lock is the process's, any close of the file would end it.

    Raises: OSError, with a `filename` unless it is the lock that the system refuses.
    """
    with _locking:
        with suppress(FileNotFoundError):
            if _is_held(identify(path)):
                return None
        handle = os.open(path, os.O_RDWR | os.O_CREAT, mode)
        is_locked = False
        try:
            is_locked = lock_file(handle, path)
            if is_locked:
                _held[_identify(os.fstat(handle), path)] = handle
        finally:
            if not is_locked:
                os.close(handle)
        return handle if is_locked else None


def _is_held(identity: Identity) -> bool:
    """Whether this process has locked a file, and has it open still."""
    if identity not in _held:
        return False
    with suppress(OSError):
        found = os.fstat(_held[identity])
        if found.st_dev == identity[0] and found.st_ino in (identity[1], 0):
            return True
    del _held[identity]
    return False


def drop_lock(handle: int, path: Path, *, removes: bool = True) -> None:
    """Release a lock that `take_lock` took; by default also remove its file."""
    with _locking:
        _held.pop(_identify(os.fstat(handle), path), None)
        if IS_WINDOWS:  # where an open file cannot be removed
            os.close(handle)
        if removes:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        if not IS_WINDOWS:
            os.close(handle)


def lock_file(handle: int, path: Path) -> bool:
    """Lock an open file for this process alone; return False if another process holds the lock.

    Also return False if `path` is a different file by now: the previous owner may have removed it.
    """
    from filelock import lock_descriptor

    if not lock_descriptor(handle, blocking=False):
        return False
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def replace(source: Path, target: Path) -> None:
    """Rename a file over another. Raises: OSError.

    Windows refuses it while any program has the target open, if only for a moment, as virus
    scanners do: then it is tried again for a second.
    """
    for left in reversed(range(_TRIES)):
        try:
            source.replace(target)
        except PermissionError:
            if not IS_WINDOWS or not left:
                raise
            time.sleep(_PAUSE_SECONDS)
        else:
            return


def write_whole(path: Path, parts: Iterable[bytes], mode: int = 0o666) -> None:
    """Write a file that is complete or, if anything fails, what it was before. Raises: OSError.

    A file that is replaced keeps its mode, and where possible its owner; `mode` is that of a new
    one, less the umask. What cannot be replaced is written where it is: pipes and devices, files
    with several names, and those in folders where no other file can be made.
    """
    before = None
    with suppress(FileNotFoundError):
        before = path.stat()
    place = Path(os.path.realpath(path))  # the file that a link names is replaced, not the link
    fresh = place.with_name(f".upcard-{os.urandom(6).hex()}.part")
    handle = None
    if before is None or _is_replaceable(path, before):
        try:
            handle = os.open(fresh, _NEW, mode)
        except OSError as error:
            if before is None or not isinstance(error, PermissionError):
                raise type(error)(error.errno, error.strerror, str(path)) from None
    if handle is None:
        with path.open("wb") as file:
            file.writelines(parts)
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        if before is not None:
            _take_over(fresh, before)
        replace(fresh, place)
    except BaseException:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise


_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def _is_replaceable(path: Path, found: os.stat_result) -> bool:
    """Whether another file may take the place of this one, which may be written."""
    if path.is_absolute() and path.parts[1:2] in (("dev",), ("proc",)):
        return False  # an open stream by its name, such as /dev/stdout
    return stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and os.access(path, os.W_OK)


def _take_over(fresh: Path, before: os.stat_result) -> None:
    """Give a new file the owner and the mode of the one that it replaces."""
    with suppress(OSError, AttributeError):  # only root may, and not on Windows
        if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
            os.chown(fresh, before.st_uid, before.st_gid)
    with suppress(OSError):
        fresh.chmod(stat.S_IMODE(before.st_mode))
