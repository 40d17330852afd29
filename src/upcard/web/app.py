"""`make_app`: the routes of all pages, the gate before them, and what starts and ends with them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from upcard.core.errors import BlackjackError, as_sentence
from upcard.services import UnavailableError
from upcard.store.files import StoreBusyError, StoreDamagedError
from upcard.web import endpoints, gate, page_routes, showing
from upcard.web.reading import RefusedError, refuse
from upcard.web.showing import show_refusal
from upcard.web.site import Site


def make_app(site: Site) -> Starlette:
    """Return the application."""

    @asynccontextmanager
    async def live(_: Starlette) -> AsyncIterator[None]:
        async with site.live():
            yield

    app = Starlette(
        routes=[*page_routes.ROUTES, *endpoints.ROUTES[showing.__name__]],
        middleware=[Middleware(gate.Gate, door=site.door), Middleware(GZipMiddleware)],
        exception_handlers={
            UnavailableError: _show_refused,
            BlackjackError: _show_fault,
            StoreBusyError: _show_busy,
            StoreDamagedError: _show_damaged,
            HTTPException: _show_status,
            ClientDisconnect: _give_up,
        },
        lifespan=live,
    )
    app.state.site = site
    return app


async def _show_refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, UnavailableError)  # noqa: S101 (Starlette's signature is wider)
    return show_refusal(request, refuse(error))


async def _show_fault(request: Request, error: Exception) -> Response:
    refusal = RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", str(error))
    return show_refusal(request, refusal)


async def _show_busy(request: Request, error: Exception) -> Response:
    # Not to be sent again unasked: a part of a move may be saved.
    words = as_sentence(str(error))
    return show_refusal(request, RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, "busy", words))


async def _show_damaged(request: Request, error: Exception) -> Response:
    refusal = RefusedError(HTTPStatus.INTERNAL_SERVER_ERROR, "damaged", as_sentence(str(error)))
    return show_refusal(request, refusal)


async def _give_up(_: Request, __: Exception) -> Response:
    """Answer a request that was cut off; the answer is not read."""
    return Response(status_code=HTTPStatus.BAD_REQUEST)


async def _show_status(request: Request, error: Exception) -> Response:
    status = HTTPStatus(getattr(error, "status_code", HTTPStatus.INTERNAL_SERVER_ERROR))
    words = {
        HTTPStatus.NOT_FOUND: f"There is no page at {request.url.path}.",
        HTTPStatus.METHOD_NOT_ALLOWED: "This page does not answer that method.",
    }.get(status, status.phrase)
    return show_refusal(
        request, RefusedError(status, status.phrase.lower().replace(" ", "-"), words)
    )
