"""Any round of a run by its shoe and number, replayed at the table."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from upcard.core.errors import RulesError, as_sentence
from upcard.core.numbers import whole_number
from upcard.web.errors import RefusedError, not_found
from upcard.web.reading import read_query
from upcard.web.showing import address, show, topic_of
from upcard.web.site import site_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from upcard.session.run_replay import RunShoe


async def find_round(request: Request) -> Response:
    """Lead the form of a run's page to a round of it."""
    fields = read_query(request)
    shoe, number = fields.text("shoe") or "0", fields.text("round") or "1"
    _check(shoe, number, fields.text("chunk"))
    path = f"/runs/{request.path_params['name']}/{shoe}/{number}"
    return RedirectResponse(address(path, chunk=fields.text("chunk")), HTTPStatus.SEE_OTHER)


async def show_run_round(request: Request) -> Response:
    """Show a round of a run."""
    from upcard.web.run_round_view import LAST, replay_shoe_of, view_run_round

    site, places = site_of(request), request.path_params
    name, number, chunk = places["name"], places["number"], read_query(request).text("chunk")
    _check(places["shoe"], "1" if number == LAST else number, chunk)
    look = await run_in_threadpool(site.runs.look, name)
    shoe, chunk_number = int(places["shoe"]), int(chunk or 0)
    try:
        found: tuple[RunShoe, bool] | None = await site.replays.ask(
            ("shoe", name, look.document["checksum"], chunk_number, shoe),
            lambda: replay_shoe_of(look.document, chunk_number, shoe),
            topic=topic_of(request, "shoe"),
        )
        assert found is not None  # noqa: S101 (no patience was named)
        view = view_run_round(name, found[0], number, has_more=found[1])
    except RulesError as error:
        words = as_sentence(str(error))
        raise not_found(words) from None
    title = f"Round {view.round} of shoe {view.shoe}"
    say = f"{title}: net {view.net}."
    return show(request, "run_round", view, title=title, say=say, rules=view.rules)


def _check(*numbers: str) -> None:
    for text in numbers:
        number = whole_number(text) if text else 0
        if number is None or number < 0:
            words = (
                f"{text[:40]!r} is no place in a run: shoes and chunks have the numbers 0, 1, 2"
                " and so on, the rounds of a shoe 1, 2, 3."
            )
            raise RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", words)


ROUTES: Final = (
    Route("/runs/{name}/round", find_round, methods=["GET"]),
    Route("/runs/{name}/{shoe}/{number}", show_run_round, methods=["GET"]),
)
