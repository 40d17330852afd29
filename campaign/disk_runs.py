"""Power cuts and a full disk while a simulation writes its file."""

from __future__ import annotations

import errno
import os
import random
import shutil
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from unittest import mock

from campaign.bystanders import find_leftovers
from campaign.case import FindingError
from campaign.recording import Recorder
from upcard.core.errors import BlackjackError
from upcard.rules.model import Rules
from upcard.simulation import run as running
from upcard.simulation import run_state, tally
from upcard.simulation.job import Job, make_job
from upcard.simulation.kernel_rounds import play_chunk
from upcard.simulation.run_state import Goal, Run
from upcard.simulation.tally import ExactCheck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from campaign.case import Case
    from upcard.simulation.tally import Tally

_NAME: Final = "RUN.json"
_CHUNK: Final = 400
_CHUNKS: Final = (1, 7, 24, 40)
"""Chunks of a run before it is extended; the last one may be short."""
_MORE_CHUNKS: Final = (0, 1, 5, 17)
_SURE_SECONDS: Final = 1.0
"""A chunk outlasts a power cut once another one is added more than this later."""
_NOT_CHECKED: Final = ExactCheck(exact_ev=None, reason="a campaign")
_CUTS_OF_A_TAPE: Final = 15
_MOST_CUTS: Final = 3
_FIRST_MOMENTS: Final = 12
"""Half of the cuts are as early as this: files are made there."""
_MOST_ROOM: Final = 30_000
_MOST_FILLS: Final = 20


class _Game(NamedTuple):
    """A run: its job, the rounds with which it begins, and those to which it is extended."""

    job: Job
    first: int
    rounds: int


class _Inline(Executor):
    """Plays each chunk when it is handed out, so that the order does not depend on the machine."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call the function now."""
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class RunDisk:
    """Cuts the power of simulations; a run is recorded once, and cut at many moments."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._now = 0.0
        self._cuts = 0
        self._chunks: dict[tuple[int, int, int], Tally] = {}
        self._whole: dict[tuple[int, int], bytes] = {}
        self._jobs = [
            make_job(Rules.parse("6D"), seed=1, count="hi-lo").replace(chunk_rounds=_CHUNK),
            make_job(Rules.parse("2D H17"), seed=2).replace(chunk_rounds=_CHUNK),
        ]

    def cut(self, case: Case) -> None:
        """Cut the power once or more often; play on after each, and compare with a whole run.

        Raises: FindingError.
        """
        if self._cuts % _CUTS_OF_A_TAPE == 0:
            self._record(case)
        self._cuts += 1
        recorder, game, promised = self._recorder, self._game, set[str]()
        for count in range(1, _MOST_CUTS + 1):
            tape = recorder.tape
            risky = tape.find_risky()
            until = case.rng.choice(risky[: case.rng.choice((_FIRST_MOMENTS, len(risky)))])
            folder = self._clear(f"cut-{count}")
            case.count("writes forgotten by runs", tape.cut(until, case.rng, folder))
            case.count("power cuts of simulations")
            promised |= _find_promised(tape.said(until))
            place = folder / _NAME
            _check_promised(place, promised)
            with Recorder(folder) as recorder:
                self._play(place, game, case.rng, recorder)
            self._compare(place, game)
            if case.rng.random() < 0.6:
                return

    def fill(self, case: Case) -> None:
        """Play a run on a disk that fills up, make some room, and so on to its end.

        Raises: FindingError.
        """
        game = self._choose(case)
        place = self._clear("full") / _NAME
        for _ in range(_MOST_FILLS):
            with Recorder(place.parent, room=case.rng.randrange(_MOST_ROOM)) as recorder:
                try:
                    self._play(place, game, case.rng, recorder)
                except BlackjackError as error:
                    says_so = str(error).endswith(os.strerror(errno.ENOSPC))
                    case.require(recorder.refused and says_so, f"on a full disk: {error}")
            case.count("writes refused by a full disk", recorder.refused)
            _check_promised(place, _find_promised(recorder.tape.said(len(recorder.tape.events))))
            if not recorder.refused:
                break
        with Recorder(place.parent) as recorder:
            self._play(place, game, case.rng, recorder)
        self._compare(place, game)
        case.count("simulations on a full disk")

    def _choose(self, case: Case) -> _Game:
        first = case.rng.choice(_CHUNKS) * _CHUNK - case.rng.choice((0, 150))
        more = case.rng.choice(_MORE_CHUNKS) * _CHUNK
        return _Game(case.rng.choice(self._jobs), first, first + more)

    def _record(self, case: Case) -> None:
        """Record a run in one piece, which is most often extended after its end."""
        self._game = game = self._choose(case)
        with Recorder(self._clear("recorded")) as self._recorder:
            place = self._recorder.folder / _NAME
            self._play(place, game._replace(rounds=game.first), case.rng, self._recorder)
            self._play(place, game, case.rng, self._recorder)

    def _play(self, place: Path, game: _Game, rng: random.Random, recorder: Recorder) -> None:
        """Start or resume a run and play it to its end, noting what is promised on the way."""
        goal = Goal(rounds=game.rounds)
        workers = running.Workers(executor=_Inline(), play=partial(self._play_chunk, rng, recorder))
        with self._replacing_slow_parts(rng, recorder):
            if place.exists():
                running.resume_run(place, workers, lambda _: goal)
            else:
                running.start_run(Run(game.job, goal), workers, output=place)
        recorder.say("done", self._now)

    def _play_chunk(
        self, rng: random.Random, recorder: Recorder, job: Job, chunk: int, rounds: int
    ) -> Tally:
        """Return a chunk, played once; each takes up to 1.2 seconds of our own clock."""
        recorder.say("begun", self._now)
        self._now += rng.random() * 1.2
        key = job.seed, chunk, rounds
        if key not in self._chunks:
            self._chunks[key] = play_chunk(job, chunk, rounds)
        return self._chunks[key]

    @contextmanager
    def _replacing_slow_parts(self, rng: random.Random, recorder: Recorder) -> Iterator[None]:
        keep = run_state.Keeper.keep

        def keep_and_say(keeper: Any, run: Run) -> None:
            keep(keeper, run)
            if run.short is None:  # a shorter one is played again when the run is extended
                recorder.say(run.chunks - 1, self._now)

        clock = SimpleNamespace(monotonic=lambda: self._now)
        with (
            mock.patch.object(run_state, "time", clock),
            mock.patch.object(run_state, "SAVE_SECONDS", rng.choice((0.0, 0.5, _SURE_SECONDS))),
            mock.patch.object(run_state.Keeper, "keep", keep_and_say),
            mock.patch.object(tally, "check_exactly", return_value=_NOT_CHECKED),
        ):
            yield

    def _compare(self, place: Path, game: _Game) -> None:
        key = game.job.seed, game.rounds
        if key not in self._whole:
            whole = self._clear("whole") / _NAME
            with Recorder(whole.parent) as recorder:
                self._play(whole, game, random.Random(1), recorder)
            self._whole[key] = whole.read_bytes()
        if place.read_bytes() != self._whole[key]:
            msg = f"{game.job.rules}, {game.rounds} rounds: differs from a run in one piece"
            raise FindingError(msg)
        left = find_leftovers(place.parent, {_NAME})
        if left:
            msg = f"left after a finished run: {left}"
            raise FindingError(msg)

    def _clear(self, name: str) -> Path:
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder


def _find_promised(said: Sequence[tuple[str, ...]]) -> set[str]:
    """Return the chunks that outlast a power cut, and `begun` if the run does."""
    times = [float(when) for what, when in said if what != "begun"]
    done = max((place for place, words in enumerate(said) if words[0] == "done"), default=-1)
    return {
        what
        for place, (what, when) in enumerate(said)
        if what == "begun" or place < done or float(when) < times[-1] - _SURE_SECONDS
    }


def _check_promised(place: Path, promised: set[str]) -> None:
    """Check that a run's file can be read, and holds what was promised. Raises: FindingError."""
    if not place.exists():
        if promised:
            msg = "a run that had begun is gone"
            raise FindingError(msg)
        return
    try:
        keeper, run = run_state.Keeper.resume(place)
    except BlackjackError as error:
        msg = f"a run cannot be resumed: {error}"
        raise FindingError(msg) from None
    keeper.close()
    lost = promised - set(map(str, range(run.chunks))) - {"begun", "done"}
    if lost:
        msg = f"chunks that were kept are lost: {', '.join(sorted(lost))}"
        raise FindingError(msg)
