"""A worker process: it leaves signals to the process that started it, and ends with that process.

A pool's workers hold both ends of the pipe they are fed through, so they never see it close.
Without a watch, workers of a process that was killed would wait for work for ever.
"""

from __future__ import annotations

import os
import signal
import threading
from multiprocessing import parent_process


def begin_worker() -> None:
    """Prepare this process to work for another one: the initializer of every process pool."""
    # A terminal sends these to all processes of a command; the first of them decides what to do.
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="upcard-parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is None:  # not a process that another one started
        return
    parent.join()  # however it ended: the system closes what it held
    os._exit(1)  # without cleaning up: the main thread may be in the middle of a chunk
