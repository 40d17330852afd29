"""A pytest plugin of .ci/run: slow tests that passed as they are do not run again.

A file of tests is left out if a green run of all slow tests, in the last 24 hours, had the same
stamp of it: of the file and its helpers, of every package that it can reach, and of the machine.
Where that cannot be told, the file runs. UPCARD_CI_RECORDS names the folder of the stamps; without
it, as in `make slow` by hand, every test runs.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import os
import platform
import sys
import time
import tomllib
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

VARIABLE = "UPCARD_CI_RECORDS"
MOST_HOURS = 24

# What every test depends on, beside its own sources.
COMMON = (
    "Makefile",
    "pyproject.toml",
    "requirements/*.txt",
    "src/upcard/*.py",
    "tests/green_runs.py",
    "tests/without_compiler.py",
)
# What a package reads outside its folder.
READS = {"web": "docs"}
# Modules that start programs or import by name: what those reach is not written in the file.
STARTS = frozenset({"importlib", "multiprocessing", "pty", "runpy", "subprocess"})
# Other people's packages that do no such thing.
HARMLESS = frozenset(
    {"click", "gymnasium", "hypothesis", "jinja2", "llvmlite", "markupsafe", "numba"}
    | {"numpy", "pytest", "rich", "starlette", "textual"}
)
# A helper that runs the very file whose path it gets once more.
RUNS_SAME_FILE = "without_compiler", "run_without_compiler"
# Names that lead to such a module, or to other files of the project.
LEADS_OUT = frozenset(
    {"__file__", "__import__", "cwd", "eval", "exec", "getcwd", "getfile", "getsource"}
    | {"getsourcefile", "rootdir", "rootpath"}
)
OF_OS = ("exec", "fork", "popen", "posix_spawn", "spawn", "system")  # how such functions begin
OWN_FOLDER = "Path(__file__).parent"
LONGEST_PATH = 200


class CannotTellError(Exception):
    """Why it cannot be told what a file of tests depends on."""


@dataclass(frozen=True)
class Tree:
    """The sources of the project, as they are on disk now."""

    root: Path
    _digests: dict[Path, str] = field(default_factory=dict)
    _folders: dict[Path, frozenset[Path]] = field(default_factory=dict)
    _readings: dict[Path, Reading] = field(default_factory=dict)

    @cached_property
    def layers(self) -> list[set[str]]:
        """The packages from the top down; those of one layer do not import one another."""
        settings = tomllib.loads((self.root / "pyproject.toml").read_text(encoding="utf-8"))
        contracts = settings["tool"]["importlinter"]["contracts"]
        (layers,) = (one["layers"] for one in contracts if one["type"] == "layers")
        return [{name.strip() for name in layer.split("|")} for layer in layers]

    @cached_property
    def packages(self) -> set[str]:
        return set().union(*self.layers)

    @cached_property
    def homes(self) -> dict[str, str]:
        """The packages of the public names, which `upcard` imports when they are used."""
        imports = [
            (node.module.split(".")[1], name.name)
            for node in ast.walk(parse(self.root / "src/upcard/__init__.py"))
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("upcard.")
            for name in node.names
        ]
        return {name: package for package, name in imports if package in self.packages}

    @cached_property
    def helpers(self) -> dict[str, list[Path]]:
        """The modules that tests can import, by name."""
        found: dict[str, list[Path]] = {}
        for folder in ("tests", "tools"):
            for path in self.list_folder(self.root / folder):
                if path.suffix == ".py":
                    found.setdefault(path.stem, []).append(path)
        return found

    def list_folder(self, folder: Path) -> frozenset[Path]:
        if folder not in self._folders:
            self._folders[folder] = frozenset(
                one for one in folder.rglob("*") if one.is_file() and "__pycache__" not in one.parts
            )
        return self._folders[folder]

    def _read(self, path: Path) -> Reading:
        if path not in self._readings:
            self._readings[path] = Reading(self)
            self._readings[path].read(path)
        if reason := self._readings[path].reason:
            raise CannotTellError(reason)
        return self._readings[path]

    def reach(self, packages: set[str]) -> set[str]:
        """Return packages with all those below them."""
        reached = set(packages)
        for number, layer in enumerate(self.layers):
            if layer & packages:
                reached = reached.union(*self.layers[number + 1 :])
        return reached

    def find_files(self, test: Path) -> set[Path]:
        """Return the files that a file of tests depends on. Raises: CannotTellError."""
        files: set[Path] = set()
        packages = {part for part in test.relative_to(self.root).parts if part in self.packages}
        above = [folder for folder in test.parents if self.root in folder.parents]
        todo = [test, *(path for folder in above if (path := folder / "conftest.py").is_file())]
        while todo:
            path = todo.pop()
            if path in files:
                continue
            files.add(path)
            reading = self._read(path)
            packages |= reading.packages
            todo += reading.helpers
            if reading.reads_its_folder:
                files |= {one for one in self.list_folder(path.parent) if one.suffix != ".py"}
        if not packages:
            raise CannotTellError("names no package of upcard")
        for pattern in COMMON:
            files |= set(self.root.glob(pattern))
        for package in self.reach(packages):
            files |= self.list_folder(self.root / "src/upcard" / package)
            if package in READS:
                files |= self.list_folder(self.root / READS[package])
        return files

    def stamp(self, test: Path) -> str:
        """Return the stamp of a file of tests. Raises: CannotTellError."""
        lines = [describe_machine()]
        for path in sorted(self.find_files(test)):
            if path not in self._digests:
                self._digests[path] = hashlib.sha256(path.read_bytes()).hexdigest()
            lines.append(f"{path.relative_to(self.root).as_posix()} {self._digests[path]}\n")
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def stamp_all(self) -> dict[str, str]:
        """Return the stamps of all files of tests for which there is one."""
        found = {}
        for path in self.list_folder(self.root / "tests"):
            if path.match("test_*.py"):
                with suppress(CannotTellError):
                    found[path.relative_to(self.root).as_posix()] = self.stamp(path)
        return found


@dataclass
class Reading(ast.NodeVisitor):
    """What one file of the tests names."""

    tree: Tree
    packages: set[str] = field(default_factory=set)
    helpers: list[Path] = field(default_factory=list)
    reads_its_folder: bool = False
    climbs: bool = False
    reason: str = ""
    """Why it cannot be told what the file depends on."""

    def read(self, path: Path) -> None:
        self.visit(parse(path))
        if self.reads_its_folder and self.climbs:
            self._doubt("leaves its folder")

    def _doubt(self, reason: str) -> None:
        self.reason = self.reason or reason

    def visit_Import(self, node: ast.Import) -> None:
        for name in node.names:
            if name.name == "upcard" and name.asname:
                self._doubt(f"imports upcard as {name.asname}")
            self._add_module(name.name, "")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for name in node.names:
            self._add_module(node.module or "", name.name)

    def _add_module(self, module: str, name: str) -> None:
        first, _, rest = module.partition(".")
        if first == "upcard":
            if package := rest.partition(".")[0] or name:
                self._add_package(package)
            return
        if (first, name) == RUNS_SAME_FILE:
            return
        is_folder = first == "tests" or (self.tree.root / "tests" / first).is_dir()
        names = (rest.rpartition(".")[2], name) if is_folder else (first,)
        if found := [path for one in names for path in self.tree.helpers.get(one, ())]:
            self.helpers += found
        elif first in STARTS or first not in HARMLESS | sys.stdlib_module_names:
            self._doubt(f"imports {module}")

    def _add_package(self, name: str) -> None:
        package = self.tree.homes.get(name, name)
        if package in self.tree.packages:
            self.packages.add(package)
        elif name != "__version__":
            self._doubt(f"uses upcard.{name}")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if isinstance(node.value, ast.Call) and ast.unparse(node) == OWN_FOLDER:
            self.reads_its_folder = True
            return
        self.climbs |= node.attr in {"parent", "parents"}
        if isinstance(node.value, ast.Name):
            if node.value.id == "upcard":
                self._add_package(node.attr)
            elif node.value.id == "os" and node.attr.startswith(OF_OS):
                self._doubt(f"uses os.{node.attr}")
        self._look_at(node.attr)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id == RUNS_SAME_FILE[1]:
            node.args = node.args[1:]
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        self._look_at(node.id)

    def _look_at(self, name: str) -> None:
        if name in LEADS_OUT:
            self._doubt(f"uses {name}")

    def visit_Constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, str):
            return
        first, _, rest = node.value.partition(".")
        package = rest.partition(".")[0]
        if first == "upcard" and {package} & {*self.tree.packages, *self.tree.homes}:
            self._add_package(package)  # the name of a module or of something in one
        if names_a_file(self.tree.root, node.value):
            self._doubt(f"names {node.value}")


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def names_a_file(root: Path, text: str) -> bool:
    """Whether a text is a file of the project, or leads out of a folder."""
    if text.startswith("/") or len(text) > LONGEST_PATH or not ("/" in text or "." in text):
        return False
    if ".." in text.split("/"):
        return True
    try:
        return bool(text.strip("./")) and (root / text).is_file()
    except (OSError, ValueError):  # no path at all
        return False


@cache
def describe_machine() -> str:
    """Name all but the sources that a result can depend on."""
    from llvmlite.binding import get_host_cpu_name

    packages = {f"{one.name} {one.version}" for one in importlib.metadata.distributions()}
    variables = {
        f"{name}={text}"
        for name, text in os.environ.items()
        if name.startswith(("NUMBA_", "UPCARD_")) and name != VARIABLE
    }
    facts = (sys.version, platform.platform(), get_host_cpu_name())
    return "\n".join([*facts, *sorted(packages), *sorted(variables), ""])


@dataclass(frozen=True)
class Records:
    """Stamps of files of tests that passed, each an empty file in a folder."""

    folder: Path

    def find_age(self, stamp: str) -> float | None:
        """Return the hours since a stamp was written; None if it never was, or too long ago."""
        try:
            hours = (time.time() - (self.folder / stamp).stat().st_mtime) / 3600
        except OSError:
            return None
        return hours if 0 <= hours < MOST_HOURS else None

    def write(self, stamps: Iterable[str]) -> None:
        """Write stamps, and remove those that count no more."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for path in self.folder.iterdir():
            if self.find_age(path.name) is None:
                path.unlink(missing_ok=True)
        for stamp in stamps:
            (self.folder / stamp).touch()


ASKED_ABOVE = "asked a package above"


class LeftOut:
    """Leaves files out, and notes which tests reach packages above: in each process."""

    def __init__(self, root: Path, names: Collection[str]) -> None:
        self.paths = {root / name for name in names}
        self.asked: list[str] = []
        from upcard import core

        packages, asked = core.above(), self.asked

        class Noting:
            def __getattr__(self, name):
                asked.append(name)
                return getattr(packages, name)

        core.provide(Noting())

    def pytest_ignore_collect(self, collection_path):
        return True if collection_path in self.paths else None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item):
        if self.asked:
            item.user_properties.append((ASKED_ABOVE, self.asked[0]))
            self.asked.clear()
        return (yield)


class GreenRuns:
    """Says what is left out and writes down what passed, in the process that all report to."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        self.records = Records(folder)
        self.stamps = Tree(root).stamp_all()
        ages = {name: self.records.find_age(stamp) for name, stamp in self.stamps.items()}
        self.ages = {name: age for name, age in ages.items() if age is not None}
        self.passed: Counter[str] = Counter()
        self.doubtful: set[str] = set()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node) -> None:
        node.workerinput[VARIABLE] = list(self.ages)

    def pytest_runtest_logreport(self, report) -> None:
        name = report.nodeid.partition("::")[0]
        self.passed[name] += report.passed and report.when == "call"
        # What is skipped on this machine today may run tomorrow.
        if not report.passed or ASKED_ABOVE in dict(report.user_properties):
            self.doubtful.add(name)

    def pytest_sessionfinish(self, session, exitstatus) -> None:
        if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self.ages:
            session.exitstatus = pytest.ExitCode.OK
        if exitstatus == pytest.ExitCode.OK and is_whole(session.config):
            now = Tree(self.root).stamp_all()  # a source may have changed while tests ran
            green = {name for name, tests in self.passed.items() if tests} - self.doubtful
            same = {name for name in green if now.get(name, "") == self.stamps.get(name)}
            self.records.write(now[name] for name in same)

    def pytest_terminal_summary(self, terminalreporter) -> None:
        terminalreporter.section("slow tests that passed as they are")
        for name, age in sorted(self.ages.items()):
            terminalreporter.line(f"UNCHANGED {name}: passed {age:.1f} hours ago")
        about = f"left out: {len(self.ages)} files of tests, on record in {self.records.folder}"
        terminalreporter.line(about)


def is_whole(config: pytest.Config) -> bool:
    """Whether a run leaves out no slow test but those on record."""
    narrowing = ("keyword", "deselect", "ignore", "ignore_glob", "lf", "stepwise")
    return (
        config.args_source is pytest.Config.ArgsSource.TESTPATHS
        and config.option.markexpr == "slow"
        and not any(getattr(config.option, name, None) for name in narrowing)
    )


def pytest_configure(config: pytest.Config) -> None:
    """Do as UPCARD_CI_RECORDS says, in this process; tests that run pytest do not see it."""
    folder = os.environ.pop(VARIABLE, "")
    names = getattr(config, "workerinput", {}).get(VARIABLE)
    if names is None and folder:
        runs = GreenRuns(config.rootpath, Path(folder))
        config.pluginmanager.register(runs)
        names = runs.ages
    if names is not None:
        config.pluginmanager.register(LeftOut(config.rootpath, names))
