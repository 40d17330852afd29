"""The request that is being answered: the open page that asks, and whether it has gone."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, NamedTuple

from starlette.types import Receive

PAGE_HEADER: Final = "Upcard-Page"
"""Header with the name that an open page gave itself; newer questions replace its older ones."""


class Asker(NamedTuple):
    """The client of a request whose body has been read, if it has one."""

    page: str
    """Name of the open page; empty if it has none."""
    receive: Receive

    async def leave(self) -> None:
        """Wait until the client has gone, or has its answer."""
        is_read = False
        while (message := await self.receive())["type"] != "http.disconnect":
            if is_read:  # a caller in this process that never says that it has gone
                await asyncio.Event().wait()
            is_read = not message.get("more_body", False)


_asker: Final[ContextVar[Asker | None]] = ContextVar("asker", default=None)


def find_asker() -> Asker | None:
    """Return who asks; None for work that no request waits for."""
    return _asker.get()


def asked_by(asker: Asker | None) -> None:
    """Say who asks from now on in this task."""
    _asker.set(asker)


@contextmanager
def asking(asker: Asker) -> Iterator[None]:
    """Answer a request in this context."""
    token = _asker.set(asker)
    try:
        yield
    finally:
        _asker.reset(token)
