"""RUN.json: a whole run in one file, and `Keeper`, which saves it while the run plays.

Each top-level key is a line. `tally` holds the integers, `chunks` the progress, and `checksum` the
SHA-256 of the document without it, keys sorted and without blanks.

Finished chunks go to the journal RUN.json.part at once. Now and then, and at the end, the state is
written to RUN.json and the journal is emptied. A crash between the two is harmless: the reader
skips journal entries that RUN.json contains already.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

from upcard.core.errors import BlackjackError, UserFileError
from upcard.core.user_files import expand_user, parse_json
from upcard.simulation.estimates import (
    DEALT,
    Estimate,
    ExactCheck,
    check_ramp,
    estimate_flat,
    estimate_ramp,
)
from upcard.simulation.job import Job, RunError, check_versions, take, take_whole, whole
from upcard.simulation.run_state import (
    MOST_ROUNDS,
    Goal,
    Journal,
    JournalEntry,
    Point,
    RunState,
    finite,
    subtract,
    sync_folder,
)
from upcard.simulation.tally import Tally, unpack
from upcard.strategy.ramp import BetRamp, read_pairs

FORMAT: Final = "upcard run"
FORMAT_VERSION: Final = 1
_MOST_BYTES: Final = 64 * 1024 * 1024
"""A run takes some hundred kilobytes, however many rounds it has."""
_LONG: Final = {
    "strategy": "the chart",
    "system": "the counting system",
    "deviations": "the index plays",
}
_ODD: Final = (
    *(BlackjackError, ArithmeticError, AttributeError, LookupError, MemoryError),
    *(RecursionError, TypeError, ValueError),
)
"""Errors that reading a faulty value may cause."""
_NUMBER: Final = (int, float, type(None))
_NAMES: Final = {"version": "upcard", "kernel_version": "kernel", "chunk_rounds": "chunks of"}


def make_document(state: RunState, check: ExactCheck | None = None) -> dict[str, Any]:
    """Make the document of a run: it depends only on its job, goal and chunks."""
    tally = state.total()
    job, ramp = state.job, state.ramp
    quoted = flat = dealt = None
    if tally is not None:
        flat = estimate_flat(tally)
        dealt = estimate_flat(tally, seats=DEALT)
        quoted = flat if ramp is None else estimate_ramp(tally, ramp)
    document: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "version": job.version,
        "rules": str(job.rules),
        "seed": job.seed,
        "rounds": state.rounds,
        "rounds_played": 0 if tally is None else tally.played,
        "ev": finite(quoted and quoted.ev),
        "standard_error": finite(quoted and quoted.standard_error),
        "standard_deviation": finite(quoted and quoted.standard_deviation),
        "flat": _write_estimate(flat),
        "house_edge": finite(dealt and -dealt.ev),
        "shoes": 0 if tally is None else tally.shoes,
        "cards": 0 if tally is None else tally.cards,
        "ramp": None if ramp is None else str(ramp),
        "goal": state.goal.to_json(),
        "is_complete": state.is_done,
        "exact": None if check is None else check.to_json(),
        "job": job.to_json(),
        "chunks": {
            "done": state.chunks,
            "short": None if state.short is None else _write_entry(state.short),
            "waiting": [_write_entry(state.waiting[chunk]) for chunk in sorted(state.waiting)],
        },
        "progress": [list(point) for point in state.points_until_now()],
        "tally": None if tally is None else tally.to_json(),
    }
    document["checksum"] = _checksum(document)
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
def naming_file(path: object) -> Iterator[None]:
    """Add the name of the file to errors about the run in it.

    Raises: RunError, VersionsDifferError.
    """
    try:
        yield
    except RunError as error:
        raise type(error)(f"cannot use the run '{path}': {error}") from None


def read_job(document: dict[str, Any], *, of_this_version: bool = False) -> Job:
    """Read the job of a run.

    Raises: RunError if it is invalid; VersionsDifferError if it must be `of_this_version`.
    """
    with reading("job"):
        written = take(document, "job", dict)
        if of_this_version:
            # Checked first: another version may have other settings.
            version, kernel = take(written, "version", str), take(written, "kernel_version", int)
            check_versions(version, kernel, "this run was made by")
        return Job.from_json(written)


def read_own_ramp(document: dict[str, Any], job: Job) -> BetRamp | None:
    """Read the ramp that a run is quoted with; None for flat bets. Raises: RunError."""
    with reading("ramp"):
        written = take(document, "ramp", str, type(None))
        if written is None:
            return None
        if job.system is None:
            raise ValueError("a ramp needs a count to bet by, and the run has none")
        return read_pairs(written)


def read_tally(document: dict[str, Any], job: Job, ramp: BetRamp | None) -> Tally | None:
    """Read the rounds of a run; None before the first. Raises: RunError."""
    with reading("tally"):
        written = take(document, "tally", dict, type(None))
        if written is None:
            return None
        tally = Tally.from_json(written)
        if tally.spots != job.spots:
            raise ValueError(f"{tally.spots} spots there, and {job.spots} in the job")
        if ramp is not None:
            check_ramp(tally, ramp)
        return tally


def _read_entry(document: dict[str, Any]) -> JournalEntry:
    packed = base64.b64decode(take(document, "packed", str), validate=True)
    unpack(packed)  # now, not in the middle of the run
    return JournalEntry(
        take_whole(document, "chunk", 0, MOST_ROUNDS),
        take_whole(document, "rounds", 1, MOST_ROUNDS),
        packed,
    )


def read_state(document: dict[str, Any]) -> RunState:
    """Restore a run from its document.

    Raises: VersionsDifferError for a run of another version; RunError if it is invalid.
    """
    job = read_job(document, of_this_version=True)
    ramp = read_own_ramp(document, job)
    total = read_tally(document, job, ramp)
    with reading("goal"):
        state = RunState(job, Goal.from_json(take(document, "goal", dict)), ramp)
    with reading("chunks"):
        chunks = take(document, "chunks", dict)
        last, waiting = take(chunks, "short", dict, type(None)), take(chunks, "waiting", list)
        done = take_whole(chunks, "done", 0 if last is None else 1, MOST_ROUNDS)
        state.short = None if last is None else _read_entry(last)
        state.full = done - (last is not None)
        entries = [_read_entry(entry) for entry in waiting]
    if state.rounds != (0 if total is None else total.seen):
        raise RunError(f"its tally and its {done} chunks are of different numbers of rounds")
    with reading("progress"):
        for rounds, ev, error in take(document, "progress", list):
            for number in (ev, error):
                if isinstance(number, bool) or not isinstance(number, _NUMBER):
                    raise TypeError(f"{str(number)[:40]!r} is no number")
            if state.keeps_point(whole(rounds, "rounds", 1, MOST_ROUNDS)):
                state.points.append(Point(rounds, ev, error))
    with reading("chunks"):
        if state.full and total is not None:
            short = state.short
            state.tally = total if short is None else subtract(total, unpack(short.packed))
        state.receive(entries)
    return state


def format_document(document: dict[str, Any]) -> str:
    """Write a document as JSON, one top-level key per line."""
    write = partial(json.dumps, ensure_ascii=False, allow_nan=False)
    lines = (f"{json.dumps(key)}: {write(value)}" for key, value in document.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def load_run_document(path: str | Path) -> dict[str, Any]:
    """Read a run's file.

    Raises: RunError if it is missing, not a run, of a newer format, or damaged.
    """
    where = f"'{path}'"
    try:
        with expand_user(path).open("rb") as file:
            if os.fstat(file.fileno()).st_size > _MOST_BYTES:
                raise RunError(f"{where} is no run: it is larger than a run can be")
            data = file.read(_MOST_BYTES)  # a pipe has no size
    except (UserFileError, OSError, ValueError) as error:
        known = getattr(error, "reason", None) or getattr(error, "strerror", None)
        raise RunError(f"cannot read {where}: {known or error}") from None
    try:
        document = parse_json(data, path)
    except UserFileError as error:
        raise RunError(f"{where} is no run: {error.reason}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise RunError(f"{where} is no run: it is not what upcard simulate -o writes")
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


def save_document(path: Path, document: dict[str, Any]) -> None:
    """Write a run's file atomically: at any moment either the old or the new one is complete.

    Raises: RunError if it cannot be written.
    """
    text = format_document(document).encode()
    fresh = path.with_name(path.name + ".new")
    try:
        with fresh.open("wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)  # a disk that is full has better use for it
        raise RunError(f"cannot write '{path}': {error.strerror}") from None


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
    return "none" if value is None else str(value)


def _write_estimate(estimate: Estimate | None) -> dict[str, Any] | None:
    names = ("ev", "standard_error", "standard_deviation")
    return None if estimate is None else {name: finite(getattr(estimate, name)) for name in names}


def _write_entry(entry: JournalEntry) -> dict[str, Any]:
    return {
        "chunk": entry.chunk,
        "rounds": entry.rounds,
        "packed": base64.b64encode(entry.packed).decode(),
    }


def _checksum(document: dict[str, Any]) -> str:
    rest = {key: value for key, value in document.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


FOLD_SECONDS: Final = 30.0
FOLD_BYTES: Final = 32 * 1024 * 1024


class Keeper:
    """Writes a run's file and its journal; one process at a time.

    Raises: RunError if the file holds another run, is damaged, in use, or cannot be written.
    """

    def __init__(self, path: Path, job: Job) -> None:
        self.path = path
        self._journal = Journal(journal_path(path), _fingerprint(job))
        self._folded = time.monotonic()

    @classmethod
    def start(cls, path: str | Path, state: RunState) -> Self:
        """Create the file of a new run."""
        place = find_place(path)
        keeper = cls(place, state.job)
        keeper._journal.clear()
        save_document(place, make_document(state))
        return keeper

    @classmethod
    def resume(cls, path: str | Path) -> tuple[Self, RunState]:
        """Open the file of a run and its journal; return the run with all finished chunks."""
        place = find_place(path)
        state = load_state(place)
        keeper = cls(place, state.job)
        try:
            # Read again: the previous owner of the journal may just have finished.
            state = load_state(place)
            state.receive(keeper._journal.read())
        except BaseException:
            keeper.close()
            raise
        return keeper, state

    def add(self, entry: JournalEntry, state: RunState) -> None:
        """Save a finished chunk that `state` already contains."""
        self._journal.add(entry)
        is_time = time.monotonic() - self._folded > FOLD_SECONDS
        if is_time or self._journal.size > FOLD_BYTES:
            self.fold(state)

    def fold(self, state: RunState) -> None:
        """Write the state to the run's file, and empty the journal."""
        save_document(self.path, make_document(state))
        self._journal.clear()
        self._folded = time.monotonic()

    def finish(self, state: RunState, check: ExactCheck | None) -> None:
        """Write the final file and remove the journal."""
        save_document(self.path, make_document(state, check))
        self._journal.remove()

    def close(self) -> None:
        """Release the files as they are."""
        self._journal.close()


def journal_path(path: Path) -> Path:
    """Return where the journal of a run's file is."""
    return path.with_name(path.name + ".part")


def delete_run(path: Path) -> None:
    """Delete the file of a run and its journal.

    Raises: RunError if another process is playing the run, or a file cannot be removed.
    """
    journal = Journal(journal_path(find_place(path)), "")
    try:
        path.unlink(missing_ok=True)
        journal.remove()
    except OSError as error:
        raise RunError(f"cannot delete '{path}': {error.strerror}") from None
    finally:
        journal.close()


def find_place(path: str | Path, *, needs_folder: bool = True) -> Path:
    """Resolve a path, following links.

    Raises: RunError if it is not a regular file, or its folder does not exist.
    """
    try:
        place = expand_user(path).resolve()
        is_odd = place.exists() and not place.is_file()
    except (UserFileError, OSError, ValueError) as error:
        known = getattr(error, "reason", None) or getattr(error, "strerror", None)
        reason = known or "no file can have that name"
        raise RunError(f"cannot keep a run in '{path}': {reason}") from None
    if is_odd:
        raise RunError(f"cannot keep a run in '{path}': it is no ordinary file")
    if needs_folder and not place.parent.is_dir():
        raise RunError(f"cannot keep a run in '{path}': there is no folder '{place.parent}'")
    return place


def load_state(path: str | Path) -> RunState:
    """Read a run's file, without its journal, to continue the run.

    Raises: RunError if it cannot be read; VersionsDifferError for a run of another version.
    """
    document = load_run_document(path)
    try:
        return read_state(document)
    except RunError as error:
        raise type(error)(f"cannot go on with '{path}': {error}") from None


def check_same_run(path: str | Path, there: RunState, here: RunState) -> None:
    """Refuse to put a run into the file of another one.

    Raises: RunError listing the differences.
    """
    differences = find_differences(there.job, here.job)
    if str(there.ramp) != str(here.ramp):
        differences.append(f"ramp {there.ramp or 'none'} there, {here.ramp or 'none'} here")
    if differences:
        raise RunError(
            f"'{path}' holds another run: {'; '.join(differences)}."
            " Resume it is, or choose another file"
        )


def _fingerprint(job: Job) -> str:
    text = json.dumps(job.to_json(), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
