"""Ctrl-C while machine code is made."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import llvmlite.binding

if TYPE_CHECKING:
    from types import FrameType

_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")
_AGAIN_SECONDS: Final = 0.02
_COMPILER: Final = str(Path(llvmlite.binding.__file__).parent)


class CallbackGuard:
    """Keeps signals out of what Python does for the compiler LLVM.

    In a callback or destructor an exception is printed and lost, and with it the machine code that
    a callback was to keep, so that Numba fails a moment later with an error of its own. Where LLVM
    frees something it may be freed twice, which aborts the process. A signal that comes there is
    sent again until Numba is elsewhere.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._before: dict[int, Any] = {}

    def begin(self) -> None:
        """Guard a compilation, and those within it; only the main thread answers signals."""
        if threading.current_thread() is not threading.main_thread():
            return
        self._depth += 1
        if self._depth > 1:
            return
        for name in _NAMES:
            number = getattr(signal, name, None)  # Windows has no SIGHUP
            handler = None if number is None else signal.getsignal(number)
            if number is not None and callable(handler) and handler != self._handle:
                self._before[number] = handler
                signal.signal(number, self._handle)

    def end(self) -> None:
        """End the compilation begun last; after the outermost one signals are as they were."""
        if threading.current_thread() is not threading.main_thread():
            return
        self._depth = max(0, self._depth - 1)  # a signal may have come before it was counted
        if self._depth == 0:
            for number, handler in self._before.items():
                signal.signal(number, handler)
            self._before.clear()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if not _is_for_compiler(frame):
            self._before[number](number, frame)
            return
        again = threading.Timer(_AGAIN_SECONDS, signal.raise_signal, [number])
        again.daemon = True
        again.start()


def _is_for_compiler(frame: FrameType | None) -> bool:
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__del__" or code.co_filename.startswith(_COMPILER):
            return True
        frame = frame.f_back
    return False
