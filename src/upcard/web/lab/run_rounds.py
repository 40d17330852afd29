"""A round of a run as a page shows it, replayed at the table."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from upcard.core.cards import Card
from upcard.core.errors import RulesError, as_sentence
from upcard.core.numbers import fields_of, whole_number, with_minus
from upcard.rules.describe import name_game
from upcard.services import not_found
from upcard.session.run_replay import RunShoe, replay_file
from upcard.web import endpoints, reading
from upcard.web.history import rounds
from upcard.web.showing import address, show
from upcard.web.site import site_of

LAST = "last"
"""The last round of a shoe, in an address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRoundView:
    """A round of a run. `replay` is the object of `upcard replay RUN.json --shoe K --round J`."""

    name: str
    title: str
    """The count and the game."""
    rules: str
    chunk: int
    """Number of the part of the run, from 0."""
    shoe: int
    """Number of the shoe in its part, from 0."""
    round: int
    """Number of the round in its shoe, from 1."""
    of: int
    """Number of rounds in the shoe."""
    before: str
    after: str
    facts: tuple[tuple[str, str], ...]
    """The state before the deal, and the bet: topic and text."""
    hands: tuple[rounds.FinalHand, ...]
    """The players' hands at the end."""
    dealer: rounds.FinalHand
    net: str
    """Net of the round in units, in words."""
    story: tuple[tuple[str, str], ...]
    """The events and decisions in order: who, and what."""
    check: str
    """How the replay was checked against the run, as a sentence."""
    columns: tuple[str, ...]
    """Headings of `rows`."""
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    """The rounds of the shoe, an address and texts each."""
    replay: dict[str, Any]


def view_run_round(name: str, found: RunShoe, number: str, *, has_more: bool) -> RunRoundView:
    """Return a round by its number in the shoe, or `LAST`."""
    last = len(found.rounds)
    one = found.choose(last if number == LAST else int(number))

    def link(shoe: int, place: int | str) -> str:
        chunk = str(found.chunk or "")
        return address(f"/runs/{name}/{shoe}/{place}", chunk=chunk)

    before = link(found.shoe - 1, LAST) if found.shoe else ""
    if one.number > 1:
        before = link(found.shoe, one.number - 1)
    after = link(found.shoe + 1, 1) if has_more else ""
    if one.number < last:
        after = link(found.shoe, one.number + 1)

    def show(card: Card) -> rounds.CardName:
        return rounds.name_card(Card(found.name(card)))

    state, job = one.state, found.job
    return RunRoundView(
        name=name,
        title=f"{'Flat bets' if job.system is None else job.system.title}: {name_game(job.rules)}",
        rules=str(job.rules),
        **fields_of(found, "chunk", "shoe", "check"),
        round=one.number,
        of=last,
        before=before,
        after=after,
        facts=tuple(found.describe_round(one)),
        hands=tuple(rounds.view_final_hands(state, show)),
        dealer=rounds.view_final_dealer(state, show),
        net=with_minus(found.describe_net(one)),
        story=tuple(found.tell(one)),
        columns=found.list_columns(),
        rows=tuple(
            (link(found.shoe, each.number), found.list_round(each)) for each in found.rounds
        ),
        replay=found.to_json([one], is_whole=True),
    )


Chunk = Annotated[str, "number of a part of the run, from 0"]


@endpoints.endpoint("GET /runs/{name}/round", answer="303 to the round")
async def find_round(
    request: Request,
    *,
    shoe: Annotated[str, "number of a shoe of a run, from 0"] = "",
    round_: Annotated[str, "number of a round of the shoe, from 1"] = "",
    chunk: Chunk = "",
) -> Response:
    """Lead the form of a run's page to a round of it."""
    _check(shoe, round_, chunk)
    path = f"/runs/{request.path_params['name']}/{shoe or 0}/{round_ or 1}"
    return RedirectResponse(address(path, chunk=chunk), HTTPStatus.SEE_OTHER)


@endpoints.endpoint("GET /runs/{name}/{shoe}/{number}", page="run_round", view=RunRoundView)
async def show_run_round(request: Request, *, chunk: Chunk = "") -> Response:
    """Show a round of a run."""
    site, places = site_of(request), request.path_params
    name, number = places["name"], places["number"]
    _check(places["shoe"], "1" if number == LAST else number, chunk)
    look = await run_in_threadpool(site.runs.look, name)
    shoe, chunk_number = int(places["shoe"]), int(chunk or 0)
    try:
        found: tuple[RunShoe, bool] | None = await site.replays.ask(
            ("shoe", name, look.document["checksum"], chunk_number, shoe),
            lambda: replay_file(look.document, chunk_number, shoe),
            part="shoe",
        )
        assert found is not None  # noqa: S101 (no patience was named)
        view = view_run_round(name, found[0], number, has_more=found[1])
    except RulesError as error:
        raise not_found(as_sentence(str(error))) from None
    title = f"Round {view.round} of shoe {view.shoe}"
    say = f"{title}: net {view.net}."
    return show(request, "run_round", view, title=title, say=say, rules=view.rules)


def _check(*numbers: str) -> None:
    for text in numbers:
        number = whole_number(text) if text else 0
        if number is None or number < 0:
            words = (
                f"{text[:40]!r} is not a place in a run: shoes and chunks have the numbers 0, 1, 2"
                " and so on, the rounds of a shoe 1, 2, 3."
            )
            raise reading.RefusedError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", words)
