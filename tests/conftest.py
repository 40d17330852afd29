"""Every random test here draws the same examples on every machine; failures still shrink."""

import gc
import os
import random
import signal
from collections import Counter
from itertools import count

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.entropy import deterministic_PRNG
from time_limits import LONGEST_TEST_SECONDS, time_limit

settings.register_profile("upcard", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("upcard")
# Hypothesis tries constants of the modules that are loaded, which differ from worker to worker.
providers.is_local_module_file = lambda _: False

# A test of the solver is never answered by a saved value, and none reads or fills the folder of
# whoever runs it; programs under test inherit this.
os.environ["UPCARD_CACHE"] = "off"

# Numba's simulator of a CUDA device; 0 takes the device of this machine. Read when numba is loaded.
os.environ.setdefault("NUMBA_ENABLE_CUDASIM", "1")

# Programs under test inherit what nohup, or a shell that puts the tests behind `&`, ignores.
for name, usual in (
    ("SIGHUP", signal.SIG_DFL),
    ("SIGINT", signal.default_int_handler),
    ("SIGTERM", signal.SIG_DFL),
):
    if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is signal.SIG_IGN:
        signal.signal(getattr(signal, name), usual)


def pytest_configure(config):
    """Let .ci/run leave out slow tests that passed as they are."""
    config.pluginmanager.import_plugin("green_runs")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Seed what a test draws as the operating system's entropy; programs it starts draw their own.

    UPCARD_TEST_SEED tries other cards. A test that does not end fails.
    """
    seed = os.environ.get("UPCARD_TEST_SEED", "")
    with pytest.MonkeyPatch.context() as patch, time_limit(LONGEST_TEST_SECONDS):
        # What SystemRandom and secrets draw from; os.urandom itself names files, and stays.
        patch.setattr(random, "_urandom", random.Random(f"{item.nodeid} {seed}").randbytes)
        return (yield)


SOLVING = tuple(f"tests/unit/{name}" for name in ("drills", "exact", "kernels", "simulation"))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark the cases of a test that come after its `fast_cases` as slow, and order the tests.

    In a fresh clone the first of two processes compiles the solver; the second, which begins in
    the middle, has other tests to run until then.
    """
    items.sort(key=lambda item: item.nodeid.startswith(SOLVING))
    cases = Counter()
    for item in items:
        if marker := item.get_closest_marker("fast_cases"):
            test = item.nodeid.partition("[")[0]
            cases[test] += 1
            if cases[test] > marker.args[0]:
                item.add_marker("slow")


def pytest_collection_finish():
    """Look for garbage in what tests make only: the tests themselves stay until the end.

    Hypothesis registers its generator at its first test, and looks for what refers to it: from
    Python 3.14 on it finds none among what is frozen. So it registers it before.
    """
    with deterministic_PRNG():
        pass
    gc.freeze()


@pytest.fixture(scope="session")
def data_folders(tmp_path_factory):
    """Name a folder after the other; none is made before somebody plays there."""
    place = tmp_path_factory.mktemp("upcard-data")
    return (place / str(number) for number in count())


@pytest.fixture(autouse=True)
def keep_away_from_the_users_games(data_folders, monkeypatch):
    """Every test has a memory of its own, and none plays for the chips of whoever runs it."""
    monkeypatch.setenv("UPCARD_DATA", str(next(data_folders)))


@pytest.fixture
def saved_values(tmp_path, monkeypatch):
    """Turn saved values on, in a folder of this test."""
    folder = tmp_path / "saved-values"
    monkeypatch.setenv("UPCARD_CACHE", str(folder))
    return folder


@pytest.fixture
def usual_umask():
    """Work as most accounts do: what a program makes, everybody may read."""
    before = os.umask(0o022)
    yield
    os.umask(before)
