"""Workers for chunks: threads, processes, a Dask cluster, or any `concurrent.futures.Executor`.

A `Crew` takes chunks and returns futures. Its workers change only the time, never a result.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from enum import StrEnum
from functools import lru_cache, partial
from multiprocessing import parent_process
from typing import Final, Protocol

from upcard.core.errors import RulesError
from upcard.simulation.errors import RunError, WorkerLostError
from upcard.simulation.job import KERNEL_VERSION, Job, check_versions
from upcard.simulation.packing import pack
from upcard.simulation.player_files import PlayerSource, find_source
from upcard.simulation.tally import Tally

MOST_WORKERS: Final = 1024
_SOURCE: Final = "player_source"


class PlayChunk(Protocol):
    """Play the first `rounds` rounds of a chunk: a pure function of its arguments."""

    def __call__(self, job: Job, chunk: int, rounds: int, /) -> Tally:
        """Return the results."""


class ExecutorKind(StrEnum):
    """Kinds of workers on one machine."""

    THREADS = "threads"
    PROCESSES = "processes"


class Crew:
    """Workers that play chunks of one job. Threads return a `Tally`, others its packed bytes."""

    def __init__(
        self,
        make: Callable[[], Executor] | Executor,
        function: Callable[[int, int], Tally | bytes],
        *,
        count: Callable[[], int],
    ) -> None:
        """Let an executor call `function` with chunk and rounds; a given one is not closed."""
        self._make = make
        self._function = function
        self._count = count
        self._executor = make if isinstance(make, Executor) else make()

    @property
    def workers(self) -> int:
        """Number of chunks played at a time; on a cluster it may change."""
        return max(1, self._count())

    def submit(self, chunk: int, rounds: int) -> Future[Tally | bytes]:
        """Hand a chunk to a worker."""
        return self._executor.submit(self._function, chunk, rounds)

    def replace_executor(self) -> None:
        """Replace a broken executor. Raises: RunError if its owner must do it."""
        if isinstance(self._make, Executor):
            raise RunError("the executor broke: its owner must make a new one")
        self._executor.shutdown(wait=False)
        self._executor = self._make()

    def close(self) -> None:
        """Release the workers; unfinished chunks are lost."""
        if not isinstance(self._make, Executor):
            self._executor.shutdown(wait=True, cancel_futures=True)


def open_crew(
    job: Job,
    play: PlayChunk,
    *,
    workers: int | None = None,
    executor: str | Executor = ExecutorKind.THREADS,
    cluster: str | None = None,
) -> Crew:
    """Get workers for a job: `executor` is a kind or an executor, `cluster` a Dask address.

    `workers` defaults to the cores that this process may use.

    Raises: RulesError for an invalid number or kind; RunError if a cluster does not answer or Dask
    is not installed; VersionsDifferError if its workers are of another version.
    """
    if cluster is not None:
        return _open_cluster(job, play, cluster)
    number = count_cores() if workers is None else workers
    if not 1 <= number <= MOST_WORKERS:
        raise RulesError(f"{number} workers: 1 to {MOST_WORKERS}")
    make: Callable[[], Executor] | Executor = partial(_start_processes, number)
    if isinstance(executor, Executor):
        make = executor
    elif read_executor_kind(executor) is ExecutorKind.THREADS:
        make = partial(ThreadPoolExecutor, number, thread_name_prefix="upcard")
        return Crew(make, partial(play, job), count=lambda: number)
    return Crew(make, partial(play_for_another, play, write_job(job)), count=lambda: number)


def read_executor_kind(text: str) -> ExecutorKind:
    """Read the name of a kind of workers. Raises: RulesError listing the kinds."""
    try:
        return ExecutorKind(text.lower())
    except ValueError:
        msg = f"no kind of workers is called {text!r}: one of {', '.join(ExecutorKind)}"
        raise RulesError(msg) from None


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def write_job(job: Job) -> str:
    """Write a job as the text that travels to workers, with the file of its player, if any."""
    return json.dumps(job.to_json() | {_SOURCE: find_source(job.player)})


def play_for_another(play: PlayChunk, job: str, chunk: int, rounds: int) -> bytes:
    """Play a chunk in a worker process; the job is text and the result a packed tally.

    Raises: VersionsDifferError if the job is of another version than this worker.
    """
    return pack(play(_read_job(job), chunk, rounds))


@lru_cache(maxsize=8)
def _read_job(text: str) -> Job:
    document = json.loads(text)
    player = document.pop(_SOURCE)
    # Checked first: another version may have other settings.
    check_versions(document["version"], document["kernel_version"], "the job comes from")
    if player is not None:
        PlayerSource(*player).load()
    return Job.from_json(document)


def report_version() -> tuple[str, int]:
    """Return the versions of this process, as they are when it is asked."""
    from upcard._version import __version__

    return __version__, KERNEL_VERSION


def is_worker_lost(error: BaseException) -> bool:
    """Whether a chunk failed because its worker was lost, so that another may play it."""
    is_known = isinstance(error, BrokenExecutor | WorkerLostError)
    return is_known or type(error).__name__ == "KilledWorker"


def _start_processes(number: int) -> Executor:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Not forked: a fork copies locks held by other threads, numba's included.
    return ProcessPoolExecutor(
        number, mp_context=multiprocessing.get_context("spawn"), initializer=begin_worker
    )


def _open_cluster(job: Job, play: PlayChunk, address: str) -> Crew:
    from upcard.simulation.cluster import Cluster

    cluster = Cluster(address)
    try:
        # Workers that join later check the version by the job.
        for worker, (version, kernel_version) in cluster.ask_workers(report_version).items():
            check_versions(version, kernel_version, f"the cluster's worker {worker} has")
    except BaseException:
        cluster.shutdown()
        raise
    call = partial(play_for_another, play, write_job(job))
    return Crew(lambda: cluster, call, count=cluster.count_threads)


def begin_worker() -> None:
    """Prepare this process to work for another one: the initializer of every process pool."""
    # A terminal sends signals to all processes of a command; the first one decides.
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="upcard-parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is None:  # not a process that another one started
        return
    parent.join()  # however it ended: the system closes its handles
    os._exit(1)  # without cleaning up: the main thread may be in the middle of a chunk
