"""Workers of all kinds: what they refuse, and a real cluster that loses a worker."""

from __future__ import annotations

import json
import os
import signal
import time
import tomllib
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from fake_rounds import CHUNK, make_fake_job, make_state, play_everything, play_fake, play_slowly
from random_jobs import SENSIBLE

from upcard.core.errors import RulesError
from upcard.rules.model import Rules
from upcard.simulation import executors as cluster_module
from upcard.simulation.executors import (
    count_cores,
    is_worker_lost,
    open_crew,
    play_for_another,
    run_on_threads,
    write_job,
)
from upcard.simulation.job import RunError, VersionsDifferError
from upcard.simulation.run import Workers, simulate, start_run
from upcard.simulation.run_state import make_document
from upcard.simulation.tally import unpack

ROOT = Path(__file__).resolve().parents[3]
# `make slow` gives tests of one group to one process: clusters use every core.
ONE_AT_A_TIME = pytest.mark.xdist_group("cluster")


@pytest.mark.parametrize("number", [0, -1, 1025])
def test_a_number_of_workers_that_cannot_be_is_refused(number):
    with pytest.raises(RulesError, match=f"{number} workers: 1 to 1024"):
        open_crew(make_fake_job(), play_fake, workers=number)


def test_an_unknown_kind_of_workers_is_refused():
    with pytest.raises(RulesError, match="one of threads, processes"):
        open_crew(make_fake_job(), play_fake, executor="ponies")


def test_workers_are_the_cores_by_default():
    crew = open_crew(make_fake_job(), play_fake)
    assert crew.workers == count_cores() >= 1
    crew.close()


def test_a_job_that_travels_comes_to_the_same():
    job = make_fake_job(3, counts=True)
    (packed,) = play_for_another(play_fake, write_job(job), [(2, 500)])
    assert unpack(packed) == play_fake(job, 2, 500)


@pytest.mark.parametrize("change", [{"version": "0.0.1"}, {"kernel_version": 0}])
def test_a_worker_refuses_the_job_of_another_version(change):
    # Not even read: what that version calls its settings is not known here.
    text = json.dumps(json.loads(write_job(make_fake_job())) | change | {"rules": "9D ???"})
    with pytest.raises(VersionsDifferError, match="not mixed"):
        play_for_another(play_fake, text, [(0, 10)])
    with ProcessPoolExecutor(1, mp_context=spawn()) as pool:
        future = pool.submit(play_for_another, play_fake, text, [(0, 10)])
        with pytest.raises(VersionsDifferError, match="the job comes from upcard"):
            future.result()


def spawn():
    import multiprocessing

    return multiprocessing.get_context("spawn")


def test_any_executor_will_do_and_stays_its_owners():
    with ThreadPoolExecutor(2) as pool:
        run = start_run(make_state(9 * CHUNK), Workers(count=2, executor=pool, play=play_fake))
        assert pool.submit(int, "7").result() == 7
    assert make_document(run) == make_document(play_everything(9 * CHUNK))


def test_an_executor_of_the_caller_that_breaks_is_not_replaced():
    pool = ProcessPoolExecutor(1, mp_context=spawn())
    with pytest.raises(BaseException):  # noqa: B017, PT011 (whatever a broken pool says)
        pool.submit(os._exit, 1).result()
    with pytest.raises(RunError, match="its owner must make a new one"):
        start_run(make_state(9 * CHUNK), Workers(executor=pool, play=play_fake))
    pool.shutdown()


def test_without_dask_the_cure_is_named(monkeypatch):
    def miss(name):
        raise ImportError(name)

    monkeypatch.setattr(cluster_module, "import_module", miss)
    with pytest.raises(RunError, match=r"pip install 'upcard\[cluster\]'"):
        open_crew(make_fake_job(), play_fake, cluster="tcp://127.0.0.1:8786")


@pytest.mark.slow
def test_an_address_without_a_scheduler_is_refused(monkeypatch):
    monkeypatch.setattr(cluster_module, "CONNECT_SECONDS", 1)
    with pytest.raises(RunError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:1'"):
        open_crew(make_fake_job(), play_fake, cluster="tcp://127.0.0.1:1")
    with pytest.raises(RunError, match="no Dask scheduler answers at 'nonsense://x'"):
        open_crew(make_fake_job(), play_fake, cluster="nonsense://x")


@pytest.fixture
def cluster():
    """Two worker processes of one thread each, as a user would start them."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster:
        yield cluster


def worker_pids(cluster):
    return [worker.pid for worker in cluster.workers.values() if worker.pid]


@pytest.mark.parametrize("status", ["lost", "pending", "finished"])
def test_a_result_lost_with_its_worker_is_played_again_and_a_lost_cluster_ends_the_run(status):
    """A worker killed after its work but before its result was fetched ended the whole run."""

    def fetch():
        raise OSError("the worker is gone")

    errors = []
    for client in ("running", "closed"):
        remote = SimpleNamespace(status=status, result=fetch, client=SimpleNamespace(status=client))
        future = Future()
        cluster_module._hand_over(remote, future)
        errors.append(future.exception())
    assert [is_worker_lost(error) for error in errors] == [True, False]
    assert str(errors[1]) == "the connection to the cluster was lost"


@pytest.mark.slow
@ONE_AT_A_TIME
def test_a_cluster_that_loses_a_worker_leaves_no_trace(cluster):
    killed = []

    def kill_one(progress):
        if progress.run.rounds >= 50 * CHUNK and not killed:
            killed.append(worker_pids(cluster)[0])
            os.kill(killed[0], signal.SIGKILL)

    run = start_run(
        make_state(400 * CHUNK + 1),
        Workers(cluster=cluster.scheduler_address, play=play_slowly, watch=kill_one),
    )
    assert killed
    assert make_document(run) == make_document(play_everything(400 * CHUNK + 1))


@pytest.mark.slow
@ONE_AT_A_TIME
def test_the_kernel_on_a_cluster_comes_to_the_same_as_on_threads(cluster):
    rules = Rules.parse("6D H17 LS")
    options = {"rounds": 12_100_000, "seed": 9, "count": "hi-lo", "ramp": "1-8"}
    killed = []

    def kill_one(progress):
        if not killed:
            killed.append(worker_pids(cluster)[1])
            os.kill(killed[0], signal.SIGKILL)

    far = simulate(rules, cluster=cluster.scheduler_address, watch=kill_one, **options)
    assert killed
    assert far.to_json() == simulate(rules, workers=2, **options).to_json()


@pytest.mark.slow
@ONE_AT_A_TIME
def test_a_cluster_of_another_version_is_refused(cluster):
    from distributed import Client

    with Client(cluster.scheduler_address, set_as_default=False) as client:
        client.run(pretend_to_be_old)
    with pytest.raises(VersionsDifferError, match=r"worker tcp://.* has upcard 0\.0\.1"):
        open_crew(make_fake_job(), play_fake, cluster=cluster.scheduler_address)


def pretend_to_be_old():
    import upcard._version

    upcard._version.__version__ = "0.0.1"


# The client of a scheduler that died leaves a socket to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.slow
@ONE_AT_A_TIME
def test_a_scheduler_that_goes_away_ends_the_run_and_keeps_it(cluster, tmp_path):
    path = tmp_path / "run.json"

    def close(progress):
        if progress.run.rounds >= 20 * CHUNK:
            cluster.close()
            time.sleep(0.1)

    with pytest.raises(RunError, match="connection to the cluster was lost"):
        start_run(
            make_state(10**7),
            Workers(cluster=cluster.scheduler_address, play=play_slowly, watch=close),
            output=path,
        )
    assert json.loads(path.read_bytes())["rounds"] >= 20 * CHUNK


def test_threads_play_all_calls_and_begin_none_after_an_error():
    begun, taken = [], []

    def call(number, fails):
        begun.append(number)
        if number in fails:
            raise ValueError(number)
        return number

    def run(fails, workers):
        calls = (partial(call, one, fails) for one in range(500))
        run_on_threads(calls, workers, take=taken.append)

    run((), 2)
    assert sorted(taken) == list(range(500))
    begun.clear()
    # One worker: of two, the other plays on for as long as the system gives it the core.
    with pytest.raises(ValueError, match="7"):
        run((7,), 1)
    assert begun in (list(range(8)), list(range(9)))  # one more call may wait in the queue


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ((3, 99), r"needs numba-cuda: pip install 'upcard\[cuda\]'$"),
        ((3, 10), r"ends at Python 3\.9, and this is Python 3\.\d+: install upcard\[cuda\] with"),
    ],
)
def test_a_python_that_numba_cuda_does_not_know_is_named(first, words, monkeypatch):
    monkeypatch.setattr(cluster_module, "find_spec", lambda name: None)
    monkeypatch.setattr(cluster_module, "NO_NUMBA_CUDA", first)
    with pytest.raises(RunError, match=words) as caught:
        simulate(Rules.parse("6D"), SENSIBLE, rounds=9, device="cuda")
    assert "\n" not in str(caught.value)


def test_the_extra_cuda_ends_where_it_is_said_to():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = project["optional-dependencies"]["cuda"]
    end = "; python_version < '{}.{}'".format(*cluster_module.NO_NUMBA_CUDA)
    assert [one.removesuffix(end) for one in needed] == ["numba-cuda[cu12]>=0.30", "numpy<2.5"]
    assert all(one.endswith(end) for one in needed)
