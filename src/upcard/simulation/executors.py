"""Workers for chunks: threads, processes, any executor, a Dask cluster, and CUDA devices.

A `Crew` takes batches of chunks and returns futures: single chunks on cores, hundreds on a device.
Its workers change only the time, never a result.
"""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent import futures
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from enum import StrEnum
from functools import lru_cache, partial
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from multiprocessing import parent_process
from typing import Any, Final, TypeAlias, TypeVar

from upcard.core.errors import RulesError
from upcard.core.numbers import as_whole
from upcard.simulation.job import KERNEL_VERSION, Job, RunError, WorkerLostError, check_versions
from upcard.simulation.registry import PlayerSource, find_source
from upcard.simulation.tally import Tally, pack

Result = TypeVar("Result")

MOST_WORKERS: Final = 1024
_SOURCE: Final = "player_source"
INSTALL: Final = "pip install 'upcard[cuda]'"
NO_NUMBA_CUDA: Final = (3, 15)
"""The first Python that numba-cuda has no release for, see docs/decisions/0050-numba-cuda.md."""
Chunks: TypeAlias = Sequence[tuple[int, int]]
"""Numbers of chunks, each with its rounds."""
PlayChunk: TypeAlias = Callable[[Job, int, int], Tally]
"""Plays the first rounds of a chunk, given by its number: a pure function of its arguments."""
CONNECT_SECONDS: Final = 10
LOST: Final = "the connection to the cluster was lost"
_COUNT_SECONDS: Final = 2.0


class ExecutorKind(StrEnum):
    """Kinds of workers on one machine."""

    THREADS = "threads"
    PROCESSES = "processes"


class Crew:
    """Workers that play chunks of one job. Threads return tallies, others their packed bytes."""

    def __init__(
        self,
        make: Callable[[], Executor] | Executor,
        function: Callable[[Chunks], Sequence[Tally | bytes]],
        *,
        count: Callable[[], int],
        batch: int = 1,
    ) -> None:
        """Let an executor call `function` with chunks; a given one is not closed."""
        self._make = make
        self._function = function
        self._count = count
        self.batch = batch
        """Number of chunks that a worker plays at a time."""
        self._executor = make if isinstance(make, Executor) else make()

    @property
    def workers(self) -> int:
        """Number of batches played at a time; on a cluster it may change."""
        return max(1, self._count())

    def submit(self, chunks: Chunks) -> Future[Sequence[Tally | bytes]]:
        """Hand a batch of chunks to a worker."""
        return self._executor.submit(self._function, chunks)

    def replace_executor(self) -> None:
        """Replace a broken executor."""
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
    """
    if cluster is not None:
        return _open_cluster(job, play, cluster)
    number = count_cores() if workers is None else as_whole(workers)
    if number is None or not 1 <= number <= MOST_WORKERS:
        raise RulesError(f"{workers} workers: 1 to {MOST_WORKERS}")
    make: Callable[[], Executor] | Executor = partial(start_processes, number)
    if isinstance(executor, Executor):
        make = executor
    elif read_executor_kind(executor) is ExecutorKind.THREADS:
        make = partial(ThreadPoolExecutor, number, thread_name_prefix="upcard")
        return Crew(make, partial(_play_here, play, job), count=lambda: number)
    return Crew(make, partial(play_for_another, play, write_job(job)), count=lambda: number)


def read_executor_kind(text: str) -> ExecutorKind:
    """Read the name of a kind of workers."""
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


def _play_here(play: PlayChunk, job: Job, chunks: Chunks) -> list[Tally]:
    return [play(job, chunk, rounds) for chunk, rounds in chunks]


def play_for_another(play: PlayChunk, job: str, chunks: Chunks) -> list[bytes]:
    """Play chunks in a worker process; the job is text and the results are packed tallies."""
    return list(map(pack, _play_here(play, _read_job(job), chunks)))


@lru_cache(maxsize=8)
def _read_job(text: str) -> Job:
    document = json.loads(text)
    player = document.pop(_SOURCE)
    # Checked first: another version may have other settings.
    check_versions(document["version"], document["kernel_version"], "the job comes from")
    if player is not None:
        PlayerSource(*player).load()
    return Job.from_json(document)


def is_worker_lost(error: BaseException) -> bool:
    """Whether a chunk failed because its worker was lost, so that another may play it."""
    is_known = isinstance(error, BrokenExecutor | WorkerLostError)
    return is_known or type(error).__name__ == "KilledWorker"


def start_processes(number: int) -> Executor:
    """Start processes that end with this one."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # Not forked: a fork copies locks held by other threads, numba's included.
    return ProcessPoolExecutor(
        number, mp_context=multiprocessing.get_context("spawn"), initializer=begin_worker
    )


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


def run_on_threads(
    calls: Iterable[Callable[[], Result]], workers: int, *, take: Callable[[Result], object]
) -> None:
    """Run calls on threads, and hand each result to `take` in this one.

    Few of them wait at a time, and none is begun after an error or Ctrl-C.
    """
    rest = iter(calls)
    under_way: set[Future[Result]] = set()
    with ThreadPoolExecutor(workers, thread_name_prefix="upcard") as executor:
        try:
            while True:
                more = islice(rest, 2 * workers - len(under_way))
                under_way |= {executor.submit(call) for call in more}
                if not under_way:
                    return
                done, under_way = wait(under_way, return_when=futures.FIRST_COMPLETED)
                for future in done:
                    take(future.result())
        finally:
            for future in under_way:
                future.cancel()


class Cluster(Executor):
    """The workers of a Dask scheduler; Dask replaces lost workers or reassigns their chunks.

    Dask's own adapter leaves futures pending for ever when the scheduler goes away.
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
        """Hand a call to the cluster."""
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
        """Return how many chunks the workers can play at a time, as of a moment ago."""
        if time.monotonic() - self._counted > _COUNT_SECONDS:
            try:
                self._workers = sum(self._client.nthreads().values())
            except Exception as error:
                raise RunError(LOST) from error
            self._counted = time.monotonic()
        return self._workers

    def ask_workers(self, function: Callable[[], Result]) -> dict[str, Result]:
        """Call `function` on all present workers; return the results by address."""
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


def report_version() -> tuple[str, int]:
    """Return the versions of this process, as they are when it is asked."""
    from upcard._version import __version__

    return __version__, KERNEL_VERSION


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


class Device(StrEnum):
    """Kinds of devices."""

    CPU = "cpu"
    CUDA = "cuda"


def read_device(text: str) -> Device:
    """Read the name of a device."""
    try:
        return Device(text.lower())
    except ValueError:
        raise RulesError(f"no device is called {text!r}: one of {', '.join(Device)}") from None


def check_cuda(job: Job) -> None:
    """Refuse a job that this machine cannot play on a CUDA device."""
    from upcard.simulation.cuda_chunks import plan_device

    plan_device(job)
    require_cuda()


def require_cuda() -> None:
    """Refuse a machine without a CUDA device."""
    if find_spec("numba_cuda") is None:
        if sys.version_info >= NO_NUMBA_CUDA:
            here = f"{sys.version_info.major}.{sys.version_info.minor}"
            last = f"{NO_NUMBA_CUDA[0]}.{NO_NUMBA_CUDA[1] - 1}"
            raise RunError(
                f"a CUDA device needs numba-cuda, which ends at Python {last}, and this is Python"
                f" {here}: install upcard[cuda] with Python {last} or earlier"
            )
        raise RunError(f"a CUDA device needs numba-cuda: {INSTALL}")
    no_toolkit = f"the CUDA toolkit, which compiles for the device, was not found: {INSTALL}"
    try:
        from numba import cuda
    except (ImportError, RuntimeError) as error:  # it loads libcudart when it is imported
        raise RunError(no_toolkit) from error
    if cuda.is_available():
        if not cuda.config.ENABLE_CUDASIM:
            _require_numpy()
        return
    if cuda.cuda_error() is None:  # the driver works
        raise RunError(no_toolkit)
    raise RunError(
        "no CUDA device was found: it takes an NVIDIA GPU and its driver. --device cpu plays on the"
        " cores"
    )


def _require_numpy() -> None:
    """Refuse a NumPy with which numba-cuda cannot compile; its simulator and its import work."""
    try:
        import_module("numba.cuda.np.arrayobj")  # what the first kernel needs
    except AttributeError as error:
        from importlib.metadata import version

        raise RunError(
            f"numba-cuda {version('numba-cuda')} cannot compile for a device with NumPy"
            f" {version('numpy')} ({error}): pip install 'numpy<2.5'"
        ) from error


def open_cuda_crew(job: Job) -> Crew:
    """Get a crew of one CUDA device."""
    from upcard.simulation.cuda_chunks import CudaRounds

    check_cuda(job)
    rounds = CudaRounds(job)
    make = partial(ThreadPoolExecutor, 1, thread_name_prefix="upcard-device")
    return Crew(make, rounds.play, count=lambda: 1, batch=rounds.plan.chunks)
