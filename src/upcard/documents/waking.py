"""Waits that every signal ends."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def wakeup_file() -> Iterator[int]:
    """Open a file that can be read after every signal, to wait for beside the input.

    The system may give a signal to any thread, and Python answers it in the main one, which waits
    on if another got it. Only the main thread may ask for this.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        yield reader
    finally:
        signal.set_wakeup_fd(before)
        os.close(reader)
        os.close(writer)
