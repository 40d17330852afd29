"""Every address of the server, visited while a hand is in progress at a saved table."""

from __future__ import annotations

import asyncio
import sys
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from campaign.browser import check_told
from campaign.browsers import HTML, JSON, AwayError, Browser, WebServer, WebTable
from campaign.case import FindingError
from campaign.choosing import ROOT, use_tests
from campaign.visit_scene import take_turn
from upcard.answers.questions import QUESTIONS
from upcard.store.database import open_store
from upcard.store.history import read_rounds
from upcard.store.round_codes import encode_round
from upcard.web import endpoints, page_routes
from upcard.web.showing import asset_url

if TYPE_CHECKING:
    from collections.abc import Callable

    from campaign.visit_scene import Scene

_PAGES: Final = 16
_MOST_MOVES: Final = 200
"""Moves after which something must have happened: a hand may be over before anything is asked."""
_LONGEST_ANSWER: Final = 5.0
"""Seconds that an answer is waited for."""
_SLOW: Final = ("/changes", "effects=1", "/events")
"""Pages that solve dozens of games, or do not end."""
_POSTED: Final = ("POST /ask/{question}", "POST /settings", "POST /drills/{name}")
"""Forms that are sent: those that save a setting or begin a drill."""


def load_addresses() -> None:
    """Load every page of the server, and the cases of its addresses."""
    use_tests()
    path = str(ROOT / "tests" / "web")
    if path not in sys.path:
        sys.path.insert(0, path)
    page_routes.load_pages()


def list_routes() -> list[str]:
    """Return every address of the server: `GET /ask/{question}`."""
    return sorted(
        f"{next(iter(route.methods - {'HEAD'}))} {route.path}"
        for routes in endpoints.ROUTES.values()
        for route in routes
        if route.methods
    )


def list_visits() -> list[tuple[str, str, dict[str, str]]]:
    """Return what is visited: the address, a path with words to fill in, and a form.

    The requests are those of the tests of the server, which have some for every address.
    """
    from api_cases import CASES

    found: list[tuple[str, str, dict[str, str]]]
    found = [("GET /ask/{question}", f"/ask/{name}", {}) for name in QUESTIONS]
    for address, cases in CASES.items():
        if address.startswith("GET ") or address in _POSTED:
            found += [(address, one.path, dict(one.form)) for one in cases]
    return [one for one in found if not any(slow in one[1] for slow in _SLOW)]


class _Words(dict[str, str]):
    """The names of things in addresses: a drill and a run are made when they are first needed."""

    def __missing__(self, name: str) -> str:
        """Any table is the one that is played at."""
        return self["table"]


def visit_web(scene: Scene, turn: int) -> None:
    """Visit addresses in turn while a hand is in progress, then kill the server.

    Raises: FindingError.
    """
    server, table = WebServer(scene.path), WebTable("")
    server.start()
    try:
        asyncio.run(_visit(scene, server, table, turn))
        server.end()
    except AwayError as error:
        scene.faults.append(f"the server does not answer: {error.__cause__!r}")
    except FindingError as error:
        scene.faults.append(str(error))
    finally:
        server.close()
    scene.settled |= dict.fromkeys(table.told, "")
    scene.check()
    with open_store(scene.path) as store:
        for number, view in table.told.items():
            check_told(store, number, view)


async def _visit(scene: Scene, server: WebServer, table: WebTable, turn: int) -> None:
    rng, rules = scene.case.rng, scene.rules
    browser = Browser(server, [])
    await browser.open()
    form = {"rules": str(rules), "keep": "saved", "hands": str(rules.min_spots), "coach": "silent"}
    answer = await browser.ask("/tables", form)
    table.path = answer.header("location").partition("?")[0]
    if answer.status != 303 or not table.take(await browser.ask(table.path)):
        msg = f"no table of {rules}: {answer.body[:300]!r}"
        raise FindingError(msg)
    words = await _make_words(scene, browser, table)
    visits = {f"{address} {path} {form}": (path, form) for address, path, form in list_visits()}
    for key in take_turn(list(visits), turn, _PAGES):
        path, form = visits[key]
        await _play(scene, browser, table, lambda: bool(table.asked))
        path = path.format_map(words)
        sent = {name: str(text) for name, text in form.items()} or None
        for accept in (HTML, JSON) if sent is None else (JSON,):
            try:
                await asyncio.wait_for(browser.ask(path, sent, accept=accept), _LONGEST_ANSWER)
            except TimeoutError:  # the page is left before its answer
                await browser.close()
                scene.case.count("pages left before their answer")
        scene.case.count("pages visited in mid-hand")
        scene.look(path)
        if rng.random() < 0.5:
            await _play(scene, browser, table, lambda: not table.asked)
        browser.heard.clear()
    await browser.close()


async def _play(
    scene: Scene, browser: Browser, table: WebTable, is_there: Callable[[], bool]
) -> None:
    """Play until something is so; an answer that is open, and is refused, is a finding."""
    for _ in range(_MOST_MOVES):
        if is_there():
            return
        was_asked = bool(table.asked)
        if not await table.move(browser, scene.case.rng):
            break
        if was_asked and browser.heard[-1][1].status == HTTPStatus.UNPROCESSABLE_ENTITY:
            break
    said = browser.heard[-1][1].body[:300].decode(errors="replace")
    msg = f"{table.path} does not go on: {said}"
    raise FindingError(msg)


async def _make_words(scene: Scene, browser: Browser, table: WebTable) -> dict[str, str]:
    """Play a hand, begin a drill and a run, and return the words of the addresses."""
    await _play(scene, browser, table, lambda: bool(table.told))
    with open_store(scene.path) as store:
        code = encode_round(next(iter(read_rounds(store))).record)
    drill = await browser.ask("/drills/strategy", {"r": "INF", "questions": "2", "classes": "hard"})
    form = {"r": "6D", "count": "hi-lo", "rounds": "1000", "seed": "7", "ramp": "1-8"}
    run = await browser.ask("/runs", form)
    names = {"drill": drill, "ended": drill, "run": run, "other": run}
    words: dict[str, Any] = {
        name: answer.header("location").partition("?")[0].rpartition("/")[2]
        for name, answer in names.items()
    }
    table_name = table.path.rpartition("/")[2]
    return _Words(words | {"table": table_name, "code": code, "asset": asset_url("swap.js")})
