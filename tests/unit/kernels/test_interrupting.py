"""Ctrl-C while machine code is made reaches the program, and not a callback of the compiler."""

import signal
import time
from types import SimpleNamespace

import pytest
from llvmlite.binding import executionengine, ffi

from upcard.kernels.compiling import CallbackGuard

NUMBERS = (signal.SIGINT, signal.SIGTERM)


class EndedError(Exception):
    """What the handlers here raise."""


def end(number, frame):
    raise EndedError(number)


def wait():
    for _ in range(1000):
        time.sleep(0.01)


@pytest.fixture
def guard():
    before = {number: signal.signal(number, end) for number in NUMBERS}
    yield CallbackGuard()
    for number, handler in before.items():
        signal.signal(number, handler)


def call_back(act):
    """Do something in a callback of the compiler."""
    engine = SimpleNamespace(_object_cache_getbuffer=act, _find_module_ptr=act)
    data = SimpleNamespace(contents=SimpleNamespace(module_ptr=None))
    executionengine.ExecutionEngine._raw_object_cache_getbuffer(engine, data)


class Owner(ffi.ObjectRef):
    """Does something when what it owns is freed."""

    def _dispose(self):
        self._ptr(None)


def free(act):
    owner = Owner(act)
    owner.close()


class Destructor:
    def __init__(self, act):
        self.act = act

    def __del__(self):
        self.act(None)


@pytest.mark.parametrize("do_in", [call_back, Destructor, free])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_comes_after_what_would_lose_it(guard, number, do_in):
    done = []

    def act(module):
        if not done:
            signal.raise_signal(number)
            done.append(module)
        return None if module else "module"

    guard.begin()
    do_in(act)
    assert done == [None]
    with pytest.raises(EndedError):
        wait()
    guard.end()


@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_elsewhere_comes_at_once(guard, number):
    guard.begin()
    with pytest.raises(EndedError):
        signal.raise_signal(number)
    guard.end()


def test_signals_are_as_they_were_after_the_outermost_compilation(guard):
    guard.begin()
    guard.begin()
    guard.end()
    assert signal.getsignal(signal.SIGINT) is not end
    guard.end()
    assert signal.getsignal(signal.SIGINT) is end


def test_a_signal_that_is_ignored_stays_ignored(guard):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    guard.begin()
    signal.raise_signal(signal.SIGTERM)
    guard.end()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


def test_a_handler_that_was_replaced_between_compilations_does_not_come_back(guard):
    guard.begin()
    guard.end()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    guard.begin()
    guard.end()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


def test_an_end_without_its_begin_leaves_the_next_compilation_guarded(guard):
    guard.end()
    guard.begin()
    guard.begin()
    guard.end()
    assert signal.getsignal(signal.SIGINT) is not end
    guard.end()
    assert signal.getsignal(signal.SIGINT) is end
