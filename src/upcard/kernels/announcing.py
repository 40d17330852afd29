"""Announce the compilation of machine code: it takes long, and happens once on a machine.

Every kernel that is compiled passes through here, whichever engine or command asked for it.
"""

from __future__ import annotations

import sys
import threading
import time
from contextlib import suppress
from typing import Final

PATIENCE_SECONDS: Final = 1.0
_ENGINES: Final = {
    "simulator": "the simulator",
    "lockstep": "the loop of long simulations",
    "bankroll": "the walk of a bank",
    "tables": "the tables of an environment",
    "classic": "the tables of Sutton and Barto's game",
}
"""Engines by the module of their outermost kernel; all others are the solver's."""
_SHORT_WAITS: Final = frozenset({_ENGINES["classic"], _ENGINES["lockstep"]})


class CompilingNotice:
    """Writes one line for each engine whose compilation takes longer than a moment."""

    def __init__(self) -> None:
        """Write to terminals only: a program that uses upcard did not ask for notices."""
        self.is_for_all = False
        """Whether the notice is also written to a standard error that is not a terminal."""
        self._turn = threading.Lock()
        self._depth = 0
        self._begun = 0.0
        self._seconds = 0.0
        self._timer: threading.Timer | None = None
        self._told: set[str] = set()

    def begin(self, module: str) -> None:
        """Begin to compile a kernel of this module; the kernels that it calls are included."""
        with self._turn:
            self._depth += 1
            if self._depth > 1:
                return
            self._begun = time.monotonic()
            engine = _ENGINES.get(module.rpartition(".")[2], "the solver")
            left = max(0.0, PATIENCE_SECONDS - self._seconds)
            self._timer = threading.Timer(left, self._tell, [engine])
            self._timer.daemon = True
            self._timer.start()

    def end(self) -> None:
        """End the compilation begun last."""
        with self._turn:
            self._depth -= 1
            if not self._depth and self._timer is not None:
                self._timer.cancel()
                self._seconds += time.monotonic() - self._begun

    def _tell(self, engine: str) -> None:
        stream = sys.stderr
        if engine in self._told or stream is None or not (self.is_for_all or stream.isatty()):
            return
        self._told.add(engine)
        with suppress(OSError, ValueError):  # a notice that has no reader
            wait = "some seconds" if engine in _SHORT_WAITS else "about half a minute"
            stream.write(f"Compiling {engine}, once on this machine: {wait} ...\n")
            stream.flush()


NOTICE: Final = CompilingNotice()
