"""A server of `upcard web` in a forked process, and browsers that talk to it over sockets."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn
from urllib.parse import urlencode

from campaign.bystanders import die_with_parent
from campaign.case import FindingError
from campaign.games import choose_game, choose_wager
from upcard.rules.model import Rules
from upcard.store.database import open_store
from upcard.web.door import Door

if TYPE_CHECKING:
    import random
    from pathlib import Path

KEY: Final = "k" * 43
JSON: Final = "application/json"
HTML: Final = "text/html"
_GONE: Final = (404, 410)


class Answer(NamedTuple):
    """What the server sent, to the byte."""

    status: int
    raw: bytes
    """Status line, headers and body."""
    body: bytes

    @property
    def view(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    def header(self, name: str) -> str:
        """Return a header, an empty text if there is none."""
        head, _, _ = self.raw.partition(b"\r\n\r\n")
        for line in head.decode("latin-1").split("\r\n")[1:]:
            found, _, text = line.partition(":")
            if found.lower() == name:
                return text.strip()
        return ""


class WebServer:
    """Serves a store in a forked process, each life on the same port."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.port = 0
        self.is_alive = False
        self._errors = path.parent / "printed.txt"
        self._process = 0

    def start(self) -> None:
        """Begin a life."""
        self._errors.write_bytes(b"")
        with socket.create_server(("127.0.0.1", self.port), backlog=256) as listener:
            self.port = listener.getsockname()[1]
            self._process = os.fork()
            if self._process == 0:
                self._serve(listener)
        self.is_alive = True

    def _serve(self, listener: socket.socket) -> NoReturn:
        status = 1
        try:
            die_with_parent()
            os.environ.update(self.environment)  # a page may look for the saved games itself
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            printed = os.open(self._errors, os.O_WRONLY)
            for stream in (1, 2):
                os.dup2(printed, stream)
            from upcard.web.serving import answer_on

            door = Door(hosts=frozenset({self.host}), key=KEY, port=self.port)
            store = open_store(self.path)
            answer_on(listener, door=door, store=store, rules=Rules.parse("INF"))
            status = 0
        except BaseException:
            import traceback

            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(status)

    @property
    def environment(self) -> dict[str, str]:
        """Variables for a command that reads the same saved games."""
        return {**os.environ, "UPCARD_DATA": str(self.path.parent)}

    @property
    def host(self) -> str:
        """The value of the header Host."""
        return f"127.0.0.1:{self.port}"

    def kill(self) -> None:
        """Kill it, as `kill -9` does."""
        self.is_alive = False
        os.kill(self._process, signal.SIGKILL)

    def end(self, number: int = signal.SIGKILL) -> None:
        """End its life, and look at what it printed. Raises: FindingError."""
        if not self._process:
            return
        process, self._process, self.is_alive = self._process, 0, False
        os.kill(process, number)
        _, status = os.waitpid(process, 0)
        self.check_printed()
        if not os.WIFSIGNALED(status) and number == signal.SIGKILL:
            code = os.waitstatus_to_exitcode(status)
            msg = f"the server ended before it was killed, with code {code}"
            raise FindingError(msg)

    def check_printed(self) -> None:
        """Check that it printed nothing. Raises: FindingError."""
        if self.printed:
            msg = f"the server printed:\n{self.printed}"
            raise FindingError(msg)

    @property
    def printed(self) -> str:
        """The end of what it printed in this life."""
        return self._errors.read_text(encoding="utf-8", errors="replace").strip()[-2000:]

    def close(self) -> None:
        """End a life after a failure."""
        with suppress(FindingError):
            self.end()


class AwayError(Exception):
    """The server was killed before it had answered."""


class Browser:
    """One client with a cookie; `heard` takes every answer, with the path it was asked for."""

    def __init__(self, server: WebServer, heard: list[tuple[str, Answer]]) -> None:
        self.server = server
        self.heard = heard
        self._cookie = ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> None:
        """Exchange the link for a cookie."""
        answer = await self.ask(f"/open?key={KEY}")
        self._cookie = answer.header("set-cookie").partition(";")[0]

    async def ask(
        self, path: str, form: dict[str, str] | None = None, *, accept: str = JSON
    ) -> Answer:
        """Ask for a page, or send a form.

        Raises: AwayError if the server went; FindingError for a status that must not be.
        """
        try:
            answer = await self._talk_on(path, form, accept)
        except (OSError, EOFError) as error:
            await self.close()
            raise AwayError from error
        self.heard.append((path, answer))
        if answer.status >= 500 and answer.status != 503:
            what = "GET" if form is None else f"POST {form}"
            body = answer.body[:1500].decode(errors="replace")
            msg = f"{what} {path}: {answer.status}\n{body}\n{self.server.printed}"
            raise FindingError(msg)
        return answer

    async def _talk_on(self, path: str, form: dict[str, str] | None, accept: str) -> Answer:
        """Ask on the connection that is open; on a fresh one if the server has closed it.

        A server may close an idle connection at any moment. What was sent then may be sent again
        where that changes nothing (RFC 9110, 9.2.2): a page, or a move, which names a version and
        is not made twice.
        """
        await self._drop_closed()
        was_open = self._streams is not None
        try:
            return await self._talk(path, form, accept)
        except (OSError, EOFError):
            await self.close()
            may_be_repeated = form is None or "v" in form
            if not (was_open and may_be_repeated and self.server.is_alive):
                raise
        return await self._talk(path, form, accept)

    async def _drop_closed(self) -> None:
        """Close the connection if the server has closed it: nothing has been sent."""
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # what the system knows is read in the first, and noted by now
        if self._streams is not None and self._streams[0].at_eof():
            await self.close()

    async def _talk(self, path: str, form: dict[str, str] | None, accept: str) -> Answer:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.server.port)
        reader, writer = self._streams
        body = b"" if form is None else urlencode(form).encode()
        lines = [f"{'GET' if form is None else 'POST'} {path} HTTP/1.1"]
        lines += [f"Host: {self.server.host}", f"Accept: {accept}", f"Cookie: {self._cookie}"]
        if form is not None:
            lines += [
                f"Origin: http://{self.server.host}",
                "Content-Type: application/x-www-form-urlencoded",
                f"Content-Length: {len(body)}",
            ]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = await reader.readuntil(b"\r\n\r\n")
        answer = Answer(int(head.split(None, 2)[1]), head, b"")
        if length := answer.header("content-length"):
            found = await reader.readexactly(int(length))
        else:
            found = await _read_chunks(reader)
        if answer.header("connection").lower() == "close":
            await self.close()
        return Answer(answer.status, head + found, found)

    async def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _read_chunks(reader: asyncio.StreamReader) -> bytes:
    found = b""
    while length := int(await reader.readuntil(b"\r\n"), 16):
        found += (await reader.readexactly(length + 2))[:-2]
    await reader.readexactly(2)
    return found


class WebTable:
    """A saved table as the browsers know it; several may play at it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.view: dict[str, Any] = {}
        self.unanswered = 0
        """Moves of all browsers whose answer has not come."""
        self.told: dict[int, dict[str, Any]] = {}
        """The last view of each round that was shown as settled, by its number in the store."""

    def take(self, answer: Answer) -> bool:
        """Take the view of an answer; False if the table is gone."""
        if answer.status in _GONE:
            return False
        view = answer.view
        if "session" in view and view["version"] >= self.view.get("version", 0):
            self.view = view
            if view["between"] and view["review"].startswith("/history/"):
                self.told[int(view["review"].rpartition("/")[2])] = view
        return True

    @property
    def asked(self) -> dict[str, str]:
        """The answers by their keys; empty between rounds."""
        return (self.view["session"]["asked"] or {}).get("answers", {}) if self.view else {}

    def choose(self, rng: random.Random) -> tuple[str, dict[str, str]]:
        """Return a move at random, and its form."""
        version = {"v": str(self.view["version"])}
        if self.asked:
            return "act", version | {"do": rng.choice(list(self.asked))}
        between = self.view["between"] or {}
        if between.get("shortage"):
            return "chips", version
        kind = rng.random()
        if kind < 0.03:
            return "end-shoe", version
        if kind < 0.08:
            return "seed", version | {"text": f"seed {rng.randrange(1000)}"}
        if kind < 0.12 and between["fewest_hands"] < between["most_hands"]:
            most = min(between["most_hands"], max(between["fewest_hands"], 3))
            return "hands", version | {"hands": str(rng.randint(between["fewest_hands"], most))}
        bets = {"bet": str(rng.randint(1, 20))}
        for one in between["side"]:
            bets[f"side.{one['code']}"] = str(max(rng.randint(-2, 5), 0))
        return "bet", version | bets

    async def move(self, browser: Browser, rng: random.Random) -> bool:
        """Make a move at random; False if the table is gone."""
        name, form = self.choose(rng)
        self.unanswered += 1
        answer = await browser.ask(f"{self.path}/{name}", form)
        self.unanswered -= 1
        return self.take(answer)


async def sit_down(browser: Browser, rng: random.Random) -> WebTable | None:
    """Sit down at a saved table; None if the server says that it is full."""
    rules = choose_game(rng)
    bet = str(choose_wager(rules, rng).main)
    form = {"rules": str(rules), "keep": "saved", "bet": bet}
    if rng.random() < 0.5:  # its side bets in their own field
        form["rules"] = str(rules.main_game)
        form["side_bets"] = " ".join(map(str, rules.side_bets))
    hands = max(min(rng.randint(1, 2), rules.max_spots), rules.min_spots)
    form |= {"hands": str(hands), "coach": rng.choice(("silent", "silent", "after"))}
    if rules.max_spots > rules.min_spots and rng.random() < 0.2:
        form |= {"hands": str(rules.min_spots), "company": "mimic; you"}
    answer = await browser.ask("/tables", form)
    if answer.status != 303:
        return None
    table = WebTable(answer.header("location").partition("?")[0])
    return table if table.take(await browser.ask(table.path)) else None
