"""Runs `upcard` commands in this process, with lines for its input and its output caught."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import TYPE_CHECKING, NamedTuple

from upcard.cli.app import run

if TYPE_CHECKING:
    from collections.abc import Sequence


class Answer(NamedTuple):
    """What a command gave back."""

    code: int
    out: str
    err: str


class Screen(io.StringIO):
    """A stream that can write glyphs, and has a number as a file has."""

    encoding = "utf-8"

    def fileno(self) -> int:
        """Return the number of the real stream, which is never written to."""
        return 1


def talk(arguments: Sequence[str], answers: Sequence[str] = ()) -> Answer:
    """Run a command with these lines as its input; then the input ends."""
    out, err = Screen(), Screen()
    before = sys.stdin
    typed = "".join(f"{line}\n" for line in answers).encode(errors="surrogatepass")
    # With a `buffer`, as the real one has: some commands read bytes.
    sys.stdin = io.TextIOWrapper(
        io.BytesIO(typed), encoding="utf-8", errors="surrogatepass", newline="\n"
    )
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(list(arguments))
    finally:
        sys.stdin = before
    return Answer(code, out.getvalue(), err.getvalue())
