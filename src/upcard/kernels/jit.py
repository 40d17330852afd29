"""How kernels are compiled: without the interpreter's lock, kept on disk where that can be done."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeVar, cast

import numba

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Function = TypeVar("Function", bound=Callable[..., object])

PATIENCE_SECONDS: Final = 1.0
_ANNOUNCED: Final[set[str]] = set()


def kernel(function: Function) -> Function:
    """Compile a kernel when it is first called, and keep the machine code on disk.

    A read-only installation without any writable cache folder still works: then every process
    compiles anew.
    """
    try:
        compiled = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # numba found no folder it may write to
        compiled = numba.njit(nogil=True)(function)
    return cast("Function", compiled)


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
