"""Ways to drive the command line: a process, a pipe, a pseudo-terminal, or streams in this one."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import pexpect

from upcard.cli.app import run

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = [sys.executable, "-c", "from upcard.cli import main; main()"]

# Every prompt of a voice is answered once; after the last answer the input ends.
HOUSES = {
    "vegas-strip": ["--house", "vegas-strip", "--seed", "3"],
    "no-bets": ["--rules", "6D betting=false", "--seed", "3"],
    "deshmukh": ["--house", "deshmukh", "--seed", "3"],
    "seven-hands": ["--house", "seven-hands", "--seed", "3"],
    "roanoke": ["--house", "roanoke", "--seed", "3"],
    "json": ["--house", "european", "--seed", "3", "--json"],
}
ANSWERS = {
    "vegas-strip": ["10", "?", "h", "s", "s", "10", "d", "y", "h", "s", "5", "s"],
    "no-bets": ["?", "h", "s", "y", "h", "s", "no"],
    "deshmukh": ["100", "10", "1", "2", "1", "10", "2", "2", "1", "100", "10", "2", "2", "2"],
    "seven-hands": ["y", "3", "10", "1", "2", "2", "2", "2", "2", "y", "2", "5", "2", "2", "2"],
    "roanoke": ["Ann", "h", "s", "y", "h", "s", "s", "y", "s"],
    "json": ["10", "hit", "stand", "10", "stand", "nonsense", "stand"],
}


class Answer(NamedTuple):
    """What a run gave back."""

    code: int
    out: str
    err: str


class Source(io.StringIO):
    """Answers line by line; with `interrupts`, Ctrl-C comes where they end."""

    def __init__(self, answers: Sequence[str], *, interrupts: bool = False) -> None:
        super().__init__()
        self._answers = iter(answers)
        self._interrupts = interrupts
        self.asked = 0

    def readline(self, size: int | None = -1, /) -> str:
        answer = next(self._answers, None)
        if answer is not None:
            self.asked += 1
            return answer + "\n"
        if self._interrupts:
            raise KeyboardInterrupt
        return ""


class Screen(io.StringIO):
    """A stream that can write glyphs."""

    encoding = "utf-8"


def talk(arguments: Sequence[str], answers: Sequence[str] = (), *, interrupts: bool = False):
    """Run `upcard` in this process with answers as from a pipe."""
    out, err = Screen(), io.StringIO()
    before, sys.stdin = sys.stdin, Source(answers, interrupts=interrupts)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(list(arguments))
    finally:
        sys.stdin = before
    return Answer(code, out.getvalue(), err.getvalue())


def pipe(arguments: Sequence[str], typed: str | bytes = "", **options) -> Answer:
    """Run `upcard` in a process of its own, its input from a pipe."""
    data = typed.encode() if isinstance(typed, str) else typed
    done = subprocess.run(
        [*PROGRAM, *arguments], input=data, capture_output=True, timeout=60, check=False, **options
    )
    return Answer(done.returncode, done.stdout.decode(), without_notice(done.stderr.decode()))


def without_notice(err: str) -> str:
    """Leave out what is said once on a machine, by whichever test is the first to compile."""
    return re.sub(r"^Compiling .*, once on this machine: .*\n", "", err, flags=re.MULTILINE)


def open_terminal(arguments: Sequence[str], **environment: str) -> pexpect.spawn:
    """Start `upcard` in a pseudo-terminal of 80 columns and 24 lines."""
    import os

    keep = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    terminal = pexpect.spawn(
        PROGRAM[0],
        [*PROGRAM[1:], *arguments],
        dimensions=(24, 80),
        env=keep | {"TERM": "xterm-256color"} | environment,
        encoding="utf-8",
        timeout=90,
    )
    terminal.delaybeforesend = None
    return terminal


def finish(terminal: pexpect.spawn) -> int:
    """Wait for the end and return the exit code."""
    terminal.expect(pexpect.EOF)
    terminal.close()
    return terminal.exitstatus


def uncolored(text: str) -> str:
    return re.sub(r"\x1b\[\d*m", "", text)


ENDING = re.compile(
    r"^(Balance:? [\d.]+|Won \d+, lost \d+, tied \d+|Ties: \d+|\{.*session_ended)", re.MULTILINE
)


def ending(out: str) -> str:
    """Return the last balance or score that was shown."""
    return ENDING.findall(out)[-1]


def fix_shuffle(monkeypatch, number: int = 2) -> None:
    """Let every server seed drawn from now on follow from a number: the same cards again."""
    rng = random.Random(number)
    monkeypatch.setattr("secrets.token_bytes", rng.randbytes)


def read_lines(out: str) -> list[dict[str, Any]]:
    """Read JSON lines."""
    return [json.loads(line) for line in out.splitlines()]


def play_json(options: Sequence[str], answers: Sequence[str]) -> list[dict[str, Any]]:
    """Play the line game for a program; return its lines."""
    answer = talk(["play", "--json", *options], answers)
    assert answer.code == 0
    return read_lines(answer.out)


def read_json(*words: str) -> Any:
    """Return the JSON that a command writes."""
    answer = talk([*words, "--json"])
    assert (answer.code, answer.err) == (0, "")
    return json.loads(answer.out)
