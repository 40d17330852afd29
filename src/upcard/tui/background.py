"""Work beside the screen: done in a thread, reported in the app's own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TypeVar

from textual.message_pump import MessagePump

from upcard.answers.edge import EdgeAnswer, find_edge, peek_edge
from upcard.rules.model import Rules
from upcard.session.coaching import Task, Worker

Result = TypeVar("Result")


class Background:
    """Does jobs one after another; their results reach the app or screen that it works for.

    Once that has gone, nothing is reported any more.
    """

    def __init__(self, hearer: MessagePump, name: str) -> None:
        self._hearer = hearer
        self.worker = Worker(name)
        self.jobs = 0
        """How many have not been reported yet."""

    def submit(
        self,
        work: Callable[[], Result],
        done: Callable[[Result], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> Task[Result]:
        """Do `work` in the thread, then `done` with its result, or `failed`, in the hearer's.

        Without `failed` an error ends the program. Cancel or abandon the task for work that no
        longer matters: neither is called then.
        """

        def tell(future: Future[Result]) -> None:
            self.jobs -= 1
            if task.is_abandoned:
                return
            error = future.exception()
            if isinstance(error, Exception) and failed is not None:
                failed(error)
            else:
                done(future.result())

        def report(future: Future[Result]) -> None:
            if future.cancelled():
                self.jobs -= 1
            else:
                self._hearer.call_later(tell, future)

        self.jobs += 1
        task = self.worker.submit(work)
        task.add_done_callback(report)
        return task


class Edges:
    """Knows the edges that were asked for; the newest question is answered first."""

    def __init__(self, background: Background, changed: Callable[[], None]) -> None:
        self._background = background
        self._changed = changed
        self._known: dict[Rules, EdgeAnswer] = {}
        self._unsaved: set[Rules] = set()
        self._work: dict[Rules, Task[EdgeAnswer]] = {}

    def find(self, rules: Rules) -> EdgeAnswer | None:
        """Return the edge of these rules; None until it is known. A saved one is known at once."""
        if rules not in self._known and rules not in self._unsaved:
            edge = peek_edge(rules)
            if edge is None:
                self._unsaved.add(rules)
            else:
                self._known[rules] = edge
        return self._known.get(rules)

    def want(self, *wanted: Rules) -> None:
        """Ask for edges, in this order; what was asked for before and not begun is forgotten."""
        self._work = {rules: work for rules, work in self._work.items() if not work.cancel()}
        for rules in wanted:
            if rules not in self._known and rules not in self._work:
                work, done = partial(find_edge, rules), partial(self._learn, rules)
                self._work[rules] = self._background.submit(work, done)

    def _learn(self, rules: Rules, edge: EdgeAnswer) -> None:
        self._known[rules] = edge
        self._work.pop(rules, None)
        self._changed()
