"""SIGTERM and SIGHUP end a command as Ctrl-C does: quietly, nothing promised is lost (S2-1)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from driving import PROGRAM, finish, open_terminal, pipe, talk

from upcard.simulation.run_state import load_run_document

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the signals are those of POSIX")
PATIENCE = 60
BOTH = [signal.SIGTERM, signal.SIGHUP]
SESSIONS = ["sessions", "--sessions", "99999", "--rounds", "50", "--seed", "1"]
# The third session that is finished sends the signal.
AT_THE_THIRD_SESSION = """
import os, sys
import upcard.simulation.betting_sessions as sessions
play = sessions.play_sessions
def play_sessions(*arguments, **options):
    for number, session in enumerate(play(*arguments, **options), start=1):
        yield session
        if number == 3:
            os.kill(os.getpid(), int(sys.argv.pop(1)))
sessions.play_sessions = play_sessions
from upcard.cli import main
number = sys.argv[1]
arguments = sys.argv[2:]
import upcard.cli.app as app
sys.exit(app.run(arguments))
"""


def run_until_signal(number, arguments):
    return subprocess.run(
        [sys.executable, "-c", AT_THE_THIRD_SESSION, str(int(number)), *arguments],
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)]
)
def test_sessions_that_are_whole_are_kept(number, tmp_path):
    path = tmp_path / "s.csv"
    done = run_until_signal(number, [*SESSIONS, "--csv", str(path)])
    assert done.returncode == 128 + number
    assert done.stderr.count("interrupted") == done.stderr.count("\n") == 1
    assert "3 of 99999" in done.stdout
    assert len(path.read_text().splitlines()) == 1 + 3


def test_a_signal_that_was_ignored_from_the_start_stays_ignored(monkeypatch):
    """As under `nohup`."""
    program = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from upcard.cli.app import run\n"
        "from upcard.cli.streams import end_on_signals\n"
        "with end_on_signals() as ending:\n"
        "    os.kill(os.getpid(), signal.SIGHUP)\n"
        "    assert ending.signal is None\n"
        "sys.exit(run(['houses', '--json']))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_handlers_are_those_of_before_afterwards():
    before = [signal.getsignal(number) for number in BOTH]
    assert talk(["houses"]).code == 0
    assert [signal.getsignal(number) for number in BOTH] == before


RUN = ["--house", "deshmukh", "--player", "mimic", "--rounds", "60k", "--seed", "1"]


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory):
    """The bytes of a run that nothing disturbs."""
    path = tmp_path_factory.mktemp("whole") / "r.json"
    assert pipe(["simulate", *RUN, "-o", str(path)]).code == 0
    return path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("number", BOTH)
def test_a_run_is_saved_and_its_workers_leave(number, tmp_path, whole_run):
    path = tmp_path / "r.json"
    process = subprocess.Popen(
        [*PROGRAM, "simulate", *RUN, "--workers", "2", "-o", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    end = time.monotonic() + PATIENCE
    while not (path.exists() and load_run_document(path)["rounds"]):
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.05)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)  # waits for the workers' end, too
    assert process.returncode == 128 + number
    assert "Unfinished" in out
    assert f"continue with: upcard simulate --resume {path}" in err
    assert "Traceback" not in err
    assert 0 < json.loads(path.read_text())["rounds"] < 60_000
    assert pipe(["simulate", "--resume", str(path)]).code == 0
    assert path.read_bytes() == whole_run


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("number", BOTH)
def test_the_line_game_ends_with_the_balance(number):
    terminal = open_terminal(["play", "--line", "--practice", "--chips", "50"])
    terminal.expect("bet")
    terminal.kill(number)
    terminal.expect("Balance 50")
    assert finish(terminal) == 128 + number
