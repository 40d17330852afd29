"""Several programs on one profile at once, some of them killed: no chip is lost, nobody waits.

Forked sessions and real commands play at one store for some seconds. Then the bankroll is what was
brought and what all rounds brought, each on what the one before it left.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, NoReturn

from campaign.books import check_books, check_shoes, finish_open, replay_stored
from campaign.bystanders import die_with_parent, find_leftovers, wait_for_end
from campaign.case import FindingError, Subject
from campaign.games import answer_json, choose_game, count_features, write_game
from campaign.kills_play import finish_round, play_round, sit_down
from upcard.session.game_session import GameSession
from upcard.session.plan import plan_of
from upcard.store.bankroll import bankroll_of, deposit
from upcard.store.database import open_store
from upcard.store.files import StoreError
from upcard.store.history import read_rounds
from upcard.store.records import read_amount
from upcard.store.sessions import find_open_rounds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from campaign.case import Case

_CHIPS: Final = 10**6
_SECONDS: Final = 3.0
_MOST_FILES: Final = 1024
_TAKEN: Final = ("is being played in another terminal", "no open round any more", "taken up")
"""What a session may be told whose open hand another one has taken up a moment before."""


class _Player:
    """A forked session that plays until it is told to stop, or killed."""

    def __init__(self, path: Path, seed: float) -> None:
        self.path = path
        self.errors = path.parent / f"errors-{seed:.12f}.txt"
        self.process = os.fork()
        if self.process == 0:
            self._play(random.Random(seed))

    def _play(self, rng: random.Random) -> NoReturn:
        die_with_parent()
        os.closerange(3, _MOST_FILES)  # the pipes of commands would never end for them
        stops: list[int] = []
        signal.signal(signal.SIGTERM, lambda number, _: stops.append(number))
        try:
            with open_store(self.path) as store:
                for left in find_open_rounds(store):
                    with allow_taken(), GameSession.resume(store, left, plan_of(left)) as session:
                        finish_round(session, rng)
                while not stops:
                    with sit_down(store, rng) as session:
                        for _ in range(rng.randint(1, 15)):
                            if not stops:
                                play_round(session, rng)
        except BaseException:
            import traceback

            self.errors.write_text(traceback.format_exc(), encoding="utf-8")
            os._exit(1)
        os._exit(0)

    def end(self, number: int) -> str:
        """Kill it, or let it stop; return what went wrong in it."""
        with suppress(ProcessLookupError):
            os.kill(self.process, number)
        os.waitpid(self.process, 0)
        text = self.errors.read_text(encoding="utf-8") if self.errors.exists() else ""
        self.errors.unlink(missing_ok=True)
        return text


@contextmanager
def allow_taken() -> Iterator[None]:
    """Accept the refusal of a hand that another program has just taken up."""
    try:
        yield
    except StoreError as error:
        if not any(words in str(error) for words in _TAKEN):
            raise


class _Command:
    """The real command on a pipe, answered at random."""

    def __init__(self, path: Path, seed: float) -> None:
        self.rng = random.Random(seed)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "upcard", "play", "--json", *write_game(choose_game(self.rng))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"UPCARD_DATA": str(path.parent)},
            start_new_session=True,
        )
        self.rounds = 0
        self.thread = threading.Thread(target=self._talk, daemon=True)
        self.thread.start()

    def _talk(self) -> None:
        assert self.process.stdout is not None  # noqa: S101 (for the type checker)
        assert self.process.stdin is not None  # noqa: S101 (for the type checker)
        for line in self.process.stdout:
            if not line.endswith(b"\n"):
                return
            told = json.loads(line)
            self.rounds += told["type"] == "round_ended"
            if told["type"] in ("asked", "refused"):
                with suppress(BrokenPipeError, ValueError):
                    self.process.stdin.write(f"{answer_json(told, self.rng)}\n".encode())
                    self.process.stdin.flush()

    def _wait(self) -> None:
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            msg = "upcard play does not end with its input"
            raise FindingError(msg) from None

    def end(self, number: int) -> str:
        """Kill it, or close its input; return what it wrote on standard error."""
        if number == signal.SIGKILL:
            self.process.kill()
        elif self.process.stdin is not None:
            with suppress(BrokenPipeError, ValueError):
                self.process.stdin.close()
        self.thread.join(timeout=60)
        self._wait()
        err = b"" if self.process.stderr is None else self.process.stderr.read()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        left = wait_for_end(self.process.pid)
        return err.decode() + (f"\n{len(left)} processes live on" if left else "")


def run_case(case: Case) -> None:
    """Let several programs play at once, kill some, and look at the books.

    Raises: FindingError.
    """
    rng, folder = case.rng, case.folder / "shared"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    path = folder / "upcard.db"
    with open_store(path) as store:
        deposit(store, _CHIPS)
    programs: list[Any] = [_Player(path, rng.random()) for _ in range(rng.randint(3, 6))]
    programs += [_Command(path, rng.random()) for _ in range(rng.randint(0, 2))]
    case.count("programs at once", len(programs))
    try:
        faults = _play_and_kill(case, path, programs)
    finally:
        for program in programs:  # only after a failure are any left
            program.end(signal.SIGKILL)
    found = [fault for fault in faults if fault.strip()]
    if found:
        msg = "a program at a shared store failed:\n" + found[0][-1500:]
        raise FindingError(msg)
    _check(case, path, folder)


def _play_and_kill(case: Case, path: Path, programs: list[Any]) -> list[str]:
    """Kill some of the programs and replace them, then end all; return what went wrong in each."""
    rng, faults = case.rng, []
    for _ in range(rng.randint(0, 6)):
        time.sleep(_SECONDS / 6 * rng.random())
        faults.append(programs.pop(rng.randrange(len(programs))).end(signal.SIGKILL))
        case.count("programs killed")
        programs.append(_Player(path, rng.random()))
    time.sleep(_SECONDS * rng.random())
    while programs:
        faults.append(programs.pop().end(signal.SIGTERM))
    return faults


def _check(case: Case, path: Path, folder: Path) -> None:
    finish_open(path, case.rng)
    with open_store(path) as store:
        check_books(store)
        left = bankroll_of(store) - _CHIPS
        rounds = list(read_rounds(store))
        bankroll = Fraction(_CHIPS)
        booked = store.rows("SELECT id, booked, bankroll FROM rounds ORDER BY id")
        for number, amount, after in booked:
            bankroll += read_amount(amount)
            case.require(
                read_amount(after) == bankroll,
                f"round {number} left {after}, by the rounds before it {bankroll}",
            )
        for stored in rounds:
            replay_stored(stored)
        case.require(bankroll == _CHIPS + left, f"rounds come to {bankroll}, not {_CHIPS + left}")
        case.count("rounds", len(rounds))
        case.counts.update(count_features(rounds))
        with sit_down(store, random.Random(1)) as session:
            play_round(session, random.Random(1))
    case.count("shoes checked", check_shoes(path))
    names = find_leftovers(folder, {"upcard.db"})
    case.require(not names, f"left after the last session: {names}")


def start(folder: Path) -> Callable[[Case], None]:
    """Prepare a worker."""
    del folder
    return run_case


SUBJECT: Final = Subject(
    name="processes",
    about="several programs on one profile at once, some killed: no chip is lost",
    unit="stores shared by 3 to 8 programs",
    quick=6,
    long=30,
    start=start,
    patience=180.0,
)
