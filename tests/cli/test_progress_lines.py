"""Progress without a terminal: a line on standard error now and then, none for short work."""

from functools import partial

import pytest

from upcard.cli import progress
from upcard.cli.app import run
from upcard.core import long_work

COMPARE = ("compare", "6D", "8D", "--count", "hi-lo", "--rounds", "20000", "--spread", "1-8")
COMMANDS = {
    "compare": (*COMPARE, "--seed", "1", "--bankroll", "400", "--no-cache"),
    "removal": ("removal", "--rules", "1D", "--no-cache"),
    "simulate": ("simulate", "--rounds", "20000", "--seed", "1"),
}


@pytest.fixture
def listened():
    with long_work.listening(partial(progress.show, is_for_all=True)):
        yield


@pytest.mark.usefixtures("listened")
@pytest.mark.parametrize("name", ["compare", "removal", "simulate"])
def test_long_work_writes_a_line_now_and_then(capsys, monkeypatch, name):
    monkeypatch.setattr(progress, "_SELDOM_SECONDS", 0.0)
    monkeypatch.setattr(long_work, "REPORT_SECONDS", 0.0)
    assert run(list(COMMANDS[name])) == 0
    lines = capsys.readouterr().err.splitlines()
    told = [line for line in lines if line.startswith("upcard: ") and "%" in line]
    assert told
    assert all(len(line) < 200 and "\r" not in line and "\033" not in line for line in told)


@pytest.mark.usefixtures("listened")
@pytest.mark.parametrize("name", ["removal", "simulate"])
def test_short_work_writes_none(capsys, name):
    assert run(list(COMMANDS[name])) == 0
    assert "%" not in capsys.readouterr().err


def test_lines_come_seldom(capsys, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    lines = progress.SeldomLines()
    for second in range(40):
        now[0] = 100.0 + second
        lines.write(lambda second=second: f"{second} s")
    assert capsys.readouterr().err == "upcard: 15 s\nupcard: 30 s\n"
