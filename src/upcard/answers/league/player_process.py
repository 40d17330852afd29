"""A player in a process of its own, with limits, so that its faults disturb nothing else.

The table and its shoe stay here; the process has the player's file and answers questions, each with
a line of JSON that is not trusted. What the player prints goes elsewhere. The limits are against
mistakes: the code runs with your rights, and not in a sandbox.
"""

from __future__ import annotations

import ctypes
import faulthandler
import json
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from multiprocessing import connection
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn

from upcard.core import actions, errors, user_files
from upcard.simulation import registry
from upcard.table.state import TableView

_START_SECONDS: Final = 60.0
"""Time for Python and upcard to start, before the limits of the player count."""
_ALL_ANSWERS: Final = 60
"""All answers of a player may take this many times the limit of one."""
_MOST_STARTS: Final = 3
"""Processes that a player may have, one after another."""
_GRACE_SECONDS: Final = 1.0
"""Time for a process to report the line that it is at, after the limit."""
_MOST_BYTES: Final = 2**16
_MIB: Final = 2**20
_ARG_START: Final = 45
"""Place of the address of the command line among the numbers of /proc/self/stat."""
_NOISE: Final = "it wrote to the pipe of its answers"
_FORBIDDEN: Final = frozenset(
    (
        *("os.exec", "os.fork", "os.forkpty", "os.kill", "os.killpg", "os.posix_spawn"),
        *("os.spawn", "os.system", "pty.spawn", "subprocess.Popen"),
    )
)


class Limits(NamedTuple):
    """Limits of a player."""

    seconds: float = 5.0
    """For each answer, and for loading the file; 60 times as much for all answers."""
    memory: int = 1024
    """Address space in MB, on systems that limit it."""


def list_players(folder: str) -> list[Path]:
    """Return the files of players in a folder, by name."""
    if os.name != "posix":
        raise errors.RulesError("a league ends players by POSIX signals: use Linux or macOS")
    place, shown = user_files.expand_user(folder, "folder"), errors.quote(folder)
    with suppress(OSError, ValueError):
        files = [file for file in sorted(place.glob("*.py")) if not file.name.startswith(".")]
        if files:
            return files
        if place.is_dir():
            raise errors.RulesError(f"folder {shown}: no *.py is in it; each player is a file")
    raise errors.RulesError(f"{shown} is not a folder of players, which has a file *.py for each")


def hide_option(option: str) -> None:
    """Write over the value of an option on the command line, which every process may read.

    A player who knows the seed knows every card. It works on Linux; elsewhere nothing happens.
    """
    with suppress(OSError, ValueError, IndexError):
        line = Path("/proc/self/cmdline").read_bytes()
        start = int(
            Path("/proc/self/stat").read_text("ascii").rpartition(")")[2].split()[_ARG_START]
        )
        is_value, place = False, 0
        for word in line.split(b"\0"):
            name, equals, value = word.partition(b"=")
            hidden = word if is_value else value if equals and name == option.encode() else b""
            ctypes.memset(start + place + len(word) - len(hidden), ord("*"), len(hidden))
            is_value = word == option.encode()
            place += len(word) + 1


class PlayerFaultError(errors.BlackjackError):
    """A fault of a player, with the line of its file where it is known."""


class PlayerProcess:
    """A player of a file, who answers from another process; a new one replaces a lost one.

    Raises: PlayerFaultError from `load`, `seat` and `decide`; UserFileError from `load`.
    """

    def __init__(self, file: Path, limits: Limits, *, shows_output: bool = False) -> None:
        """Read a file, which `load` runs as it is now, also after it has changed.

        What the player prints may go to standard error.
        """
        self.name = file.name
        self.answers = 0
        self.seconds = 0.0
        """Time that the answers took, with some 0.1 ms each for the way."""
        self._limits = limits
        self._file = file
        self._output = None if shows_output else subprocess.DEVNULL
        self._process: subprocess.Popen[bytes] | None = None
        self._rng = random.Random(0)
        self._starts = 0
        self._asked = 0.0
        self._text = ""
        self._unread: errors.UserFileError | None = None
        try:
            self._text = user_files.read_user_file(file, "player file")
        except errors.UserFileError as error:
            self._unread = error

    def load(self) -> None:
        """Run the file in a new process."""
        self._starts += 1
        if self._unread is not None:
            raise self._unread
        self._trace = tempfile.NamedTemporaryFile()  # noqa: SIM115 (until the process ends)
        code = f"from {__name__} import serve; serve({self._trace.name!r}, {self._limits.seconds})"
        self._asked = time.monotonic()
        self._process = subprocess.Popen(  # noqa: S603 (this Python)
            [sys.executable, "-uP", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._output,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self._receive(self._process, _START_SECONDS)
        self._call("load", registry.PlayerSource(str(self._file), "", self._text), self._limits)

    def seat(self, rng: random.Random) -> None:
        """Replace the player by a new one, who has these random numbers."""
        self._rng = rng
        if self._process is not None:
            self._call("seat", rng)

    def decide(self, view: TableView, legal: tuple[actions.Action, ...]) -> actions.Action:
        """Let the player decide."""
        if self._process is None:
            if self._starts >= _MOST_STARTS:
                raise PlayerFaultError(f"no answer any more: {_MOST_STARTS} processes ended")
            try:
                self.load()
                self.seat(self._rng)
            except PlayerFaultError:
                self.close()
                raise
        if self.seconds >= _ALL_ANSWERS * self._limits.seconds:
            self._starts = _MOST_STARTS
            one = f"the {self._limits.seconds:g} s of one"
            self._end(f"its answers took {_ALL_ANSWERS} times {one}")
        try:
            answer = self._call("decide", view, legal)
        finally:
            self.seconds += time.monotonic() - self._asked
            self.answers += 1
        action = next((one for one in legal if one == answer), None)
        if action is None:
            self._end(_NOISE)
        return action

    def close(self) -> tuple[int, str]:
        """End the process and all that it started; return its status and its traceback."""
        process, self._process = self._process, None
        if process is None:
            return 0, ""
        # Leaving its context closes the pipes and waits; the process may have ended before.
        with suppress(BrokenPipeError, ProcessLookupError, PermissionError), process:
            os.killpg(process.pid, signal.SIGKILL)
        with self._trace:
            return process.returncode, Path(self._trace.name).read_text("ascii", "replace")

    def _call(self, name: str, *arguments: object) -> object:
        process = self._process
        assert process is not None and process.stdin is not None  # noqa: PT018, S101 (loaded)
        self._asked = time.monotonic()
        with suppress(BrokenPipeError):  # reported where its answer is missing
            process.stdin.write(pickle.dumps((name, *arguments)))
            process.stdin.flush()
        reply = self._receive(process, self._limits.seconds)
        if "fault" in reply:
            raise PlayerFaultError(str(reply["fault"]))
        return reply.get("answer")

    def _receive(self, process: subprocess.Popen[bytes], seconds: float) -> dict[str, Any]:
        """Wait for a line of JSON, which a pipe carries in one piece."""
        pipe = process.stdout
        assert pipe is not None  # noqa: S101 (it was asked for)
        is_ready = connection.wait([pipe.fileno()], seconds + _GRACE_SECONDS)
        line = os.read(pipe.fileno(), _MOST_BYTES) if is_ready else b""
        if not line:
            is_late = time.monotonic() - self._asked >= seconds
            self._end(f"no answer in {seconds:g} s" if is_late else "")
        try:
            reply = user_files.parse_json(line, self.name)
        except errors.UserFileError:
            reply = None
        if not isinstance(reply, dict):
            self._end(_NOISE)
        return reply

    def _end(self, reason: str) -> NoReturn:
        """End the process by a fault; without a reason, by the status that it ended with."""
        status, traceback = self.close()
        if not reason:
            reason = f"its process ended with status {status}"
            if status == -signal.SIGKILL:
                reason = "its process closed the pipe of its answers, or was killed"
            elif status < 0:
                reason = f"its process ended by {signal.Signals(-status).name}"
        # Names are in 7 bits there. The last call is written first.
        file = str(self._file).encode("ascii", "backslashreplace").decode()
        line = re.search(rf'File "{re.escape(file)}", line (\d+)', traceback)
        raise PlayerFaultError(f"line {line[1]}: {reason}" if line else reason)


# --- in the player's process ---


def serve(trace: str, seconds: float) -> None:
    """Answer the questions on standard input of a league, on what is standard output now."""
    file = open(trace, "ab")  # noqa: PTH123, SIM115 (as long as the process)
    faulthandler.enable(file)
    calls, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.write(answers, b"{}\n")
    server = _Server()
    while True:
        try:
            name, *arguments = pickle.load(calls)  # noqa: S301 (from the league)
        except EOFError:
            return
        # Ends this process even where Python does not run, and when the league is gone.
        faulthandler.dump_traceback_later(seconds, exit=True, file=file)
        try:
            reply = {"answer": getattr(server, name)(*arguments)}
        except BaseException as error:  # noqa: BLE001 (SystemExit and KeyboardInterrupt too)
            reply = {"fault": server.explain(error)}
        faulthandler.cancel_dump_traceback_later()
        os.write(answers, f"{json.dumps(reply)}\n".encode())


class _Server:
    def load(self, source: registry.PlayerSource, limits: Limits) -> None:
        import resource  # not on every system

        self._file = source.file
        seconds = int((_ALL_ANSWERS + 1) * limits.seconds) + 1
        for kind, most in (("AS", limits.memory * _MIB), ("CPU", seconds), ("CORE", 0)):
            with suppress(ValueError, OSError):  # a lower limit is set, or the system has none
                resource.setrlimit(getattr(resource, f"RLIMIT_{kind}"), (most, most))
        sys.addaudithook(_refuse_processes)
        os._exit = _exit_with_line
        self._text = source.load()

    def seat(self, rng: random.Random) -> None:
        self._player = registry.make_file_player(self._text, rng)

    def decide(self, view: TableView, legal: tuple[actions.Action, ...]) -> str:
        return str(self._player.decide(view, legal))

    def explain(self, error: BaseException) -> str:
        if isinstance(error, errors.UserFileError):
            return error.reason
        reason = registry.describe_fault(self._file, error).reason
        is_ours = isinstance(error, errors.BlackjackError) and not reason.startswith("line")
        return str(error) if is_ours else reason


def _refuse_processes(event: str, _: object) -> None:
    if event in _FORBIDDEN:
        raise PermissionError(f"{event}: a player starts and ends no processes")


def _exit_with_line(status: int) -> NoReturn:
    raise SystemExit(f"os._exit({status})")
