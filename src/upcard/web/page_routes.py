"""Addresses and the modules with their pages, loaded when first asked for, or ahead.

A module is loaded when one of its addresses is first asked for, so that the first page is there
soon; `load_pages` loads them all.
"""

from __future__ import annotations

import asyncio
import gc
from contextlib import suppress
from functools import cached_property, partial
from http import HTTPStatus
from importlib import import_module
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.routing import BaseRoute, Match, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from upcard.answers.edge import find_edge
from upcard.core.cards import parse_cards
from upcard.core.errors import BlackjackError
from upcard.rules.model import Rules
from upcard.services import UnavailableError
from upcard.services.answer_queue import Asker, asking
from upcard.web import endpoints
from upcard.web.showing import PAGE_HEADER

if TYPE_CHECKING:
    from upcard.web.site import Site

MODULES: Final = {
    "": ("table.start",),
    "ask": ("ask",),
    "d": ("drills.page",),
    "drills": ("drills.page",),
    "first-hands": ("table.page",),
    "h": ("history.review",),
    "hand": ("hand.page",),
    "history": ("history.rounds", "history.review"),
    "houses": ("rules.houses",),
    "lab": ("lab.page",),
    "learn": ("learn",),
    "rules": ("rules.page",),
    "runs": ("lab.page", "lab.run_page", "lab.ramps"),
    "settings": ("settings",),
    "stats": ("history.results",),
    "t": ("table.page",),
    "tables": ("table.page",),
}
"""The modules with the routes of each address, by its first part."""


class PageRoute(BaseRoute):
    """The addresses that begin with the same part, and the modules that answer them."""

    def __init__(self, begins: str, modules: tuple[str, ...]) -> None:
        self.begins = begins
        self.modules = modules

    @cached_property
    def router(self) -> Router:
        """The routes of the modules, which are loaded now."""
        found = [import_module(f"upcard.web.{module}") for module in self.modules]
        return Router([route for module in found for route in endpoints.ROUTES[module.__name__]])

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match by the first part of the path; the module's own routes see to the rest."""
        is_ours = scope["type"] == "http" and first_part(scope["path"]) == self.begins
        return (Match.FULL if is_ours else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by the routes of the modules."""
        with scope["app"].state.site.traffic.request():
            if "router" not in self.__dict__:
                await asyncio.to_thread(lambda: self.router)
            page = Request(scope).headers.get(PAGE_HEADER, "")[:40]
            with asking(Asker(page, partial(_wait_until_left, receive))):
                await self.router(scope, receive, send)


async def _wait_until_left(receive: Receive) -> None:
    """Wait until the client of a request has gone, or has its answer. Its body has been read."""
    is_read = False
    while (message := await receive())["type"] != "http.disconnect":
        if is_read:  # a caller in this process that never says that it has gone
            await asyncio.Event().wait()
        is_read = not message.get("more_body", False)


def first_part(path: str) -> str:
    """Return `rules` of `/rules/chart.svg`, and `history` of `/history.csv`."""
    return path.removeprefix("/").partition("/")[0].partition(".")[0]


def load_pages() -> None:
    """Load every page."""
    for route in ROUTES:
        _ = route.router


ROUTES: Final = tuple(PageRoute(begins, modules) for begins, modules in MODULES.items())
"""All pages; a new one adds its module above, and its link to `showing.NAVIGATION`."""

_PAINT_SECONDS: Final = 0.3
"""Time for the browser to ask for styles and scripts, and to show the first page."""


class LoadAhead:
    """Passes requests on, and loads the rest after the first page."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        """Until then `site` answers pages without what the solver would have to work out."""
        self._app = app
        self._site = site
        self._task: asyncio.Task[None] | None = None
        site.solver.is_loaded = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def watch(message: Message) -> None:
            await send(message)
            # A page begins, not the exchange of the link for a cookie.
            if self._task is None and message.get("status") == HTTPStatus.OK:
                self._task = asyncio.create_task(self._load())

        if scope["type"] == "http" and self._task is None:
            await self._app(scope, receive, watch)
        else:
            await self._app(scope, receive, send)

    async def _load(self) -> None:
        await asyncio.sleep(_PAINT_SECONDS)
        site, rules = self._site, self._site.rules
        try:
            # Not by the request that showed the page; enough may wait already.
            with asking(None), suppress(UnavailableError):
                await site.solver.ask(("edge", rules), lambda: find_edge(rules))
            site.solver.is_loaded = True
            await asyncio.to_thread(load_pages)
            await asyncio.to_thread(_load_coach, rules)
        finally:
            gc.freeze()  # what is loaded stays, so no search for garbage needs to go through it
            gc.enable()


def _load_coach(rules: Rules) -> None:
    """Value a pair, so that the first hand at a table need not wait."""
    from upcard.answers.hand import answer_question
    from upcard.coach.adviser import compose_fresh, pose

    hand, (upcard,) = parse_cards("8 8"), parse_cards("T")
    with suppress(BlackjackError):
        cards = compose_fresh(rules, hand, upcard)
        answer_question(pose(rules, hand, upcard), cards)
