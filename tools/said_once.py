"""Measure what is said several times: writers of JSON, and the files that a command enters.

    python tools/said_once.py                  the table
    python tools/said_once.py --base COMMIT    also as it was at a commit
    python tools/said_once.py --list           also what was counted

`rooms.py` has limits for texts for people, sentences in tests and `to_json`, counted here.
A text for people has three words or more, and is not a docstring. A way is what a command, or
a key at the table, enters: the files of upcard whose functions are called, by Python's profiler.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, Protocol

ROOT: Final = Path(__file__).resolve().parents[1]
_WORDS: Final = re.compile(r"[A-Za-z][a-z']*(?:,)? [a-z']+[,;:]? [a-z'A-Z]+")
WAYS: Final[dict[str, list[str] | None]] = {
    "a saved edge": ["edge"],
    "a saved hand": ["solve", "T6", "v", "9"],
    "a short simulation": ["simulate", "--rounds", "100k", "--seed", "1"],
    "a key at the table": None,
}
_NOTE: Final = """
import sys, threading
entered = set()
def note(frame, event, _):
    if event == "call" and frame.f_code.co_name != "<module>":
        entered.add(frame.f_code.co_filename)
{run}
sys.setprofile(None); threading.setprofile(None)
print("\\nENTERED", *sorted(name for name in entered if {source!r} in name), sep="\\n")
"""
_COMMAND: Final = """
from upcard.cli.app import run
run({words!r})  # once, so that the answer is saved
sys.setprofile(note); threading.setprofile(note)
run({words!r})
"""
_KEY: Final = """
import random
random._urandom = random.Random(1).randbytes  # the same cards each time
from screen_driver import drive, plan_for, press, wait_for
from upcard.tui.app import ScreenOptions
async def play(pilot, app):
    await wait_for(pilot, lambda: app.seat is not None)
    while not _asks_for_a_card(session := app.seat.session):
        no = session.options and session.options[-1].declines
        await press(pilot, "n" if no else "s" if session.options else "enter")
    entered.clear()
    sys.setprofile(note)
    await press(pilot, "h")
    sys.setprofile(None)
    assert session.options
    app.found = set(entered)
def _asks_for_a_card(session):
    return "hit" in session.options and session.table.view().hand.total <= 11
threading.setprofile(note)  # the coach's thread, which begins with the table
entered = drive(play, ScreenOptions(plan=plan_for("6D"))).found
"""


class Sources(Protocol):
    """The Python files of a version of the project."""

    def files(self, folder: str) -> Iterator[tuple[Path, ast.Module]]:
        """Parse the Python files below `src` or `tests`."""
        ...


class Tree(NamedTuple):
    """A checkout of the project."""

    root: Path

    def files(self, folder: str) -> Iterator[tuple[Path, ast.Module]]:
        """Parse the Python files below a folder."""
        for path in sorted((self.root / folder).rglob("*.py")):
            yield path.relative_to(self.root), _parse(path)


@cache
def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _texts(node: ast.AST) -> Iterator[str]:
    """Return the constant texts of a node, those of docstrings left out."""
    docs = {
        id(one.body[0].value)
        for one in ast.walk(node)
        if isinstance(one, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and one.body
        and isinstance(one.body[0], ast.Expr)
    }
    for one in ast.walk(node):
        bare = isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
        if bare and isinstance(one, ast.Expr):
            docs.add(id(one.value))
        elif isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in docs:
            yield one.value


def files_with_texts(tree: Sources) -> list[str]:
    """Return the files of the package with text for people."""
    return [
        str(path) for path, module in tree.files("src") if any(map(_WORDS.search, _texts(module)))
    ]


def sentence_tests(tree: Sources) -> list[str]:
    """Return the tests that compare a sentence: an `assert` or a `match=` has one."""
    found = []
    for path, module in tree.files("tests"):
        for test in ast.walk(module):
            if not isinstance(test, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            compared = [
                one
                for one in ast.walk(test)
                if isinstance(one, ast.Assert)
                or (isinstance(one, ast.keyword) and one.arg == "match")
            ]
            if any(_WORDS.search(text) for one in compared for text in _texts(one)):
                found.append(f"{path}::{test.name}")
    return found


def writers_of_json(tree: Sources) -> list[str]:
    """Return the functions that turn values of any type into JSON's."""
    found = []
    for path, module in tree.files("src"):
        for one in ast.walk(module):
            if isinstance(one, ast.FunctionDef) and re.search(r"json|plain", one.name):
                calls = [call for call in ast.walk(one) if isinstance(call, ast.Call)]
                names = [call.func.id for call in calls if isinstance(call.func, ast.Name)]
                if "isinstance" in names:
                    found.append(f"{path}::{one.name}")
    return found


def methods_to_json(tree: Sources) -> list[str]:
    """Return the functions and methods that write one type as JSON."""
    return [
        f"{path}::{one.name}"
        for path, module in tree.files("src")
        for one in ast.walk(module)
        if isinstance(one, ast.FunctionDef) and one.name in ("to_json", "as_json")
    ]


def files_of_a_way(tree: Tree, words: list[str] | None) -> list[str]:
    """Return the files of upcard that a command enters when its answer is saved.

    None for a command is the key H at a saved table of the full screen, with all that the screen
    and the coach do until they rest.
    """
    source = str(tree.root / "src" / "upcard")
    run = _KEY if words is None else _COMMAND.format(words=words)
    with tempfile.TemporaryDirectory() as folder:
        places = dict.fromkeys(("HOME", "XDG_DATA_HOME", "UPCARD_CACHE"), folder)
        paths = os.pathsep.join(str(tree.root / name) for name in ("src", "tools"))
        done = subprocess.run(
            [sys.executable, "-c", _NOTE.format(run=run, source=source)],
            env=os.environ | places | {"PYTHONPATH": paths},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    return done.stdout.partition("\nENTERED\n")[2].split()


def measure(tree: Tree) -> dict[str, list[str]]:
    """Return what is counted, by the name of its row."""
    rows = {"functions that write any value as JSON": writers_of_json(tree)}
    for name, words in WAYS.items():
        rows[f"files that {name} enters"] = files_of_a_way(tree, words)
    return rows


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--base", help="a commit to compare with")
    parser.add_argument("--list", action="store_true", help="list what was counted")
    options = parser.parse_args()
    here = measure(Tree(ROOT))
    there: dict[str, list[str]] = {}
    if options.base:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "base"
            add = ["git", "worktree", "add", "--detach", "--quiet", str(place), options.base]
            if subprocess.run(add, cwd=ROOT, check=False).returncode:
                sys.exit(2)
            try:
                there = measure(Tree(place))
            finally:
                remove = ["git", "worktree", "remove", "--force", str(place)]
                subprocess.run(remove, cwd=ROOT, check=False)
    print("| |", f"{options.base} | here |" if there else "here |")
    print("|---|---|---|" if there else "|---|---|")
    for name, found in here.items():
        before = f" {len(there[name])} |" if there else ""
        print(f"| {name} |{before} {len(found)} |")
        if options.list:
            print("\n".join(f"    {one}" for one in found))


if __name__ == "__main__":
    main()
