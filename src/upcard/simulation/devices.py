"""Devices that play the rounds of a run: the cores, or a CUDA device.

A device changes only the time, never a result. Its crew plays all chunks that wait in one call.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from enum import StrEnum
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, cast

from upcard.core.errors import RulesError
from upcard.simulation.errors import RunError
from upcard.simulation.executors import Crew
from upcard.simulation.job import Job

if TYPE_CHECKING:
    from upcard.simulation.tally import Tally

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
