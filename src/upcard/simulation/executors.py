"""Workers for chunks: threads, processes, a Dask cluster, any executor, and CUDA devices.

Dask's own adapter leaves futures pending for ever when the scheduler goes away.

A `Crew` takes chunks and returns futures. Its workers change only the time, never a result.

A device changes only the time, never a result. Its crew plays all chunks that wait in one call.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from enum import StrEnum
from functools import lru_cache, partial
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import parent_process
from typing import Any, Final, Protocol, TypeVar, cast

from upcard.core.errors import RulesError
from upcard.simulation.job import KERNEL_VERSION, Job, RunError, WorkerLostError, check_versions
from upcard.simulation.registry import PlayerSource, find_source
from upcard.simulation.tally import Tally, pack

Result = TypeVar("Result")

CONNECT_SECONDS: Final = 10
LOST: Final = "the connection to the cluster was lost"
_COUNT_SECONDS: Final = 2.0


class Cluster(Executor):
    """The workers of a Dask scheduler; Dask replaces lost workers or reassigns their chunks.

    Raises: RunError if no scheduler answers at `address`, or Dask is not installed.
    """

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at `address`, such as tcp://host:8786."""
        try:
            # Looked up by name: Dask is an extra, and ships no types.
            distributed: Any = import_module("distributed")
        except ImportError:
            raise RunError("a cluster needs Dask: pip install 'upcard[cluster]'") from None
        try:
            self._client = distributed.Client(
                address, timeout=CONNECT_SECONDS, set_as_default=False
            )
        except (OSError, ValueError, TypeError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise RunError(f"no Dask scheduler answers at {address!r}: {reason}") from None
        self._workers = 0
        self._counted = 0.0

    def submit(  # type: ignore[override]  # chunks have no keyword arguments
        self, function: Callable[..., Result], /, *arguments: object
    ) -> Future[Result]:
        """Hand a call to the cluster. Raises: RunError if the scheduler is gone."""
        future: Future[Result] = Future()
        try:
            # Not pure: Dask must not reuse the result of an equal call.
            remote = self._client.submit(function, *arguments, pure=False)
            remote.add_done_callback(lambda done: _hand_over(done, future))
        except Exception as error:
            raise RunError(LOST) from error
        # The reference to `remote` keeps the task alive: Dask drops tasks without a reference.
        future.add_done_callback(lambda done: remote.cancel() if done.cancelled() else None)
        return future

    def count_threads(self) -> int:
        """Return how many chunks the workers can play at a time, as of a moment ago.

        Raises: RunError if the scheduler is gone.
        """
        if time.monotonic() - self._counted > _COUNT_SECONDS:
            try:
                self._workers = sum(self._client.nthreads().values())
            except Exception as error:
                raise RunError(LOST) from error
            self._counted = time.monotonic()
        return self._workers

    def ask_workers(self, function: Callable[[], Result]) -> dict[str, Result]:
        """Call `function` on all present workers; return the results by address.

        Raises: RunError if a call fails.
        """
        try:
            answers: dict[str, Result] = self._client.run(function)
        except Exception as error:
            msg = f"the cluster's workers cannot play: is this upcard installed there? ({error})"
            raise RunError(msg) from error
        return answers

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 (as in Executor)
        """Leave the cluster; chunks under way are dropped, the workers stay."""
        self._client.close()


def _hand_over(remote: Any, future: Future[Any]) -> None:  # noqa: ANN401 (Dask ships no types)
    """Pass the result of a call to the waiting future."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        if remote.status == "finished":
            future.set_result(remote.result())
        elif remote.status == "error":
            future.set_exception(remote.exception())
        else:
            future.set_exception(_describe_loss(remote))
    except Exception:  # noqa: BLE001 (the result was on its way when its worker or the link broke)
        future.set_exception(_describe_loss(remote))


def _describe_loss(remote: Any) -> RunError:  # noqa: ANN401
    """Return the error of a result that is nowhere: a worker may end after its work is done."""
    if remote.client.status == "running":
        return WorkerLostError("a worker was lost before its result was fetched")
    return RunError(LOST)


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


INSTALL: Final = "pip install 'upcard[cuda]'"


class Device(StrEnum):
    """Kinds of devices."""

    CPU = "cpu"
    CUDA = "cuda"


def read_device(text: str) -> Device:
    """Read the name of a device. Raises: RulesError listing the devices."""
    try:
        return Device(text.lower())
    except ValueError:
        msg = f"no device is called {text!r}: one of {', '.join(Device)}"
        raise RulesError(msg) from None


def check_cuda(job: Job) -> None:
    """Refuse a job that this machine cannot play on a CUDA device.

    Raises: UnsupportedRuleError naming what does not fit; RunError if there is no such device, or
    what it needs is not installed.
    """
    from upcard.simulation.cuda_chunks import plan_device

    plan_device(job)
    require_cuda()


def require_cuda() -> None:
    """Refuse a machine without a CUDA device. Raises: RunError saying what to install."""
    if find_spec("numba_cuda") is None:
        raise RunError(f"a CUDA device needs numba-cuda: {INSTALL}")
    no_toolkit = f"the CUDA toolkit, which compiles for the device, was not found: {INSTALL}"
    try:
        from numba import cuda
    except (ImportError, RuntimeError) as error:  # it loads libcudart when it is imported
        raise RunError(no_toolkit) from error
    if cuda.is_available():
        return
    if cuda.cuda_error() is None:  # the driver works
        raise RunError(no_toolkit)
    raise RunError(
        "no CUDA device was found: it takes an NVIDIA GPU and its driver. --device cpu plays on the"
        " cores"
    )


def open_cuda_crew(job: Job) -> Crew:
    """Get a crew of one CUDA device. Raises: as `check_cuda` does."""
    from upcard.simulation.cuda_chunks import CudaRounds

    check_cuda(job)
    rounds = CudaRounds(job)
    most = rounds.plan.chunks
    # One chunk a call for the crew; `Batches` calls it with all that wait.
    play = cast("Callable[[int, int], Tally]", rounds.play)
    return Crew(lambda: Batches(most), play, count=lambda: most)


class Batches(Executor):
    """Calls a function with all arguments that wait: it takes a list of them, and returns as many.

    The calls are made one after the other by one thread.
    """

    def __init__(self, most: int) -> None:
        """Take at most `most` arguments for one call."""
        self._most = most
        self._waiting: deque[tuple[Future[Any], tuple[Any, ...]]] = deque()
        self._function: Callable[[Sequence[tuple[Any, ...]]], Sequence[Any]] | None = None
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="upcard-device", daemon=True)
        self._thread.start()

    def submit(  # type: ignore[override]  # a call has one function for all its arguments
        self, function: Callable[..., Any], /, *arguments: Any
    ) -> Future[Any]:
        """Let arguments wait for the next call of the function, the same each time."""
        future: Future[Any] = Future()
        with self._changed:
            if self._is_closed:
                raise RuntimeError("this executor is shut down")
            self._function = function
            self._waiting.append((future, arguments))
            self._changed.notify()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002 (that of its class)
        """Take no more; finish or cancel what waits."""
        with self._changed:
            self._is_closed = True
            if cancel_futures:
                while self._waiting:
                    self._waiting.popleft()[0].cancel()
            self._changed.notify()
        if wait:
            self._thread.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._is_closed:
                    self._changed.wait()
                if not self._waiting:
                    return
                number = min(self._most, len(self._waiting))
                taken = [self._waiting.popleft() for _ in range(number)]
            started = [call for call in taken if call[0].set_running_or_notify_cancel()]
            if started:
                self._call(started)

    def _call(self, calls: list[tuple[Future[Any], tuple[Any, ...]]]) -> None:
        if self._function is None:
            raise AssertionError("arguments wait without a function")
        try:
            results = self._function([arguments for _, arguments in calls])
        except BaseException as error:  # noqa: BLE001 (the caller of result() gets it)
            for future, _ in calls:
                future.set_exception(error)
        else:
            for (future, _), result in zip(calls, results, strict=True):
                future.set_result(result)
