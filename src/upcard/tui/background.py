"""Work that takes its time, done in a thread, so that keys never wait."""

from __future__ import annotations

import threading
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App

    Result = TypeVar("Result")


class _Job(NamedTuple):
    work: Callable[[], object]
    done: Callable[[object], None]
    failed: Callable[[Exception], None]


class Background:
    """Does jobs one after another; what comes of them reaches the app in its own thread.

    The thread dies with the process: a solver that is being compiled keeps nobody waiting.
    """

    def __init__(self, app: App[None], name: str) -> None:
        """Work for `app`."""
        self._app = app
        self._name = name
        self._jobs: SimpleQueue[_Job] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._waiting = 0

    @property
    def is_busy(self) -> bool:
        """Whether a job is waiting or being done."""
        return self._waiting > 0

    def submit(
        self,
        work: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Do `work` in the thread, then `done` with its result, or `failed`, in the app's."""
        self._waiting += 1
        self._jobs.put(_Job(work, done, failed))  # type: ignore[arg-type] # one job, one type
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            try:
                result = job.work()
            except Exception as error:  # noqa: BLE001 (told to whoever asked)
                self._tell(job.failed, error)
            else:
                self._tell(job.done, result)

    def _tell(self, hear: Callable[[Result], None], what: Result) -> None:
        def deliver() -> None:
            self._waiting -= 1
            hear(what)

        with suppress(RuntimeError):  # the app has gone
            self._app.call_from_thread(deliver)
