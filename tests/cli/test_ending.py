"""The end of a process whose threads are busy."""

import subprocess
import sys
import threading
import time

import pytest

from upcard import cli
from upcard.cli.streams import end_process
from upcard.session import coaching as workers
from upcard.session.coaching import Worker, is_at_work

BUSY = """
import atexit, threading, time
from upcard.cli.streams import end_process
from upcard.session.coaching import Worker

atexit.register(print, "taken down")
begun = threading.Event()
worker = Worker("busy")
worker.submit(lambda: (begun.set(), time.sleep(600)))
begun.wait()
print("last words", end="")
end_process(3)
"""


@pytest.fixture(autouse=True)
def _no_other_workers(monkeypatch):
    """Those of the tests before may have work left."""
    monkeypatch.setattr(workers, "_unfinished", set())


def test_a_busy_thread_does_not_delay_the_end_and_nothing_is_taken_down_under_it():
    """Taken down in the middle of its work, the compiler's library aborted the process."""
    ended = subprocess.run(
        [sys.executable, "-c", BUSY], capture_output=True, check=False, timeout=60
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (3, b"last words", b"")


def test_without_work_the_process_exits_as_usual():
    with pytest.raises(SystemExit) as left:
        end_process(3)
    assert left.value.code == 3


def test_a_worker_is_at_work_until_its_jobs_are_done_or_cancelled():
    worker, is_free = Worker("busy"), threading.Event()
    first = worker.submit(lambda: is_free.wait(60))
    second = worker.submit(lambda: None)
    assert is_at_work()
    second.cancel()
    is_free.set()
    assert first.result(60)
    for _ in range(1000):  # it is counted out a moment after its result is there
        if not is_at_work():
            return
        time.sleep(0.01)
    pytest.fail("it is at work for ever")


def test_ctrl_c_while_the_program_is_loaded_ends_it_without_a_traceback(monkeypatch):
    class Interrupts:
        @staticmethod
        def find_spec(name, *_):
            if name == "upcard.cli.app":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "upcard.cli.app", raising=False)
    monkeypatch.delattr(cli, "app", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupts, *sys.meta_path])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 130
