"""A test that does not end fails, instead of taking all the time that CI has."""

import signal
from contextlib import contextmanager

import pytest

LONGEST_TEST_SECONDS = 600


@contextmanager
def time_limit(seconds):
    """Fail what runs after seconds, where there is an alarm; processes that it forks have none."""
    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return

    def ring(*_):
        pytest.fail(f"it has not ended in {seconds} s")  # no Exception: no test can catch it

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
