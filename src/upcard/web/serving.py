"""`answer_on`: the pages, served on a socket until Ctrl-C or a signal."""

from __future__ import annotations

import asyncio
import logging
import sys
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import uvicorn
from starlette.responses import PlainTextResponse

from upcard.web.app import make_app
from upcard.web.load_ahead import LoadAhead
from upcard.web.site import Site

if TYPE_CHECKING:
    from socket import socket
    from types import FrameType

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from upcard.rules.model import Rules
    from upcard.store.database import Store
    from upcard.web.door import Door

_ENDS: Final = "upcard has been stopped.\n"
_SWITCH_SECONDS: Final = 0.001
"""Time that the solver may hold the interpreter's lock while a page waits."""


def answer_on(listener: socket, *, door: Door, store: Store | None, rules: Rules) -> None:
    """Answer requests until Ctrl-C or a signal; then close the `store`."""
    site = Site(door=door, store=store, rules=rules)
    sys.setswitchinterval(_SWITCH_SECONDS)
    server = _Server(
        site,
        uvicorn.Config(
            EndedRequests(LoadAhead(make_app(site), site)),
            http="h11",
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            h11_max_incomplete_event_size=16 * 1024,
            timeout_graceful_shutdown=2,
        ),
    )
    log = logging.getLogger("uvicorn.error")
    log.addFilter(server.is_worth_a_line)
    try:
        server.run(sockets=[listener])
    finally:
        log.removeFilter(server.is_worth_a_line)
        site.close_runs()  # a second Ctrl-C skips what the application does at its end


class EndedRequests:
    """Answers the requests that the end of the server cuts off with a sentence."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        has_begun = False

        async def watch(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, watch)
        except asyncio.CancelledError:
            if scope["type"] == "http" and not has_begun:
                answer = PlainTextResponse(_ENDS, HTTPStatus.SERVICE_UNAVAILABLE)
                await answer(scope, receive, send)


class _Server(uvicorn.Server):
    """Ends streams at once when it is to stop, which would hold it up."""

    def __init__(self, site: Site, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._site = site

        site.traffic.count_connections = lambda: len(self.server_state.connections)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._site.end_streams()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """End; after a second Ctrl-C without waiting for requests, and the store is closed too."""
        await super().shutdown(sockets)
        if self.force_exit:
            for task in self.server_state.tasks:
                task.cancel()
            await self.lifespan.shutdown()

    def is_worth_a_line(self, record: logging.LogRecord) -> bool:
        """Whether a message is shown: at the end, only faults are."""
        return record.exc_info is not None or not self.should_exit
