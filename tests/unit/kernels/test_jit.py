"""Kept machine code is used again, and never where the sources it came from have changed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import upcard
from upcard import kernels
from upcard.core import long_work
from upcard.kernels import compiling, jit

CALLER = """
from upcard.kernels.jit import kernel
from upcard.kernels.inner.callee import inner

@kernel
def outer(number):
    return 10 * inner(number)
"""
CALLEE = """
from upcard.kernels.jit import kernel

@kernel
def inner(number):
    return number + {}
"""
ASK = """
from upcard.kernels.caller import outer
print(outer(1), sum(outer.stats.cache_hits.values()))
"""
JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


@pytest.fixture
def package(tmp_path):
    """A package of two kernels in two files, one of which calls the other in another folder."""
    package = tmp_path / "upcard" / "kernels"
    (package / "inner").mkdir(parents=True)
    (package.parent / "core").mkdir()
    for name, text in {
        "../__init__.py": "",
        "__init__.py": Path(kernels.__file__).read_text("utf-8"),
        "../core/__init__.py": "",
        "../core/long_work.py": Path(long_work.__file__).read_text("utf-8"),
        **{
            f"{module.__name__.rpartition('.')[2]}.py": Path(module.__file__).read_text("utf-8")
            for module in (jit, compiling)
        },
        "caller.py": CALLER,
        "inner/callee.py": CALLEE.format(1),
    }.items():
        (package / name).write_text(text, encoding="utf-8")
    return package


def run(package, code, **environment):
    """Return the words that a new process prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    # Without byte code of its own: that goes by the time of a file, to a second.
    kept |= {"PYTHONPATH": str(package.parents[1]), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=kept, capture_output=True, text=True, check=True)
    return done.stdout.split()


def ask(package, **environment):
    """Return what the outer kernel says in a new process, and whether its code was kept."""
    value, hits = run(package, ASK, **environment)
    return int(value), int(hits)


@pytest.mark.slow
def test_machine_code_is_used_again_until_a_kernel_that_is_called_changes(package):
    assert [ask(package), ask(package)] == [(20, 0), (20, 1)]
    files = sorted(file.name for file in (package / "__pycache__").iterdir())
    (package / "inner" / "callee.py").write_text(CALLEE.format(4), encoding="utf-8")
    assert [ask(package), ask(package)] == [(50, 0), (50, 1)]
    # The new code is in the place of the old.
    assert sorted(file.name for file in (package / "__pycache__").iterdir()) == files


@pytest.mark.slow
def test_a_kernel_is_compiled_with_the_loaded_code_of_another(package):
    assert ask(package) == (20, 0)
    for file in (package / "__pycache__").glob("caller.outer*"):
        file.unlink()
    loaded = "from upcard.kernels.inner.callee import inner\ninner(1)\n"
    print_hits = "import sys\nprint(sum(inner.stats.cache_hits.values()), 'numba.np.arrayobj' in"
    words = run(package, f"{loaded}{print_hits} sys.modules){ASK}")
    assert words == ["1", "False", "20", "0"]


@pytest.mark.slow
def test_processes_that_need_a_kernel_at_once_compile_it_once(package):
    before = {name: text for name, text in os.environ.items() if not name.startswith("NUMBA_")}
    asked = [
        subprocess.Popen(
            [sys.executable, "-c", ASK],
            env=before | {"PYTHONPATH": str(package.parents[1]), "PYTHONDONTWRITEBYTECODE": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    hits = [process.communicate()[0].split()[1] for process in asked]
    assert sorted(hits) == ["0", "1", "1"]


def test_a_change_in_any_file_of_kernels_makes_all_machine_code_stale(tmp_path, monkeypatch):
    """For some time only the files that were in no folder of it counted."""
    for folder in kernels.FOLDERS:
        there = Path(upcard.__file__).parent / folder
        shutil.copytree(there, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(jit, "files", lambda _: tmp_path)
    known = {jit.hash_kernels.__wrapped__()}
    sources = sorted(tmp_path.rglob("*.py"))
    assert len(sources) > 25
    for source in sources:
        with source.open("a", encoding="utf-8") as file:
            file.write("# changed\n")
        known.add(jit.hash_kernels.__wrapped__())
    assert len(known) == len(sources) + 1


@pytest.mark.slow
def test_code_that_was_kept_with_a_class_of_another_name_is_compiled_again(package):
    """As an installation that is updated: its folder has what the version before kept."""
    caller = (
        "from typing import NamedTuple\n"
        "from upcard.kernels.jit import kernel\n"
        "class Pair(NamedTuple):\n    low: int\n    high: int\n"
        "@kernel\ndef total(pair):\n    return pair.low + pair.high\n"
        "def outer(number):\n    return total(Pair(number, 19))\n"
        "outer.stats = total.stats\n"
    )
    (package / "caller.py").write_text(caller, encoding="utf-8")
    assert [ask(package), ask(package)] == [(20, 0), (20, 1)]
    (package / "caller.py").write_text(caller.replace("Pair", "Both"), encoding="utf-8")
    assert ask(package) == (20, 0)


@pytest.mark.slow
def test_without_a_folder_to_write_to_every_process_compiles(package, tmp_path):
    nowhere = tmp_path / "file"
    nowhere.touch()
    (package / "__pycache__").touch()
    for _ in range(2):
        assert ask(package, HOME=str(nowhere), XDG_CACHE_HOME=str(nowhere)) == (20, 0)


@pytest.mark.slow
def test_a_numba_that_keeps_its_code_otherwise_keeps_none(package):
    source = (package / "jit.py").read_text(encoding="utf-8")
    assert "_cache_file" in source
    (package / "jit.py").write_text(source.replace("_cache_file", "_elsewhere"), encoding="utf-8")
    for _ in range(2):
        assert ask(package) == (20, 0)


TABLES = """
import sys
import numpy as np
from upcard.kernels.caller import outer
known = outer(1)
print("numba.np.linalg" in sys.modules, sum(outer.stats.cache_hits.values()))
import numba
fresh = numba.njit(lambda a: np.sort(a)[::-1].sum() + outer(1))
total = int(fresh(np.arange(3)))
print("numba.np.linalg" in sys.modules, known == outer(1), total)
"""


@pytest.mark.slow
def test_kept_code_is_loaded_without_the_tables_of_the_compiler_and_compiling_fills_them(package):
    assert ask(package) == (20, 0)
    assert run(package, TABLES) == ["False", "1", "True", "True", "23"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [".rtsys", "cached._load_overload"])
def test_a_numba_that_loads_kept_code_otherwise_loads_it_its_own_way(package, name):
    source = (package / "jit.py").read_text(encoding="utf-8")
    assert name in source
    (package / "jit.py").write_text(source.replace(name, f"{name}_elsewhere"), encoding="utf-8")
    assert [ask(package), ask(package)] == [(20, 0), (20, 1)]


def test_every_compiled_loop_is_in_a_folder_of_kernels():
    """Of another, the stamp of Numba holds only its own file, and none in the list may call it."""
    package = Path(upcard.__file__).parent
    decorated = re.compile(r"^ *@(lean_|inner_|inlined_|)kernel$", re.MULTILINE)
    loops = {
        source.relative_to(package).as_posix()
        for source in package.rglob("*.py")
        if decorated.search(source.read_text("utf-8"))
    }
    folders = tuple(f"{folder}/" for folder in kernels.FOLDERS)
    assert {loop for loop in loops if not loop.startswith(folders)} == {"env/sutton_barto.py"}
    used = {folder for folder in folders for loop in loops if loop.startswith(folder)}
    assert set(folders) - used == {"kernels/"}  # what compiles them
