"""A run: its progress while it is played, its results by count afterwards; stop, go on, extend."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from upcard.core.errors import NotationError, as_sentence
from upcard.rules.describe import describe_rules, name_game
from upcard.web.as_json import as_json
from upcard.web.lab_form import check_rounds
from upcard.web.pages.lab import RunRow, view_row
from upcard.web.reading import read_form
from upcard.web.runs import RunDesk, RunLook, Status
from upcard.web.showing import show
from upcard.web.site import site_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

    from upcard.web.run_progress import ProgressView
    from upcard.web.run_view import RunResults

_EVENT_SECONDS: Final = 0.25
_QUIET_SECONDS: Final = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A run as it is now."""

    name: str
    """Name of the run, as its address has it."""
    title: str
    """The count and the game."""
    rules: str
    status: Status
    """The status as a word for programs."""
    status_words: str
    """The status in words."""
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


async def show_run(request: Request) -> Response:
    """Show a run."""
    return await _show(request)


async def stop_run(request: Request) -> Response:
    """Stop a run; it keeps what it has."""
    name = request.path_params["name"]
    runs = site_of(request).runs

    def stop() -> None:
        runs.stop(name)
        runs.wait(name)

    await run_in_threadpool(stop)
    return _back(name)


async def go_on(request: Request) -> Response:
    """Play on until the goal."""
    name = request.path_params["name"]
    await run_in_threadpool(site_of(request).runs.go_on, name)
    return _back(name)


async def extend_run(request: Request) -> Response:
    """Add rounds to the goal and play on."""
    from upcard.simulation.run_state import read_rounds

    text = (await read_form(request)).text("rounds")
    name = request.path_params["name"]
    try:
        rounds = check_rounds(read_rounds(text))
    except NotationError as error:
        return await _show(request, problem=as_sentence(str(error)), text=text)
    runs = site_of(request).runs
    await run_in_threadpool(lambda: runs.go_on(name, extend=rounds))
    return _back(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteView:
    """A run that is about to be deleted, with its results."""

    run: RunRow
    """The run."""
    file: str
    """The file that goes, in the folder of the data."""
    is_kept: bool
    """Whether there is such a file; False in practice."""


async def ask_to_delete(request: Request) -> Response:
    """Ask whether a run is to be deleted."""
    site, name = site_of(request), request.path_params["name"]
    row = view_row(await run_in_threadpool(site.runs.summarize, name))
    view = DeleteView(run=row, file=f"runs/{name}.json", is_kept=site.store is not None)
    return show(request, "run_delete", view, title="Delete a run", say=f"Delete {row.title}?")


async def delete_run(request: Request) -> Response:
    """Delete a run."""
    await run_in_threadpool(site_of(request).runs.delete, request.path_params["name"])
    return RedirectResponse("/lab", HTTPStatus.SEE_OTHER)


async def follow_run(request: Request) -> Response:
    """Stream the progress of a run until it ends."""
    runs, name = site_of(request).runs, request.path_params["name"]
    await run_in_threadpool(runs.look, name)
    return StreamingResponse(_tell(runs, name), media_type="text/event-stream")


async def _tell(runs: RunDesk, name: str) -> AsyncIterator[str]:
    last: ProgressView | None = None
    told = time.monotonic()
    while True:
        status, progress = runs.follow(name)
        if status is None:
            break
        if progress is not None and progress != last:
            last, told = progress, time.monotonic()
            yield _event("progress", as_json(progress), progress.rounds)
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
    say = problem or f"{view.title}: {view.status_words}"
    return show(
        request,
        "run",
        view,
        title=view.title,
        say=say,
        rules=view.rules,
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
    )


def _look_at(look: RunLook, problem: str, text: str, *, is_kept: bool) -> RunView:
    # The simulator is heavy, and the first page does not wait for it.
    from upcard.simulation.run_state import read_job
    from upcard.web.run_view import describe_run, is_counted, look_at_results

    document = look.document
    job = read_job(document)
    count = "Flat bets" if job.system is None else job.system.title
    return RunView(
        name=look.name,
        title=f"{count}: {name_game(job.rules)}",
        rules=str(job.rules),
        status=look.status,
        status_words=_say_status(look),
        is_active=look.status in (Status.WAITING, Status.RUNNING),
        has_count=is_counted(look),
        chunks=document["chunks"]["done"],
        settings=tuple(describe_run(document, job)),
        in_words=tuple(describe_rules(job.rules)),
        progress=look.progress,
        results=look_at_results(document),
        words=look.words,
        extend_problem=problem,
        extend_text=text or f"{document['rounds'] or 1_000_000}",
        is_kept=is_kept,
    )


def _say_status(look: RunLook) -> str:
    match look.status:
        case Status.WAITING:
            return f"Waiting: {look.ahead} run{'s' * (look.ahead != 1)} before it."
        case Status.RUNNING:
            return "Running."
        case Status.STOPPED:
            return "Stopped. It has the rounds so far, and can go on."
        case Status.DONE:
            return "Done."
        case _:
            return "Failed."


def _back(name: str) -> Response:
    return RedirectResponse(f"/runs/{name}", HTTPStatus.SEE_OTHER)


ROUTES: Final = (
    Route("/runs/{name}", show_run, methods=["GET"]),
    Route("/runs/{name}/events", follow_run, methods=["GET"]),
    Route("/runs/{name}/stop", stop_run, methods=["POST"]),
    Route("/runs/{name}/go-on", go_on, methods=["POST"]),
    Route("/runs/{name}/delete", ask_to_delete, methods=["GET"]),
    Route("/runs/{name}/delete", delete_run, methods=["POST"]),
    Route("/runs/{name}/extend", extend_run, methods=["POST"]),
)
