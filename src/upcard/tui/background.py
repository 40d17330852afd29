"""Work beside the screen: done in a thread, told in the app's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.session.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from textual.message_pump import MessagePump

    Result = TypeVar("Result")


class Background:
    """Does jobs one after another; what comes of them reaches whoever it works for.

    That is an app, or a screen: nothing is told any more once it has gone.
    """

    def __init__(self, hearer: MessagePump, name: str) -> None:
        """Work for `hearer`, in a thread of this name."""
        self._hearer = hearer
        self._worker = Worker(name)

    def submit(
        self,
        work: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Callable[[Exception], None],
    ) -> None:
        """Do `work` in the thread, then `done` with its result, or `failed`, in the hearer's."""

        def job() -> None:
            try:
                result = work()
            except Exception as error:  # noqa: BLE001 (told to whoever asked)
                self._hearer.call_later(failed, error)
            else:
                self._hearer.call_later(done, result)

        self._worker.submit(job)
