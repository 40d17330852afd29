"""`Keeper`: saves a run on disk while it plays. RUN.json is complete at any moment, or absent.

Finished chunks go to the journal RUN.json.part at once. Now and then, and at the end, the state is
written to RUN.json and the journal is emptied. A crash between the two is harmless: the reader
skips journal entries that RUN.json contains already.
"""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path
from typing import Final, Self

from upcard.core.errors import UserFileError
from upcard.core.user_files import expand_user
from upcard.simulation.document import (
    find_differences,
    load_run_document,
    make_document,
    read_state,
    save_document,
)
from upcard.simulation.errors import RunError
from upcard.simulation.exact_check import ExactCheck
from upcard.simulation.job import Job
from upcard.simulation.journal import Journal, JournalEntry
from upcard.simulation.state import RunState

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
