"""Bytes that are not text among the keys of the full screen, resizes, and signals that end it.

No byte ends the program or takes its keys away. After a signal the terminal is as it was, nothing
was printed that is not a sentence, and the hand is kept.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from typing import TYPE_CHECKING, Final

from campaign.case import Subject
from campaign.games import choose_game, write_table
from campaign.kills_command import CommandKiller

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from pathlib import Path

    from campaign.case import Case

_KEYS: Final = (
    *"hssdprynkcwvuxm?12345 +-",
    "\r",
    "\r",
    "\t",
    "\x1b",
    "\x10",
    "\x1b[A",
    "\x1b[B",
    "\x1a",
)
_SEQUENCES: Final = (
    b"\x1b[200~", b"\x1b[201~", b"\x1b[I", b"\x1b[O", b"\x1b[M\xff\xff\xff", b"\x1b]0;", b"\x1bP",
    b"\x1b[<0;99999;99999M", b"\x1b[<35;-1;-1m", b"\x1b[<64;3;3M", b"\x1b[1114112u", b"\x1b[55296u",
    b"\x1b[48;0;0;0;0t", b"\x1b[48;99999;99999;1;1t", b"\x1b[48;24;80;0;0t", b"\x1b[?2048;2$y",
    b"\x1b[999999999999999999999u", b"\x1b[;;;u", b"\x1b[1;1R", b"\x1b[;:;:u", b"\x1bO", b"\x1b[",
)  # fmt: skip
_CUT: Final = (
    b"\xc3",
    b"\xe2\x99",
    b"\xf0\x9f\x82",
    b"\xed\xa0\x80",
    b"\xff\xfe",
    b"\xe9",
    b"\x80",
)
_LEAVE: Final = b"\x03\x11"
"""Ctrl-C and Ctrl-Q leave the program. Ctrl-Z does not: no shell is there to continue it."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_START: Final = """
import signal
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
from upcard.cli import main
main()
"""
"""A worker ignores signals, and its processes inherit that."""
_START_SECONDS: Final = 60
_END_SECONDS: Final = 15
_SIZES: Final = ((24, 80), (45, 140), (10, 30), (24, 80), (60, 200))


def start(folder: Path) -> Callable[[Case], None]:
    """Prepare a worker."""
    killer = CommandKiller(folder / "keys")

    def run(case: Case) -> None:
        killer.prepare()
        words = ["play", *write_table(choose_game(case.rng), case.rng)]
        if case.rng.random() < 0.2:
            words = ["train"] if case.rng.random() < 0.5 else ["play", "--practice"]
        screen = _Screen(words, killer.environment())
        try:
            _type_and_end(case, screen)
        finally:
            screen.close()
        killer.check(case, screen.process.pid, told=0)

    return run


def _type_and_end(case: Case, screen: _Screen) -> None:
    rng = case.rng
    screen.read_until(rb"Enter|drills|hands|choose|key|count", _START_SECONDS)
    for _ in range(rng.randrange(40)):
        if screen.process.poll() is not None:
            break
        if rng.random() < 0.1:
            screen.resize(*rng.choice(_SIZES))
            case.count("resizes")
        screen.send(_choose_bytes(rng))
        case.count("strokes of random bytes")
        screen.read(rng.random() * 0.05)
    number = rng.choice(_SIGNALS)
    screen.read(0)
    was_alive, has_left = screen.process.poll() is None, screen.has_left()
    if was_alive:
        os.killpg(screen.process.pid, signal.SIGCONT)
        os.kill(screen.process.pid, number)
        case.count(f"ended by {number.name}")
    else:
        case.count("left by a key")
    screen.read_until(None, _END_SECONDS)
    status = screen.process.poll()
    name = f"upcard {' '.join(screen.words)}"
    case.require(status is not None, f"{name} did not end within {_END_SECONDS} s of {number.name}")
    wanted = list_statuses(number, was_alive=was_alive, has_left=has_left)
    tail = screen.written[-800:]
    case.require(status in wanted, f"{name} ended with {status} by {number.name}: {tail!r}")
    for word in (b"Traceback", b"Error", b"failed"):
        case.require(word not in screen.written, f"{name} wrote {word!r}: {tail!r}")
    case.require(screen.is_given_back(), f"{name} did not give the terminal back: {tail!r}")


def list_statuses(number: int, *, was_alive: bool, has_left: bool) -> tuple[int, ...]:
    """Return the statuses that a program may end with after a signal.

    One that has given its screen back is ending by a key, and may be past its own handlers: then
    the signal ends it as it ends any process.
    """
    if not was_alive:
        return (0,)
    return (128 + number, 0, -number) if has_left else (128 + number, 0)


def _choose_bytes(rng: random.Random) -> bytes:
    kind = rng.randrange(5)
    if kind == 0:
        found = rng.randbytes(rng.randint(1, 8)).translate(None, delete=_LEAVE)
    elif kind == 1:
        found = rng.choice(_CUT)
    elif kind == 2:
        found = rng.choice(_SEQUENCES)
    else:
        found = rng.choice(_KEYS).encode()
    return found


class _Screen:
    """The full screen on a terminal that is looked at before and afterwards."""

    def __init__(self, words: list[str], environment: dict[str, str]) -> None:
        self.words = words
        self.written = b""
        self._ours, self._its = os.openpty()
        self.resize(24, 80)
        self._before = termios.tcgetattr(self._its)
        self.process = subprocess.Popen(
            [sys.executable, "-c", _START, *words],
            stdin=self._its,
            stdout=self._its,
            stderr=self._its,
            env=environment,
            start_new_session=True,
        )

    def resize(self, lines: int, columns: int) -> None:
        """Give the terminal another size."""
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        if hasattr(self, "process"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGWINCH)

    def send(self, keys: bytes) -> None:
        """Type."""
        os.write(self._ours, keys)

    def read(self, seconds: float) -> None:
        """Read what is written meanwhile."""
        until = time.monotonic() + seconds
        while select.select([self._ours], [], [], max(0, until - time.monotonic()))[0]:
            self.written += os.read(self._ours, 1 << 16)

    def read_until(self, pattern: bytes | None, seconds: float) -> None:
        """Read until something is written, or the program ends."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            has_ended = self.process.poll() is not None
            self.read(0.05)
            if has_ended or (pattern is not None and re.search(pattern, self.written)):
                return

    def has_left(self) -> bool:
        """Tell whether the program has left its screen: it is ending."""
        return self.written.rfind(b"\x1b[?1049h") < self.written.rfind(b"\x1b[?1049l")

    def is_given_back(self) -> bool:
        """Tell whether the terminal echoes as before, on its first screen, with its cursor."""
        marks = ((b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?25l", b"\x1b[?25h"))
        is_left = all(self.written.rfind(on) <= self.written.rfind(off) for on, off in marks)
        return is_left and termios.tcgetattr(self._its) == self._before

    def close(self) -> None:
        """End the program if it lives."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self._ours)
        os.close(self._its)


SUBJECT: Final = Subject(
    name="keys",
    about="bytes that are not text, resizes, signals: the screen lives, the terminal is given back",
    unit="screens",
    quick=40,
    long=500,
    start=start,
    patience=240.0,
    waits=True,
)
