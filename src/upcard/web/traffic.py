"""`Traffic`: the requests under way, and a refusal of more than the server can hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Final

from upcard.web.errors import RefusedError

MOST_REQUESTS: Final = 256
"""Requests for pages at a time; each may wait for a table, the solver or a simulation."""
MOST_CONNECTIONS: Final = 512
"""Open connections; each takes one of the files that a process may have open."""


class Traffic:
    """Counts requests for pages. Files of the pages are at hand and not counted."""

    def __init__(self) -> None:
        self.requests = 0
        self.count_connections: Callable[[], int] = int
        """Returns the number of open connections, where a server counts them."""

    @contextmanager
    def request(self) -> Iterator[None]:
        """Count a request while it is answered. Raises: RefusedError if there are too many."""
        if self.requests >= MOST_REQUESTS:
            raise _busy(f"{MOST_REQUESTS} requests wait for an answer; ask again in a moment.")
        if self.count_connections() > MOST_CONNECTIONS:
            raise _busy(f"{MOST_CONNECTIONS} connections are open; close some pages and ask again.")
        self.requests += 1
        try:
            yield
        finally:
            self.requests -= 1


def _busy(words: str) -> RefusedError:
    headers = {"Retry-After": "1", "Connection": "close"}
    return RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, "busy", words, headers=headers)
