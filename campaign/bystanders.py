"""What a killed program may leave behind: processes, locks, files."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection

PATIENCE_SECONDS: Final = 10.0
_PR_SET_PDEATHSIG: Final = 1


def die_with_parent() -> None:
    """Have the system kill this process when its parent has gone, where it can (Linux)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def find_processes(session: int) -> list[int]:
    """Return the living processes of a session of the system, its leader included."""
    found = []
    for place in Path("/proc").iterdir():
        if not place.name.isdecimal():
            continue
        with suppress(OSError, ValueError, IndexError):
            # pid (name) state parent group session: the name may hold anything but the last ")".
            fields = (place / "stat").read_text(encoding="utf-8", errors="replace")
            state, _, _, owner = fields.rpartition(")")[2].split()[:4]
            if int(owner) == session and state != "Z":
                found.append(int(place.name))
    return found


def wait_for_end(session: int) -> list[int]:
    """Wait until no process of a session is left; return those that do not end, and end them."""
    until = time.monotonic() + PATIENCE_SECONDS
    while left := find_processes(session):
        if time.monotonic() > until:
            for number in left:
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
            return left
        time.sleep(0.02)
    return []


def find_leftovers(folder: Path, allowed: Collection[str]) -> list[str]:
    """Return the names in a folder that should not be there."""
    return sorted(item.name for item in folder.iterdir() if item.name not in allowed)
