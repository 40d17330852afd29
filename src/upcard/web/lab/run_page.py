"""A run: its progress while it is played, then its results by count; stop, continue, extend."""

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
from upcard.core.errors import BlackjackError, NotationError, as_sentence
from upcard.core.numbers import count_of, fields_of, to_json
from upcard.rules.describe import describe_rules, name_game
from upcard.services.run_queue import ProgressView, RunFile, RunLook, RunQueue, RunSummary, Status
from upcard.web.endpoints import endpoint
from upcard.web.showing import show
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
