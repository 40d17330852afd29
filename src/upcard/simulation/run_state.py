"""A run: its goal, the chunks added up so far, its results, its progress, and its file, RUN.json.

Each top-level key of RUN.json is a line. `tally` holds the integers, `chunks` the progress, and
`checksum` the SHA-256 of the document without it, keys sorted and without blanks.

While a run plays, `Keeper` replaces the file about every second, so that it is complete at any
moment. A kill or a power cut loses the chunks of that second; they are played again.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import stat
import time
from collections.abc import Container, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Any, Final, NamedTuple, Self

from upcard.core import above, errors, figure, shared_files, user_files
from upcard.core.numbers import finite, to_json
from upcard.core.wager import Wager
from upcard.rules.model import Rules
from upcard.simulation import tally as tallies
from upcard.simulation.job import Job, RunError, check_versions, take, take_whole
from upcard.simulation.tally import Estimate, ExactCheck, SideEstimate, Tally
from upcard.strategy.ramp import BetRamp, read_pairs

MOST_ROUNDS: Final = 10**13
"""With this many rounds no sum of squares exceeds 64 bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """Play `rounds` rounds, or until the standard error is small enough, whichever comes first."""

    rounds: int | None = None
    """Most rounds; None for no limit."""
    until: float | None = None
    """Standard error of the quoted EV that ends the run; None to end by `rounds` only."""

    def __post_init__(self) -> None:
        if self.rounds is None and self.until is None:
            msg = "a run needs an end: rounds, or a standard error to reach (until), or both"
            raise errors.RulesError(msg)
        if self.rounds is not None and not 1 <= self.rounds <= MOST_ROUNDS:
            raise errors.RulesError(f"{self.rounds:,} rounds: a run has 1 to {MOST_ROUNDS:,}")
        if self.until is not None and not 0 < self.until < 1:
            msg = f"until {self.until:g}: the standard error to reach is over 0 and under 1 (100%)"
            raise errors.RulesError(msg)

    def chunk_size(self, chunk: int, chunk_rounds: int) -> int:
        """Return how many rounds a chunk has: the last may be shorter, those after it have 0."""
        most = MOST_ROUNDS if self.rounds is None else self.rounds
        return max(0, min(chunk_rounds, most - chunk * chunk_rounds))

    def expect_rounds(self, deviation: float = 1.0) -> int:
        """Return about how many rounds a run with this goal takes, by a bet's SD."""
        limits = [] if self.rounds is None else [self.rounds]
        if self.until is not None:
            limits.append(int(min((deviation / self.until) ** 2, MOST_ROUNDS)))
        return min(limits)

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Goal:
        """Read its fields, as `core.numbers.to_json` writes them."""
        try:
            until = take(document, "until", int, float, NoneType)
            return cls(
                rounds=take(document, "rounds", int, NoneType),
                until=None if until is None else float(until),
            )
        except (ValueError, OverflowError) as error:
            raise errors.RulesError(f"this is not a goal of a run: {error}") from None


class Point(NamedTuple):
    """The quoted EV after this number of rounds; None if no round was played."""

    rounds: int
    ev: float | None
    standard_error: float | None


def subtract(total: Tally, part: Tally) -> Tally:
    """Subtract a part from a sum of tallies."""
    signed = {name: -getattr(part, name) for name in ("rounds", "added", "shoes", "cards")}
    luck = None if part.luck is None else -part.luck
    side = None if part.side is None else -part.side
    return total + replace(part, side=side, luck=luck, **signed)


class Run(figure.Displayed, figure.Pictured):
    """A run and its results: `rounds` were played, with an EV of `ev` ± `standard_error`.

    The EV is per initial bet; with a ramp it is that of a round dealt, in betting units over all
    spots. `str(run)` is a line, `document()` has everything. The results depend only on the job,
    the goal and the number of chunks added up, not on workers or interruptions.
    """

    def __init__(
        self, job: Job, goal: Goal, ramp: BetRamp | None = None, *, keeps_blocks: bool = False
    ) -> None:
        self.job = job
        """The settings that determine the integers: rules, chart, count, seed."""
        self.goal = goal
        self.own_ramp = ramp
        """The bets of the quoted EV; None for flat bets."""
        self.full = 0
        """Chunks of full length that are added up."""
        self.short: Tally | None = None
        """The last chunk, if it is shorter than the others and has been played."""
        self.points: list[Point] = []
        self.blocks: list[list[int]] | None = [] if keeps_blocks else None
        """Sums of the main bets' nets by count, for each chunk; None if they are not needed."""
        self.is_complete = False
        """Whether the run met its goal."""
        self._sum: Tally | None = None  # of the full chunks
        self._waiting: dict[int, bytes] = {}  # for an earlier chunk, packed
        self._check: ExactCheck | None = None

    @property
    def rules(self) -> Rules:
        """The rules of the table."""
        return self.job.rules

    @property
    def seed(self) -> int:
        """The seed, random if none was given."""
        return self.job.seed

    @property
    def chunks(self) -> int:
        """Number of chunks added up."""
        return self.full + (self.short is not None)

    @property
    def rounds(self) -> int:
        """Number of rounds dealt, including those sat out."""
        return self.full * self.job.chunk_rounds + (self.short.seen if self.short else 0)

    @property
    def tally(self) -> Tally:
        """Results of the rounds, in whole numbers. Raises: RulesError before the first chunk."""
        if (total := self.total()) is None:
            raise errors.RulesError("no round of this run is finished yet")
        return total

    def total(self) -> Tally | None:
        """Return the sum of all chunks added up; None before the first."""
        if self._sum is None or self.short is None:
            return self._sum or self.short
        return self._sum + self.short

    @property
    def expected_rounds(self) -> int:
        """About how many rounds the run takes; without luck a bet's SD is about a tenth."""
        keeps = self.own_ramp is not None and self.own_ramp.side
        return self.goal.expect_rounds(0.1 if self.job.without_luck and not keeps else 1.0)

    @property
    def flat(self) -> Estimate:
        """EV per initial bet of flat bets, over the rounds that were played."""
        return tallies.estimate_flat(self.tally)

    @property
    def dealt(self) -> Estimate:
        """EV per initial bet of flat bets, over all rounds, including those sat out."""
        return tallies.estimate_flat(self.tally, seats=tallies.DEALT)

    @property
    def side(self) -> tuple[SideEstimate, ...]:
        """Results of each side bet, one unit on every spot of every round that was played."""
        return tallies.estimate_side(self.tally)

    @property
    def quoted(self) -> Estimate:
        """The EV with which the run is quoted, and its errors."""
        return self._quote(self.tally)

    def estimate(self) -> Estimate | None:
        """Return the quoted EV so far; None before the first chunk."""
        total = self.total()
        return None if total is None else self._quote(total)

    def _quote(self, tally: Tally) -> Estimate:
        if self.own_ramp is None:
            return tallies.estimate_flat(tally)
        return tallies.estimate_ramp(tally, self.own_ramp)

    @property
    def ev(self) -> float:
        """EV per initial bet; with a ramp, of a round dealt, in units."""
        return self.quoted.ev

    @property
    def standard_error(self) -> float:
        """The standard error of `ev`."""
        return self.quoted.standard_error

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of a round, over all spots, in units."""
        return self.quoted.standard_deviation

    @property
    def check(self) -> ExactCheck:
        """The exact solver's value of the same game."""
        if self._check is None:
            self._check = tallies.check_exactly(self.job, self.tally)
        return self._check

    def by_count(self) -> figure.AnswerTable:
        """Return EV, share, error and deviation by the count before the deal, as a table.

        Raises: AnalysisError for a run that counted nothing.
        """
        if self.job.system is None:
            raise errors.AnalysisError("this run counted nothing: simulate with count='hi-lo'")
        return self.tabulate_counts()

    def tabulate_counts(self) -> figure.AnswerTable:
        """Return the rounds by count as a table; a run that counted nothing has one row."""
        count = None if self.job.system is None else self.job.system.name
        about = figure.caption(self.rules, count=count, seed=self.seed, rounds=self.rounds)
        return replace(tallies.tabulate_counts(self.total(), self.own_ramp), caption=about)

    def table(self) -> figure.AnswerTable:
        """Return the run by count; without a count its figures."""
        if self.job.system is not None:
            return self.by_count()
        found: figure.AnswerTable = above().tabulate_figures(self)
        return found

    def ramp(self, ramp: str | BetRamp | None = None, **question: Any) -> Any:  # noqa: ANN401
        """Analyse bets by the count: a ramp (default: the run's own, or the best of 1-8).

        `question` has the options of `upcard ramp`: `spread="1-12"`, `chip`, `levels`, `wong`,
        `bankroll`, `unit`, `risk`, `kelly`, `goal`, `hours`, `rounds_per_hour`. Returns a
        `RampAnswer`.

        Raises: AnalysisError for a run that counted nothing; NotationError, RulesError.
        """
        return above().analyse_ramp(self, ramp, **question)

    def bankroll(self, bankroll: float, **plan: Any) -> Any:  # noqa: ANN401
        """Simulate a bankroll round by round in this game, by this run's ramp, with its seed.

        `plan` has the options of `upcard bankroll`: `ramp`, `unit`, `goal`, `rounds`, `paths`,
        `seed`, `workers`. Returns a `PathsAnswer`.

        Raises: RulesError, NotationError for options that do not fit.
        """
        return above().simulate_bankroll(self, bankroll, **plan)

    def document(self) -> dict[str, Any]:
        """Return all results as one document, the content of the run's file."""
        return make_document(self, self.check if self.is_complete else None)

    def save(self, path: str | Path) -> None:
        """Write the run's file, replacing any other. Raises: RunError if it cannot be written."""
        save_document(find_place(path), self.document())

    def to_json(self) -> str:
        """Write the document as JSON."""
        return format_document(self.document())

    def __str__(self) -> str:
        what = "of the bet" if self.own_ramp is None else f"of a unit a round, ramp {self.own_ramp}"
        quoted = self.quoted
        return (
            f"{self.rules}: {self.rounds:,} rounds, seed {self.seed}:"
            f" EV {quoted.ev:+.5%} ± {quoted.standard_error:.5%} {what}"
        )

    def size(self, chunk: int) -> int:
        """Return how many rounds a chunk of this run has; 0 after the last."""
        return self.goal.chunk_size(chunk, self.job.chunk_rounds)

    def next_missing(self, under_way: Container[int], *, window: int) -> int | None:
        """Return the first chunk to play that is not under way, at most `window` ahead.

        The limit bounds the results that wait when one chunk takes long.
        """
        if self.is_complete:
            return None
        for chunk in range(self.full, self.full + window):
            if chunk not in under_way and chunk not in self._waiting:
                return chunk if self.size(chunk) else None
        return None

    def receive(self, chunk: int, result: Tally | bytes) -> None:
        """Add a finished chunk, packed or not, once all earlier ones are finished."""
        if chunk > self.full:
            self._waiting[chunk] = result if isinstance(result, bytes) else tallies.pack(result)
            return
        following: Tally | bytes | None = result if chunk == self.full else None
        while following is not None and not self.is_complete:
            self._append(tallies.unpack(following) if isinstance(following, bytes) else following)
            following = self._waiting.pop(self.full, None)
        if self.is_complete:
            self._waiting.clear()

    def _append(self, tally: Tally) -> None:
        self._check = None
        if self.total() is None and self.own_ramp is not None:
            tallies.check_ramp(tally, self.own_ramp)
        if self.blocks is not None:
            self.blocks.append(tally.by_count().net_sum.tolist())
        if self.size(self.full) < self.job.chunk_rounds:
            self.short = tally
        else:
            self._sum = tally if self._sum is None else self._sum + tally
            self.full += 1
            if self.keeps_point(self.rounds):
                self.points.append(self._point(self._sum))
        self._check_goal()

    def _check_goal(self) -> None:
        self.is_complete = not self.size(self.full) or self.short is not None or self.is_precise()

    def is_precise(self) -> bool:
        """Whether the standard error of the goal is reached."""
        if self.goal.until is None or self._sum is None:
            return False
        return self._quote(self._sum).standard_error <= self.goal.until

    def keeps_point(self, rounds: int) -> bool:
        """Whether the EV after this number of rounds is recorded: eight points per doubling."""
        chunks, rest = divmod(rounds, self.job.chunk_rounds)
        return not rest and chunks % (1 << max(0, chunks.bit_length() - 4)) == 0

    def points_until_now(self) -> list[Point]:
        """Return the recorded points, and one for the current number of rounds."""
        total = self.total()
        if total is None or self.keeps_point(self.rounds):
            return self.points
        return [*self.points, self._point(total)]

    def _point(self, tally: Tally) -> Point:
        estimate = self._quote(tally)
        return Point(self.rounds, finite(estimate.ev), finite(estimate.standard_error))

    def change_goal(self, goal: Goal) -> None:
        """Set another goal; a short last chunk is dropped unless it is still the last."""
        self.goal = goal
        self._check = None
        self._waiting.clear()
        if self.short is not None and self.short.seen != self.size(self.full):
            self.short = None
        if self.blocks is not None:
            self.blocks = self.blocks[: self.chunks]
        self._check_goal()

    def restore(self, done: int, total: Tally | None, short: Tally | None) -> None:
        """Continue after `done` chunks with this sum, of which `short` is the last if shorter.

        Raises: RunError if these are of different numbers of rounds; RulesError if of other games.
        """
        self.full, self.short = done - (short is not None), short
        if self.rounds != (0 if total is None else total.seen):
            raise RunError(f"its tally and its {done} chunks are of different numbers of rounds")
        if total is not None and self.full:
            self._sum = total if short is None else subtract(total, short)
        self._check_goal()


class RunProgress(NamedTuple):
    """The progress of a run, for display."""

    run: Run
    played: int
    """Rounds played by this process, including those not added up yet."""
    seconds: float


def measure_progress(progress: RunProgress) -> float:
    """Return the share of a run that is done, 0 to 1; errors shrink with the root of the rounds."""
    run = progress.run
    shares = [0.0]
    if run.goal.rounds is not None:
        shares.append(run.rounds / run.goal.rounds)
    estimate = run.estimate()
    if run.goal.until is not None and estimate is not None and estimate.standard_error > 0:
        shares.append((run.goal.until / estimate.standard_error) ** 2)
    return min(1.0, max(shares))


def measure_time_left(progress: RunProgress) -> float | None:
    """Return the seconds until a run is done; None if they are not known, or it is done."""
    done = measure_progress(progress)
    if not 0 < done < 1 or not progress.played:
        return None
    return progress.run.rounds * (1 - done) / done * progress.seconds / progress.played


def describe(progress: RunProgress) -> str:
    """Write rounds, rate, EV with its error, and the time left."""
    run = progress.run
    estimate = run.estimate()
    words = [f"{write_amount(run.rounds)} rounds"]
    if progress.seconds > 0 and progress.played:
        words.append(f"{write_amount(progress.played / progress.seconds)}/s")
        if (left := measure_time_left(progress)) is not None:
            words.append(f"{write_time(left)} left")
    if estimate is not None and not math.isnan(estimate.standard_error):
        words.append(f"EV {estimate.ev:+.3%} +-{estimate.standard_error:.3%}")
    return "  ".join(words)


def write_amount(number: float) -> str:
    """Write a number in three figures: 123, 12.3k, 1.23M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{letter}" if number < 999.5 * size else f"{number:.3g}"
    return f"{number:.0f}"


def write_time(seconds: float) -> str:
    """Write a remaining time, roughly."""
    if seconds < 60:
        return f"{math.ceil(seconds)} s"
    if seconds < 3600:
        return f"{math.ceil(seconds / 60)} min"
    return f"{seconds / 3600:.1f} h"


FORMAT: Final = "upcard run"
FORMAT_VERSION: Final = 2
_MOST_BYTES: Final = 64 * 1024 * 1024
"""A run takes some hundred kilobytes, however many rounds it has."""
_ODD: Final = (
    *(errors.BlackjackError, ArithmeticError, AttributeError, LookupError, MemoryError),
    *(RecursionError, TypeError, ValueError),
)
"""Errors that reading a faulty value may cause."""


_LIST_NAMES: Final = {
    "progress": list(Point._fields),
    "tally.cells": ["depth", "seat", "count", "added", "rounds_by_net"],
}
"""Names of the numbers in lists of a document."""


def make_document(run: Run, check: ExactCheck | None = None) -> dict[str, Any]:
    """Make the document of a run: it depends only on its job, goal and chunks."""
    tally = run.total()
    job, ramp = run.job, run.own_ramp
    quoted = flat = dealt = None
    if tally is not None:
        flat = tallies.estimate_flat(tally)
        dealt = tallies.estimate_flat(tally, seats=tallies.DEALT)
        quoted = run.quoted
    document: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "version": job.version,
        "rules": str(job.rules),
        "seed": job.seed,
        "rounds": run.rounds,
        "rounds_played": 0 if tally is None else tally.played,
        "ev": finite(quoted and quoted.ev),
        "standard_error": finite(quoted and quoted.standard_error),
        "standard_deviation": finite(quoted and quoted.standard_deviation),
        "flat": _write_estimate(flat),
        "house_edge": finite(dealt and -dealt.ev),
        **_write_side(tally),
        "shoes": 0 if tally is None else tally.shoes,
        "cards": 0 if tally is None else tally.cards,
        "ramp": None if ramp is None else str(ramp),
        "goal": to_json(run.goal),
        "is_complete": run.is_complete,
        "exact": to_json(check),
        "job": job.to_json(),
        "chunks": {"done": run.chunks, "short": None if run.short is None else run.short.to_json()},
        "progress": [list(point) for point in run.points_until_now()],
        "tally": None if tally is None else tally.to_json(),
        **({} if run.blocks is None else {"blocks": run.blocks}),
        "names": _LIST_NAMES,
    }
    document["checksum"] = _checksum(document)
    return document


def _write_side(tally: Tally | None) -> dict[str, Any]:
    if tally is None or tally.side is None:
        return {}
    found, placed = tallies.estimate_side(tally), max(tally.played * tally.spots, 1)
    joint = tallies.estimate_wager(
        tally, Wager(Fraction(1), tuple((one.code, Fraction(1)) for one in found))
    )
    bets = [
        {
            "name": one.code,
            **(_write_estimate(one.placed) or {}),
            "hit": finite(one.hit),
            "correlation": finite(one.correlation),
            "rows": [
                {"name": name, "pays": net, "probability": number / placed}
                for name, net, number in one.rows
            ],
        }
        for one in found
    ]
    return {"side_bets": bets, "joint": _write_estimate(joint)}


def _write_estimate(estimate: Estimate | None) -> dict[str, Any] | None:
    names = ("ev", "standard_error", "standard_deviation")
    return None if estimate is None else {name: finite(getattr(estimate, name)) for name in names}


def _checksum(document: dict[str, Any]) -> str:
    rest = {key: value for key, value in document.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def format_document(document: dict[str, Any]) -> str:
    """Write a document as JSON, one top-level key per line."""
    write = partial(json.dumps, ensure_ascii=False, allow_nan=False)
    lines = (f"{json.dumps(key)}: {write(value)}" for key, value in document.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def load_run_document(path: str | Path) -> dict[str, Any]:
    """Read a run's file."""
    where = f"'{path}'"
    try:
        with user_files.expand_user(path).open("rb") as file:
            if os.fstat(file.fileno()).st_size > _MOST_BYTES:
                raise RunError(f"{where} is not a run: it is larger than a run can be")
            data = file.read(_MOST_BYTES)  # a pipe has no size
    except (errors.UserFileError, OSError, ValueError) as error:
        known = getattr(error, "reason", None) or getattr(error, "strerror", None)
        raise RunError(f"cannot read {where}: {known or error}") from None
    try:
        document = user_files.parse_json(data, path)
    except errors.UserFileError as error:
        raise RunError(f"{where} is not a run: {error.reason}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise RunError(f"{where} is not a run: it is not what upcard simulate -o writes")
    version = document.get("format_version")
    if version != FORMAT_VERSION:
        msg = f"{where} has format version {str(version)[:20]}; this upcard reads {FORMAT_VERSION}"
        raise RunError(msg)
    try:
        checksum = _checksum(document)
        format_document(document).encode()  # it must be writable again
    except ValueError:  # half a character
        checksum = None
    if checksum is None or document.get("checksum") != checksum:
        msg = f"{where} is damaged or was edited: its checksum is not that of what it holds"
        raise RunError(msg)
    return document


@contextmanager
def reading(part: str) -> Iterator[None]:
    """Raise whatever error a faulty part causes as a RunError that names the part."""
    try:
        yield
    except RunError:
        raise
    except _ODD as error:
        raise RunError(f"its {part} cannot be read: {error}") from None


@contextmanager
def naming_file(path: object, what: str = "use the run") -> Iterator[None]:
    """Add to errors about a run `what` cannot be done, and the name of its file."""
    try:
        yield
    except RunError as error:
        raise type(error)(f"cannot {what} '{path}': {error}") from None


def read_job(document: dict[str, Any], *, of_this_version: bool = False) -> Job:
    """Read the job of a run."""
    with reading("job"):
        written = take(document, "job", dict)
        if of_this_version:
            # Checked first: another version may have other settings.
            version, kernel = take(written, "version", str), take(written, "kernel_version", int)
            check_versions(version, kernel, "this run was made by")
        return Job.from_json(written)


def read_own_ramp(document: dict[str, Any], job: Job) -> BetRamp | None:
    """Read the ramp that a run is quoted with; None for flat bets."""
    with reading("ramp"):
        if (written := take(document, "ramp", str, type(None))) is None:
            return None
        if job.system is None:
            raise ValueError("a ramp needs a count to bet by, and the run has none")
        return read_pairs(written)


def read_tally(document: dict[str, Any], job: Job, ramp: BetRamp | None) -> Tally | None:
    """Read the rounds of a run; None before the first."""
    with reading("tally"):
        if (written := take(document, "tally", dict, type(None))) is None:
            return None
        tally = Tally.from_json(written)
        if (tally.luck is None) == job.without_luck:
            raise ValueError("its luck is not as the job says")
        if tally.spots != job.spots:
            raise ValueError(f"{tally.spots} spots there, and {job.spots} in the job")
        if ramp is not None:
            tallies.check_ramp(tally, ramp)
        return tally


def restore_run(document: dict[str, Any]) -> Run:
    """Restore a run from its document, to continue it."""
    job = read_job(document, of_this_version=True)
    ramp = read_own_ramp(document, job)
    total = read_tally(document, job, ramp)
    with reading("goal"):
        run = Run(job, Goal.from_json(take(document, "goal", dict)), ramp)
    with reading("progress"):
        for rounds, ev, error in take(document, "progress", list):
            if run.keeps_point(rounds):
                run.points.append(Point(rounds, finite(ev), finite(error)))
    with reading("chunks"):
        chunks = take(document, "chunks", dict)
        last = take(chunks, "short", dict, NoneType)
        short = None if last is None else Tally.from_json(last)
        run.restore(take_whole(chunks, "done", 0 if last is None else 1, MOST_ROUNDS), total, short)
    if "blocks" in document:
        with reading("blocks"):
            run.blocks = _read_blocks(document, run)
    return run


def _read_blocks(document: dict[str, Any], run: Run) -> list[list[int]]:
    """Read the sums by chunk, which add up to those of the tally."""
    blocks: list[list[int]] = take(document, "blocks", list)
    sums = [sum(column) for column in zip(*blocks, strict=True)]
    total = run.total()
    if len(blocks) != run.chunks or (total and sums != total.by_count().net_sum.tolist()):
        raise ValueError("they are not those of the tally")
    return blocks


def load_run(path: str | Path) -> Run:
    """Read a run's file, to continue the run."""
    document = load_run_document(path)
    with naming_file(path, "continue with"):
        return restore_run(document)


def save_document(path: Path, document: dict[str, Any]) -> None:
    """Write a run's file atomically: at any moment either the old or the new one is complete."""
    text = format_document(document).encode()
    fresh = path.with_name(path.name + ".new")
    try:
        with fresh.open("wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        shared_files.replace(fresh, path)
        sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)  # a disk that is full has better use for it
        raise RunError(f"cannot write '{path}': {error.strerror}") from None


def sync_folder(folder: Path) -> None:
    """Have the disk write the names in a folder, where the system can."""
    with suppress(OSError):  # a system that does not open folders, or a file system without it
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


RUN_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""A name by which a run of the lab is asked for."""


def list_run_files(folder: Path) -> list[tuple[int, Path]]:
    """Return the files of a folder that may be runs, the last changed first, with that moment."""
    found = []
    for file in folder.glob("*.json"):
        with suppress(OSError):  # it was deleted meanwhile
            status = file.stat()
            # Reading a pipe would wait for ever.
            if stat.S_ISREG(status.st_mode) and RUN_NAME.fullmatch(file.stem):
                found.append((status.st_mtime_ns, file))
    return sorted(found, reverse=True)


def find_place(path: str | Path, *, needs_folder: bool = True) -> Path:
    """Resolve a path, following links."""
    try:
        place = user_files.expand_user(path).resolve()
        is_odd = place.exists() and not place.is_file()
    except (errors.UserFileError, OSError, ValueError) as error:
        known = getattr(error, "reason", None) or getattr(error, "strerror", None)
        reason = known or "no file can have that name"
        raise RunError(f"cannot keep a run in '{path}': {reason}") from None
    if is_odd:
        raise RunError(f"cannot keep a run in '{path}': it is not an ordinary file")
    if needs_folder and not place.parent.is_dir():
        raise RunError(f"cannot keep a run in '{path}': there is no folder '{place.parent}'")
    return place


_LONG: Final = {
    "strategy": "the chart",
    "system": "the counting system",
    "deviations": "the index plays",
}
_NAMES: Final = {
    "version": "upcard",
    "kernel_version": "kernel",
    "chunk_rounds": "chunks of",
    "without_luck": "without luck:",
}


def check_same_run(path: str | Path, there: Run, here: Run) -> None:
    """Refuse to put a run into the file of another one."""
    differences = find_differences(there.job, here.job)
    if str(there.own_ramp) != str(here.own_ramp):
        differences.append(f"ramp {there.own_ramp or 'none'} there, {here.own_ramp or 'none'} here")
    if differences:
        raise RunError(
            f"'{path}' holds another run: {'; '.join(differences)}."
            " Resume it is, or choose another file"
        )


def find_differences(there: Job, here: Job) -> list[str]:
    """Describe the settings in which two jobs differ, one phrase each."""
    differences = []
    for item in fields(there):
        old, new = getattr(there, item.name), getattr(here, item.name)
        if old == new:
            continue
        if item.name in _LONG and None not in (old, new):
            differences.append(f"{_LONG[item.name]} is another")
        elif item.name in _LONG:
            differences.append(f"{_LONG[item.name]} is in one of them only")
        else:
            shown = _NAMES.get(item.name, item.name)
            differences.append(f"{shown} {_show(old)} there, {_show(new)} here")
    return differences


def _show(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


SAVE_SECONDS: Final = 1.0
"""A finished chunk is in the run's file after this time at the latest."""


class Keeper:
    """Writes a run's file while it plays, and holds its lock, RUN.json.part, for one process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._part = path.with_name(path.name + ".part")
        self._saved = time.monotonic()
        self._is_behind = False
        try:
            self._lock = shared_files.take_lock(self._part, 0o666)
        except OSError as error:
            raise RunError(f"cannot write '{self._part}': {error.strerror}") from None
        if self._lock is None:
            raise RunError(f"'{self._part}' is in use: another process is playing this run")

    @classmethod
    def start(cls, path: str | Path, run: Run) -> Self:
        """Create the file of a new run."""
        keeper = cls(find_place(path))
        with keeper.closing_on_error():
            keeper.save(run)
        return keeper

    @classmethod
    def resume(cls, path: str | Path) -> tuple[Self, Run]:
        """Open the file of a run; return the run with all chunks in it."""
        place = find_place(path)
        keeper = cls(place)
        with keeper.closing_on_error():
            return keeper, load_run(place)

    def keep(self, run: Run) -> None:
        """Save a run that has a new chunk, unless the file was written within a second."""
        self._is_behind = True
        if self.seconds_left == 0:
            self.save(run)

    @property
    def seconds_left(self) -> float | None:
        """Time until the file must be written; None if it has all chunks."""
        left = self._saved + SAVE_SECONDS - time.monotonic()
        return max(0.0, left) if self._is_behind else None

    def save_rest(self, run: Run) -> None:
        """Write the file unless it has all chunks already."""
        if self._is_behind:
            self.save(run)

    def save(self, run: Run, check: ExactCheck | None = None) -> None:
        """Write the file now."""
        save_document(self.path, make_document(run, check))
        self._is_behind = False
        self._saved = time.monotonic()

    def close(self) -> None:
        """Release the file as it is, and remove the lock."""
        if self._lock is None:
            return
        is_empty = not os.fstat(self._lock).st_size  # else it is not a lock of ours
        shared_files.drop_lock(self._lock, self._part, removes=is_empty)
        self._lock = None

    @contextmanager
    def closing_on_error(self) -> Iterator[None]:
        """Close the file if what follows fails."""
        try:
            yield
        except BaseException:
            self.close()
            raise


def delete_run(path: Path) -> None:
    """Delete the file of a run."""
    with closing(Keeper(find_place(path))):
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise RunError(f"cannot delete '{path}': {error.strerror}") from None
