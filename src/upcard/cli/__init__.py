"""The command line: it renders and asks; the packages below decide."""

import gc
import os
import signal
from functools import partial
from typing import Final

_OBJECTS: Final = 150_000
"""New objects before Python looks for garbage. By default 700: it looks 190 times while a command
loads, and finds little, in a tenth of the time of `upcard edge`."""


def main() -> None:
    """Run the command `upcard` and exit with its exit code."""
    gc.set_threshold(_OBJECTS)
    # Without it numpy starts a thread for each core when it is imported, for large matrices.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from upcard.cli.app import run
        from upcard.cli.progress import show
        from upcard.cli.streams import end_process
        from upcard.core.long_work import listen

        listen(partial(show, is_for_all=True))
        status = run()
    except KeyboardInterrupt:  # before there is anything to end
        raise SystemExit(128 + signal.SIGINT) from None
    end_process(status)
