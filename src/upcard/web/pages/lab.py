"""The lab: a new simulation, what the engines refuse, and the list of all runs."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from upcard.core.errors import BlackjackError, as_sentence
from upcard.rules.describe import name_game
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.strategy.count_system import load_system, system_names
from upcard.strategy.deviations import deviation_names
from upcard.web.lab_form import (
    MOST_ROUNDS,
    PreparedRun,
    RunFaults,
    RunForm,
    list_players,
    prepare_run,
    read_run_form,
)
from upcard.web.reading import read_form, read_query
from upcard.web.run_progress import write_ev
from upcard.web.runs import MOST_WAITING, RunSummary, Status
from upcard.web.showing import patience_of, show, topic_of, wants
from upcard.web.site import site_of

if TYPE_CHECKING:
    from starlette.requests import Request

_TITLES: Final = {
    Status.WAITING: "Waiting",
    Status.RUNNING: "Running",
    Status.STOPPED: "Stopped",
    Status.DONE: "Done",
    Status.FAILED: "Failed",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """A run in the list."""

    name: str
    """Name of the run, as its address has it."""
    title: str
    """Name of the game."""
    about: str
    """The count and the bets in words; empty if the run cannot be read."""
    status: Status
    """The status as a word for programs."""
    status_words: str
    """The status as a heading."""
    rounds: int
    """Number of rounds played so far."""
    ev: float | None
    """EV per round of a bet, or of a unit with a ramp; None without rounds."""
    standard_error: float | None
    figure: str
    """The EV in percent, as text; empty without one."""
    error: str
    """The standard error in percent, as text; empty without one."""
    words: str
    """Why it failed, or cannot be read."""
    is_readable: bool
    """Whether this version can show the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabView:
    """The form of a new run, what is known about it, and all runs."""

    form: RunForm
    """The fields of the form, as they were sent."""
    game: str
    """Name of the game; empty for faulty rules."""
    ready: tuple[str, ...]
    """Sentences about a run that can be started; empty if it cannot, or is not checked yet."""
    problem: str
    faults: dict[str, str]
    """A sentence for each faulty field."""
    is_checked: bool
    """Whether the form was checked; False until the program has had the time."""
    houses: tuple[tuple[str, str], ...]
    systems: tuple[tuple[str, str], ...]
    """The counting systems: name and title."""
    indices: tuple[str, ...]
    """The sets of index plays."""
    players: tuple[tuple[str, str], ...]
    """The players other than a chart: name and words."""
    runs: tuple[RunRow, ...]
    """All runs, the last changed first."""
    most_rounds: int
    """Number of rounds that a run can have."""
    most_waiting: int
    """Number of runs that can wait."""


async def show_lab(request: Request) -> Response:
    """Show the form, filled by the address, and the runs."""
    form = read_run_form(read_query(request), site_of(request).rules)
    prepared = None
    if wants(request, "check"):
        prepared = await _prepare(request, form, patience=patience_of(request))
    return await _show(request, form, prepared)


async def start_run(request: Request) -> Response:
    """Start a run and show it."""
    site = site_of(request)
    form = read_run_form(await read_form(request), site.rules)
    prepared = await _prepare(request, form.with_seed(), patience=None)
    if not isinstance(prepared, PreparedRun):
        return await _show(request, form, prepared, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    name = await run_in_threadpool(site.runs.start, prepared.make_state())
    return RedirectResponse(f"/runs/{name}", HTTPStatus.SEE_OTHER)


async def _prepare(
    request: Request, form: RunForm, *, patience: float | None
) -> PreparedRun | RunFaults | None:
    return await site_of(request).desk.ask(
        ("run", form),
        lambda: prepare_run(form),
        topic=topic_of(request, "check"),
        patience=patience,
    )


async def _show(
    request: Request,
    form: RunForm,
    prepared: PreparedRun | RunFaults | None,
    *,
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    runs: list[RunSummary] = []
    if wants(request, "runs"):
        runs = await run_in_threadpool(site_of(request).runs.list_runs)
    game, problem, faults = "", "", {}
    if isinstance(prepared, RunFaults):
        problem, faults = prepared.words, prepared.fields
    try:
        rules = Rules.parse(form.r)
        game = name_game(rules)
    except BlackjackError as error:
        faults = {"r": as_sentence(str(error)), **faults}
    view = LabView(
        form=form,
        game=game,
        ready=prepared.words if isinstance(prepared, PreparedRun) else (),
        problem=problem,
        faults=faults,
        is_checked=prepared is not None,
        houses=tuple((name, load_house(name).title) for name in house_names()),
        systems=tuple((name, load_system(name).title) for name in system_names()),
        indices=(*deviation_names(), "i18+fab4"),
        players=list_players(),
        runs=tuple(view_row(one) for one in runs),
        most_rounds=MOST_ROUNDS,
        most_waiting=MOST_WAITING,
    )
    return show(
        request,
        "lab",
        view,
        title="Lab",
        say=problem or " ".join(view.ready[:1]),
        rules=form.r if game else "",
        status=status,
    )


def view_row(run: RunSummary) -> RunRow:
    """Return a run as the list shows it."""
    title = run.name
    if run.rules:
        try:
            title = name_game(Rules.parse(run.rules))
        except BlackjackError:  # of another version
            title = run.rules
    bets = f"ramp {run.ramp}" if run.ramp else "bets flat"
    about = f"{run.system}, {bets}" if run.system else bets
    error = run.standard_error
    return RunRow(
        name=run.name,
        title=title,
        about=about if run.rules else "",
        status=run.status,
        status_words=_TITLES[run.status],
        rounds=run.rounds,
        ev=run.ev,
        standard_error=error,
        figure=write_ev(run.ev) if run.ev is not None else "",
        error="" if error is None else f"± {error:.4%}",
        words=run.words,
        is_readable=bool(run.rules),
    )


ROUTES: Final = (
    Route("/lab", show_lab, methods=["GET"]),
    Route("/runs", start_run, methods=["POST"]),
)
