"""Many saved tables at once: a decision each, every other second, and how soon it is answered.

python -m benchmarks.web_load TABLES SECONDS < LINK
    plays as so many browsers against the server of a link; prints one JSON object
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import sys
import time
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

_PACE_SECONDS: Final = 2.0


class _Browser:
    """One connection and one table of its own."""

    def __init__(self, link: str, number: int) -> None:
        address = urlsplit(link)
        self._host = address.netloc
        self._place = address.hostname or "", address.port or 0
        self._key = address.query.rpartition("=")[2]
        self._rng = random.Random(number)
        self._view: dict[str, Any] = {}
        self._path = ""
        self.taken: list[float] = []
        self.refused = 0

    async def sit_down(self) -> None:
        """Open a saved table with the coach before each answer."""
        await self._connect()
        form = {"rules": "6D", "bet": "10", "coach": "before", "keep": "saved", "chips": "10000"}
        _, headers, _ = await self._ask("POST", "/tables", form)
        self._path = headers["location"]
        self._view = json.loads((await self._ask("GET", self._path))[2])
        self._writer.close()

    async def play(self, until: float) -> None:
        """Make a move every other second, from a random moment on."""
        await asyncio.sleep(self._rng.uniform(0, _PACE_SECONDS))
        await self._connect()
        while time.monotonic() < until:
            begun = time.monotonic()
            await self._move()
            self.taken.append(time.monotonic() - begun)
            await asyncio.sleep(max(0.0, begun + _PACE_SECONDS - time.monotonic()))
        self._writer.close()

    async def _connect(self) -> None:
        self._reader, self._writer = await asyncio.open_connection(*self._place)

    async def _move(self) -> None:
        asked = self._view["session"]["asked"]
        form = {"v": self._view["version"]}
        if asked is None:
            move = "chips" if self._view["between"]["shortage"] else "bet"
            form["bet"] = "10"
        else:
            move, form["do"] = "act", self._rng.choice(list(asked["answers"]))
        status, _, body = await self._ask("POST", f"{self._path}/{move}", form)
        self.refused += status != 200
        if status == 200:
            self._view = json.loads(body)

    async def _ask(
        self, method: str, path: str, form: dict[str, Any] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        body = urlencode(form or {}).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\nAuthorization: Bearer {self._key}"
            "\r\nAccept: application/json\r\nContent-Type: application/x-www-form-urlencoded"
            f"\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._writer.write(head.encode() + body)
        first, *lines = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").splitlines()
        headers = {
            name.lower(): value.strip()
            for name, colon, value in (line.partition(":") for line in lines)
            if colon
        }
        length = int(headers.get("content-length", "0"))
        return int(first.split()[1]), headers, await self._reader.readexactly(length)


async def play_tables(link: str, tables: int, seconds: float) -> dict[str, float]:
    """Play; return the median, the 95th and the slowest of the answers, in seconds."""
    browsers = [_Browser(link, number) for number in range(tables)]
    for browser in browsers:
        await browser.sit_down()
    await asyncio.sleep(1)
    begun = time.monotonic()
    await asyncio.gather(*(one.play(begun + seconds) for one in browsers))
    taken = sorted(one for browser in browsers for one in browser.taken)
    return {
        "answers": len(taken),
        "refused": sum(browser.refused for browser in browsers),
        "seconds": time.monotonic() - begun,
        "median": statistics.median(taken),
        "p95": statistics.quantiles(taken, n=20)[-1],
        "slowest": taken[-1],
    }


if __name__ == "__main__":
    found = asyncio.run(
        play_tables(sys.stdin.readline().strip(), int(sys.argv[1]), float(sys.argv[2]))
    )
    print(json.dumps(found))
