"""Kept machine code is used again, and never where the sources it came from have changed."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import grimp
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


def read_text(module):
    return Path(module.__file__).read_text("utf-8")


@pytest.fixture
def package(tmp_path):
    """A package of two kernels in two files, one of which calls the other in another folder."""
    package = tmp_path / "upcard" / "kernels"
    for folder in ("core", *kernels.FOLDERS, "kernels/inner"):
        (package.parent / folder).mkdir(parents=True)
    for name, text in {
        "../__init__.py": "",
        "__init__.py": read_text(kernels),
        "../core/__init__.py": "",
        "../_version.py": '__version__ = "1.0"',
        "../core/limits.py": "MORE = 1",
        **{
            f"../{module.__name__.partition('.')[2].replace('.', '/')}.py": read_text(module)
            for module in (long_work, jit, compiling)
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


@pytest.mark.slow
def test_comments_and_docstrings_leave_machine_code_and_numbers_of_core_do_not(package):
    """A kernel's first line is part of the name that Numba gives to its file."""
    assert ask(package) == (20, 0)
    (package / "caller.py").write_text(f"# A comment.\n{CALLER}\n'A text.'\n", encoding="utf-8")
    (package / "inner" / "callee.py").write_text(f"'Add.'\n{CALLEE.format(1)}", encoding="utf-8")
    assert ask(package) == (20, 1)
    limited = f"from upcard.core.limits import MORE\n{CALLEE.format('MORE')}"
    (package / "inner" / "callee.py").write_text(limited, encoding="utf-8")
    assert [ask(package), ask(package)] == [(20, 0), (20, 1)]
    (package.parent / "core" / "limits.py").write_text("MORE = 4", encoding="utf-8")
    assert [ask(package), ask(package)] == [(50, 0), (50, 1)]


def test_machine_code_is_stamped_with_all_that_kernels_import():
    graph = grimp.build_graph("upcard", exclude_type_checking_imports=True, cache_dir=None)
    imported, waiting = set(), [f"upcard.{loop[:-3].replace('/', '.')}" for loop in find_loops()]
    while waiting:
        module = waiting.pop()
        if module not in imported and module != "upcard.env.sutton_barto":
            imported.add(module)
            waiting += graph.find_modules_directly_imported_by(module)
    places = {module.partition(".")[2].replace(".", "/") for module in imported}
    covered = tuple(f"{folder}/" for folder in kernels.SOURCES)
    assert {place for place in places if not f"{place}/".startswith(covered)} == {"_version"}


def test_no_two_kernels_of_a_file_have_one_name():
    """Their machine code is kept by it."""
    for loop in find_loops():
        module = ast.parse((PACKAGE / loop).read_text("utf-8"))
        names = [one.name for one in module.body if isinstance(one, ast.FunctionDef)]
        assert len(names) == len({*names}), loop


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


PACKAGE = Path(upcard.__file__).parent


def find_loops():
    """Return the files that have kernels."""
    decorated = re.compile(r"^ *@(lean_|inner_|inlined_|)kernel$", re.MULTILINE)
    return {
        source.relative_to(PACKAGE).as_posix()
        for source in PACKAGE.rglob("*.py")
        if decorated.search(source.read_text("utf-8"))
    }


def test_every_compiled_loop_is_in_a_folder_of_kernels():
    """Of another, the stamp of Numba holds only its own file, and none in the list may call it."""
    folders = tuple(f"{folder}/" for folder in kernels.FOLDERS)
    loops = find_loops()
    assert {loop for loop in loops if not loop.startswith(folders)} == {"env/sutton_barto.py"}
    used = {folder for folder in folders for loop in loops if loop.startswith(folder)}
    assert set(folders) - used == {"kernels/"}  # what compiles them
