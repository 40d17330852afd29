"""A Dask cluster as a `concurrent.futures.Executor`.

Dask's own adapter leaves futures pending for ever when the scheduler goes away.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from importlib import import_module
from typing import Any, Final, TypeVar

from upcard.simulation.errors import RunError, WorkerLostError

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
