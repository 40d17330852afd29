"""The pages: one module each, with a view model, its routes and the name of its template.

A module is loaded when one of its addresses is first asked for, so that the first page is there
soon; `load_pages` loads them all.
"""

from __future__ import annotations

import asyncio
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Final

from starlette.routing import BaseRoute, Match, Router

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

MODULES: Final = {
    "": ("start",),
    "d": ("drill",),
    "drills": ("drills", "drill"),
    "h": ("review",),
    "hand": ("hand",),
    "history": ("history", "review"),
    "houses": ("houses",),
    "lab": ("lab",),
    "learn": ("learn",),
    "rules": ("rules",),
    "runs": ("lab", "runs", "ramp", "run_rounds"),
    "settings": ("settings",),
    "stats": ("stats",),
    "t": ("tables",),
    "tables": ("tables",),
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
        found = [import_module(f"{__name__}.{module}") for module in self.modules]
        return Router([route for module in found for route in module.ROUTES])

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match by the first part of the path; the module's own routes see to the rest."""
        is_ours = scope["type"] == "http" and first_part(scope["path"]) == self.begins
        return (Match.FULL if is_ours else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by the routes of the modules."""
        with scope["app"].state.site.traffic.request():
            if "router" not in self.__dict__:
                await asyncio.to_thread(lambda: self.router)
            await self.router(scope, receive, send)


def first_part(path: str) -> str:
    """Return `rules` of `/rules/chart.svg`, and `history` of `/history.csv`."""
    return path.removeprefix("/").partition("/")[0].partition(".")[0]


def load_pages() -> None:
    """Load every page."""
    for route in ROUTES:
        _ = route.router


ROUTES: Final = tuple(PageRoute(begins, modules) for begins, modules in MODULES.items())
"""All pages; a new one adds its module above, and its link to `showing.NAVIGATION`."""
