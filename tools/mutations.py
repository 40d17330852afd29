"""Try the tests on seeded faults: each mutation breaks one line, and some test must notice.

    python tools/mutations.py                        all of them, some minutes
    python tools/mutations.py --only NAME [NAME]     some
    python tools/mutations.py --list                 their names and the tests that must notice

The checkout is never changed: the tracked files are copied to a temporary folder, and one mutation
at a time is made there. No byte code is written, and machine code is cached where each mutation of
a kernel finds none. First the selected tests must pass without a mutation.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mutation_list import MUTATIONS, Mutation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT: Final = Path(__file__).resolve().parents[1]
PATIENCE_SECONDS: Final = 900.0
_FAILED: Final = 1
"""Exit code of pytest for failed tests; the others are for faults of the selection."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What the tests said of a mutation."""

    mutation: Mutation
    seen_by: str
    """The first test that failed; empty if none did."""
    seconds: float
    words: str
    """The end of what pytest printed."""


def copy_tree(root: Path, place: Path) -> None:
    """Copy the tracked files as they are now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    for name in listed.stdout.decode().split("\0"):
        if name and (root / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / name, place / name)


@contextmanager
def mutated(mutation: Mutation, tree: Path) -> Iterator[None]:
    """Make a mutation in a copy of the tree, and undo it."""
    path = mutation.find(tree)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(text, encoding="utf-8")


def run_tests(
    tree: Path, tests: Sequence[str], caches: Path, *, is_compiled: bool = True
) -> tuple[int, str]:
    """Run tests of a copy; return pytest's exit code and what it printed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    kept |= {
        "PYTHONPATH": str(tree / "src"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(caches),
        "NUMBA_DISABLE_JIT": str(int(not is_compiled)),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-rfE", "--tb=line", *_ALL, *_NO_PLUGINS]
    try:
        done = subprocess.run(
            [*command, *tests],
            cwd=tree,
            env=kept,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return -1, f"the tests did not end in {PATIENCE_SECONDS:.0f} s"
    return done.returncode, done.stdout + done.stderr


_ALL: Final = ("-m", "")
"""The slow ones too, which pytest leaves out by itself."""
_NO_PLUGINS: Final = ("-p", "no:cacheprovider", "-p", "no:xdist")


def try_mutation(mutation: Mutation, tree: Path, caches: Path) -> Trial:
    """Make a mutation and run its tests."""
    begun = time.monotonic()
    is_kernel, is_compiled = "/kernels/" in mutation.files, mutation.is_compiled
    with mutated(mutation, tree), tempfile.TemporaryDirectory() as own:
        place = Path(own) if is_kernel else caches
        code, words = run_tests(tree, mutation.tests.split(), place, is_compiled=is_compiled)
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", words, re.MULTILINE)
    seen_by = found[1] if code == _FAILED and found else ""
    return Trial(mutation, seen_by, time.monotonic() - begun, words[-2000:])


def try_all(mutations: Sequence[Mutation]) -> list[Trial]:
    """Try mutations one after the other, with a line for each. Raises: SystemExit."""
    with tempfile.TemporaryDirectory(prefix="upcard-mutations-") as place:
        tree, caches = Path(place, "tree"), Path(place, "machine-code")
        copy_tree(ROOT, tree)
        for mutation in mutations:
            mutation.find(tree)
        for is_compiled in (True, False):
            alike = [one.tests for one in mutations if one.is_compiled is is_compiled]
            tests = list(dict.fromkeys(" ".join(alike).split()))
            code, words = (
                run_tests(tree, tests, caches, is_compiled=is_compiled) if tests else (0, "")
            )
            if code:
                sys.exit(f"{words}\nwithout a mutation these tests must pass")
        trials = []
        for mutation in mutations:
            trial = try_mutation(mutation, tree, caches)
            seen = f"seen by {trial.seen_by}" if trial.seen_by else "NOT SEEN"
            print(f"{trial.seconds:5.1f} s  {mutation.name}: {seen}", flush=True)
            trials.append(trial)
        return trials


def main() -> None:
    """Try the mutations that are asked for."""
    parser = argparse.ArgumentParser(description="Try the tests on seeded faults.")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="names, or parts of names")
    parser.add_argument("--list", action="store_true", help="list them and change nothing")
    asked = parser.parse_args()
    chosen = [
        one for one in MUTATIONS if not asked.only or any(part in one.name for part in asked.only)
    ]
    if not chosen:
        sys.exit("no mutation has such a name; --list shows all")
    if asked.list:
        for one in chosen:
            print(f"{one.name}\n    {one.tests}")
        return
    missed = [trial for trial in try_all(chosen) if not trial.seen_by]
    for trial in missed:
        print(f"\n{trial.mutation.name}: no test noticed\n{trial.words}")
    print(f"{len(chosen) - len(missed)} of {len(chosen)} mutations were noticed")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
