"""A run: its progress, then its results by count; stop, continue, extend; its rounds, replayed."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from upcard.answers.run_results import RunAnswer, answer_run, describe_settings, read_check
from upcard.answers.shared_fields import read_few_rounds
from upcard.charts import plot_data
from upcard.charts.panels import follow_estimate, list_counts
from upcard.charts.svg_plots import draw_panels
from upcard.core.cards import Card
from upcard.core.errors import BlackjackError, NotationError, RulesError, as_sentence
from upcard.core.numbers import count_of, fields_of, to_json, whole_number, with_minus
from upcard.rules.describe import describe_rules, name_game
from upcard.services import not_found
from upcard.services.run_queue import ProgressView, RunFile, RunLook, RunQueue, RunSummary, Status
from upcard.session.run_replay import RunShoe, replay_file
from upcard.web import endpoints, reading
from upcard.web.endpoints import endpoint
from upcard.web.history import rounds
from upcard.web.showing import address, show
from upcard.web.site import site_of


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResults:
    """The results of a run so far. Errors of points are half of a 95% interval."""

    answer: RunAnswer
    common_counts: tuple[plot_data.CountPoint, ...]
    """The counts that are drawn; rare ones are left out."""
    settling: tuple[plot_data.ConvergencePoint, ...]
    """The EV so far, after more and more rounds."""
    exact: tuple[float, str] | None
    """The exact EV that it settles at, and what it is of; None if it is not known."""
    per: str
    """Unit of these EVs."""

    @property
    def count_svg(self) -> str:
        """EV and frequency by count, drawn; empty without a count."""
        return draw_panels(list_counts(self.common_counts)) if self.common_counts else ""

    @property
    def settling_svg(self) -> str:
        """The EV over the rounds, drawn; empty for fewer than two points."""
        if len(self.settling) < 2:
            return ""
        per = f"% {self.per}"
        return draw_panels([follow_estimate(self.settling, per, self.exact, is_percent=True)])


def _describe_goal(goal: dict[str, Any]) -> str:
    ends = []
    if goal["rounds"] is not None:
        ends.append(f"{goal['rounds']:,} rounds")
    if goal["until"] is not None:
        ends.append(f"an error of {goal['until']:.4%}".rstrip("0"))
    return " or ".join(ends)


def look_at_results(file: RunFile) -> RunResults | None:
    """Return the results of a run; None before the first round."""
    document, ramp, tally = file.document, file.own_ramp, file.tally
    if tally is None:
        return None
    counts: tuple[plot_data.CountPoint, ...] = ()
    with suppress(BlackjackError):  # it did not count
        counts = plot_data.read_count_plot(document).points
    settling: plot_data.ConvergencePlot | None = None
    with suppress(BlackjackError):  # too early
        settling = plot_data.read_convergence_plot(document)
    exact = None if settling is None else settling.exact
    return RunResults(
        answer=answer_run(file.job, tally, ramp, read_check(document)),
        common_counts=counts,
        settling=() if settling is None else settling.points,
        exact=None if settling is None or exact is None else (exact, settling.exact_name),
        per="of a bet" if ramp is None else "of a unit a round",
    )


_EVENT_SECONDS: Final = 0.25
_QUIET_SECONDS: Final = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A run as it is now."""

    name: str
    title: str
    """The count and the game."""
    rules: str
    status: Status
    status_words: str
    is_active: bool
    """Whether it is played, or waits."""
    has_count: bool
    """Whether bets by count can be tried on it."""
    chunks: int
    """Number of chunks that are finished; their shoes can be replayed."""
    settings: tuple[tuple[str, str], ...]
    """The settings of the run: topic and text."""
    in_words: tuple[tuple[str, str], ...]
    progress: ProgressView | None
    """How far it is; None if it is not running."""
    results: RunResults | None
    """The results so far; None before the first round."""
    words: str
    """Why it failed."""
    extend_problem: str
    """Why no rounds can be added; empty if they can."""
    extend_text: str
    """The text of the field for the rounds to add."""
    is_kept: bool
    """Whether its file outlasts the server."""


@endpoint("GET /runs/{name}", page="run", view=RunView)
async def show_run(request: Request) -> Response:
    """Show a run."""
    return await _show(request)


@endpoint("POST /runs/{name}/stop", answer="303 to the run")
async def stop_run(request: Request) -> Response:
    """Stop a run; it keeps what it has."""
    name = request.path_params["name"]
    runs = site_of(request).runs
    await run_in_threadpool(runs.stop, name)
    await run_in_threadpool(runs.wait, name)
    return _back(name)


@endpoint("POST /runs/{name}/go-on", answer="303 to the run")
async def go_on(request: Request) -> Response:
    """Play on until the goal."""
    name = request.path_params["name"]
    await run_in_threadpool(site_of(request).runs.go_on, name)
    return _back(name)


@endpoint("POST /runs/{name}/extend", answer="303 to the run")
async def extend_run(
    request: Request, *, rounds: Annotated[str, "rounds, such as `100M`"] = ""
) -> Response:
    """Add rounds to the goal and play on."""
    name = request.path_params["name"]
    try:
        more = read_few_rounds(rounds)
    except NotationError as error:
        return await _show(request, problem=as_sentence(str(error)), text=rounds)
    runs = site_of(request).runs
    await run_in_threadpool(lambda: runs.go_on(name, extend=more))
    return _back(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteView:
    """A run that is about to be deleted, with its results."""

    run: RunSummary
    file: str
    """The file that goes, in the folder of the data."""
    is_kept: bool
    """Whether there is such a file; False in practice."""


@endpoint("GET /runs/{name}/delete", page="run_delete", view=DeleteView)
async def ask_to_delete(request: Request) -> Response:
    """Ask whether a run is to be deleted."""
    site, name = site_of(request), request.path_params["name"]
    row = await run_in_threadpool(site.runs.summarize, name)
    view = DeleteView(run=row, file=f"runs/{name}.json", is_kept=site.store is not None)
    return show(request, "run_delete", view, title="Delete a run", say=f"Delete {row.title}?")


@endpoint("POST /runs/{name}/delete", answer="303 to the lab")
async def delete_run(request: Request) -> Response:
    """Delete a run."""
    await run_in_threadpool(site_of(request).runs.delete, request.path_params["name"])
    return RedirectResponse("/lab", HTTPStatus.SEE_OTHER)


@endpoint("GET /runs/{name}/events", answer="server-sent events")
async def follow_run(request: Request) -> Response:
    """Stream the progress of a run until it ends."""
    runs, name = site_of(request).runs, request.path_params["name"]
    await run_in_threadpool(runs.look, name)
    return StreamingResponse(_tell(runs, name), media_type="text/event-stream")


async def _tell(runs: RunQueue, name: str) -> AsyncIterator[str]:
    last: ProgressView | None = None
    told = time.monotonic()
    while True:
        status, progress = runs.follow(name)
        if status is None:
            break
        if progress is not None and progress != last:
            last, told = progress, time.monotonic()
            yield _event("progress", to_json(progress), progress.rounds)
        elif time.monotonic() - told > _QUIET_SECONDS:
            told = time.monotonic()
            yield ":\n\n"
        await asyncio.sleep(_EVENT_SECONDS)
    if not runs.is_closing:
        look = await run_in_threadpool(runs.look, name)
        yield _event(str(look.status), {"words": look.words}, look.document["rounds"])


def _event(kind: str, data: dict[str, Any], rounds: int) -> str:
    return f"event: {kind}\nid: {rounds}\ndata: {json.dumps(data, allow_nan=False)}\n\n"


async def _show(request: Request, *, problem: str = "", text: str = "") -> Response:
    site = site_of(request)
    look = await run_in_threadpool(site.runs.look, request.path_params["name"])
    view = await run_in_threadpool(_look_at, look, problem, text, is_kept=site.store is not None)
    title, say = view.title, f"{view.title}: {view.status_words}"
    return show(request, "run", view, title=title, say=say, fault=problem, rules=view.rules)


def _look_at(look: RunLook, problem: str, text: str, *, is_kept: bool) -> RunView:
    document = look.document
    job = look.file.job
    count = "Flat bets" if job.system is None else job.system.title
    return RunView(
        **fields_of(look, "name", "status", "progress", "words"),
        title=f"{count}: {name_game(job.rules)}",
        rules=str(job.rules),
        status_words=_say_status(look),
        is_active=look.status in (Status.WAITING, Status.RUNNING),
        has_count=job.system is not None and bool(document["rounds"]),
        chunks=document["chunks"]["done"],
        settings=(
            ("Game", name_game(job.rules)),
            *describe_settings(job, look.file.own_ramp),
            ("Goal", _describe_goal(document["goal"])),
            ("Seed", str(job.seed)),
        ),
        in_words=tuple(describe_rules(job.rules)),
        results=look_at_results(look.file),
        extend_problem=problem,
        extend_text=text or f"{document['rounds'] or 1_000_000}",
        is_kept=is_kept,
    )


def _say_status(look: RunLook) -> str:
    if look.status is Status.WAITING:
        return f"Waiting: {count_of(look.ahead, 'run')} before it."
    stopped = "Stopped. It has the rounds so far, and can continue."
    return stopped if look.status is Status.STOPPED else f"{look.status.capitalize()}."


def _back(name: str) -> Response:
    return RedirectResponse(f"/runs/{name}", HTTPStatus.SEE_OTHER)


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
