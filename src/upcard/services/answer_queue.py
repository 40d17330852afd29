"""Answers that take long: one computation after the other, in a thread.

A question that no request waits for ends: its page was left, its client has gone, or the page asks
something else. One that is being computed ends at its next `long_work.check`.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar

from upcard.cache.recall import peek
from upcard.core.long_work import AbandonedError
from upcard.services import UnavailableError
from upcard.session.coaching import Task, Worker

Result = TypeVar("Result")

_MOST_KNOWN: Final = 512
_MOST_WAITING: Final = 32
GRACE_SECONDS: Final = 2.0
"""Time for a page that was answered without a part to ask for it again."""


class Asker(NamedTuple):
    """Who waits for an answer."""

    page: str
    """Name of the open page, whose newer questions replace its older ones; empty without one."""
    leave: Callable[[], Awaitable[None]]
    """Waits until they have gone, or have the answer."""


_asker: Final[ContextVar[Asker | None]] = ContextVar("asker", default=None)


@contextmanager
def asking(asker: Asker | None) -> Iterator[None]:
    """Answer their request in this context; None for work that no request waits for."""
    token = _asker.set(asker)
    try:
        yield
    finally:
        _asker.reset(token)


@dataclass(slots=True, eq=False)
class _Work:
    """One computation, and the requests that wait for it."""

    task: Task[Any]
    waiting: int = 0
    pages: set[str] = field(default_factory=set)
    """Names of the open pages that asked for it."""
    wanted: float = field(default_factory=time.monotonic)
    """When it was last asked or waited for."""

    def is_left(self) -> bool:
        """Whether no request has wanted it for a while."""
        return not self.waiting and time.monotonic() - self.wanted >= GRACE_SECONDS


class AnswerQueue:
    """Computes answers in a thread, and remembers the last ones.

    A question that is computed already is not computed twice. One about a `part` of a page, such as
    `review`, replaces an earlier one about it that only this page needs.
    """

    def __init__(self, *, known: int = _MOST_KNOWN) -> None:
        """Remember the last `known` answers."""
        self._most_known = known
        self._worker = Worker("solver")
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._running: dict[Hashable, _Work] = {}
        self._parts: dict[str, _Work] = {}
        self.is_loaded = True
        """False while a question would begin with the loading of the solver."""

    async def ask(
        self,
        key: Hashable,
        compute: Callable[[], Result],
        *,
        part: str = "",
        patience: float | None = None,
        may_be_saved: bool = False,
    ) -> Result | None:
        """Return the answer; None if it takes longer than `patience` seconds.

        A question without patience is not begun before the solver is loaded. One that
        `may_be_saved`, whose `compute` asks `upcard.cache.exact` and nothing else, waits for
        neither the solver nor other questions if its values are saved.

        Raises: UnavailableError if too many wait, for a question that was replaced, and for a
        client that has gone; what the computation raises.
        """
        if key in self._known:
            self._known.move_to_end(key)
            found: Result = self._known[key]
            return found
        if may_be_saved and key not in self._running:
            saved = peek(compute)
            if saved is not None:
                self._remember(key, saved)
                return saved
        if patience == 0 and not self.is_loaded:
            return None
        work = self._running.get(key) or self._begin(key, compute)
        by = _asker.get()
        if part and (by is None or by.page):
            self._replace(f"{'' if by is None else by.page} {part}", work)
        answer: Result | None = await self._wait(work, patience)
        return answer

    async def _wait(self, work: _Work, patience: float | None) -> Any:  # noqa: ANN401 (a result)
        by = _asker.get()
        if by is not None and by.page:
            work.pages.add(by.page)
        # Not a task: another request may wait for the same answer.
        future = asyncio.wrap_future(work.task)
        future.add_done_callback(lambda done: done.cancelled() or done.exception())
        leaving = None if by is None else asyncio.ensure_future(by.leave())
        if leaving is not None:
            leaving.add_done_callback(lambda done: done.cancelled() or done.exception())
        work.waiting += 1
        try:
            both = [one for one in (future, leaving) if one is not None]
            await asyncio.wait(both, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        finally:
            work.waiting -= 1
            work.wanted = time.monotonic()
            if leaving is not None and not leaving.done():
                leaving.cancel()
        if future.done():
            try:
                return future.result()
            except (asyncio.CancelledError, AbandonedError):
                words = "A newer question took the place of this one."
                raise UnavailableError("replaced", words) from None
        if by is not None and leaving is not None and leaving.done():
            self._leave(work, by.page)
            words = "The page that asked has been left."
            raise UnavailableError("left", words)
        return None

    def close(self) -> None:
        """Drop the computations; the present one does not delay the program's end."""
        for work in [*self._running.values()]:
            work.task.abandon()

    def _begin(self, key: Hashable, compute: Callable[[], Result]) -> _Work:
        if len(self._running) >= _MOST_WAITING:
            words = f"{_MOST_WAITING} questions wait for an answer; ask again in a moment."
            raise UnavailableError("busy", words)
        is_alone = not self._running
        work = _Work(self._worker.submit(compute))
        self._running[key] = work
        loop = asyncio.get_running_loop()

        def finish(_: Future[Any]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._finish, key, work)

        work.task.add_done_callback(finish)
        if not is_alone:
            loop.call_soon(self._drop_left)  # once this one is waited for
        return work

    def _finish(self, key: Hashable, work: _Work) -> None:
        self._forget_work(work)
        if work.task.cancelled() or work.task.exception() is not None:
            return
        self._remember(key, work.task.result())

    def _forget_work(self, work: _Work) -> None:
        """Take a work from the list, so that the same question begins again."""
        for key in [key for key, one in self._running.items() if one is work]:
            del self._running[key]
        for part in [part for part, last in self._parts.items() if last is work]:
            del self._parts[part]

    def _drop(self, work: _Work) -> None:
        self._forget_work(work)
        work.task.abandon()

    def _leave(self, work: _Work, page: str) -> None:
        """Drop what only a page that was left has asked for."""
        for one in [*self._running.values()]:
            one.pages.discard(page)
            is_of_page = one is work or (page and not one.pages)
            if is_of_page and not one.waiting and not one.pages:
                self._drop(one)

    def _drop_left(self) -> None:
        """Drop questions without a request while another one waits behind; look again later."""
        if any(one.waiting for one in self._running.values()):
            for one in [*self._running.values()]:
                if one.is_left():
                    self._drop(one)
        if len(self._running) > 1 and not all(one.waiting for one in self._running.values()):
            asyncio.get_running_loop().call_later(GRACE_SECONDS / 2, self._drop_left)

    def forget(self) -> None:
        """Forget the answers that are known, which a setting has changed."""
        self._known.clear()

    def _remember(self, key: Hashable, answer: object) -> None:
        self._known[key] = answer
        if len(self._known) > self._most_known:
            self._known.popitem(last=False)

    def _replace(self, part: str, work: _Work) -> None:
        before = self._parts.get(part)
        self._parts[part] = work
        if before is None or before is work or before.waiting > 1:
            return
        by = _asker.get()
        if before.pages <= {"" if by is None else by.page}:
            self._drop(before)
