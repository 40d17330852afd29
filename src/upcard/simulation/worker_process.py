"""A worker process: it ignores signals, and ends with the process that started it.

A pool's workers hold both ends of their input pipe, so they never see it close. Without a watch,
the workers of a killed process would wait for ever.
"""

from __future__ import annotations

import os
import signal
import threading
from multiprocessing import parent_process


def begin_worker() -> None:
    """Prepare this process to work for another one: the initializer of every process pool."""
    # A terminal sends signals to all processes of a command; the first one decides.
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="upcard-parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is None:  # not a process that another one started
        return
    parent.join()  # however it ended: the system closes its handles
    os._exit(1)  # without cleaning up: the main thread may be in the middle of a chunk
