"""Reports of long work, and that no package below the front-ends writes to a terminal."""

from __future__ import annotations

import ast
import io
import sys
import threading
from pathlib import Path

import pytest

import upcard
from upcard.cli.progress import show
from upcard.core import long_work
from upcard.core.long_work import (
    COMPILING,
    FULL_MEMORY,
    INDICES,
    SIMULATION,
    Report,
    following,
    listen,
    tell,
)

SOURCE = Path(upcard.__file__).parent
FRONT_ENDS = {"cli", "line", "tui", "web", "env"}
PROGRAMS = {
    SOURCE / "fair" / "verify_shuffle.py",  # people run it without upcard
}
LIBRARIES = {"click", "rich", "textual"}


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Cell(io.StringIO):
    """Standard error in a notebook."""

    __module__ = "ipykernel.iostream"


@pytest.fixture(autouse=True)
def _listen_again():
    yield
    listen(upcard._show)


def list_sources():
    """List the files of the packages below the front-ends."""
    for file in SOURCE.rglob("*.py"):
        if file.relative_to(SOURCE).parts[0] not in FRONT_ENDS and file not in PROGRAMS:
            yield file


def find_writing(tree):
    """Iterate over what a source uses to write to a terminal."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="print")):
                yield "print"
            case ast.Attribute(value=ast.Name(id="sys"), attr="stderr" | "stdout" as stream):
                yield stream
            case ast.Import(names=names):
                yield from LIBRARIES & {name.name.partition(".")[0] for name in names}
            case ast.ImportFrom(module=str(module)):
                yield from LIBRARIES & {module.partition(".")[0]}


@pytest.mark.slow
def test_no_package_below_the_front_ends_writes_to_a_terminal():
    found = {
        str(file.relative_to(SOURCE)): writing
        for file in list_sources()
        if (writing := list(find_writing(ast.parse(file.read_text(encoding="utf-8")))))
    }
    assert found == {}


@pytest.mark.parametrize(
    "source", ["print('x')", "sys.stderr.write('x')", "import rich.console", "from click import x"]
)
def test_what_writes_is_found(source):
    assert list(find_writing(ast.parse(source)))


def test_a_process_has_one_listener():
    first, second = [], []
    report = Report(FULL_MEMORY, "8 8 v T", 0.5, 12.0)
    listen(first.append)
    listen(second.append)
    tell(report)
    listen(None)
    tell(report)
    assert (first, second) == ([], [report])


REPORTS = {
    Report(COMPILING, "the solver", seconds_left=30.0): (
        "Compiling the solver, once on this machine: about half a minute ...\n"
    ),
    Report(COMPILING, "the solver", 0.5, 11.2): "\r\033[KCompiling: about 12 s left",
    Report(COMPILING, "the solver", 0.9, 0.0): "\r\033[KCompiling: almost done",
    Report(COMPILING, "the solver", is_over=True): "\r\033[K",
    Report(FULL_MEMORY, "8 8 v T (2 of 4)", 0.5, 12.0): (
        "\r\033[KFull memory: 8 8 v T (2 of 4), 50% done, about 12 seconds left"
    ),
    Report(FULL_MEMORY, is_over=True): "\r\033[K",
    Report(SIMULATION, "12M rounds  3 s left", 0.25): (
        "\r\033[KSimulation: 25%  12M rounds  3 s left"
    ),
    Report(INDICES, "exact values", 0.5): "\r\033[KIndices: 50%  exact values",
}


@pytest.mark.parametrize(("report", "written"), REPORTS.items())
def test_any_program_shows_reports_on_a_terminal_and_nowhere_else(monkeypatch, report, written):
    for stream, expected in ((Terminal(), written), (io.StringIO(), "")):
        monkeypatch.setattr(sys, "stderr", stream)
        tell(report)
        assert stream.getvalue() == expected
    monkeypatch.setattr(sys, "stderr", None)
    tell(report)


@pytest.mark.parametrize(("report", "written"), REPORTS.items())
def test_a_cell_of_a_notebook_shows_the_same_without_escape_sequences(monkeypatch, report, written):
    monkeypatch.setattr(sys, "stderr", cell := Cell())
    tell(report)
    text = written.replace("\033[K", "")
    assert cell.getvalue().replace(" ", "") == (text * (1 + report.is_over)).replace(" ", "")
    assert len(cell.getvalue().strip("\r")) == 100 or report == next(iter(REPORTS))


def test_a_line_is_cut_to_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    tell(Report(SIMULATION, "12M rounds" * 9, 0.25))
    assert len(terminal.getvalue().removeprefix("\r\033[K")) == 39


def test_a_task_that_nothing_watches_is_reported_and_ends(monkeypatch):
    monkeypatch.setattr(long_work, "REPORT_SECONDS", 0.0)
    listen((heard := []).append)
    with following(SIMULATION) as move:
        move("1k rounds", 0.5)
    assert [(one.about, one.done, one.is_over) for one in heard] == [
        ("1k rounds", 0.5, False),
        ("", 0.0, True),
    ]


def test_several_tasks_in_other_threads_share_no_line(monkeypatch):
    monkeypatch.setattr(long_work, "REPORT_SECONDS", 0.0)
    listen((heard := []).append)

    def work():
        with following(SIMULATION) as move:
            move("1k rounds", 0.5)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert heard == []


def test_a_run_reports_unless_something_watches_it(monkeypatch):
    monkeypatch.setattr(long_work, "REPORT_SECONDS", 0.0)
    listen((heard := []).append)
    options = {"rounds": 2000, "seed": 1, "workers": 1}
    run = upcard.simulate("6D", **options)
    assert {one.task for one in heard if one.task != COMPILING} == {SIMULATION}
    heard.clear()
    upcard.simulate("6D", **options, watch=(watched := []).append)
    assert [one for one in heard if one.task != COMPILING] == []
    assert watched[-1].run.tally == run.tally


def test_a_command_writes_to_a_file_what_it_waits_for_once_on_a_machine(monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream := io.StringIO())
    for report in REPORTS:
        show(report, is_for_all=True)
    assert stream.getvalue() == next(iter(REPORTS.values()))
