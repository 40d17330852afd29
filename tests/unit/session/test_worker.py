"""The thread of a worker."""

from __future__ import annotations

import gc
import threading

import pytest

from upcard.session.coaching import Worker


def test_jobs_are_done_in_order():
    worker, done, end = Worker("jobs"), [], threading.Event()
    for number in range(5):
        worker.submit(lambda number=number: done.append(number))
    worker.submit(end.set)
    assert end.wait(60)
    assert done == [0, 1, 2, 3, 4]


def test_the_thread_ends_with_its_worker():
    """Each game left one behind; after 800,000 games in a process no thread could start."""
    worker = Worker("left behind")
    worker.submit(worker.__hash__)  # a job that holds its worker
    (thread,) = (one for one in threading.enumerate() if one.name == "left behind")
    del worker
    gc.collect()
    thread.join(60)
    assert not thread.is_alive()


def test_work_that_is_cancelled_before_it_begins_is_not_done():
    worker, is_free, done = Worker("busy"), threading.Event(), []
    worker.submit(lambda: is_free.wait(60))
    cancelled = worker.submit(lambda: done.append("cancelled"))
    last = worker.submit(lambda: done.append("last"))
    assert cancelled.cancel()
    is_free.set()
    last.result(60)
    assert done == ["last"]


def test_an_error_is_raised_where_the_result_is_asked_for():
    worker = Worker("failing")
    failing = worker.submit(lambda: 1 // 0)
    assert worker.submit(lambda: "continues").result(60) == "continues"
    with pytest.raises(ZeroDivisionError):
        failing.result(60)
