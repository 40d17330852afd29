"""The values that come with upcard are those that it computes."""

import ast
import binascii
import importlib
import json
import re
import sys
import zlib
from functools import cache
from itertools import product
from pathlib import Path

import grimp
import pytest

from upcard.cache import exact as cached
from upcard.cache import recall as shipped
from upcard.cache import recall as stamp
from upcard.exact import solve as fresh
from upcard.kernels import list_programs
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import shipped_values  # noqa: E402 (a tool)

LINES = shipped_values.FILE.read_text(encoding="utf-8").splitlines()


@pytest.fixture
def current():
    """Skip the test if one below says that the values are stale."""
    if not shipped.read_shipped():
        pytest.skip("the shipped values are stale")


def test_the_shipped_values_were_made_by_these_sources():
    made = LINES[0].rpartition(" ")[2]
    assert made == stamp.program_stamp(), (
        "a source that computes has changed, so the shipped values are not read."
        " Run `.venv/bin/python tools/shipped_values.py` (make values), and commit"
        " src/upcard/cache/shipped.txt"
    )


def test_what_is_known_of_sources_is_true():
    """Of those that were edited since in a comment, nothing is known."""
    known = {pair[:16]: pair[16:] for pair in LINES[1].split()}
    now = {pair[:16]: pair[16:] for pair in list_programs(stamp.FOLDERS).split()}
    assert {text: known.get(text, program) for text, program in now.items()} == now
    assert all(re.fullmatch("[0-9a-f]{16}", word) for pair in known.items() for word in pair)


def test_every_shipped_line_is_a_named_value():
    for line in LINES[2:]:
        name, _, packed = line.partition(" ")
        assert re.fullmatch(r"(game|chart|cells|exceptions|sidebet)-[0-9a-f]{40}", name)
        assert set(json.loads(shipped.unpack(packed.encode()))) <= {"value", "refusal"}
    names = [line.partition(" ")[0] for line in LINES[2:]]
    assert names == sorted(set(names))
    assert sum(map(len, LINES)) < 600_000


def test_every_house_and_the_common_games_are_shipped(current, saved_values, monkeypatch):
    monkeypatch.setattr(fresh, "choose_solver", lambda *_, **__: pytest.fail("computed"))
    houses = [Rules(), *(load_house(name).rules for name in house_names())]
    for rules in (*houses, *map(Rules.parse, ("1D H17 NDAS", "8D LS", "4D", "6D H17 LS RSA"))):
        assert cached.solve_game(rules).rules == rules
        try:
            chart = cached.basic_strategy(rules)
        except fresh.UnsupportedRuleError:
            continue
        assert cached.solve_game(rules, strategy=chart).seconds == 0
    assert not saved_values.exists()


def test_shipped_values_of_infinite_decks_are_those_that_are_computed(current):
    """The others: `make values ARGS=--check`, which .ci/run does on every Python."""
    games = [rules for rules in shipped_values.list_games() if rules.is_infinite]
    assert len(games) == 3
    assert list(shipped_values.find_faults(shipped_values.compute(games))) == []


def test_a_value_that_differs_by_more_than_rounding_is_found():
    value = {"value": [0.25, "6D", [["A", 0.5]], None]}
    assert shipped_values.are_close(value, {"value": [0.25 + 1e-15, "6D", [["A", 0.5]], None]})
    for other in (
        {"value": [0.25 + 1e-9, "6D", [["A", 0.5]], None]},
        {"value": [0.25, "8D", [["A", 0.5]], None]},
        {"value": [0.25, "6D", [], None]},
        {"refusal": []},
    ):
        assert not shipped_values.are_close(value, other)


def test_a_line_that_says_the_same_stays_as_it_is():
    first = shipped_values.write_shipped({"game-1": "one", "game-2": "two"})
    weakly = binascii.b2a_base64(zlib.compress(b"one", 0), newline=False).decode()
    old = f"other head\nsources\ngame-1 {weakly}\n".encode()
    second = shipped_values.write_shipped({"game-2": "two", "game-1": "one"}, old)
    assert second != first
    assert f"\ngame-1 {weakly}\n" in second
    assert shipped_values.write_shipped({"game-2": "two", "game-1": "new"}, old).count(weakly) == 0


@cache
def read_imports():
    return grimp.build_graph("upcard", exclude_type_checking_imports=True, cache_dir=None)


def find_packages(module):
    """Return the packages whose sources a module imports, but for the one that saves values."""
    imported, waiting = set(), [module]
    while waiting:
        module = waiting.pop()
        if module not in imported:
            imported.add(module)
            waiting += read_imports().find_modules_directly_imported_by(module)
    return {module.split(".")[1] for module in imported} - {"_version", "cache"}


def list_first_arguments(name, function):
    """Return the first arguments of a module's calls of a function, but for its own variables."""
    module = importlib.import_module(name)
    for call in ast.walk(ast.parse(Path(module.__file__).read_text("utf-8"))):
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == function:
            if not isinstance(call.args[0], ast.Name):
                yield ast.literal_eval(call.args[0])
            elif hasattr(module, call.args[0].id):
                yield getattr(module, call.args[0].id)


def list_saving():
    """Return the modules that ask for saved values."""
    saving = read_imports().find_modules_that_directly_import("upcard.cache.entry")
    assert len(saving) > 5
    return saving - {"upcard.cache.recall"}


def test_a_saved_value_is_stamped_with_all_that_it_follows_from():
    """Estimates of `players` had a number that was raised by hand, values of `analysis` a part."""
    for module in list_saving():
        stamped = {*stamp.FOLDERS}.union(*list_first_arguments(module, "program_stamp"))
        assert find_packages(module) <= stamped, module


def test_the_kind_of_a_saved_value_is_a_word_that_upcard_cache_lists():
    """The files of "round values" and "bonus plays" were not listed, and never deleted."""
    calls = product(list_saving(), ("SavedQuestion", "_saved"))
    kinds = {kind for module, call in calls for kind in list_first_arguments(module, call)}
    assert len(kinds) > 5
    assert [kind for kind in kinds if not re.fullmatch("[a-z]+", kind)] == []
    assert kinds == set(shipped.KINDS)


def test_no_folder_is_stamped_that_the_solvers_do_not_import():
    assert find_packages("upcard.exact.solve") == set(stamp.FOLDERS)
