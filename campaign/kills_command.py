"""The command `upcard play` itself, killed on a pipe, on a terminal, and on the full screen."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Final

from campaign.books import check_books_and_rounds
from campaign.bystanders import find_leftovers, wait_for_end
from campaign.games import answer_json, choose_game, count_features, write_table
from upcard.store.database import open_store
from upcard.store.sessions import find_open_rounds

if TYPE_CHECKING:
    from pathlib import Path

    from campaign.case import Case
    from upcard.store.database import Store

_KILLS_OF_A_STORE: Final = 20
_LONGEST_LIFE: Final = 0.6
_KEYS: Final = ("h", "s", "s", "d", "p", "n", "y", "\r", "1", "2", "5\r", " ", "c", "w", "\x1b")
_LINES: Final = ("h", "s", "s", "d", "p", "y", "n", "", "1", "2", "5", "10", "?")
_LEAVE: Final = ("s", "no", "s", "no", "n", "2", "s", "stand", "2", "no", "s", "s")
_START_SECONDS: Final = 60


class CommandKiller:
    """Kills commands at one store, which begins anew after some kills."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kills = 0
        self.rounds = 0

    def kill_pipe(self, case: Case) -> None:
        """Kill the JSON lines on a pipe.

        Raises: FindingError.
        """
        self.prepare()
        rng = case.rng
        words = ["play", *write_table(choose_game(rng), rng), "--json"]
        process = subprocess.Popen(
            [sys.executable, "-m", "upcard", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment(),
            start_new_session=True,
        )
        talker = _Talker(process, random.Random(rng.random()))
        talker.start()
        talker.has_begun.wait(_START_SECONDS if rng.random() < 0.9 else rng.random())
        time.sleep(rng.random() ** 2 * _LONGEST_LIFE)
        os.kill(process.pid, signal.SIGKILL)
        talker.join()
        err = (process.stderr.read() if process.stderr else b"").decode()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        case.count("kills of upcard play on a pipe")
        case.require(not err.strip(), f"upcard {words} wrote before it was killed: {err[-600:]}")
        self.check(case, process.pid, told=talker.ended)

    def kill_terminal(self, case: Case) -> None:
        """Kill the line game on a pseudo-terminal.

        Raises: FindingError.
        """
        words = ["play", *write_table(choose_game(case.rng), case.rng), "--line"]
        self._kill_in_terminal(case, words, [f"{line}\r" for line in _LINES])
        case.count("kills of upcard play --line on a terminal")

    def kill_screen(self, case: Case) -> None:
        """Kill the full screen.

        Raises: FindingError.
        """
        words = ["play", *write_table(choose_game(case.rng), case.rng)]
        # Escape between rounds leaves the table.
        while not self._kill_in_terminal(case, words, _KEYS):
            case.count("full screens left before the kill")
        case.count("kills of the full screen")

    def _kill_in_terminal(self, case: Case, words: list[str], keys: Any) -> bool:
        """Return whether the program lived until it was killed; if not, it ended in order."""
        import pexpect

        self.prepare()
        rng = case.rng
        terminal = pexpect.spawn(
            sys.executable,
            ["-m", "upcard", *words],
            env=self.environment(),
            dimensions=(24, 80),
            timeout=_START_SECONDS,
        )
        terminal.delaybeforesend = None
        if rng.random() < 0.9:
            terminal.expect(rb"[Bb]et|[Hh]ow many|Enter|boxes|hands|chips|name")
        else:
            time.sleep(rng.random())
        until = time.monotonic() + rng.random() * 2 * _LONGEST_LIFE
        while time.monotonic() < until and terminal.isalive():
            terminal.send(rng.choice(keys))
            try:
                terminal.read_nonblocking(1 << 16, timeout=0.03)
            except (pexpect.TIMEOUT, pexpect.EOF):
                continue
        was_alive = terminal.isalive()
        if was_alive:
            os.kill(terminal.pid, signal.SIGKILL)
        written = b""
        try:
            while True:
                written += terminal.read_nonblocking(1 << 16, timeout=5)
        except (pexpect.EOF, pexpect.TIMEOUT):
            pass
        terminal.close(force=True)
        case.require(b"Traceback" not in written, f"upcard {words}: {written[-800:]!r}")
        has_left = "--line" not in words and terminal.exitstatus == 0
        case.require(
            was_alive or has_left,
            f"upcard {words} ended with {terminal.exitstatus} before it was killed:"
            f" {written[-800:]!r}",
        )
        self.check(case, terminal.pid, told=0)
        return was_alive

    def prepare(self) -> None:
        """Begin a new store after some kills."""
        if self.kills % _KILLS_OF_A_STORE == 0:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder.mkdir(parents=True)
            self.rounds = 0
        self.kills += 1

    def environment(self) -> dict[str, str]:
        """Return the variables of the programs that are killed."""
        return os.environ | {
            "UPCARD_DATA": str(self.folder),
            "TERM": "xterm-256color",
            "PYTHONIOENCODING": "utf-8",
        }

    def check(self, case: Case, session: int, *, told: int) -> None:
        """Look at processes and store, then start again and finish the hand that was left."""
        left = wait_for_end(session)
        case.require(not left, f"{len(left)} processes live on after a kill in play")
        path = self.folder / "upcard.db"
        if not path.exists():  # killed before anything was kept
            return
        with open_store(path) as store:
            booked = _count_rounds(store)
            was_open = len(list(find_open_rounds(store)))
        case.require(
            booked - self.rounds >= told,
            f"{told} rounds were told as over, {booked - self.rounds} are booked",
        )
        case.counts.update(count_features(check_books_and_rounds(path, self.rounds)))
        self._start_again(case)
        with open_store(path) as store:
            still_open = len(list(find_open_rounds(store)))
            self.rounds = _count_rounds(store)
        case.require(not still_open, "a hand is still open after the next start finished it")
        case.count("hands found again and finished", was_open)
        names = find_leftovers(self.folder, {"upcard.db"})
        case.require(not names, f"left after the next start: {names}")

    def _start_again(self, case: Case) -> None:
        """Run the next start in a forked process: it continues with the hand, and is left then."""
        process = os.fork()
        if process == 0:
            self._finish_left()
        _, status = os.waitpid(process, 0)
        case.require(
            os.waitstatus_to_exitcode(status) == 0,
            f"the next start ended with {os.waitstatus_to_exitcode(status)}: see"
            f" {self.folder / 'restart.txt'}\n{self._restart()}",
        )

    def _restart(self) -> str:
        place = self.folder / "restart.txt"
        text = place.read_text(encoding="utf-8") if place.exists() else ""
        place.unlink(missing_ok=True)
        return text[-800:]

    def _finish_left(self) -> None:
        from campaign.console import talk

        os.environ["UPCARD_DATA"] = str(self.folder)
        try:
            answer = talk(["play", "--json", "--rounds", "1"], [*_LEAVE * 12])
            if answer.code == 0:
                os._exit(0)
            text = answer.out + answer.err
        except BaseException:
            import traceback

            text = traceback.format_exc()
        (self.folder / "restart.txt").write_text(text, encoding="utf-8")
        os._exit(1)


class _Talker(threading.Thread):
    """Answers the JSON lines of a game at random, until it is killed."""

    def __init__(self, process: subprocess.Popen[bytes], rng: random.Random) -> None:
        super().__init__(daemon=True)
        self.process = process
        self.rng = rng
        self.has_begun = threading.Event()
        self.ended = 0
        """How many rounds were told as over."""

    def run(self) -> None:
        """Read and answer."""
        assert self.process.stdout is not None  # noqa: S101 (for the type checker)
        for line in self.process.stdout:
            if not line.endswith(b"\n"):
                return  # cut off by the kill
            told = json.loads(line)
            self.has_begun.set()
            if told["type"] == "round_ended":
                self.ended += 1
            if told["type"] in ("asked", "refused"):
                self._answer(told)
        self.has_begun.set()

    def _answer(self, told: dict[str, Any]) -> None:
        assert self.process.stdin is not None  # noqa: S101 (for the type checker)
        try:
            self.process.stdin.write(f"{answer_json(told, self.rng)}\n".encode())
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError):
            return


def _count_rounds(store: Store) -> int:
    (count,) = store.row("SELECT count(*) FROM rounds") or (0,)
    return int(count)
