"""Run the `console` blocks of a Markdown page, in this process, and compare or refresh them.

A block is fenced as `console` and holds commands and what they print:

    $ upcard rules european
    $ printf 's\\nn\\n' | upcard play --seed 1

A line `...` in the output stands for any number of lines. A comment `<!-- file: NAME -->` before
another fenced block writes that block to a file first; the commands of a page share one folder.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from unittest import mock

if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE: Final = "```"
_FILE: Final = re.compile(r"<!-- file: (\S+) -->")
_PIPED: Final = re.compile(r"printf ('[^']*'|\"[^\"]*\") \| (upcard .*|upcard)$")
_ANY_LINES: Final = "..."
_ENVIRONMENT: Final = {
    "COLUMNS": "80",
    "LINES": "24",
    "NO_COLOR": "1",
    "UPCARD_CACHE": "off",  # the documents show what is computed
    "UPCARD_DATA": "upcard-data",  # nobody's own games
}


class Command(NamedTuple):
    """A command of a page and the output shown for it; `line` is where it stands, from 0."""

    line: int
    text: str
    output: tuple[str, ...]


class PageFile(NamedTuple):
    """A file that a page shows."""

    name: str
    text: str


class Difference(NamedTuple):
    """A command whose real output is not the one shown."""

    command: Command
    printed: tuple[str, ...]


def read_page(text: str) -> Iterator[Command | PageFile]:
    """Read a page's commands and files, in order."""
    lines = text.splitlines()
    number = 0
    file_name = ""
    while number < len(lines):
        line = lines[number]
        number += 1
        if match := _FILE.fullmatch(line.strip()):
            file_name = match[1]
        elif line.startswith(_FENCE):
            end = next(i for i in range(number, len(lines)) if lines[i].startswith(_FENCE))
            body = lines[number:end]
            if file_name:
                yield PageFile(file_name, "\n".join(body) + "\n")
            elif line.strip() == _FENCE + "console":
                yield from _read_block(body, number)
            file_name = ""
            number = end + 1


def _read_block(body: list[str], first: int) -> Iterator[Command]:
    starts = [index for index, line in enumerate(body) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
        yield Command(first + start, body[start].removeprefix("$ "), tuple(body[start + 1 : end]))


def run(text: str) -> tuple[str, ...]:
    """Run `upcard ...` or `printf '...' | upcard ...`; return the lines that it prints."""
    typed = ""
    if match := _PIPED.fullmatch(text):
        typed = match[1][1:-1].replace("\\n", "\n")
        text = match[2]
    program, *arguments = shlex.split(text)
    if program != "upcard":
        msg = f"only upcard is run here, not {program!r}"
        raise ValueError(msg)
    from upcard.cli import progress
    from upcard.cli.app import run as run_upcard

    source = io.TextIOWrapper(io.BytesIO(typed.encode()), encoding="utf-8")
    sink = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with (
        mock.patch.dict(os.environ, _ENVIRONMENT),
        mock.patch.object(sys, "stdin", source),
        # Lines of progress come by the clock: no page has them.
        mock.patch.object(progress, "_SELDOM_SECONDS", math.inf),
        contextlib.redirect_stdout(sink),
        contextlib.redirect_stderr(sink),
    ):
        run_upcard(arguments)
    sink.seek(0)
    return _tidy(sink.read().splitlines())


def find_differences(text: str) -> list[Difference]:
    """Run all the commands of a page in a folder of their own; return those that differ."""
    differences = []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for item in read_page(text):
            if isinstance(item, PageFile):
                Path(item.name).write_text(item.text, encoding="utf-8")
                continue
            printed = run(item.text)
            if not matches(item.output, printed):
                differences.append(Difference(item, printed))
    return differences


def matches(shown: tuple[str, ...], printed: tuple[str, ...]) -> bool:
    """Whether what is shown is what was printed; a line `...` stands for any lines."""
    pattern = "".join(
        r"(?:.*\n)*" if line == _ANY_LINES else re.escape(line) + r"\n" for line in _tidy(shown)
    )
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def refresh(text: str) -> str:
    """Return the page with the output of its commands written anew.

    Raises: ValueError where lines were left out and the others have changed: a person must choose.
    """
    lines = text.splitlines()
    for command, printed in reversed(find_differences(text)):
        if _ANY_LINES in command.output:
            msg = (
                f"line {command.line + 1}: the output of `{command.text}` has changed where it"
                " is abridged; shorten it by hand:\n" + "\n".join(printed)
            )
            raise ValueError(msg)
        start = command.line + 1
        # The blank lines before the next command or the end of the block are dropped.
        lines[start : start + len(command.output)] = printed
    return "\n".join(lines) + "\n"


def _tidy(lines: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Drop blanks at line ends and blank lines at the end: pages do not keep them."""
    kept = [line.rstrip() for line in lines]
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)
