"""A person who waits for the compiler sees that, whichever command asked for it (F22)."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest

import upcard
from upcard.cli.progress import show
from upcard.core.long_work import COMPILING, Report, listen
from upcard.kernels import FOLDERS, compiling
from upcard.kernels.compiling import CompilingNotice

LINE = "Compiling {}, once on this machine: about half a minute ...\n"
JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(compiling, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(CompilingNotice, "_tick", lambda *_, **__: None)


@pytest.fixture
def listening():
    """Set the listener for one test."""
    yield listen
    listen(upcard._show)


def compile_kernels(notice, *modules, stream):
    """Compile kernels one after the other, each until something was written or will not be."""
    with contextlib.redirect_stderr(stream):
        for module in modules:
            notice.begin(f"upcard.kernels.{module}")
            notice.begin("upcard.simulation.kernels.randomness")  # a kernel that it calls
            notice.end()
            notice._timer.join()
            notice.end()
    return stream.getvalue()


def test_each_engine_is_announced_once():
    notice = CompilingNotice()
    modules = ("dealer_hands", "player_values", "simulator", "simulator", "bank_walk")
    engines = ("the solver", "the simulator", "the walk of a bank")
    written = compile_kernels(notice, *modules, stream=Terminal())
    assert written == "".join(map(LINE.format, engines))


def test_every_engine_is_named_by_a_module():
    """After the kernels moved to folders, the walk of a bank was announced as the solver."""
    package = Path(compiling.__file__).parents[1]
    folders = (*FOLDERS, "env")
    modules = {file.stem for name in folders for file in (package / name).rglob("*.py")}
    assert set(compiling._ENGINES) <= modules


def test_an_engine_that_compiles_in_seconds_says_so():
    written = compile_kernels(CompilingNotice(), "sutton_barto", stream=Terminal())
    assert written.endswith("once on this machine: some seconds ...\n")


def test_a_program_that_uses_upcard_sees_no_message_without_a_terminal():
    assert compile_kernels(CompilingNotice(), "dealer_hands", stream=io.StringIO()) == ""


def test_a_command_sees_the_message_without_a_terminal_too(listening):
    listening(partial(show, is_for_all=True))
    written = compile_kernels(CompilingNotice(), "dealer_hands", stream=io.StringIO())
    assert written == LINE.format("the solver")


def test_a_program_may_listen_itself(listening):
    reports = []
    listening(reports.append)
    assert compile_kernels(CompilingNotice(), "dealer_hands", stream=Terminal()) == ""
    assert reports == [Report(COMPILING, "the solver", seconds_left=30.0)]
    listening(None)
    assert compile_kernels(CompilingNotice(), "dealer_hands", stream=Terminal()) == ""


def test_a_long_compilation_is_reported_every_second_to_its_end(listening, monkeypatch):
    monkeypatch.undo()  # of what keeps the clock still
    monkeypatch.setattr(compiling, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(compiling, "REPORT_SECONDS", 0.01)
    reports, enough = [], threading.Event()

    def hear(report):
        reports.append(report)
        if len(reports) == 4:
            enough.set()

    listening(hear)
    notice = CompilingNotice()
    notice.begin("upcard.exact.kernels.dealer_hands")
    assert enough.wait(60)
    notice.end()
    first, *later, last = reports
    assert first == Report(COMPILING, "the solver", seconds_left=30.0)
    assert [report.done for report in later] == sorted(report.done for report in later)
    assert all(0 < report.done < 1 and report.seconds_left < 30 for report in later)
    assert last == Report(COMPILING, "the solver", is_over=True)


def test_what_is_compiled_in_a_moment_is_not_announced(monkeypatch):
    monkeypatch.setattr(compiling, "PATIENCE_SECONDS", 60.0)
    stream = Terminal()
    notice = CompilingNotice()
    with contextlib.redirect_stderr(stream):
        notice.begin("upcard.exact.kernels.dealer_hands")
        notice.end()
        notice._timer.join()
    assert stream.getvalue() == ""


def test_a_stream_that_is_closed_stops_nothing():
    stream = Terminal()
    stream.close()
    notice = CompilingNotice()
    with contextlib.redirect_stderr(stream):
        notice.begin("upcard.exact.kernels.dealer_hands")
        notice._timer.join()
        notice.end()


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="nothing is compiled")
def test_the_first_command_on_a_machine_announces_the_compiler(tmp_path):
    def solve():
        return subprocess.run(
            [sys.executable, "-m", "upcard", "solve", "88", "v", "T"],
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            check=True,
            text=True,
        )

    first, second = solve(), solve()
    assert (first.stderr, second.stderr) == (LINE.format("the solver"), "")
    assert first.stdout == second.stdout
