"""An event loop that wakes for every signal."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

from upcard.documents.waking import wakeup_file

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Iterator


@contextmanager
def waking_for_signals(loop: AbstractEventLoop) -> Iterator[None]:
    """Let every signal wake the loop, which runs in the main thread.

    After Ctrl-Z and `fg` the screen stayed empty if another thread got the signal. Windows has
    neither.
    """
    if not hasattr(signal, "SIGCONT"):
        yield
        return
    with wakeup_file() as woken:
        loop.add_reader(woken, os.read, woken, 64)
        try:
            yield
        finally:
            loop.remove_reader(woken)
