"""A thread for work that takes its time, so that nobody at a table waits for it."""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Worker:
    """Does jobs one after another in a thread of its own, begun by the first of them.

    The thread dies with the process: a solver that is being compiled keeps nobody waiting who
    leaves. A job sees to its own faults.
    """

    def __init__(self, name: str) -> None:
        """Get ready; `name` is that of the thread."""
        self._name = name
        self._jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def submit(self, job: Callable[[], None]) -> None:
        """Do a job when those before it are done."""
        self._jobs.put(job)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while True:
            self._jobs.get()()
