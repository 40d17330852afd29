"""The command line: it renders and asks; the packages below decide."""

import signal
from functools import partial


def main() -> None:
    """Run the command `upcard` and exit with its exit code."""
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
