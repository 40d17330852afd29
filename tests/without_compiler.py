"""A file of tests runs once more as plain Python, in a process without Numba's compiler."""

from __future__ import annotations

import os
import subprocess
import sys


def run_without_compiler(file: str, *options: str) -> str:
    """Return what pytest prints of the tests of a file. Fails where one fails."""
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-p", "no:cacheprovider", file]
    done = subprocess.run(
        [*command, *options],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
