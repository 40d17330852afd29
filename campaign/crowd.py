"""A hundred people at one server of `upcard web`, while statistics are read throughout.

All play saved tables of one store. The statistics are read in the browser, by the real command,
and in this process. No answer has the status 500, and in the end the books balance.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from campaign.books import check_books
from campaign.browser import load_pages
from campaign.browsers import HTML, JSON, AwayError, Browser, WebServer, sit_down
from campaign.case import FindingError, Subject
from upcard.store.bankroll import deposit
from upcard.store.database import open_store
from upcard.store.statistics import add_up

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from campaign.browsers import WebTable
    from campaign.case import Case

TABLES: Final = 100
_SECONDS: Final = 20.0
_THINKING: Final = 1.0
"""Longest time that a person thinks about an answer."""
_PAGES: Final = ("/stats", "/stats", "/history", "/")


class Crowd:
    """A server and the tables at it, which continue from case to case."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        with open_store(folder / "upcard.db") as store:
            deposit(store, 10**7)
        self.server = WebServer(folder / "upcard.db")
        self.tables: list[WebTable | None] = [None] * TABLES

    def play(self, case: Case) -> None:
        """Let all play for a while, and look at the books.

        Raises: FindingError.
        """
        if not self.server.is_alive:
            self.server.start()
        try:
            asyncio.run(self._play(case))
        except AwayError as error:
            msg = f"the server does not answer: {error.__cause__!r}"
            raise FindingError(msg) from error
        self.server.check_printed()
        with open_store(self.server.path) as store:
            check_books(store)

    async def _play(self, case: Case) -> None:
        until = time.monotonic() + _SECONDS
        seeds = [case.rng.random() for _ in self.tables]
        people = [self._sit(case, at, random.Random(seed), until) for at, seed in enumerate(seeds)]
        readers = (_read_pages(case, self.server, until), _ask_command(case, self.server, until))
        await asyncio.gather(*people, *readers, _add_up(case, self.server, until))

    async def _sit(self, case: Case, at: int, rng: random.Random, until: float) -> None:
        """Play at one table, or sit down at the next one."""
        browser = Browser(self.server, [])
        await asyncio.sleep(rng.random() * _THINKING)
        await browser.open()
        while time.monotonic() < until:
            table = self.tables[at]
            if table is None:
                with suppress(AwayError):  # an idle connection was closed: sit down at the next
                    self.tables[at] = await sit_down(browser, rng)
                    case.count("tables")
            else:
                is_playing = bool(table.asked)
                if not await table.move(browser, rng):
                    self.tables[at] = None
                case.count("rounds", is_playing and not table.asked)
            case.count("answers")
            browser.heard.clear()
            await asyncio.sleep(rng.random() * _THINKING)
        await browser.close()


async def _read_pages(case: Case, server: WebServer, until: float) -> None:
    """Read the statistics in the browser."""
    browser = Browser(server, [])
    await browser.open()
    while time.monotonic() < until:
        for page in _PAGES:
            await browser.ask(page, accept=case.rng.choice((JSON, HTML)))
            case.count("pages of statistics", page == "/stats")
        browser.heard.clear()
        await asyncio.sleep(0.1)
    await browser.close()


async def _ask_command(case: Case, server: WebServer, until: float) -> None:
    """Read the statistics with the real command."""
    while time.monotonic() < until:
        asked = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "upcard", "stats", "--json"),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=server.environment,
        )
        _, errors = await asked.communicate()
        case.require(asked.returncode == 0 and not errors, f"upcard stats: {errors.decode()}")
        case.count("times upcard stats")
        await asyncio.sleep(1)


async def _add_up(case: Case, server: WebServer, until: float) -> None:
    """Add up the rounds in this process, as the command does."""
    with open_store(server.path) as store:
        while time.monotonic() < until:
            add_up(store, value_of=lambda _: -0.01, rounds_per_hour=100)
            case.count("times added up")
            await asyncio.sleep(0.05)


def start(folder: Path) -> Callable[[Case], None]:
    """Load what a server needs."""
    load_pages()
    return Crowd(folder / "crowd").play


SUBJECT: Final = Subject(
    name="crowd",
    about=f"{TABLES} tables at one upcard web, statistics read throughout: no 500, books balance",
    unit=f"times {TABLES} tables for {_SECONDS:.0f} seconds",
    quick=1,
    long=30,
    start=start,
    patience=240.0,
)
