"""Simulations beside the pages: one at a time, a short queue, files that outlast the server."""

from __future__ import annotations

import os
import re
import secrets
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from upcard.analysis.count_rows import CountedRun, read_document
from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.long_work import COMPILING, Report, listening
from upcard.core.numbers import finite, with_minus
from upcard.rules.describe import name_game
from upcard.rules.model import Rules
from upcard.services import UnavailableError, not_found
from upcard.simulation import executors, run_state
from upcard.simulation import job as jobs
from upcard.simulation import run as runner
from upcard.simulation.tally import Tally
from upcard.store.bankroll import add_run, read_runs, remove_run
from upcard.store.database import Store
from upcard.store.files import make_folder, runs_folder
from upcard.strategy.count_system import read_system
from upcard.strategy.ramp import BetRamp

_Change: TypeAlias = tuple[int, int, int]
"""Time, size and number of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressView:
    """How far a run is. `words` has the same as finished text, by name."""

    rounds: int
    of: int | None
    """Rounds of the goal; None if it is an error to reach."""
    share: float
    """Share that is done, 0 to 1."""
    rate: float | None
    """Rounds per second."""
    seconds: float
    """Seconds that it has run."""
    left: float | None
    """Seconds left, estimated."""
    ev: float | None
    standard_error: float | None
    words: dict[str, str]
    """Texts by name: `rounds`, `rate`, `left`, `ev` and `error`."""


def look_at_progress(progress: run_state.RunProgress) -> ProgressView:
    """Return the progress of a run."""
    state, seconds = progress.run, progress.seconds
    estimate = state.estimate()
    ev = None if estimate is None else finite(estimate.ev)
    error = None if estimate is None else finite(estimate.standard_error)
    rate = progress.played / seconds if seconds > 0 and progress.played else None
    left = run_state.measure_time_left(progress)
    return ProgressView(
        rounds=state.rounds,
        of=state.goal.rounds,
        share=run_state.measure_progress(progress),
        rate=rate,
        seconds=seconds,
        left=left,
        ev=ev,
        standard_error=error,
        words={
            "rounds": f"{state.rounds:,}",
            "rate": "" if rate is None else f"{run_state.write_amount(rate)} a second",
            "left": "" if left is None else f"{run_state.write_time(left)} left",
            "ev": write_ev(ev),
            "error": "" if error is None else f"± {error:.4%}",
        },
    )


def write_ev(ev: float | None) -> str:
    """Write an EV in percent of a bet, or of a unit."""
    return "…" if ev is None else with_minus(f"{ev + 0.0:+.4%}")


_SHOWN_SECONDS: Final = 0.2
_DRAWN_SECONDS: Final = 1.0
_WATCHED_SECONDS: Final = 10.0
_NICE: Final = 10


class Status(StrEnum):
    """State of a run."""

    WAITING = "waiting"
    RUNNING = "running"
    STOPPED = "stopped"
    DONE = "done"
    FAILED = "failed"


@dataclass(slots=True, kw_only=True, eq=False)
class RunEntry:
    """A run that waits or is played."""

    name: str
    stop: threading.Event = field(default_factory=threading.Event)
    status: Status = Status.WAITING
    future: Future[None] | None = None
    progress: ProgressView | None = None
    document: dict[str, Any] | None = None
    compiling: Report | None = None
    """The compilation before the first round, and how long it takes."""
    shown: float = 0.0
    drawn: float = 0.0
    watched: float = 0.0

    def hear(self, report: Report) -> None:
        """Note that the run waits for a compilation."""
        if report.task == COMPILING:
            self.compiling = None if report.is_over else report

    def see(self, progress: run_state.RunProgress) -> None:
        """Keep the progress, and the document if it is watched."""
        now = time.monotonic()
        if self.document is not None and now - self.shown < _SHOWN_SECONDS:
            return
        self.shown = now
        self.progress = look_at_progress(progress)
        is_watched = now - self.watched < _WATCHED_SECONDS and now - self.drawn > _DRAWN_SECONDS
        if self.document is None or is_watched:
            self.drawn = now
            self.document = run_state.make_document(progress.run)


def at_rest() -> runner.Workers:
    """Return workers that play nothing: the file is written, or its goal changed."""
    stop = threading.Event()
    stop.set()
    return runner.Workers(count=1, stop=stop)


def cores() -> int:
    """Return the number of cores for a run: one stays for the pages."""
    return max(1, executors.count_cores() - 1)


def yield_to_pages() -> None:
    """Give this thread a lower priority than the pages, where threads have one."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


Run: TypeAlias = run_state.Run
"""A run to queue: one without a round."""


def place_ramp(run: Run, ramp: str | None) -> Run:
    """Return the run with other bets. Raises: NotationError, RulesError."""
    return Run(run.job, run.goal, jobs.read_ramp(ramp, run.job))


def describe_ready(run: Run) -> list[str]:
    """Say in sentences which engine plays a run that can be started, and what its bets are."""
    job = run.job
    words = [f"{name_game(job.rules)}, ready to run."]
    if job.engine is jobs.Engine.TABLE:
        reasons = "; ".join(f"{rule}: {why}" for rule, why in jobs.find_unsupported(job.rules))
        why = f"it cannot honour {reasons}" if reasons else f"player {job.player} sits at a table"
        words.append(
            f"The compiled engine does not play this: {why}. The table engine does, at some 20,000"
            " rounds a second and core instead of millions."
        )
    if run.own_ramp is not None:
        words.append(f"The ramp by count: {run.own_ramp}.")
    elif job.system is not None:
        words.append("Bets do not move cards: every ramp can be tried on the finished run.")
    else:
        words.append("Without a count there is nothing to bet by: the run gives the house edge.")
    return words


MOST_WAITING: Final = 8
_MOST_FILES: Final = 4
"""Files of runs at rest that are not read again for the next page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """A run in the list of all runs."""

    name: str
    status: Status
    rules: str = ""
    system: str = ""
    ramp: str = ""
    rounds: int = 0
    ev: float | None = None
    standard_error: float | None = None
    words: str = ""
    """Why it failed, or cannot be read."""
    json_keys = """
        name title about status status_words rounds ev standard_error figure error words is_readable
    """

    @property
    def title(self) -> str:
        """Name of the game."""
        with suppress(BlackjackError):  # they are of another version
            return name_game(Rules.parse(self.rules)) if self.rules else self.name
        return self.rules

    @property
    def about(self) -> str:
        """The count and the bets in words; empty if the run cannot be read."""
        bets = f"ramp {self.ramp}" if self.ramp else "bets flat"
        about = f"{self.system}, {bets}" if self.system else bets
        return about if self.rules else ""

    @property
    def status_words(self) -> str:
        """The state in words."""
        return self.status.capitalize()

    @property
    def figure(self) -> str:
        """The EV in percent, as text; empty without one."""
        return "" if self.ev is None else write_ev(self.ev)

    @property
    def error(self) -> str:
        """The standard error in percent, as text; empty without one."""
        return "" if self.standard_error is None else f"± {self.standard_error:.4%}"

    @property
    def is_readable(self) -> bool:
        """Whether this version can show the run."""
        return bool(self.rules)


class RunFile:
    """The document of a run, and what is read from it once."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document

    @cached_property
    def counted(self) -> CountedRun:
        """Results by count."""
        return read_document(self.document)

    @cached_property
    def job(self) -> jobs.Job:
        """The settings of its integers."""
        return run_state.read_job(self.document)

    @cached_property
    def own_ramp(self) -> BetRamp | None:
        """The bets of the quoted EV; None for flat bets."""
        return run_state.read_own_ramp(self.document, self.job)

    @cached_property
    def tally(self) -> Tally | None:
        """The results in whole numbers; None before the first round."""
        return run_state.read_tally(self.document, self.job, self.own_ramp)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLook:
    """A run as it is now."""

    name: str
    status: Status
    file: RunFile
    progress: ProgressView | None
    """None unless it is being played."""
    ahead: int
    """Number of runs that are played before this one."""
    words: str

    @property
    def document(self) -> dict[str, Any]:
        """The document, as `upcard simulate -o` writes it."""
        return self.file.document


class RunQueue:
    """Plays runs in a thread of its own; each is a file in the folder of saved games.

    Its methods read and write files: call them in a thread. `store` is None in practice, when the
    folder is temporary.
    """

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._folder: Path | None = None
        self._pool = ThreadPoolExecutor(1, "runs")
        self._lock = threading.RLock()
        self._active: dict[str, RunEntry] = {}
        self._failed: dict[str, str] = {}
        self._summaries: dict[str, tuple[int, RunSummary]] = {}
        self._files: OrderedDict[Path, tuple[_Change, RunFile]] = OrderedDict()
        self.is_closing = False

    @property
    def folder(self) -> Path:
        """The folder of the runs, made when it is first needed."""
        with self._lock:
            if self._folder is None:
                if self._store is None:
                    self._temporary = tempfile.TemporaryDirectory(prefix="upcard-")
                    self._folder = Path(self._temporary.name)
                else:
                    self._folder = runs_folder(self._store.folder)
                    make_folder(self._folder)
            return self._folder

    def start(self, state: run_state.Run) -> str:
        """Save a new run and queue it; return its name.

        Its file is there before it is played, so that a queued run outlasts the program.
        """
        state = run_state.Run(state.job, state.goal, state.own_ramp)  # that one may be remembered
        job = state.job
        decks = "inf" if job.rules.decks is None else f"{job.rules.decks}d"
        count = "flat" if job.system is None else job.system.name or "count"
        stem = re.sub(r"[^a-z0-9]+", "-", f"{count}-{decks}".lower()).strip("-")
        name = f"{stem}-{secrets.token_hex(3)}"
        with self._lock:
            self._check_room()
            runner.start_run(state, at_rest(), output=self._place(name))
            self._queue(name)
        return name

    def go_on(self, name: str, *, extend: int | None = None) -> None:
        """Queue a run again, with `extend` more rounds if given."""
        with self._lock:
            place = self._find_at_rest(name)
            self._check_room()
            # From now on its file has the goal.
            run = runner.resume_run(place, at_rest(), partial(runner.extend_goal, extend=extend))
            if not run.is_complete:
                self._queue(name)

    def stop(self, name: str) -> None:
        """End a run after the rounds under way, or take it from the queue."""
        self._find(name)
        with self._lock:
            entry = self._active.get(name)
            if entry is None:
                return
            entry.stop.set()
            if entry.future is not None and entry.future.cancel():
                del self._active[name]

    def delete(self, name: str) -> None:
        """Delete the file of a run."""
        with self._lock:
            place = self._find_at_rest(name)
            run_state.delete_run(place)
            self._failed.pop(name, None)
            self._summaries.pop(name, None)
        if self._store is not None:
            remove_run(self._store, place)

    def wait(self, name: str) -> None:
        """Wait until a run is no longer played."""
        with self._lock:
            entry = self._active.get(name)
        if entry is not None and entry.future is not None:
            entry.future.result()

    def follow(self, name: str) -> tuple[Status | None, ProgressView | None]:
        """Return state and progress of a queued run without reading files; None if it has ended."""
        with self._lock:
            entry = self._active.get(name)
            if entry is None or self.is_closing:
                return None, None
            return entry.status, _say_compiling(entry)

    def look(self, name: str) -> RunLook:
        """Return a run."""
        place = self._find(name)
        with self._lock:
            entry = self._active.get(name)
            document = None
            if entry is not None:
                entry.watched = time.monotonic()
                document = entry.document
        file = self._read(place) if document is None else RunFile(document)
        if entry is not None:
            status = entry.status
        elif name in self._failed:
            status = Status.FAILED
        else:
            status = Status.DONE if file.document["is_complete"] else Status.STOPPED
        return RunLook(
            name=name,
            status=status,
            file=file,
            progress=None if entry is None else _say_compiling(entry),
            ahead=0 if entry is None else [*self._active, name].index(name),
            words=self._failed.get(name, ""),
        )

    def summarize(self, name: str) -> RunSummary:
        """Return a run as the list has it."""
        try:
            look = self.look(name)
        except BlackjackError as error:
            return RunSummary(name=name, status=Status.FAILED, words=as_sentence(str(error)))
        document = look.document
        system = document["job"]["system"]
        return RunSummary(
            name=name,
            status=look.status,
            rules=str(document["rules"]),
            system="" if system is None else read_system(system).title,
            ramp=document["ramp"] or "",
            rounds=document["rounds"],
            ev=document["ev"],
            standard_error=document["standard_error"],
            words=look.words,
        )

    def list_runs(self) -> list[RunSummary]:
        """Return all runs, the last changed first."""
        self._recall()
        found = []
        for changed, file in run_state.list_run_files(self.folder):
            name = file.stem
            known = self._summaries.get(name)
            if name in self._active or known is None or known[0] != changed:
                try:
                    known = changed, self.summarize(name)
                except UnavailableError:  # it was deleted meanwhile
                    continue
                if name not in self._active:
                    self._summaries[name] = known
            found.append(known[1])
        return found

    def close(self) -> None:
        """End the run under way and save it; queued ones stay as they are."""
        self.is_closing = True
        with self._lock:
            for entry in self._active.values():
                entry.stop.set()
        self._pool.shutdown(wait=True, cancel_futures=True)
        if self._temporary is not None:
            self._temporary.cleanup()

    def _read(self, place: Path) -> RunFile:
        """Read a file, unless it is one of the last and has not changed."""
        with suppress(OSError):  # reading it says what is wrong
            found = place.stat()
            change = found.st_mtime_ns, found.st_size, found.st_ino
            with self._lock:
                known = self._files.get(place)
                if known is not None and known[0] == change:
                    self._files.move_to_end(place)
                    return known[1]
            file = RunFile(run_state.load_run_document(place))
            with self._lock:
                self._files[place] = change, file
                if len(self._files) > _MOST_FILES:
                    self._files.popitem(last=False)
            return file
        return RunFile(run_state.load_run_document(place))

    def _place(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _find(self, name: str) -> Path:
        place = self._place(name)
        if not run_state.RUN_NAME.fullmatch(name) or not place.is_file():
            raise not_found("There is no run of this name.")
        return place

    def _find_at_rest(self, name: str) -> Path:
        place = self._find(name)
        if name in self._active:
            words = "This run is being played; stop it first."
            raise UnavailableError("running", words)
        return place

    def _check_room(self) -> None:
        if len(self._active) > MOST_WAITING:
            words = f"{MOST_WAITING} runs wait already; start it when one has ended."
            raise UnavailableError("queue-full", words)

    def _queue(self, name: str) -> None:
        self._failed.pop(name, None)
        entry = RunEntry(name=name)
        self._active[name] = entry
        entry.future = self._pool.submit(self._play, entry)

    def _play(self, entry: RunEntry) -> None:
        entry.status = Status.RUNNING
        try:
            is_table = self.look(entry.name).document["job"]["engine"] == "table"
            pool = ThreadPoolExecutor(cores(), "chunks", yield_to_pages)
            with listening(entry.hear), pool as threads:
                workers = runner.Workers(
                    count=cores(),
                    executor=None if is_table else threads,
                    table_executor=executors.ExecutorKind.PROCESSES,
                    watch=entry.see,
                    stop=entry.stop,
                )
                runner.resume_run(self._place(entry.name), workers, lambda state: state.goal)
        except BlackjackError as error:
            self._failed[entry.name] = as_sentence(str(error))
        except Exception as error:  # noqa: BLE001 (a fault of a run must not end the queue)
            self._failed[entry.name] = f"This run failed: {type(error).__name__}."
        finally:
            with self._lock:
                self._active.pop(entry.name, None)
            with suppress(BlackjackError, UnavailableError, OSError):
                self._remember(entry.name)

    def _remember(self, name: str) -> None:
        """Save the summary of a run, so that the list need not read every file."""
        if self._store is None:
            return
        place = self._place(name)
        changed = place.stat().st_mtime_ns
        summary = self.summarize(name)
        self._summaries[name] = changed, summary
        add_run(self._store, place, {"changed": changed, **asdict(summary)})

    def _recall(self) -> None:
        if self._store is None or self._summaries:
            return
        for path, summary in read_runs(self._store):
            with suppress(KeyError, TypeError, ValueError):  # another version's
                changed, status = int(summary.pop("changed")), Status(summary.pop("status"))
                self._summaries[path.stem] = changed, RunSummary(status=status, **summary)


def _say_compiling(entry: RunEntry) -> ProgressView | None:
    # Before the first round it waits for a compilation.
    progress, report = entry.progress, entry.compiling
    if progress is None or report is None or progress.rounds:
        return progress
    left = f"compiling {report.about}, about {report.seconds_left:.0f} s left"
    return replace(progress, words=progress.words | {"left": left})
