"""The end of the program when its terminal closes."""

from __future__ import annotations

import os
import select
import threading
import time
from typing import Final

_STDIN: Final = 0
_PATIENCE_SECONDS: Final = 1.0
_STATUS: Final = 129
"""128 and the number of SIGHUP."""


def watch_terminal() -> None:
    """End the program when its terminal has closed.

    SIGHUP goes only to the leader of a session, and to the rest when the leader ends: `make play`
    is such a leader, and waits for the game. Where the signal arrives, Textual waits for a thread
    that reads the end of its input again and again. What was played is saved at every step.
    """
    if hasattr(select, "poll") and os.isatty(_STDIN):
        threading.Thread(target=_end_when_closed, name="terminal", daemon=True).start()


def _end_when_closed() -> None:
    poll = select.poll()
    poll.register(_STDIN, 0)  # waits for nothing but the end of the terminal
    if any(event & select.POLLHUP for _, event in poll.poll()):
        time.sleep(_PATIENCE_SECONDS)  # a program that gets the signal may end in its own way
        os._exit(_STATUS)
