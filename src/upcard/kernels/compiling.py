"""The compilation of machine code: reported, since it takes long, and safe from Ctrl-C.

Every kernel that is compiled passes through here, whichever engine or command asked for it.
"""

import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final

import llvmlite.binding

from upcard.core.long_work import COMPILING, REPORT_SECONDS, Report, tell

PATIENCE_SECONDS: Final = 1.0
_SECONDS: Final = 30.0
_FEW_SECONDS: Final = 5.0
_ENGINES: Final = {
    "simulator": ("the simulator", _SECONDS),
    "whole_shoes": ("the loop of long simulations", _FEW_SECONDS),
    "bank_walk": ("the walk of a bank", _SECONDS),
    "tables": ("the tables of an environment", _SECONDS),
    "sutton_barto": ("the tables of Sutton and Barto's game", _FEW_SECONDS),
}
"""Engines by the module of their outermost kernel, with about how long they take to compile."""
_SOLVER: Final = ("the solver", _SECONDS)
"""All other kernels."""


class CompilingNotice:
    """Reports each engine whose compilation takes longer than a moment, once."""

    def __init__(self) -> None:
        self._turn = threading.RLock()  # a listener may compile, too
        self._depth = 0
        self._begun = 0.0
        self._seconds = 0.0
        self._timer: threading.Timer | None = None
        self._told: set[str] = set()
        self._ticking = ""
        """The engine whose compilation was reported a second time, and is every second."""

    def begin(self, module: str) -> None:
        """Begin to compile a kernel of this module; the kernels that it calls are included."""
        with self._turn:
            self._depth += 1
            if self._depth > 1:
                return
            self._begun = time.monotonic()
            engine, seconds = _ENGINES.get(module.rpartition(".")[2], _SOLVER)
            self._wait(max(0.0, PATIENCE_SECONDS - self._seconds), self._tell, engine, seconds)

    def _wait(self, wait: float, call: Callable[[str, float], None], *about: object) -> None:
        """Call after a while, unless the compilation has ended."""
        self._timer = threading.Timer(wait, call, about)
        self._timer.daemon = True
        self._timer.start()

    def end(self) -> None:
        """End the compilation begun last."""
        with self._turn:
            self._depth -= 1
            if self._depth or self._timer is None:
                return
            self._timer.cancel()
            self._seconds += time.monotonic() - self._begun
            engine, self._ticking = self._ticking, ""
        if engine:
            tell(Report(COMPILING, engine, is_over=True))

    def _tell(self, engine: str, seconds: float) -> None:
        if engine not in self._told:
            self._told.add(engine)
            tell(Report(COMPILING, engine, seconds_left=seconds))
        self._tick(engine, seconds, is_first=True)

    def _tick(self, engine: str, seconds: float, *, is_first: bool = False) -> None:
        """Report the progress every second, by the time that it usually takes."""
        # Reported with the lock, so that the end comes last.
        with self._turn:
            if not self._depth or threading.current_thread() is not self._timer:
                return
            if not is_first:
                self._ticking = engine
                passed = time.monotonic() - self._begun
                done, left = passed / (passed + seconds), max(seconds - passed, 0.0)
                tell(Report(COMPILING, engine, done, left))
            self._wait(REPORT_SECONDS, self._tick, engine, seconds)


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
