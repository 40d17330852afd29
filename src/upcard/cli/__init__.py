"""The command line: it renders and asks; the packages below decide."""

from __future__ import annotations


def main() -> None:
    """Run the command `upcard` and exit with its exit code."""
    from upcard.cli.app import run
    from upcard.cli.ending import end_process
    from upcard.kernels.announcing import NOTICE

    NOTICE.is_for_all = True
    end_process(run())
