"""How a run is played beside the pages: its workers, and what they show of it."""

from __future__ import annotations

import os
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from upcard.web.run_progress import ProgressView, look_at_progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.simulation.run import Workers
    from upcard.simulation.run_state import RunProgress

_SHOWN_SECONDS: Final = 0.2
_DRAWN_SECONDS: Final = 1.0
_WATCHED_SECONDS: Final = 10.0
_NICE: Final = 10


@dataclass(slots=True, kw_only=True, eq=False)
class RunEntry:
    """A run that waits or is played."""

    name: str
    stop: threading.Event = field(default_factory=threading.Event)
    is_running: bool = False
    future: Future[None] | None = None
    progress: ProgressView | None = None
    document: dict[str, Any] | None = None
    shown: float = 0.0
    drawn: float = 0.0
    watched: float = 0.0


def make_workers(entry: RunEntry, threads: ThreadPoolExecutor | None) -> Workers:
    """Return workers that keep the progress; without `threads`, processes for the table engine."""
    from upcard.simulation.executors import ExecutorKind
    from upcard.simulation.run import Workers

    return Workers(
        count=cores(),
        executor=threads,
        table_executor=ExecutorKind.PROCESSES,
        watch=_watch(entry),
        stop=entry.stop,
    )


def _watch(entry: RunEntry) -> Callable[[RunProgress], None]:
    from upcard.simulation.run_state import make_document

    def see(progress: RunProgress) -> None:
        now = time.monotonic()
        if entry.document is not None and now - entry.shown < _SHOWN_SECONDS:
            return
        entry.shown = now
        entry.progress = look_at_progress(progress)
        is_watched = now - entry.watched < _WATCHED_SECONDS and now - entry.drawn > _DRAWN_SECONDS
        if entry.document is None or is_watched:
            entry.drawn = now
            entry.document = make_document(progress.run)

    return see


def at_rest() -> Workers:
    """Return workers that play nothing: the file is written, or its goal changed."""
    from upcard.simulation.run import Workers

    stop = threading.Event()
    stop.set()
    return Workers(count=1, stop=stop)


def cores() -> int:
    """Return the number of cores for a run: one stays for the pages."""
    from upcard.simulation.executors import count_cores

    return max(1, count_cores() - 1)


def yield_to_pages() -> None:
    """Give this thread a lower priority than the pages, where threads have one."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
