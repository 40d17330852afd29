"""docs/architecture.md names files, packages and functions that exist, and no others."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CODE = sorted(set(re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL))))
NAMES = [text for text in CODE if re.fullmatch(r"[a-z_]\w*(\.\w+)+", text) and "toml" not in text]
FILES = [text for text in CODE if text.startswith("src/")]


def find(name):
    """Import as much of a dotted name as is a module, and follow the rest as attributes."""
    parts = name.removeprefix("upcard.").split(".")
    for end in range(len(parts), -1, -1):
        try:
            found = import_module(".".join(["upcard", *parts[:end]]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        return found
    raise AssertionError(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_in_the_walks_exists(name):
    assert find(name) is not None


@pytest.mark.parametrize("name", ["table.nothing.play_round", "table.rounds.nothing"])
def test_a_name_that_does_not_exist_is_found_out(name):
    with pytest.raises(AttributeError):
        find(name)


@pytest.mark.parametrize("path", FILES)
def test_a_file_in_the_walks_exists(path):
    assert (ROOT / path).exists()


def test_each_walk_names_functions_and_the_page_names_every_package_in_the_order_of_the_contract():
    walks = re.split(r"^## Walk ", PAGE, flags=re.MULTILINE)[1:]
    assert len(walks) == 6
    assert all(sum(f"`{name}`" in walk for name in NAMES) >= 5 for walk in walks)
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = contracts["tool"]["importlinter"]["contracts"][0]["layers"]
    levels = [re.findall(r"\w+", layer) for layer in reversed(layers)]
    described = re.findall(r"^(?:- )?\*\*(\w+)\*\* \(`src/upcard/(\w+)/`\)", PAGE, re.MULTILINE)
    assert [name for name, folder in described if name != folder] == []
    places = [next(i for i, level in enumerate(levels) if name in level) for name, _ in described]
    assert places == sorted(places)
    packages = {path.parent.name for path in (ROOT / "src" / "upcard").glob("*/__init__.py")}
    assert {name for name, _ in described} == packages


def test_the_page_names_every_folder_of_a_package_with_modules():
    folders = {
        path.parent.relative_to(ROOT / "src" / "upcard")
        for path in (ROOT / "src" / "upcard").rglob("*.py")
    }
    inner = [folder for folder in folders if len(folder.parts) > 1]
    named = f" {re.sub(r'[./]', ' ', ' '.join(CODE))} "
    left_out = [folder for folder in inner if f" {' '.join(folder.parts)} " not in named]
    assert sorted(map(str, left_out)) == []


TRACE = """
import contextlib, inspect, io, json, sys, threading
from importlib import import_module
import upcard
from upcard.cli import app

called = {}

def note(frame, event, _):
    if event == "call":
        called.setdefault(frame.f_code, len(called))

def find_codes(name):
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(["upcard", *parts[:end]]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            found = getattr(found, part)
        if inspect.isclass(found):
            return [one.__code__ for one in vars(found).values() if inspect.isfunction(one)]
        function = getattr(inspect.unwrap(found), "py_func", inspect.unwrap(found))
        return [one for one in [getattr(function, "__code__", None)] if one]

threading.setprofile(note)
sys.setprofile(note)
with contextlib.redirect_stdout(io.StringIO()):
    CALL
sys.setprofile(None)
names = json.loads(sys.argv[1])
print(json.dumps([name for name in names if not any(one in called for one in find_codes(name))]))
"""
WAYS = {
    1: "upcard.play_round(upcard.Rules(), 'T 6 8 T 9', decisions=['stand'], bets=[10])",
    2: "app.run(['solve', '88', 'v', 'T', '--no-cache', '--json'])",
    5: "app.run(['edge'])",
    6: "app.run('simulate --rounds 10M --seed 1 -o RUN.json'.split())",
}
NOT_ON_THE_WAY = {
    "cli.main",  # it calls what is traced
    "core.errors.IllegalActionError",  # of an illegal answer
    "exact.solve.Solver",  # a protocol
    "simulation.run.simulate",  # in Python
    "simulation.table_engine.play_table_chunk",  # of other rules
    "table.shoe.make_shoe",  # of a shuffled round
}


@pytest.mark.slow
@pytest.mark.parametrize("number", WAYS)
def test_what_a_walk_names_is_called_on_the_way(number, tmp_path, monkeypatch):
    monkeypatch.setenv("UPCARD_CACHE", str(tmp_path))
    walk = re.split(r"^## ", PAGE, flags=re.MULTILINE)[-8 + number]
    assert walk.startswith(f"Walk {number}:")
    texts = re.findall(r"`([^`\n]+)`", walk)
    names = [text for text in texts if text in NAMES and text not in NOT_ON_THE_WAY]
    named = [text for text in names if not text.startswith("upcard.") and not is_module(text)]
    code = TRACE.replace("CALL", WAYS[number])
    command = [sys.executable, "-c", code, json.dumps(named)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert len(named) >= 3
    assert json.loads(done.stdout) == []


def is_module(name):
    return isinstance(find(name), ModuleType | Mapping) or not callable(find(name))
