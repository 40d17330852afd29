"""The pages: one module each, with a view model, its routes and the name of its template."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from upcard.web.pages import (
    drill,
    drills,
    hand,
    history,
    houses,
    lab,
    learn,
    ramp,
    review,
    rules,
    runs,
    settings,
    start,
    stats,
    tables,
)

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

ROUTES: Final[tuple[BaseRoute, ...]] = (
    *start.ROUTES,
    *tables.ROUTES,
    *houses.ROUTES,
    *rules.ROUTES,
    *hand.ROUTES,
    *drills.ROUTES,
    *drill.ROUTES,
    *history.ROUTES,
    *review.ROUTES,
    *stats.ROUTES,
    *lab.ROUTES,
    *runs.ROUTES,
    *ramp.ROUTES,
    *learn.ROUTES,
    *settings.ROUTES,
)
"""All routes; a new page adds its module here, and its link to `showing.NAVIGATION`."""
