"""Work beside the screen: done in a thread, reported in the app's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.session.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from typing import TypeVar

    from textual.message_pump import MessagePump

    Result = TypeVar("Result")


class Background:
    """Does jobs one after another; their results reach the app or screen that it works for.

    Once that has gone, nothing is reported any more.
    """

    def __init__(self, hearer: MessagePump, name: str) -> None:
        self._hearer = hearer
        self.worker = Worker(name)

    def submit(
        self,
        work: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> Future[Result]:
        """Do `work` in the thread, then `done` with its result, or `failed`, in the hearer's.

        Without `failed` an error ends the program. Cancel the future for work that no longer
        matters: neither is called then.
        """

        def report(future: Future[Result]) -> None:
            if future.cancelled():
                return
            error = future.exception()
            if isinstance(error, Exception):
                self._hearer.call_later(failed or _raise, error)
            else:
                self._hearer.call_later(done, future.result())

        future = self.worker.submit(work)
        future.add_done_callback(report)
        return future


def _raise(error: Exception) -> None:
    raise error
