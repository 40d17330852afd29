"""`RunState`: how far a run has come, when it is done, and the journal of its chunks.

Everything that several processes may open is locked here: sessions in the store, runs on disk.

The first line names the run. Each further line is a chunk's number, its rounds, its packed tally in
base 64 and a checksum. A line with a wrong checksum, such as one cut off by a crash, is skipped:
its chunk is played again.
"""

from __future__ import annotations

import base64
import hashlib
import math
import os
import re
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from upcard.core.errors import NotationError, RulesError, quote
from upcard.core.numbers import exact_number
from upcard.core.user_files import lock_file
from upcard.simulation.estimates import Estimate, check_ramp, estimate_flat, estimate_ramp
from upcard.simulation.job import Job, RunError, take
from upcard.simulation.tally import Tally, pack, unpack

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from pathlib import Path

    from upcard.strategy.ramp import BetRamp

_TITLE: Final = "upcard journal 1"
_SYNC_SECONDS: Final = 1.0


class JournalEntry(NamedTuple):
    """A finished chunk."""

    chunk: int
    rounds: int
    packed: bytes
    """The tally, as `packing.pack` writes it."""


class Journal:
    """A journal open for writing, by one process at a time.

    Entries survive the end of this process at once. The disk writes them with the first that comes
    more than a second after the last time, so a power cut takes the chunks of one second at most.

    Raises: RunError if another process has it open, or it cannot be written.
    """

    def __init__(self, path: Path, run: str) -> None:
        """Open or create the journal of the `run` with this fingerprint; existing lines stay."""
        self.path = path
        self._head = f"{_TITLE} {run}\n".encode()
        self._synced = time.monotonic()
        with self._naming_faults():
            # Unbuffered, so that entries survive the end of this process.
            self._file = path.open("a+b", buffering=0)
            if not lock_file(self._file.fileno(), path):
                self.close()
                raise RunError(f"'{path}' is in use: another process is playing this run")

    @property
    def size(self) -> int:
        """Length of the journal in bytes."""
        return os.fstat(self._file.fileno()).st_size

    def read(self) -> list[JournalEntry]:
        """Return its chunks, and remove invalid lines. Raises: RunError if it is of another run."""
        with self._naming_faults():
            self._file.seek(0)
            data = self._file.readall()
            head, newline, body = data.partition(b"\n")
            if not newline:  # new, or killed before its first line
                self.clear()
                return []
            if head + newline != self._head:
                msg = f"'{self.path}' is the journal of another run: move it away, or remove it"
                raise RunError(msg)
            # An unfinished line has no end: the next entry must not be appended to it.
            if not data.endswith(b"\n"):
                self._file.truncate(data.rindex(b"\n") + 1)
        return list(_read_lines(body))

    def add(self, entry: JournalEntry) -> None:
        """Append a finished chunk. Raises: RunError if it cannot be written."""
        with self._naming_faults():
            self._write(_write_line(entry))
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                os.fsync(self._file.fileno())
                self._synced = time.monotonic()

    def clear(self) -> None:
        """Remove all chunks, once saved elsewhere. Raises: RunError if it cannot be written."""
        with self._naming_faults():
            self._file.truncate(0)
            self._write(self._head)
            os.fsync(self._file.fileno())
            sync_folder(self.path.parent)  # the file may be new

    def close(self) -> None:
        """Close the journal, so that another process may open it."""
        self._file.close()

    def remove(self) -> None:
        """Close and delete the journal of a finished run."""
        if os.name == "nt":  # where an open file cannot be removed
            self.close()
        self.path.unlink(missing_ok=True)
        self.close()

    def _write(self, line: bytes) -> None:
        while line:
            line = line[self._file.write(line) :]

    @contextmanager
    def _naming_faults(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RunError(f"cannot write '{self.path}': {error.strerror}") from None


def sync_folder(folder: Path) -> None:
    """Have the disk write the names in a folder, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # a system that does not open folders
        return
    try:
        os.fsync(handle)
    except OSError:  # a file system without it
        pass
    finally:
        os.close(handle)


def _write_line(entry: JournalEntry) -> bytes:
    text = f"{entry.chunk} {entry.rounds} {base64.b64encode(entry.packed).decode()}"
    return f"{text} {_checksum(text)}\n".encode()


def _read_lines(body: bytes) -> Iterator[JournalEntry]:
    for line in body.split(b"\n")[:-1]:
        try:
            text, _, checksum = line.decode("ascii").rpartition(" ")
            if _checksum(text) != checksum:
                continue
            chunk, rounds, packed = text.split(" ")
            yield JournalEntry(int(chunk), int(rounds), base64.b64decode(packed, validate=True))
        except ValueError:
            continue


def _checksum(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


MOST_ROUNDS: Final = 10**13
"""With this many rounds no sum of squares exceeds 64 bits."""
_AMOUNT: Final = re.compile(
    r"([0-9][0-9_,]*(?:\.[0-9]+)?(?:e[0-9]{1,2})?)\s*([kmgb]?)", re.IGNORECASE
)
_THOUSANDS: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}
_SHARE: Final = re.compile(
    r"([0-9]{1,20}(?:\.[0-9]{0,20})?(?:e-?[0-9]{1,2})?|\.[0-9]{1,20}(?:e-?[0-9]{1,2})?)\s*(%?)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Play `rounds` rounds, or until the standard error is small enough, whichever comes first.

    Raises: RulesError for an invalid number, or if both are missing.
    """

    rounds: int | None = None
    """Most rounds; None for no limit."""
    until: float | None = None
    """Standard error of the quoted EV that ends the run; None to end by `rounds` only."""

    def __post_init__(self) -> None:
        if self.rounds is None and self.until is None:
            msg = "a run needs an end: rounds, or a standard error to reach (until), or both"
            raise RulesError(msg)
        if self.rounds is not None and not 1 <= self.rounds <= MOST_ROUNDS:
            raise RulesError(f"{self.rounds:,} rounds: a run has 1 to {MOST_ROUNDS:,}")
        if self.until is not None and not 0 < self.until < 1:
            msg = f"until {self.until:g}: the standard error to reach is over 0 and under 1 (100%)"
            raise RulesError(msg)

    def chunk_size(self, chunk: int, chunk_rounds: int) -> int:
        """Return how many rounds a chunk has: the last may be shorter, those after it have 0."""
        most = MOST_ROUNDS if self.rounds is None else self.rounds
        return max(0, min(chunk_rounds, most - chunk * chunk_rounds))

    def is_reached(self, estimate: Estimate) -> bool:
        """Whether an estimate is precise enough."""
        return self.until is not None and estimate.standard_error <= self.until

    @property
    def expected_rounds(self) -> int:
        """About how many rounds a run with this goal takes, as if a bet's SD were 1."""
        limits = [] if self.rounds is None else [self.rounds]
        if self.until is not None:
            limits.append(int(min(self.until**-2, MOST_ROUNDS)))
        return min(limits)

    def to_json(self) -> dict[str, Any]:
        """Write the goal; `from_json` reads it back."""
        return {"rounds": self.rounds, "until": self.until}

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Goal:
        """Read what `to_json` wrote. Raises: RulesError if it is not a goal."""
        try:
            until = take(document, "until", int, float, NoneType)
            return cls(
                rounds=take(document, "rounds", int, NoneType),
                until=None if until is None else float(until),
            )
        except (ValueError, OverflowError) as error:
            raise RulesError(f"this is no goal of a run: {error}") from None


def read_rounds(text: str) -> int:
    """Read a number of rounds: 1000000, 1_000_000, 1e6, 1M, 2.5M, 10G.

    Raises: NotationError if it is invalid.
    """
    if match := _AMOUNT.fullmatch(text.strip()):
        amount = exact_number(match[1].replace("_", "").replace(",", ""))
        whole = None if amount is None else amount * _THOUSANDS[match[2].lower()]
        if whole is not None and whole.denominator == 1:
            return whole.numerator
    raise NotationError(f"{quote(text)} is no number of rounds: write 1000000, 1e6, 2.5M or 1G")


def read_share(text: str) -> float:
    """Read a share of a bet: 0.01% or 0.0001. Raises: NotationError if it is invalid."""
    if match := _SHARE.fullmatch(text.strip()):
        share = exact_number(match[1])
        if share is not None:
            return float(share / (100 if match[2] else 1))
    raise NotationError(f"{quote(text)} is no share of a bet: write 0.01% or 0.0001")


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
