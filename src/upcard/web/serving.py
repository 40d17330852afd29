"""`answer_on`: the pages, served on a socket until Ctrl-C or a signal."""

from __future__ import annotations

import asyncio
import logging
import sys
from asyncio import TimerHandle, Transport
from collections import OrderedDict
from http import HTTPStatus
from socket import socket
from types import FrameType
from typing import Any, Final

import h11
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from upcard.rules.model import Rules
from upcard.store.database import Store
from upcard.web import gate, page_routes
from upcard.web.app import make_app
from upcard.web.door import Door
from upcard.web.site import Site

_ENDS: Final = "upcard has been stopped.\n"
_SWITCH_SECONDS: Final = 0.001
"""Time that the solver may hold the interpreter's lock while a page waits."""
_REQUEST_SECONDS: Final = 10.0
"""Time that a connection has to send a whole request."""
_MOST_PIECES: Final = 1000
"""Pieces of a body: each takes the loop some 50 microseconds, however small it is."""
_HEAD_BYTES: Final = 16 * 1024
_ACCEPTED_AT_A_TIME: Final = 16
_WAITING: Final = 512
"""Connections that the system has wait until they are accepted."""


def answer_on(listener: socket, *, door: Door, store: Store | None, rules: Rules | None) -> None:
    """Answer requests until Ctrl-C or a signal; then close the `store`."""
    site = Site(door=door, store=store, rules=rules or Rules(), follows_last_game=rules is None)
    site.follow_last_game()
    site.traffic.most_connections = gate.find_most_connections()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        Server(site).run(sockets=[listener])
    finally:
        site.close_runs()  # a second Ctrl-C skips what the application does at its end


class _Body(h11.Connection):
    """HTTP, with bodies in a bounded number of pieces."""

    _pieces = 0

    def next_event(self) -> Any:  # noqa: ANN401 (as h11 has it)
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._pieces = 0
        elif isinstance(event, h11.Data):
            self._pieces += 1
            if self._pieces > _MOST_PIECES:
                raise h11.RemoteProtocolError(f"a body has at most {_MOST_PIECES} pieces")
        return event


class _Connections(ServerState):
    """The open connections; those that have not shown the key are strangers, oldest first."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        self.strangers: OrderedDict[Connection, None] = OrderedDict()

    def count_known(self) -> int:
        return len(self.connections) - len(self.strangers)


class Connection(H11Protocol):
    """A connection that has to ask for something soon, and gives way to one with the key."""

    server_state: _Connections
    _deadline: TimerHandle | None = None

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.conn = _Body(h11.SERVER, _HEAD_BYTES)
        self.app_state = {**self.app_state, gate.LET_IN: self._let_in}

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Take it in; if there are too many, the oldest without the key is dropped."""
        super().connection_made(transport)
        strangers = self.server_state.strangers
        strangers[self] = None
        if len(self.connections) > self.server_state.most:
            next(iter(strangers)).drop()
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self.server_state.strangers.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._expect()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP; after an answer there is nothing more to say."""
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:
            self.drop()

    def drop(self) -> None:
        """Close it at once."""
        self.server_state.strangers.pop(self, None)
        self.connections.discard(self)
        self.transport.abort()

    def _let_in(self) -> None:
        self.server_state.strangers.pop(self, None)

    def _expect(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(_REQUEST_SECONDS, self._give_up)

    def _give_up(self) -> None:
        cycle = self.cycle
        if cycle is None or cycle.more_body or cycle.response_complete:  # type: ignore[redundant-expr]
            self.drop()


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


class Server(uvicorn.Server):
    """Answers the requests for a site; ends streams at once when it is to stop."""

    def __init__(self, site: Site) -> None:
        super().__init__(
            uvicorn.Config(
                EndedRequests(page_routes.LoadAhead(make_app(site), site)),
                http=Connection,
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                backlog=_ACCEPTED_AT_A_TIME,
                timeout_graceful_shutdown=2,
            )
        )
        self._site = site
        connections = _Connections(site.traffic.most_connections)
        self.server_state = connections
        site.traffic.count_connections = connections.count_known

    async def serve(self, sockets: list[socket] | None = None) -> None:
        """Answer until the end."""
        log = logging.getLogger("uvicorn.error")
        log.addFilter(self.is_worth_a_line)
        try:
            await super().serve(sockets)
        finally:
            log.removeFilter(self.is_worth_a_line)

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Begin to accept: a few at a time, so that no burst takes all files."""
        asyncio.get_running_loop().set_exception_handler(_hear)
        await super().startup(sockets)
        for one in sockets or ():
            one.listen(_WAITING)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End streams, and then all."""
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
        """Whether a message is shown: faults are, what a client did wrong is not."""
        return record.levelno >= logging.ERROR and not (self.should_exit and not record.exc_info)


def _hear(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report what went wrong in the loop, but for connections that broke or found no file."""
    if not isinstance(context.get("exception"), OSError):
        loop.default_exception_handler(context)
