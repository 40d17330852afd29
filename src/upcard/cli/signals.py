"""Signals that end a command: it stops as at Ctrl-C, and its exit status includes the signal.

`kill`, job runners and a shutdown send SIGTERM; SIGHUP comes when the terminal closes.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

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
