"""Recorded playthroughs: whole sessions as text files, replayed line by line by a test.

A file's first line holds the arguments of `upcard`. What follows is what a person sees, with
every answer on a line of its own behind `< `. `python tests/playthroughs/record.py` plays all
files anew from their arguments and answers and writes down what is said now: review the diff. For
a new playthrough write a file with the first line and the answers only, and record it.
"""

from __future__ import annotations

import contextlib
import io
import shlex
import sys
from pathlib import Path

from upcard.cli.app import run

FOLDER = Path(__file__).parent
ANSWER = "< "


class Screen(io.StringIO):
    """What was written, answers included, each behind the prompt that it answers."""

    encoding = "utf-8"


class Keyboard(io.StringIO):
    """Gives out the answers one by one and shows them on the screen."""

    def __init__(self, answers: list[str], screen: Screen) -> None:
        super().__init__()
        self._answers = iter(answers)
        self._screen = screen

    def isatty(self) -> bool:
        """Say yes: a terminal's answers need no echo."""
        return True

    def readline(self, size: int | None = -1, /) -> str:
        """Return the next answer, nothing when there is none left."""
        answer = next(self._answers, None)
        if answer is None:
            return ""
        self._screen.write(f"\n{ANSWER}{answer}\n")
        return answer + "\n"


def play(arguments: list[str], answers: list[str]) -> str:
    """Play a session in this process and return all that it showed."""
    screen = Screen()
    keyboard = Keyboard(answers, screen)
    before, sys.stdin = sys.stdin, keyboard
    try:
        with contextlib.redirect_stdout(screen):
            code = run(arguments)
    finally:
        sys.stdin = before
    if code:
        screen.write(f"exit code {code}\n")
    return screen.getvalue()


def read_parts(text: str) -> tuple[list[str], list[str]]:
    """Return the arguments and the answers that a file records."""
    first, *rest = text.splitlines()
    answers = [line.removeprefix(ANSWER) for line in rest if line.startswith(ANSWER.rstrip())]
    return shlex.split(first), [answer.removeprefix(ANSWER.rstrip()) for answer in answers]


def record(text: str) -> str:
    """Play a file's session anew and return the file's new text."""
    arguments, answers = read_parts(text)
    lines = [text.splitlines()[0], *play(arguments, answers).splitlines()]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def files() -> list[Path]:
    """Return all recorded playthroughs."""
    return sorted(FOLDER.glob("*.txt"))


if __name__ == "__main__":
    for file in files():
        file.write_text(record(file.read_text(encoding="utf-8")), encoding="utf-8")
        print(f"recorded {file.name}")  # noqa: T201 (a script reports by printing)
