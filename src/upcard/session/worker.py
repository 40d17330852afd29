"""A thread for work that takes its time, so that nobody at a table waits for it."""

from __future__ import annotations

import threading
import weakref
from queue import SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Worker:
    """Does jobs one after another in a thread of its own, started by the first of them.

    The thread ends with the worker, after the jobs it has, or with the process: a solver that is
    compiling does not delay your leaving. A job handles its own errors.
    """

    def __init__(self, name: str) -> None:
        """Get ready; `name` is that of the thread."""
        self._name = name
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def submit(self, job: Callable[[], None]) -> None:
        """Do a job when those before it are done."""
        self._jobs.put(job)
        if self._thread is None:
            # The thread knows the jobs only: a reference to the worker would keep both for ever.
            self._thread = threading.Thread(
                target=_run, args=(self._jobs,), name=self._name, daemon=True
            )
            weakref.finalize(self, self._jobs.put, None).atexit = False
            self._thread.start()


def _run(jobs: SimpleQueue[Callable[[], None] | None]) -> None:
    while (job := jobs.get()) is not None:
        job()
        del job  # it may hold the worker
