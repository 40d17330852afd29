"""A thread for slow work, so that a table does not wait for it."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, Final, TypeAlias, TypeVar

Result = TypeVar("Result")
Job: TypeAlias = tuple[Future[Any], Callable[[], Any]]
_unfinished: Final[set[Future[Any]]] = set()
"""Jobs of all workers that are not done or cancelled."""


class Worker:
    """Do jobs one after another in one daemon thread, which the first job starts.

    The thread ends with the worker, after the jobs it has, or with the process: a solver that is
    compiling does not delay your leaving, as a `ThreadPoolExecutor` would. A process that ends then
    must use `os._exit` (see `is_at_work`).
    """

    def __init__(self, name: str) -> None:
        """Get ready; `name` is the name of the thread."""
        self._name = name
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def submit(self, work: Callable[[], Result]) -> Future[Result]:
        """Do `work` after the jobs before it; cancel the future to skip work that has not begun."""
        future: Future[Result] = Future()
        _unfinished.add(future)
        future.add_done_callback(_unfinished.discard)
        self._jobs.put((future, work))
        if self._thread is None:
            # The thread knows the jobs only: a reference to the worker would keep both for ever.
            self._thread = threading.Thread(
                target=_run, args=(self._jobs,), name=self._name, daemon=True
            )
            weakref.finalize(self, self._jobs.put, None).atexit = False
            self._thread.start()
        return future


def is_at_work() -> bool:
    """Whether any worker has a job to do.

    Ending the interpreter takes the compiler down, which aborts the process if a thread uses it.
    """
    return bool(_unfinished)


def _run(jobs: SimpleQueue[Job | None]) -> None:
    while (job := jobs.get()) is not None:
        _carry_out(*job)
        del job  # it may hold the worker


def _carry_out(future: Future[Result], work: Callable[[], Result]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001 (raised where the result is asked for)
        future.set_exception(error)
    else:
        future.set_result(result)
