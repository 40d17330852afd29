"""Standard output, and files that a command writes in addition.

A command with an output file writes it even if the reader of its text leaves early, as `head` does:
the text is buffered until everything else is done.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TextIO

import click

STANDARD_OUTPUT: Final = "-"


def output_file(ctx: click.Context, param: click.Parameter, written: str | None) -> str | None:
    """Accept the name of an output file; while the command runs its text is buffered.

    `-` is standard output, if the command supports it.
    """
    if written is None or written == STANDARD_OUTPUT:
        return written
    try:
        Path(written).lstat()
    except (FileNotFoundError, NotADirectoryError):
        pass  # a new file, or a missing folder, which the command reports
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise click.BadParameter(f"{written!r} cannot be written: {reason}", ctx, param) from None
    if not isinstance(sys.stdout, _HeldOutput):
        ctx.find_root().with_resource(_hold_output())
    return written


class _HeldOutput(io.TextIOWrapper):
    """Buffers text; otherwise it behaves like the stream that it replaces."""

    def __init__(self, stream: TextIO) -> None:
        self.bytes = io.BytesIO()
        super().__init__(
            self.bytes,
            encoding=getattr(stream, "encoding", None) or "utf-8",
            errors=getattr(stream, "errors", None),
            write_through=True,
        )
        self._stream = stream

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def release(self) -> None:
        self.flush()
        data = self.bytes.getvalue()
        binary = getattr(self._stream, "buffer", None)
        if binary is None:  # a stream of text only
            self._stream.write(data.decode(self.encoding))
        else:
            self._stream.flush()
            binary.write(data)
        self._stream.flush()


@contextmanager
def _hold_output() -> Iterator[None]:
    stream = sys.stdout
    held = _HeldOutput(stream)
    sys.stdout = held
    try:
        yield
    except BaseException:
        sys.stdout = stream
        with suppress(OSError):  # the error that ends the command is reported instead
            held.release()
        raise
    sys.stdout = stream
    held.release()


def can_show_screen() -> bool:
    """Whether there is a terminal that can show a full screen."""
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return is_terminal and os.environ.get("TERM") != "dumb"


def can_still_write() -> bool:
    """Whether standard output accepts what was written so far."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        return False
    return True


def abandon_output() -> None:
    """Drop unwritten text, so that Python does not try again when it flushes at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):  # a stream without a file
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def open_closed_streams() -> None:
    """Open empty streams for a process that was started without standard streams."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
