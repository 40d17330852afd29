"""Files of saved games: where they are, private and locked, and their errors.

StoreError
  StoreDamagedError   the file is not a store, or damaged; it is unchanged
  StoreBusyError      another program holds the file; nothing was changed
  StoreFormatError    an older or a newer upcard made it; it is unchanged
  NotCoveredError     the chips do not cover a bet

On Windows a user's folder is private already, and modes have no effect.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from upcard.core import errors, shared_files, user_files

_START: Final = "the store is damaged: "
_ODD: Final = (
    *(errors.BlackjackError, ArithmeticError, AttributeError, LookupError, RecursionError),
    *(TypeError, ValueError),
)
FILE_NAME: Final = "upcard.db"
KEYMAP_NAME: Final = "keys.toml"
VARIABLE: Final = "UPCARD_DATA"


class StoreError(errors.BlackjackError):
    """The database cannot be opened, read or written."""


class StoreDamagedError(StoreError):
    """The file is not a store of upcard, or is damaged."""


class StoreBusyError(StoreError):
    """Another program holds the file for too long; nothing was changed."""


class StoreFormatError(StoreError):
    """The file is of an older or a newer upcard, with other tables."""


class NotCoveredError(StoreError):
    """The free chips do not cover a bet; those on other tables are not free."""


def damaged(what: str) -> StoreDamagedError:
    """Make the error for a damaged part."""
    return StoreDamagedError(f"{_START}{what}")


@contextmanager
def reading(row: str) -> Iterator[None]:
    """Convert errors to a StoreDamagedError that names the row, such as `round 5`."""
    try:
        yield
    except _ODD as error:
        raise damaged(f"{row}: {str(error).removeprefix(_START)}") from None


class Lock:
    """A lock with a file name. Locks of a store in RAM have no file and are always free."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._handle: int | None = None

    def take(self) -> bool:
        """Take the lock; False if another process has it, or another lock of this one."""
        if self._path is None or self._handle is not None:
            return True
        try:
            self._handle = shared_files.take_lock(self._path, FILE_MODE)
        except OSError as error:
            verb = "lock" if error.filename is None else "make"
            raise StoreError(f"cannot {verb} '{self._path}': {error.strerror}") from None
        return self._handle is not None

    def release(self) -> None:
        """Release the lock and remove its file."""
        if self._handle is None or self._path is None:
            return
        shared_files.drop_lock(self._handle, self._path)
        self._handle = None


FOLDER_MODE: Final = 0o700
FILE_MODE: Final = 0o600
_OTHERS: Final = 0o077
_BESIDE: Final = ("", "-wal", "-shm", "-journal")
"""Suffixes of SQLite's additional files, which get the mode of the main file."""


def make_private(file: Path) -> None:
    """Make a file and its folder private, creating them if needed.

    The mode of a folder with any other files is not changed. A file that is there is not opened:
    SQLite may have it open in this process, whose locks would end when it is closed.
    """
    make_folder(file.parent, tightens=False)
    file = file.resolve()
    if not file.exists():
        with suppress(FileExistsError):  # another process made it meanwhile
            os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE_MODE))
    _check_access(file)
    if os.name == "nt":
        return
    for end in _BESIDE:
        _tighten(file.with_name(f"{file.name}{end}"), FILE_MODE)
    if all(other.name.startswith(file.name) for other in file.parent.iterdir()):
        _tighten(file.parent, FOLDER_MODE)


def make_folder(folder: Path, *, tightens: bool = True) -> None:
    """Make a folder private, creating it if needed; those above it have the usual mode."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=FOLDER_MODE, exist_ok=True)
    if tightens and os.name != "nt":
        _tighten(folder, FOLDER_MODE)


def _check_access(file: Path) -> None:
    """Raise the OSError with which a file that may not be read and written would open."""
    if file.is_dir():
        code = errno.EISDIR
    elif os.access(file, os.R_OK | os.W_OK):
        return
    elif os.name != "nt" and os.statvfs(file).f_flag & os.ST_RDONLY:
        code = errno.EROFS
    else:
        code = errno.EACCES
    raise OSError(code, os.strerror(code), str(file))


def _tighten(place: Path, mode: int) -> None:
    """Remove the rights of others; only an owner can, and SQLite's files come and go."""
    with suppress(OSError):
        found = place.stat()
        if found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) & _OTHERS:
            place.chmod(mode)


def data_folder() -> Path:
    """Return the folder of saved data; it need not exist yet."""
    asked = os.environ.get(VARIABLE)
    if asked:
        return user_files.expand_user(asked, f"folder that {VARIABLE} names")
    from platformdirs import user_data_path

    return user_data_path("upcard", appauthor=False)


def runs_folder(data: Path | None = None) -> Path:
    """Return the folder of the lab's runs in a folder of data (default: the usual one)."""
    return (data or data_folder()) / "runs"


def store_path() -> Path:
    """Return the file of the store; it need not exist yet."""
    return data_folder() / FILE_NAME


def is_store(place: Path) -> bool:
    """Whether a name is that of the user's store."""
    try:
        return place.samefile(store_path())
    except (OSError, ValueError):
        return False


def keymap_path() -> Path:
    """Return the file of the keymap; it need not exist."""
    return data_folder() / KEYMAP_NAME
