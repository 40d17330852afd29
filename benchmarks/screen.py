"""The full screen in a pseudo-terminal: how soon it is there, and how soon it answers a key."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from typing import TYPE_CHECKING, Final

from benchmarks.timing import Figure, run_yardstick, time_once

if TYPE_CHECKING:
    from typing import Self

_ROWS, _COLUMNS = 24, 80
_PATIENCE_SECONDS: Final = 60.0
_ANSWER_SECONDS: Final = 1.0
_KEYS: Final = 20
_DOWN, _UP, _RIGHT = b"\x1b[B", b"\x1b[A", b"\x1b[C"


class _Terminal:
    """A program in a pseudo-terminal of 80 columns and 24 lines."""

    def __init__(self, folder: str) -> None:
        self.started = time.perf_counter()
        self.process, self._file = pty.fork()
        if self.process == 0:
            size = struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0)
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            os.environ |= {"UPCARD_DATA": folder, "TERM": "xterm-256color"}
            os.execv(sys.executable, [sys.executable, "-m", "upcard"])  # noqa: S606 (our own)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self.process, signal.SIGTERM)
        os.waitpid(self.process, 0)
        os.close(self._file)

    def wait_for(self, words: bytes) -> float:
        """Return the moment at which these words had come."""
        found = b""
        while words not in found:
            found += self._read(_PATIENCE_SECONDS)
        return time.perf_counter()

    def press(self, key: bytes) -> float | None:
        """Return the seconds from a key to the frame that answers it; None if nothing changes.

        A frame comes in one piece; what a thread adds later, an edge or an advice, is not waited
        for.
        """
        self.rest()
        begun = time.perf_counter()
        os.write(self._file, key)
        if not self._is_ready(_ANSWER_SECONDS):
            return None
        self._read(_PATIENCE_SECONDS)
        return time.perf_counter() - begun

    def rest(self, seconds: float = 0.2) -> None:
        """Read what comes until nothing does."""
        while self._is_ready(seconds):
            self._read(_PATIENCE_SECONDS)

    def _is_ready(self, seconds: float) -> bool:
        return bool(select.select([self._file], [], [], seconds)[0])

    def _read(self, seconds: float) -> bytes:
        if not self._is_ready(seconds):
            msg = "the screen does not answer"
            raise TimeoutError(msg)
        return os.read(self._file, 1 << 16)


def measure_screen(runs: int, *, presses: int = _KEYS) -> dict[str, Figure]:
    """Measure the first frame, keys on the start screen, and answers at a table that is kept.

    Each key is pressed `presses` times.
    """
    frames: list[float] = []
    keys: dict[str, list[float | None]] = {
        "a line down": [],
        "a rule turned": [],
        "a hand dealt": [],
        "an answer": [],
    }
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(runs):
            with _Terminal(folder) as terminal:
                frames.append(terminal.wait_for(b"choose a table") - terminal.started)
        with _Terminal(folder) as terminal:
            terminal.wait_for(b"of every 100 bet")  # the solver is loaded
            for _ in range(presses // 2):
                keys["a line down"] += [terminal.press(_DOWN), terminal.press(_UP)]
            terminal.press(_DOWN)
            for _ in range(presses):
                keys["a rule turned"].append(terminal.press(_RIGHT))
            terminal.press(b"\r")
            terminal.press(b"a")  # all cards at once: what is measured is the key, not the dealing
            for _ in range(presses):
                terminal.press(b"1")
                keys["a hand dealt"].append(terminal.press(b"\r"))
                keys["an answer"].append(terminal.press(b"s"))
                terminal.press(b"n")
                terminal.press(b"s")
    yardstick = time_once(run_yardstick)
    taken = {"upcard, to its first frame": frames}
    for name, times in keys.items():
        taken[f"a key to its redraw, {name}"] = [one for one in times if one is not None]
    medians = {name: statistics.median(times) for name, times in taken.items()}
    return {name: Figure(seconds, seconds / yardstick) for name, seconds in medians.items()}
