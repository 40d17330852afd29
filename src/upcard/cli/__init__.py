"""The command line: it renders and asks; what happens is decided in the packages below."""

from __future__ import annotations


def main() -> None:
    """Run the command `upcard` and leave with its exit code."""
    import sys

    from upcard.cli.app import run
    from upcard.kernels.announcing import NOTICE

    NOTICE.is_for_all = True
    sys.exit(run())
