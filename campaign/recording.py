"""Puts everything that Python and SQLite write below a folder on a tape, and can fill the disk.

Python's files are recorded where they are opened; SQLite's by a layer around its own file system,
which it lets every program register, so neither a compiler nor rights are needed.
"""

from __future__ import annotations

import builtins
import ctypes
import errno
import io
import os
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from campaign.tape import FolderSynced, Said, Synced, Tape, Truncated, Written

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_FULL: Final = 13  # SQLITE_FULL
_SHM_FULL: Final = 10 | 19 << 8  # SQLITE_IOERR_SHMSIZE
_CREATE: Final = 0x4
_SYNCS_FOLDER: Final = 0x800 | 0x4000 | 0x80000  # main journal, super-journal, write-ahead log
_LAYER: Final = b"upcard-campaign"


class Recorder:
    """Records the files below one folder, while it is used in a `with`."""

    def __init__(self, folder: Path, *, room: int | None = None) -> None:
        """Record on a new tape; after `room` more bytes, if given, the disk is full."""
        self.folder = folder.resolve()
        self.tape = Tape(self.folder)
        self.room = room
        self.refused = 0
        """How many writes found the disk full."""
        self._undo: list[tuple[Any, str, Any]] = []

    def __enter__(self) -> Self:
        for owner, name, make in (
            (io, "open", self._make_open),
            (builtins, "open", self._make_open),
            (os, "open", self._make_os_open),
            (os, "write", self._make_os_write),
            (os, "fsync", self._make_fsync),
            (os, "replace", self._make_rename),
            (os, "rename", self._make_rename),
            (os, "unlink", self._make_unlink),
            (os, "remove", self._make_unlink),
        ):
            original = getattr(owner, name)
            self._undo.append((owner, name, original))
            setattr(owner, name, make(original))
        _current.append(self)
        return self

    def __exit__(self, *_: object) -> None:
        _current.remove(self)
        while self._undo:
            owner, name, original = self._undo.pop()
            setattr(owner, name, original)

    def say(self, *words: object) -> None:
        """Note a promise."""
        self.tape.events.append(Said(tuple(map(str, words))))

    def find(self, path: Any) -> Path | None:
        """Return a path below the folder, or None; also that of an open file."""
        try:
            if isinstance(path, int):
                path = Path(f"/proc/self/fd/{path}").readlink()
            place = Path(os.path.abspath(os.fsdecode(path)))  # noqa: PTH100
        except (OSError, TypeError, ValueError):
            return None
        return place if place.is_relative_to(self.folder) else None

    def write(self, place: Path, offset: int, data: bytes) -> None:
        """Note bytes that were written."""
        number = self.tape.live.get(place)
        if number is not None:
            self.tape.events.append(Written(number, offset, data))

    def truncate(self, place: Path, size: int) -> None:
        """Note a new length."""
        number = self.tape.live.get(place)
        if number is not None:
            self.tape.events.append(Truncated(number, size))

    def sync(self, place: Path) -> None:
        """Note that a file or a folder was synced."""
        number = self.tape.live.get(place)
        if number is not None:
            self.tape.events.append(Synced(number))
        elif place.is_dir():
            self.tape.events.append(FolderSynced(place))

    def take_room(self, size: int, end: int) -> bool:
        """Take the room for a file of `size` bytes to reach `end`; False if the disk is full."""
        if self.room is None:
            return True
        more = max(end - size, 0)
        if more > self.room:
            self.refused += 1
            return False
        self.room -= more
        return True

    def give_room(self, size: int) -> None:
        """Note that bytes of the disk are free again."""
        if self.room is not None:
            self.room += size

    def _refuse_new(self, place: Path | None) -> None:
        if place is not None and self.room == 0 and not place.exists():
            self.refused += 1
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(place))

    def _make_open(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def opened(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
            place = self.find(file)
            if place is None or not set(mode) & set("wax+"):
                return original(file, mode, *args, **kwargs)
            self._refuse_new(place)
            return self._open_file(file, place, mode, *args, **kwargs)

        return opened

    def _open_file(  # noqa: PLR0913, PLR0917 (as `open`)
        self,
        file: Any,
        place: Path,
        mode: str,
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,  # noqa: FBT001, FBT002
        opener: Any = None,
    ) -> Any:
        existed = place in self.tape.live
        size = place.stat().st_size if place.exists() and not isinstance(file, int) else 0
        raw = _RecordedFile(
            self, place, file, mode.replace("b", "").replace("t", ""), closefd, opener
        )
        self.tape.create(place)
        if "w" in mode and existed and not isinstance(file, int):
            self.give_room(size)
            self.truncate(place, 0)
        if buffering == 0:
            return raw
        if "+" in mode:
            stream: Any = io.BufferedRandom(raw)
        else:
            stream = io.BufferedWriter(raw)
        return stream if "b" in mode else io.TextIOWrapper(stream, encoding, errors, newline)

    def _make_os_open(self, original: Callable[..., int]) -> Callable[..., int]:
        def opened(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
            place = self.find(path) if flags & os.O_CREAT else None
            self._refuse_new(place)
            handle = original(path, flags, *args, **kwargs)
            if place is not None:
                self.tape.create(place)
            return handle

        return opened

    def _make_os_write(self, original: Callable[..., int]) -> Callable[..., int]:
        def written(handle: int, data: bytes) -> int:
            place = self.find(handle)
            if place is None:
                return original(handle, data)
            offset = os.fstat(handle).st_size  # opened to append
            if not self.take_room(offset, offset + len(data)):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            count = original(handle, data)
            self.write(place, offset, bytes(data)[:count])
            return count

        return written

    def _make_fsync(self, original: Callable[[int], None]) -> Callable[[Any], None]:
        def synced(handle: Any) -> None:
            place = self.find(handle if isinstance(handle, int) else handle.fileno())
            if place is None:
                original(handle)
            else:
                self.sync(place)  # the tape decides what outlasts a power cut: the disk need not

        return synced

    def _make_rename(self, original: Callable[..., None]) -> Callable[..., None]:
        def renamed(source: Any, target: Any, **kwargs: Any) -> None:
            old, new = self.find(source), self.find(target)
            freed = new.stat().st_size if new is not None and new.exists() else 0
            original(source, target, **kwargs)
            if old is not None and new is not None:
                self.give_room(freed)
                self.tape.rename(old, new)

        return renamed

    def _make_unlink(self, original: Callable[..., None]) -> Callable[..., None]:
        def unlinked(path: Any, **kwargs: Any) -> None:
            place = None if kwargs else self.find(path)
            freed = place.stat().st_size if place is not None and place.exists() else 0
            original(path, **kwargs)
            if place is not None:
                self.give_room(freed)
                self.tape.unlink(place)

        return unlinked


class _RecordedFile(io.FileIO):
    """A file of Python's whose writes are recorded."""

    def __init__(  # noqa: PLR0913, PLR0917 (as `FileIO`, with two more)
        self,
        recorder: Recorder,
        place: Path,
        file: Any,
        mode: str,
        closefd: bool,  # noqa: FBT001
        opener: Any,
    ) -> None:
        super().__init__(file, mode, closefd, opener)
        self._recorder = recorder
        self._place = place
        self._appends = "a" in mode

    def write(self, data: Any) -> int:
        """Write as much as there is room for, as a disk does."""
        content = bytes(data)
        size = os.fstat(self.fileno()).st_size
        offset = size if self._appends else self.tell()
        if not self._recorder.take_room(size, offset + len(content)):
            room = self._recorder.room or 0
            content = content[: max(size + room - offset, 0)]
            if not content:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self._recorder.take_room(size, offset + len(content))
        count = super().write(content)
        self._recorder.write(self._place, offset, content[:count])
        return count

    def truncate(self, size: int | None = None) -> int:
        """Cut the file off."""
        before = os.fstat(self.fileno()).st_size
        after = super().truncate(size)
        self._recorder.give_room(before - after)
        self._recorder.truncate(self._place, after)
        return after


# --- SQLite ---------------------------------------------------------------------------------------

_current: list[Recorder] = []
"""The recorders in use: the last one is told what SQLite does."""


class _Methods(ctypes.Structure):
    """`sqlite3_io_methods`, to version 3."""

    _fields_ = (
        ("version", c_int),
        *(
            (name, c_void_p)
            for name in (
                *("close", "read", "write", "truncate", "sync", "file_size", "lock", "unlock"),
                *("check_reserved_lock", "file_control", "sector_size", "characteristics"),
                *("shm_map", "shm_lock", "shm_barrier", "shm_unmap", "fetch", "unfetch"),
            )
        ),
    )


class _System(ctypes.Structure):
    """`sqlite3_vfs`, to version 3."""

    _fields_ = (
        *(("version", c_int), ("file_size", c_int), ("longest_path", c_int), ("next", c_void_p)),
        *(("name", c_char_p), ("data", c_void_p)),
        *(
            (name, c_void_p)
            for name in (
                *("open", "delete", "access", "full_pathname", "dl_open", "dl_error", "dl_sym"),
                *("dl_close", "randomness", "sleep", "current_time", "get_last_error"),
                *("current_time_64", "set_system_call", "get_system_call", "next_system_call"),
            )
        ),
    )


_OPEN: Final = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, POINTER(c_int))
_DELETE: Final = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
_WRITE: Final = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_TRUNCATE: Final = CFUNCTYPE(c_int, c_void_p, c_int64)
_SYNC: Final = CFUNCTYPE(c_int, c_void_p, c_int)
_CLOSE: Final = CFUNCTYPE(c_int, c_void_p)
_SHM_MAP: Final = CFUNCTYPE(c_int, c_void_p, c_int, c_int, c_int, c_void_p)


class SqliteLayer:
    """A file system of SQLite's that tells the current recorder what it does; used in a `with`.

    Raises: OSError if the functions of this Python's SQLite cannot be reached.
    """

    def __init__(self) -> None:
        import _sqlite3

        try:
            self._library = ctypes.CDLL(_sqlite3.__file__)
            find = self._library.sqlite3_vfs_find
        except (AttributeError, OSError) as error:
            msg = f"the functions of this Python's SQLite cannot be reached: {error}"
            raise OSError(msg) from None
        find.restype = POINTER(_System)
        original = find(None).contents
        self._layer = _System.from_buffer_copy(original)
        self._layer.name = _LAYER
        self._open, self._delete = _OPEN(original.open), _DELETE(original.delete)
        self._hooks: list[Any] = [_OPEN(self._on_open), _DELETE(self._on_delete)]
        self._layer.open, self._layer.delete = (_address(hook) for hook in self._hooks)
        self._watches: dict[tuple[int, bool], _Watch] = {}
        self.files: dict[int, tuple[Recorder, Path]] = {}
        """The open files, by their addresses."""
        self.syncs_folder: set[int] = set()
        """Those whose first sync is that of their folder too."""
        self.has_log = True
        """Whether write-ahead logging is possible: some file systems cannot share memory."""

    def __enter__(self) -> Self:
        self._library.sqlite3_vfs_register(ctypes.byref(self._layer), 1)
        return self

    def __exit__(self, *_: object) -> None:
        self._library.sqlite3_vfs_unregister(ctypes.byref(self._layer))

    @contextmanager
    def without_log(self) -> Iterator[None]:
        """Have SQLite use its older journal."""
        self.has_log = False
        try:
            yield
        finally:
            self.has_log = True

    def _on_open(self, system: int, name: int | None, file: int, flags: int, out: Any) -> int:
        code = self._open(system, name, file, flags, out)
        slot = ctypes.cast(file, POINTER(c_void_p))
        if code or name is None or not slot[0] or not _current:
            return code
        place = _current[-1].find(ctypes.string_at(name))
        if place is None:
            return code
        self.files[file] = _current[-1], place
        _current[-1].tape.create(place)
        self.syncs_folder.discard(file)
        if flags & _CREATE and flags & _SYNCS_FOLDER:
            self.syncs_folder.add(file)
        slot[0] = ctypes.addressof(self._wrap(slot[0]))
        return code

    def _on_delete(self, system: int, name: bytes, syncs_folder: int) -> int:
        place = _current[-1].find(name) if _current else None
        freed = place.stat().st_size if place is not None and place.exists() else 0
        code = self._delete(system, name, syncs_folder)
        if place is not None and not code:
            _current[-1].give_room(freed)
            _current[-1].tape.unlink(place)
            if syncs_folder:
                _current[-1].sync(place.parent)
        return code

    def _wrap(self, address: int) -> _Methods:
        """Return the methods of a file with ours in between."""
        key = address, self.has_log
        if key not in self._watches:
            self._watches[key] = _Watch(self, _Methods.from_address(address))
        return self._watches[key].methods


class _Watch:
    """The methods of one kind of file, which tell the recorder of each file what they do."""

    def __init__(self, layer: SqliteLayer, theirs: _Methods) -> None:
        self._files = layer.files
        self._syncs_folder = layer.syncs_folder
        self._write = _WRITE(theirs.write)
        self._truncate = _TRUNCATE(theirs.truncate)
        self._close = _CLOSE(theirs.close)
        self.methods = _Methods.from_buffer_copy(theirs)
        hooks: dict[str, Any] = {
            "write": _WRITE(self._on_write),
            "truncate": _TRUNCATE(self._on_truncate),
            "sync": _SYNC(self._on_sync),
            "close": _CLOSE(self._on_close),
        }
        if not layer.has_log:
            self.methods.version = 1
        elif theirs.shm_map:
            self._share = _SHM_MAP(theirs.shm_map)
            hooks["shm_map"] = _SHM_MAP(self._on_share)
        for name, hook in hooks.items():
            setattr(self.methods, name, _address(hook))
        self._hooks = hooks  # as long as SQLite may call them

    def _on_write(self, file: int, data: int, amount: int, offset: int) -> int:
        recorder, place = self._files[file]
        content = ctypes.string_at(data, amount)
        size = place.stat().st_size if place.exists() else 0
        if not recorder.take_room(size, offset + amount):
            return _FULL
        code: int = self._write(file, data, amount, offset)
        if not code:
            recorder.write(place, offset, content)
        return code

    def _on_truncate(self, file: int, size: int) -> int:
        recorder, place = self._files[file]
        before = place.stat().st_size
        code: int = self._truncate(file, size)
        if not code:
            recorder.give_room(before - size)
            recorder.truncate(place, size)
        return code

    def _on_sync(self, file: int, flags: int) -> int:  # noqa: ARG002 (SQLite's signature)
        recorder, place = self._files[file]
        recorder.sync(place)
        if file in self._syncs_folder:
            self._syncs_folder.discard(file)
            recorder.sync(place.parent)
        return 0

    def _on_close(self, file: int) -> int:
        self._files.pop(file, None)
        code: int = self._close(file)
        return code

    def _on_share(self, file: int, page: int, size: int, extend: int, out: int) -> int:
        recorder, _ = self._files[file]
        if extend and recorder.room == 0:
            recorder.refused += 1
            return _SHM_FULL
        code: int = self._share(file, page, size, extend, out)
        return code


def _address(hook: Any) -> int | None:
    return ctypes.cast(hook, c_void_p).value
