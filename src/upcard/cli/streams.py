"""Standard streams, files that a command writes, signals, and the end of the process.

A command with an output file writes it even if the reader of its text leaves early, as `head` does:
the text is buffered until everything else is done.

`kill`, job runners and a shutdown send SIGTERM; SIGHUP comes when the terminal closes.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn, TextIO

import click

STANDARD_OUTPUT: Final = "-"


def output_file(ctx: click.Context, param: click.Parameter, written: str | None) -> str | None:
    """Accept the name of an output file; while the command runs its text is buffered.

    `-` is standard output, if the command supports it.
    """
    if written is None or written == STANDARD_OUTPUT:
        return written
    if written.startswith("--"):
        msg = f"{written!r} is an option; write ./{written} for a file with this name"
        raise click.BadParameter(msg, ctx, param)
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


def open_screen(**screen: Any) -> None:
    """Show the full screen, with the options of `tui.app.ScreenOptions`."""
    from upcard.tui.app import ScreenOptions, run_table

    run_table(ScreenOptions(**screen))


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


_ESCAPE_CODES: Final = 4
"""The mode of a Windows console that reads them: ENABLE_VIRTUAL_TERMINAL_PROCESSING."""


def turn_on_colors() -> None:
    """Have an old console of Windows read escape codes; there are no colours where it cannot."""
    if sys.platform == "win32":
        import ctypes
        import msvcrt

        system = ctypes.windll.kernel32
        for stream in (sys.stdout, sys.stderr):
            if not stream.isatty():
                continue
            console = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno()))
            mode = ctypes.c_uint32()
            if not system.GetConsoleMode(console, ctypes.byref(mode)):
                continue  # a terminal of another kind, which reads them
            if not system.SetConsoleMode(console, mode.value | _ESCAPE_CODES):
                os.environ["NO_COLOR"] = "1"


INTERRUPTED: Final = 130
"""Exit status of a command that Ctrl-C ended."""


def end_process(status: int) -> NoReturn:
    """Exit with `status`, without waiting for a thread that still computes."""
    # Most commands have no worker, and need not load what it takes.
    worker = sys.modules.get("upcard.session.coaching")
    if worker is not None and worker.is_at_work():
        abandon_output()
        os._exit(status)
    sys.exit(status)


SIGNAL_STATUS: Final = 128
"""Offset of the exit status of a command that a signal ended."""
_NAMES: Final = ("SIGTERM", "SIGHUP")


class SignalReceived:
    """The signal that has ended the command, if any."""

    def __init__(self) -> None:
        self.signal: int | None = None

    def status(self, status: int) -> int:
        """Return the exit status of a command that would exit with `status`."""
        return status if self.signal is None else SIGNAL_STATUS + self.signal


@contextmanager
def end_on_signals() -> Iterator[SignalReceived]:
    """Turn the first SIGTERM or SIGHUP into a KeyboardInterrupt; a second one kills.

    A signal that was ignored when the program started, as under `nohup`, stays ignored.
    """
    ending = SignalReceived()
    before: dict[int, Any] = {}

    def end(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 (a handler's signature)
        ending.signal = number
        for other in before:
            signal.signal(other, signal.SIG_DFL if other == number else signal.SIG_IGN)
        raise KeyboardInterrupt

    for name in _NAMES:
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is None or signal.getsignal(number) is not signal.SIG_DFL:
            continue
        try:
            before[number] = signal.signal(number, end)
        except ValueError:  # not the main thread: its owner handles signals
            break
    try:
        yield ending
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
