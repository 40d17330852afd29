"""Worker processes end with the process that started them, however that ends (S2-1)."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fake_rounds import make_state, play_fake

from upcard.simulation.run import Workers, start_run
from upcard.simulation.run_state import load_run_document

ROUNDS = 400_000
PATIENCE = 60
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the signals are those of POSIX")


def start(path):
    """Start a run in three processes; they all hold the other end of its standard error."""
    program = Path(__file__).with_name("fake_rounds.py")
    return subprocess.Popen(
        [sys.executable, str(program), str(path), str(ROUNDS), "processes"],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def wait_for(condition, process):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert process.poll() is None, process.stderr.read().decode()
        assert time.monotonic() < end
        time.sleep(0.01)


def wait_for_the_last(process):
    """Wait until no process has the standard error of a run any more; return what was written."""
    try:
        return process.communicate(timeout=PATIENCE)[1].decode()
    finally:
        kill_group(process.pid)


def kill_group(leader):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def resume(path):
    start_run(make_state(ROUNDS), Workers(count=1, play=play_fake), output=path)
    return path.read_text(encoding="utf-8")


def expected():
    return start_run(make_state(ROUNDS), Workers(count=1, play=play_fake)).to_json()


@pytest.mark.slow
@pytest.mark.parametrize(
    "ending",
    [
        signal.SIGKILL,
        pytest.param(signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
    ],
)
def test_workers_leave_when_their_parent_alone_is_killed(ending, tmp_path):
    path = tmp_path / "r.json"
    process = start(path)
    wait_for(lambda: path.exists() and load_run_document(path)["rounds"], process)
    process.send_signal(ending)
    wait_for_the_last(process)
    assert process.returncode == -ending
    assert resume(path) == expected()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="asks Linux for children")
@pytest.mark.parametrize("delay", [0, 0.1, 0.3, 0.6, 1])
def test_workers_leave_when_their_parent_is_killed_while_they_start(delay, tmp_path):
    process = start(tmp_path / "r.json")
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    wait_for(lambda: len(children.read_text().split()) > 1, process)
    time.sleep(delay)
    process.kill()
    wait_for_the_last(process)
