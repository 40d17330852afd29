"""Power cuts and a full disk while people play: what SQLite wrote into the store, and when."""

from __future__ import annotations

import errno
import os
import shutil
from typing import TYPE_CHECKING, Final, Self

from campaign.books import check_store, finish_open
from campaign.bystanders import find_leftovers
from campaign.case import FindingError
from campaign.console import talk
from campaign.games import choose_game, write_table
from campaign.kills_play import finish_round, play_round, sit_down
from campaign.recording import Recorder, SqliteLayer
from upcard.core.errors import BlackjackError
from upcard.session.game_session import GameSession
from upcard.session.plan import plan_of
from upcard.store.bankroll import deposit
from upcard.store.database import open_store
from upcard.store.sessions import find_open_rounds

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence
    from pathlib import Path

    from campaign.case import Case

_NAME: Final = "upcard.db"
_CUTS_OF_A_TAPE: Final = 15
_ROUNDS: Final = 6
_CHECKPOINTS: Final = (1, 8, 1000, 1000)
"""Pages of the log after which SQLite writes them into the file; 1000 is its default."""
_MOST_ROOM: Final = 250_000
_MOST_FILLS: Final = 4
_ANSWERS: Final = ("h", "s", "s", "d", "p", "y", "n", "", "1", "2", "5", "10")


class StoreDisk:
    """Cuts the power of sessions; what they write is recorded once, and cut at many moments."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.layer = SqliteLayer()
        self._cuts = 0

    def __enter__(self) -> Self:
        self.layer.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.layer.__exit__()

    def cut(self, case: Case) -> None:
        """Cut the power of a session, check what is left, and play on.

        Raises: FindingError.
        """
        if self._cuts % _CUTS_OF_A_TAPE == 0:
            self._record(case)
        self._cuts += 1
        tape = self._recorder.tape
        until = case.rng.choice(tape.find_risky())
        folder = self._clear("cut")
        case.count("writes forgotten by stores", tape.cut(until, case.rng, folder))
        case.count(f"power cuts of sessions, {self._kind}")
        path = folder / _NAME
        rounds = _check(path, tape.said(until), 0)
        case.count("hands found again and finished", finish_open(path, case.rng))
        with Recorder(folder) as recorder:
            _play(path, case.rng, recorder, delays=False)
        _check(path, recorder.tape.said(len(recorder.tape.events)), rounds)
        left = find_leftovers(folder, {_NAME})
        case.require(not left, f"left after the session that followed a power cut: {left}")

    def fill(self, case: Case) -> None:
        """Play on a disk that fills up, make some room, and so on.

        Raises: FindingError.
        """
        path, rounds = self._clear("full") / _NAME, 0
        for _ in range(_MOST_FILLS):
            with Recorder(path.parent, room=case.rng.randrange(_MOST_ROOM)) as recorder:
                try:
                    _play(path, case.rng, recorder, delays=case.rng.random() < 0.5)
                except BlackjackError as error:
                    says_so = _says_full(str(error))
                    case.require(recorder.refused and says_so, f"on a full disk: {error}")
            case.count("writes refused by a full disk", recorder.refused)
            rounds = _check(path, recorder.tape.said(len(recorder.tape.events)), rounds)
        case.count("hands found again and finished", finish_open(path, case.rng))
        case.count("sessions on a full disk")

    def fill_command(self, case: Case) -> None:
        """Run `upcard play` on a disk that fills up: one line, exit code 2; then again with room.

        Raises: FindingError.
        """
        path = self._clear("data") / _NAME
        words = ["play", *write_table(choose_game(case.rng), case.rng)]
        words += [case.rng.choice(("--json", "--line"))]
        answers = case.rng.choices(_ANSWERS, k=200)
        with Recorder(path.parent, room=case.rng.randrange(_MOST_ROOM)) as recorder:
            answer = talk(words, answers)
        case.count("writes refused by a full disk", recorder.refused)
        case.count("upcard play on a full disk")
        expected = (0, 2) if recorder.refused else (0,)
        lines = answer.err.strip().splitlines()
        case.require(
            answer.code in expected
            and (answer.code == 0 or (len(lines) == 1 and _says_full(answer.err))),
            f"upcard {words} on a full disk ended with {answer.code}: {answer.err[-600:]}",
        )
        again = talk([*words, "--rounds", "1"], ["s", "n", "5", *answers])
        case.require(again.code == 0, f"upcard {words}, with room again: {again.err[-600:]}")
        _check(path, [], None)

    def _record(self, case: Case) -> None:
        delays = case.rng.random() < 0.5
        has_log = case.rng.random() < 0.7
        self._kind = "an older journal" if not has_log else "synced late" if delays else "synced"
        path = self._clear("recorded") / _NAME
        with Recorder(path.parent) as self._recorder:
            if has_log:
                _play(path, case.rng, self._recorder, delays=delays)
                return
            with self.layer.without_log():
                _play(path, case.rng, self._recorder, delays=delays)

    def _clear(self, name: str) -> Path:
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder


def _play(path: Path, rng: random.Random, recorder: Recorder, *, delays: bool) -> None:
    """Open a store and play some rounds; what is said is promised."""
    with open_store(path) as store:
        store.rows(f"PRAGMA wal_autocheckpoint = {rng.choice(_CHECKPOINTS)}")
        for left in list(find_open_rounds(store)):
            with GameSession.resume(store, left, plan_of(left), rng=rng) as session:
                finish_round(session, rng, lambda line: recorder.say(*line.split()))
        deposit(store, 10_000)
        recorder.say("deposited")
        with sit_down(store, rng) as session:
            for _ in range(rng.randint(1, _ROUNDS)):
                if not delays:
                    play_round(session, rng, lambda line: recorder.say(*line.split()))
                    continue
                lines: list[str] = []
                with store.delaying_sync():
                    try:
                        play_round(session, rng, lines.append)
                    finally:
                        store.sync()
                for line in lines:
                    recorder.say(*line.split())


def _says_full(text: str) -> bool:
    return "the disk is full" in text or os.strerror(errno.ENOSPC) in text


def _check(path: Path, said: Sequence[Sequence[str]], rounds: int | None) -> int:
    """Check that a store holds what was promised; return its rounds. Raises: FindingError."""
    deposits = sum(words[0] == "deposited" for words in said)
    with open_store(path) as store:
        found = len(store.rows("SELECT 1 FROM deposits"))
        if rounds is None:
            rounds = len(store.rows("SELECT 1 FROM rounds"))
    if found < deposits:
        msg = f"{deposits} deposits were told, {found} are kept"
        raise FindingError(msg)
    kept = [words for words in said if words[0] != "deposited"]
    return rounds + len(check_store(path, kept, rounds))
