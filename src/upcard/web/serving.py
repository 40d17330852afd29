"""`answer_on`: the pages, served on a socket until Ctrl-C or a signal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import uvicorn

from upcard.web.app import make_app
from upcard.web.load_ahead import LoadAhead
from upcard.web.site import Site

if TYPE_CHECKING:
    from socket import socket
    from types import FrameType

    from upcard.rules.model import Rules
    from upcard.store.database import Store
    from upcard.web.door import Door

_SWITCH_SECONDS: Final = 0.001
"""Time that the solver may hold the interpreter's lock while a page waits."""


def answer_on(listener: socket, *, door: Door, store: Store | None, rules: Rules) -> None:
    """Answer requests until Ctrl-C or a signal; then close the `store`."""
    site = Site(door=door, store=store, rules=rules)
    sys.setswitchinterval(_SWITCH_SECONDS)
    server = _Server(
        site,
        uvicorn.Config(
            LoadAhead(make_app(site), site),
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
    try:
        server.run(sockets=[listener])
    finally:
        site.close_runs()  # a second Ctrl-C skips what the application does at its end


class _Server(uvicorn.Server):
    """Ends streams at once when it is to stop, which would hold it up."""

    def __init__(self, site: Site, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._site = site

        site.traffic.count_connections = lambda: len(self.server_state.connections)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._site.end_streams()
        super().handle_exit(sig, frame)
