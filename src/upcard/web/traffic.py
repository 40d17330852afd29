"""`Traffic`: the requests and connections under way, and a refusal of more than fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from upcard.web.errors import busy

MOST_REQUESTS: Final = 256
"""Requests for pages at a time; each may wait for a table, the solver or a simulation."""
MOST_CONNECTIONS: Final = 512
"""Open connections; each takes one of the files that a process may have open."""
_OTHER_FILES: Final = 100
"""Files that are no connections: the store, the locks of tables, runs."""
_ENOUGH_FILES: Final = 4096
_NEWCOMERS: Final = 16
"""Connections that are left for those that have not shown the key yet."""


def find_most_connections() -> int:
    """Raise the limit of open files of this process as far as it may; return what fits in it."""
    try:
        import resource
    except ImportError:  # on Windows a connection is no file
        return MOST_CONNECTIONS
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _ENOUGH_FILES if most == resource.RLIM_INFINITY else min(most, _ENOUGH_FILES)
    if files != resource.RLIM_INFINITY and files < wanted:
        with suppress(OSError, ValueError):  # some systems have a lower limit than they say
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return max(2 * _NEWCOMERS, min(MOST_CONNECTIONS, files - _OTHER_FILES))


class Traffic:
    """Counts requests for pages. Files of the pages are at hand and not counted."""

    def __init__(self) -> None:
        self.requests = 0
        self.most_connections = MOST_CONNECTIONS
        """Open connections that fit; when there are more, one without the key gives way."""
        self.count_connections: Callable[[], int] = int
        """Returns the number of open connections with the key, where a server counts them."""

    @contextmanager
    def request(self) -> Iterator[None]:
        """Count a request while it is answered."""
        if self.requests >= MOST_REQUESTS:
            raise busy(f"{MOST_REQUESTS} requests wait for an answer; ask again in a moment.")
        known = self.count_connections()
        if known > self.most_connections - _NEWCOMERS:
            raise busy(f"{known - 1} connections are open; close some pages and ask again.")
        self.requests += 1
        try:
            yield
        finally:
            self.requests -= 1
