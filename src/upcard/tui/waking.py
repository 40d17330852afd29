"""An event loop that wakes for every signal."""

from __future__ import annotations

import signal
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Iterator


@contextmanager
def waking_for_signals(loop: AbstractEventLoop) -> Iterator[None]:
    """Let every signal wake the loop, which runs in the main thread.

    The system may give a signal to any thread, and Python answers it in the main one, which sleeps
    on if another got it: after Ctrl-Z and `fg` the screen stayed empty. Windows stops no program.
    """
    if not hasattr(signal, "SIGCONT"):
        yield
        return
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        theirs.setblocking(False)
        loop.add_reader(ours, ours.recv, 1 << 12)
        before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            loop.remove_reader(ours)
