"""The end of the process."""

from __future__ import annotations

import os
import sys
from typing import Final, NoReturn

from upcard.cli.streams import abandon_output

INTERRUPTED: Final = 130
"""Exit status of a command that Ctrl-C ended."""


def end_process(status: int) -> NoReturn:
    """Exit with `status`, without waiting for a thread that still computes."""
    # Most commands have no worker, and need not load what it takes.
    worker = sys.modules.get("upcard.session.worker")
    if worker is not None and worker.is_at_work():
        abandon_output()
        os._exit(status)
    sys.exit(status)
