"""Runs the cases of a subject in worker processes, watches them, and collects what they find."""

from __future__ import annotations

import contextlib
import faulthandler
import multiprocessing
import os
import re
import resource
import shutil
import signal
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from campaign.bystanders import die_with_parent
from campaign.case import FindingError, make_case

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from campaign.case import Subject

_REPORT_SECONDS: Final = 1.0
_LONGEST_TRACE: Final = 12
_STACK: Final = "stack.txt"
_STACK_SECONDS: Final = 0.3
_FORK: Final = multiprocessing.get_context("fork")


@dataclass(slots=True, kw_only=True)
class Finding:
    """A broken promise, and how to see it again."""

    subject: str
    seed: int
    number: int
    text: str
    times: int = 1
    """How many cases found the same."""

    @property
    def kind(self) -> str:
        """The last line of the text without what differs from input to input."""
        return re.sub(r"'[^']*'|\"[^\"]*\"|\b\d+\b", "", self.text.strip().rpartition("\n")[2])

    @property
    def command(self) -> str:
        """The command that runs this case alone."""
        return (
            f"python -m campaign {self.subject} --seed {self.seed} --first {self.number} --count 1"
        )


@dataclass(slots=True, kw_only=True)
class Result:
    """What a campaign of one subject did."""

    subject: str
    unit: str
    seed: int
    cases: int = 0
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    was_interrupted: bool = False

    def note(self, finding: Finding) -> None:
        """Keep a finding; one that only repeats another is counted with it."""
        for known in self.findings:
            if known.kind == finding.kind:
                known.times += 1
                return
        self.findings.append(finding)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which cases are wanted: `count` from `first` on, within so many seconds."""

    seed: int
    first: int = 0
    count: int | None = None
    seconds: float | None = None
    workers: int = 2
    most_findings: int = 20


class _Worker:
    """A process that runs every n-th case. One that hangs or dies is replaced after that case."""

    def __init__(self, subject: Subject, wanted: Wanted, place: int, folder: Path) -> None:
        self.subject = subject
        self.wanted = wanted
        self.folder = folder / f"worker-{place}"
        self.next = wanted.first + place
        self.is_done = False
        self._at = _FORK.Value("q", -1, lock=False)
        self._since = _FORK.Value("d", 0.0, lock=False)
        self._start()

    def _start(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.connection, theirs = _FORK.Pipe(duplex=False)
        self._at.value, self._since.value = -1, time.monotonic()
        self.process = _FORK.Process(
            target=_work,
            args=(self.subject, self.wanted, self.next, self.folder, theirs, self._at, self._since),
        )
        self.process.start()
        theirs.close()

    def look(self, result: Result) -> None:
        """Take in what was reported; see whether the process still gets on."""
        with contextlib.suppress(EOFError):
            while self.connection.poll():
                self._take_in(self.connection.recv(), result)
        if self.is_done:
            self.process.join()
            return
        is_stuck = (
            self._at.value >= 0 and time.monotonic() - self._since.value > self.subject.patience
        )
        if self.process.is_alive() and not is_stuck:
            return
        with contextlib.suppress(EOFError):  # its last words may have come just now
            while self.connection.poll():
                self._take_in(self.connection.recv(), result)
        if not self.is_done:
            self._bury(result, is_stuck=is_stuck)

    def _take_in(self, report: tuple[str, int, object], result: Result) -> None:
        kind, number, content = report
        if kind == "counts":
            assert isinstance(content, Counter)  # noqa: S101 (for the type checker)
            result.counts += content
            result.cases += number
        elif kind == "finding":
            result.note(Finding(number=number, text=str(content), **self._origin()))
        else:
            self.is_done = True

    def _origin(self) -> dict[str, Any]:
        return {"subject": self.subject.name, "seed": self.wanted.seed}

    def _ask_where(self) -> str:
        """Return where a process is that does not get on, as it says itself, even from C."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid or 0, signal.SIGUSR1)
        time.sleep(_STACK_SECONDS)
        place = self.folder / _STACK
        text = place.read_text(encoding="utf-8", errors="replace") if place.exists() else ""
        return "\n".join(text.splitlines()[:_LONGEST_TRACE])

    def _bury(self, result: Result, *, is_stuck: bool) -> None:
        number = self._at.value
        where = self._ask_where() if is_stuck else ""
        self.stop()
        how = (
            f"{where}\nit hangs: not over after {self.subject.patience:.0f} s"
            if is_stuck
            else f"the worker died with exit code {self.process.exitcode}"
        )
        self._take_in(("finding", number, how), result)
        if number < 0:  # it could not even start
            self.is_done = True
            return
        result.cases += 1
        self.next = number + self.wanted.workers
        end = None if self.wanted.count is None else self.wanted.first + self.wanted.count
        if end is not None and self.next >= end:
            self.is_done = True
        else:
            self._start()

    def stop(self) -> None:
        """End the process and what it started."""
        if self.process.is_alive():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid or 0, signal.SIGKILL)
        self.process.join()


def run_subject(
    subject: Subject, wanted: Wanted, *, watch: Callable[[Result], None] = lambda _: None
) -> Result:
    """Run a campaign; Ctrl-C ends it early, with what it has."""
    result = Result(subject=subject.name, unit=subject.unit, seed=wanted.seed)
    begun = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix=f"upcard-{subject.name}-"))
    places = wanted.workers if wanted.count is None else min(wanted.workers, wanted.count)
    workers = [_Worker(subject, wanted, place, folder) for place in range(places)]
    try:
        while not all(worker.is_done for worker in workers):
            time.sleep(0.1)
            for worker in workers:
                if not worker.is_done:
                    worker.look(result)
            result.seconds = time.monotonic() - begun
            watch(result)
            if len(result.findings) >= wanted.most_findings:
                break
    except KeyboardInterrupt:
        result.was_interrupted = True
    finally:
        for worker in workers:
            worker.stop()
        shutil.rmtree(folder, ignore_errors=True)
    result.seconds = time.monotonic() - begun
    return result


def _work(  # noqa: PLR0913, PLR0917 (called once, above)
    subject: Subject,
    wanted: Wanted,
    first: int,
    folder: Path,
    connection: Connection,
    at: Any,
    since: Any,
) -> None:
    """Run cases in this process until there are no more, or it is time."""
    os.setpgid(0, 0)  # so that nothing it starts outlives it
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    faulthandler.register(signal.SIGUSR1, (folder / _STACK).open("w", encoding="utf-8"))
    os.environ["UPCARD_DATA"] = str(folder / "data")
    os.environ["UPCARD_CACHE"] = "off"  # every value is computed
    os.environ["HOME"] = str(folder)
    begun = time.monotonic()
    run = subject.start(folder)
    if subject.megabytes is not None:
        _limit_memory(subject.megabytes)
    number, done, reported = first, 0, time.monotonic()
    counts: Counter[str] = Counter()
    end = None if wanted.count is None else wanted.first + wanted.count
    while (end is None or number < end) and (
        wanted.seconds is None or time.monotonic() - begun < wanted.seconds
    ):
        since.value, at.value = time.monotonic(), number
        case = make_case(subject.name, seed=wanted.seed, number=number, folder=folder)
        try:
            run(case)
        except FindingError as finding:
            connection.send(("finding", number, str(finding)))
        except Exception:
            connection.send(("finding", number, _trace()))
        done += 1
        number += wanted.workers
        counts += case.counts
        if time.monotonic() - reported > _REPORT_SECONDS:
            connection.send(("counts", done, counts))
            counts, done, reported = Counter(), 0, time.monotonic()
    connection.send(("counts", done, counts))
    connection.send(("done", number, None))
    connection.close()


def _trace() -> str:
    lines = traceback.format_exc().strip().splitlines()
    if len(lines) > _LONGEST_TRACE:
        lines = [lines[0], "  ...", *lines[-_LONGEST_TRACE:]]
    return "\n".join(lines)


def _limit_memory(megabytes: int) -> None:
    """Let this process take so much more address space than it has, and no more."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    limit = pages * os.sysconf("SC_PAGE_SIZE") + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
