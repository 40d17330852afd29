"""How kernels are compiled: without the interpreter's lock, kept on disk where that can be done."""

from __future__ import annotations

import hashlib
import sys
import threading
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, TypeVar, cast

import numba

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Function = TypeVar("Function", bound=Callable[..., object])

PATIENCE_SECONDS: Final = 1.0
_ANNOUNCED: Final[set[str]] = set()


def kernel(function: Function) -> Function:
    """Compile a kernel when it is first called, and keep the machine code on disk.

    Code that was kept from other sources than those of today's kernels is compiled anew, in its
    place. A read-only installation without any writable cache folder still works: then every
    process compiles anew.
    """
    try:
        compiled = numba.njit(nogil=True, cache=True)(function)
        _stamp(compiled)
    except (
        RuntimeError,  # numba found no folder it may write to
        AttributeError,  # it keeps no code, or keeps it where stale code would not be noticed
    ):
        compiled = numba.njit(nogil=True)(function)
    return cast("Function", compiled)


def _stamp(compiled: object) -> None:
    """Tie the kept machine code of a kernel to the sources of all of them.

    Numba looks at the file of the kernel only, and the code of kernels that it calls, in other
    files, is inside its own.
    """
    kept = cast("Any", compiled)._cache._cache_file  # noqa: SLF001 (numba has no public way to say it)
    kept._source_stamp = (kept._source_stamp, hash_kernels())  # noqa: SLF001


@cache
def hash_kernels() -> bytes:
    """Hash the sources of all kernels as they are on disk."""
    room = files(__package__)
    sources = sorted((file for file in room.iterdir() if file.name.endswith(".py")), key=str)
    digest = hashlib.sha256()
    for source in sources:
        text = source.read_bytes()
        digest.update(f"{source.name} {len(text)}\n".encode() + text)
    return digest.digest()


@contextmanager
def announce_compiling(what: str) -> Iterator[None]:
    """Say on standard error what takes so long, if the first call has to compile."""
    if what in _ANNOUNCED:
        yield
        return
    _ANNOUNCED.add(what)

    def announce() -> None:
        if sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write(f"compiling {what}, once on this machine ...\n")

    timer = threading.Timer(PATIENCE_SECONDS, announce)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
