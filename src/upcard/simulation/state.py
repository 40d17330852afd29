"""`RunState`: how far a run has come. Chunks arrive in any order and are added up in theirs."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable
from dataclasses import replace
from typing import NamedTuple

from upcard.simulation.estimates import Estimate, check_ramp, estimate_flat, estimate_ramp
from upcard.simulation.goal import Goal
from upcard.simulation.job import Job
from upcard.simulation.journal import JournalEntry
from upcard.simulation.packing import pack, unpack
from upcard.simulation.tally import Tally
from upcard.strategy.ramp import BetRamp


class Point(NamedTuple):
    """The quoted EV after this number of rounds; None if no round was played."""

    rounds: int
    ev: float | None
    standard_error: float | None


class RunState:
    """A run's job and goal, the chunks added up so far, and those that wait for earlier ones.

    Its results depend only on the job, the goal and the number of chunks added up, not on workers
    or interruptions.
    """

    def __init__(self, job: Job, goal: Goal, ramp: BetRamp | None = None) -> None:
        self.job = job
        self.goal = goal
        self.ramp = ramp
        self.full = 0
        """Chunks of full length that are added up."""
        self.tally: Tally | None = None
        """Their sum."""
        self.short: JournalEntry | None = None
        """The last chunk, if it is shorter than the others and has been played."""
        self.waiting: dict[int, JournalEntry] = {}
        self.points: list[Point] = []
        self.is_done = False

    @property
    def chunks(self) -> int:
        """Number of chunks added up."""
        return self.full + (self.short is not None)

    @property
    def rounds(self) -> int:
        """Number of rounds added up."""
        return self.full * self.job.chunk_rounds + (self.short.rounds if self.short else 0)

    def total(self) -> Tally | None:
        """Return the sum of all chunks added up; None before the first."""
        if self.short is None:
            return self.tally
        short = unpack(self.short.packed)
        return short if self.tally is None else self.tally + short

    def size(self, chunk: int) -> int:
        """Return how many rounds a chunk of this run has; 0 after the last."""
        return self.goal.chunk_size(chunk, self.job.chunk_rounds)

    def next_missing(self, under_way: Container[int], *, window: int) -> int | None:
        """Return the first chunk to play that is not under way, at most `window` ahead.

        The limit bounds the results that wait when one chunk takes long.
        """
        if self.is_done:
            return None
        for chunk in range(self.full, self.full + window):
            if chunk not in under_way and chunk not in self.waiting:
                return chunk if self.size(chunk) else None
        return None

    def receive(self, entries: Iterable[JournalEntry]) -> None:
        """Add finished chunks, as far as all earlier ones are finished."""
        for entry in entries:
            if self.accepts(entry):
                self.waiting[entry.chunk] = entry
        self.add_up()

    def receive_tally(self, chunk: int, rounds: int, tally: Tally) -> None:
        """Add a finished chunk; it need not be unpacked if it is the next."""
        if chunk == self.full and rounds == self.job.chunk_rounds and not self.is_done:
            self._append(tally)
            self.add_up()
        else:
            self.receive((JournalEntry(chunk, rounds, pack(tally)),))

    def accepts(self, entry: JournalEntry) -> bool:
        """Whether a chunk belongs to this run, has the right length, and is new."""
        is_new = entry.chunk >= self.full and not self.is_done
        return is_new and 0 < entry.rounds == self.size(entry.chunk)

    def add_up(self) -> None:
        """Add up the waiting chunks that are next, until the goal is met."""
        self.waiting = {
            chunk: entry for chunk, entry in self.waiting.items() if self.accepts(entry)
        }
        self._check_goal()
        while not self.is_done and (entry := self.waiting.pop(self.full, None)) is not None:
            if entry.rounds == self.job.chunk_rounds:
                self._append(unpack(entry.packed))
            else:
                self.short = entry
                self._check_goal()
        if self.is_done:
            self.waiting = {}

    def _append(self, tally: Tally) -> None:
        if self.tally is None:
            if self.ramp is not None:
                check_ramp(tally, self.ramp)
            self.tally = tally
        else:
            self.tally += tally
        self.full += 1
        if self.keeps_point(self.rounds):
            self.points.append(self._point(self.tally))
        self._check_goal()

    def _check_goal(self) -> None:
        is_last = not self.size(self.full) or self.short is not None
        self.is_done = is_last or self.is_precise()

    def is_precise(self) -> bool:
        """Whether the standard error of the goal is reached."""
        if self.goal.until is None or self.tally is None:
            return False
        return self.goal.is_reached(self._estimate(self.tally))

    def keeps_point(self, rounds: int) -> bool:
        """Whether the EV after this number of rounds is recorded: eight points per doubling."""
        chunks, rest = divmod(rounds, self.job.chunk_rounds)
        step = 1 << max(0, chunks.bit_length() - 4)
        return not rest and chunks % step == 0

    def points_until_now(self) -> list[Point]:
        """Return the recorded points, and one for the current number of rounds."""
        total = self.total()
        if total is None or self.keeps_point(self.rounds):
            return self.points
        return [*self.points, self._point(total)]

    def _point(self, tally: Tally) -> Point:
        estimate = self._estimate(tally)
        return Point(self.rounds, *map(finite, (estimate.ev, estimate.standard_error)))

    def estimate(self) -> Estimate | None:
        """Return the quoted EV so far; None before the first chunk."""
        total = self.total()
        return None if total is None else self._estimate(total)

    def _estimate(self, tally: Tally) -> Estimate:
        if self.ramp is None:
            return estimate_flat(tally)
        return estimate_ramp(tally, self.ramp)

    def change_goal(self, goal: Goal) -> None:
        """Set another goal; a short last chunk is dropped unless it is still the last."""
        self.goal = goal
        self.is_done = False
        if self.short is not None and self.short.rounds != self.size(self.full):
            self.short = None
        self.add_up()


def finite(number: float | None) -> float | None:
    """Return a number that JSON can write, or None."""
    return number if number is not None and math.isfinite(number) else None


def subtract(total: Tally, part: Tally) -> Tally:
    """Subtract a part from a sum of tallies."""
    negative = replace(
        part, rounds=-part.rounds, added=-part.added, shoes=-part.shoes, cards=-part.cards
    )
    return total + negative
