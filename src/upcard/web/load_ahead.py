"""`LoadAhead`: the solver, the coach and the other pages, loaded after the first page is sent."""

from __future__ import annotations

import asyncio
import gc
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from upcard.core.cards import parse_cards
from upcard.core.errors import BlackjackError
from upcard.session.edge import find_edge
from upcard.web.errors import RefusedError
from upcard.web.pages import load_pages

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from upcard.rules.model import Rules
    from upcard.web.site import Site

_PAINT_SECONDS: Final = 0.3
"""Time for the browser to ask for styles and scripts, and to show the first page."""


class LoadAhead:
    """Passes requests on, and loads the rest after the first page."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        """Until then `site` answers pages without what the solver would have to work out."""
        self._app = app
        self._site = site
        self._task: asyncio.Task[None] | None = None
        site.desk.is_loaded = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def watch(message: Message) -> None:
            await send(message)
            if self._task is None and _is_page(message):
                self._task = asyncio.create_task(self._load())

        if scope["type"] == "http" and self._task is None:
            await self._app(scope, receive, watch)
        else:
            await self._app(scope, receive, send)

    async def _load(self) -> None:
        await asyncio.sleep(_PAINT_SECONDS)
        site, rules = self._site, self._site.rules
        try:
            with suppress(RefusedError):  # enough wait already
                await site.desk.ask(("edge", rules), lambda: find_edge(rules))
            site.desk.is_loaded = True
            await asyncio.to_thread(load_pages)
            await asyncio.to_thread(_load_coach, rules)
        finally:
            gc.freeze()  # what is loaded stays, so no search for garbage needs to go through it
            gc.enable()


def _is_page(message: Message) -> bool:
    """Whether a page begins; the exchange of the link for a cookie is not one."""
    return message["type"] == "http.response.start" and bool(message["status"] == HTTPStatus.OK)


def _load_coach(rules: Rules) -> None:
    """Value a pair, so that the first hand at a table need not wait."""
    from upcard.coach.adviser import compose_fresh, pose
    from upcard.web.hand_values import value_hand

    hand, (upcard,) = parse_cards("8 8"), parse_cards("T")
    with suppress(BlackjackError):
        cards = compose_fresh(rules, hand, upcard)
        value_hand(pose(rules, hand, upcard), cards, wants_changes=False)
