"""A server of `upcard web` in a process of its own, and a client of it."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlencode, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATIENCE_SECONDS: Final = 60
_JSON: Final = "application/json"


class Reply(NamedTuple):
    """An answer, and the seconds until all of it was there."""

    seconds: float
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> dict[str, Any]:
        """Return the view model."""
        found: dict[str, Any] = json.loads(self.body)
        return found


class WebServer(NamedTuple):
    """A running server."""

    process: int
    link: str
    started: float
    """`time.time()` just before its process was started."""

    @property
    def host(self) -> str:
        """Name and port."""
        return urlsplit(self.link).netloc

    @property
    def key(self) -> str:
        """The key of its link."""
        return self.link.rpartition("=")[2]

    def cpu_seconds(self) -> float | None:
        """Return the processor time that it has taken; None where the system does not tell."""
        try:
            text = Path(f"/proc/{self.process}/stat").read_text("ascii")
        except OSError:
            return None
        fields = text.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serve(folder: str, *options: str) -> Iterator[WebServer]:
    """Run a server whose saved games are in `folder`, and end it."""
    command = [sys.executable, "-m", "upcard", "web", "--no-open", "--port", "0", *options]
    environment = {**os.environ, "UPCARD_DATA": folder, "PYTHONUNBUFFERED": "1"}
    started = time.time()
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=quiet, text=True
    ) as server:
        printed = iter(server.stdout or ())
        try:
            next(printed)
            yield WebServer(server.pid, next(printed).strip(), started)
        finally:
            server.terminate()


class WebClient:
    """One connection that sends the key."""

    def __init__(self, server: WebServer) -> None:
        self._key = server.key
        self._connection = http.client.HTTPConnection(server.host, timeout=_PATIENCE_SECONDS)

    def get(self, address: str, *, accept: str = _JSON, parts: str = "") -> Reply:
        """Ask for a page, for `parts` of it, or for its view model."""
        return self._ask("GET", address, accept=accept, parts=parts)

    def post(self, address: str, **form: object) -> Reply:
        """Send a form as a program does."""
        return self._ask("POST", address, body=urlencode(form))

    def _ask(
        self, method: str, address: str, *, accept: str = _JSON, parts: str = "", body: str = ""
    ) -> Reply:
        headers = {
            "Authorization": f"Bearer {self._key}",
            "Accept": accept,
            "Accept-Encoding": "gzip",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        if parts:
            headers["Upcard-Parts"] = parts
        begun = time.perf_counter()
        self._connection.request(method, address, body or None, headers)
        answer = self._connection.getresponse()
        found = answer.read()
        seconds = time.perf_counter() - begun
        names = {name.lower(): value for name, value in answer.getheaders()}
        if names.get("content-encoding") == "gzip" and accept == _JSON:
            import gzip

            found = gzip.decompress(found)
        return Reply(seconds, answer.status, names, found)
