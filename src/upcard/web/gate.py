"""The gate in front of every page: exact hosts, the key, the origin, limits, and headers.

It is pure ASGI, so that nothing behind it runs for a request that is refused.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from upcard.core.numbers import digits_of
from upcard.web.door import OPEN_PATH, Door
from upcard.web.reading import busy

MOST_BODY_BYTES: Final = 64 * 1024
MOST_QUERY_BYTES: Final = 4 * 1024
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    # With `no-referrer`, Chromium sends `Origin: null` for a plain form.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
_READS: Final = ("GET", "HEAD")
_EMBEDDED: Final = ("embed", "fencedframe", "frame", "iframe", "object")
"""Values of Sec-Fetch-Dest for a page within another one."""
_NO_KEY: Final = (
    "upcard needs its key. Open the link that `upcard web` printed; programs send the key as"
    " `Authorization: Bearer KEY`.\n"
)
_OLD_COOKIE: Final = (
    "upcard was started again since you opened it in this browser. Open the link that `upcard web`"
    " printed when it started; then this page continues, or reload it.\n"
)
_OLD_LINK: Final = (
    "This link is not complete, or of an earlier start of upcard. Open the link that `upcard web`"
    " printed when it started; if it is gone, stop upcard and start it again.\n"
)
LET_IN: Final = "let_in"
"""Name in the state of a request of what is called once it has shown the key."""


class _Refusal(Exception):  # noqa: N818 (an answer, not a fault)
    """A request that goes no further."""

    def __init__(self, status: HTTPStatus, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


class Gate:
    """Lets requests through that come from an allowed page and know the key."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app = app
        self.door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # no socket is served
            await send({"type": "websocket.close", "code": 1008})
            return
        guarded = _Guarded(receive, send)
        try:
            headers = Headers(scope=scope)
            self._check_address(scope, headers)
            if scope["path"] == OPEN_PATH:
                await self._open(scope)(scope, receive, guarded.send)
                return
            self._check_key(headers)
            if let_in := scope.get("state", {}).get(LET_IN):
                let_in()
            self._check_source(scope, headers)
            self._check_size(scope, headers)
            await self.app(scope, guarded.receive, guarded.send)
        except _Refusal as refusal:
            if guarded.has_begun:  # too late to answer differently
                raise
            answer = PlainTextResponse(refusal.words, refusal.status)
            await answer(scope, receive, guarded.send)

    def _check_address(self, scope: Scope, headers: Headers) -> None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0] not in self.door.hosts:
            raise _Refusal(HTTPStatus.MISDIRECTED_REQUEST, "Unknown host name.\n")
        if scope["method"] not in (*_READS, "POST"):
            raise _Refusal(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET, HEAD and POST are answered.\n")
        if len(scope.get("query_string", b"")) > MOST_QUERY_BYTES:
            words = f"The address has more than {MOST_QUERY_BYTES} characters after the `?`.\n"
            raise _Refusal(HTTPStatus.REQUEST_URI_TOO_LONG, words)

    def _open(self, scope: Scope) -> RedirectResponse:
        """Exchange the key of the link for a cookie, so that it stays in no history."""
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        given = query.get("key", [""])
        if scope["method"] not in _READS or len(given) != 1 or not self._is_key(given[0]):
            raise _Refusal(HTTPStatus.FORBIDDEN, _OLD_LINK if any(given) else _NO_KEY)
        answer = RedirectResponse("/", HTTPStatus.SEE_OTHER)
        # Without an age it ends with the browser.
        answer.set_cookie(self.door.cookie, self.door.day_pass, httponly=True, samesite="lax")
        return answer

    def _check_key(self, headers: Headers) -> None:
        day_pass = cookie_parser(headers.get("cookie", "")).get(self.door.cookie, "")
        if not (self._is_key(_bearer(headers)) or _equal(day_pass, self.door.day_pass)):
            raise _Refusal(HTTPStatus.FORBIDDEN, _OLD_COOKIE if day_pass else _NO_KEY)

    def _is_key(self, given: str) -> bool:
        return _equal(given, self.door.key)

    def _check_source(self, scope: Scope, headers: Headers) -> None:
        """Refuse changes that another page asks for, and reads that another page embeds."""
        refusal = _Refusal(HTTPStatus.FORBIDDEN, "Another page asked for this; it is refused.\n")
        site = headers.get("sec-fetch-site", "same-origin")
        if scope["method"] in _READS:
            is_link = headers.get("sec-fetch-mode") == "navigate"
            if site not in ("same-origin", "none") and not is_link:
                raise refusal
            if headers.get("sec-fetch-dest") in _EMBEDDED:
                raise refusal
            return
        origins = headers.getlist("origin")
        is_program = not origins and self._is_key(_bearer(headers))
        is_own = len(origins) == 1 and origins[0] in self.door.origins
        if site != "same-origin" or not (is_own or is_program):
            raise refusal

    def _check_size(self, scope: Scope, headers: Headers) -> None:
        length = digits_of(headers.get("content-length", "0"))
        if scope["method"] == "POST" and (length is None or length > MOST_BODY_BYTES):
            raise _too_large()


class _Guarded:
    """The two channels of a request: the body is counted, the headers are added."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._bytes = 0
        self.has_begun = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._bytes += len(message.get("body", b""))
        if self._bytes > MOST_BODY_BYTES:
            raise _too_large()
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_begun = True
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await self._send(message)


def _equal(given: str, secret: str) -> bool:
    """Compare in a time that says nothing about where they differ."""
    return hmac.compare_digest(given.encode(), secret.encode())


def _bearer(headers: Headers) -> str:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else ""


def _too_large() -> _Refusal:
    words = f"A form has at most {MOST_BODY_BYTES // 1024} KiB.\n"
    return _Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, words)


MOST_REQUESTS: Final = 256
"""Requests for pages at a time; each may wait for a table, the solver or a simulation."""
MOST_CONNECTIONS: Final = 512
"""Open connections; each takes one of the files that a process may have open."""
_OTHER_FILES: Final = 100
"""Files that are not connections: the store, the locks of tables, runs."""
_ENOUGH_FILES: Final = 4096
_NEWCOMERS: Final = 16
"""Connections that are left for those that have not shown the key yet."""


def find_most_connections() -> int:
    """Raise the limit of open files of this process as far as it may; return what fits in it."""
    try:
        import resource
    except ImportError:  # on Windows a connection is not a file
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
