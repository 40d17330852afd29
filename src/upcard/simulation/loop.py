"""The loop of a run: hand out chunks, add and save results, stop when the goal is met."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field
from threading import Event
from typing import Final, NamedTuple

from upcard.simulation.checkpoint import Keeper
from upcard.simulation.errors import RunError
from upcard.simulation.executors import Crew, is_worker_lost
from upcard.simulation.journal import JournalEntry
from upcard.simulation.packing import pack
from upcard.simulation.state import RunState
from upcard.simulation.tally import Tally

MOST_LOSSES: Final = 5
"""Number of times in a row that workers may be lost without a finished chunk in between."""
MOST_LOSSES_AT_FIRST: Final = 1
"""The same before the first finished chunk: such workers will hardly start the next time."""
_AHEAD: Final = 4
_LEAST_WINDOW: Final = 16
_FINISH_SECONDS: Final = 10.0


class RunProgress(NamedTuple):
    """The progress of a run, for display."""

    state: RunState
    played: int
    """Rounds played by this process, including those not added up yet."""
    seconds: float
    """Duration so far."""


def play_chunks(
    state: RunState,
    crew: Crew,
    *,
    keeper: Keeper | None = None,
    watch: Callable[[RunProgress], None] | None = None,
    stop: Event | None = None,
) -> None:
    """Play the chunks that a run still needs, or until `stop` is set.

    The chunks under way at the stop are added too.

    Raises: KeyboardInterrupt after adding nearly finished chunks; RunError if workers are lost
    again and again; and whatever a chunk raises.
    """
    shift = _Shift(state, crew, keeper, watch)
    shift.report()
    try:
        while not state.is_done:
            if stop is not None and stop.is_set():
                shift.finish()
                return
            shift.hand_out()
            done, _ = wait(shift.under_way, return_when=FIRST_COMPLETED)
            shift.take_in(done)
            shift.report()
    except KeyboardInterrupt:
        shift.finish()
        raise
    finally:
        shift.drop()


@dataclass(eq=False)
class _Shift:
    """One process's part of a run: chunks under way, and rounds played."""

    state: RunState
    crew: Crew
    keeper: Keeper | None
    watch: Callable[[RunProgress], None] | None
    under_way: dict[Future[Tally | bytes], int] = field(default_factory=dict)
    played: int = 0
    losses: int = 0
    start: float = field(default_factory=time.monotonic)

    def report(self) -> None:
        if self.watch is not None:
            seconds = time.monotonic() - self.start
            self.watch(RunProgress(self.state, self.played, seconds))

    def hand_out(self) -> None:
        workers = self.crew.workers
        window = max(_LEAST_WINDOW, _AHEAD * workers)
        taken = set(self.under_way.values())
        # Twice the workers, so that none waits for this process.
        while len(self.under_way) < 2 * workers:
            chunk = self.state.next_missing(taken, window=window)
            if chunk is None:
                return
            try:
                future = self.crew.submit(chunk, self.state.size(chunk))
            except Exception as error:
                if not is_worker_lost(error):
                    raise
                self.count_loss()
                self.replace_executor()
                taken.clear()
                continue
            self.under_way[future] = chunk
            taken.add(chunk)

    def take_in(self, done: Iterable[Future[Tally | bytes]]) -> None:
        lost: list[BaseException] = []
        # In their order: the next chunk is added up at once, others are packed until their turn.
        for future in sorted(done, key=self.under_way.__getitem__):
            chunk = self.under_way.pop(future)
            error = future.exception()
            if error is None:
                self.losses = 0
                self.receive(chunk, future.result())
            elif is_worker_lost(error):
                lost.append(error)
            else:
                raise error
        if lost:
            self.count_loss()
        if any(isinstance(error, BrokenExecutor) for error in lost):
            self.replace_executor()

    def receive(self, chunk: int, result: Tally | bytes) -> None:
        rounds = self.state.size(chunk)
        self.played += rounds
        if isinstance(result, Tally) and self.keeper is None:
            self.state.receive_tally(chunk, rounds, result)
            return
        packed = result if isinstance(result, bytes) else pack(result)
        entry = JournalEntry(chunk, rounds, packed)
        self.state.receive((entry,))
        if self.keeper is not None:
            self.keeper.add(entry, self.state)

    def replace_executor(self) -> None:
        """Continue with new workers; unfinished chunks are handed out again."""
        self.crew.replace_executor()
        self.drop()

    def count_loss(self) -> None:
        self.losses += 1
        if self.losses > (MOST_LOSSES if self.played else MOST_LOSSES_AT_FIRST):
            raise RunError(
                f"workers were lost {self.losses} times in a row: killed, out of memory or unable"
                " to start (a program that starts processes needs if __name__ == '__main__')"
            )

    def finish(self) -> None:
        """Add the chunks under way; those not started are dropped."""
        running = [future for future in self.under_way if not future.cancel()]
        done, _ = wait(running, timeout=_FINISH_SECONDS)
        finished = [
            future for future in done if not future.cancelled() and future.exception() is None
        ]
        self.take_in(finished)
        self.report()

    def drop(self) -> None:
        for future in self.under_way:
            future.cancel()
        self.under_way.clear()
