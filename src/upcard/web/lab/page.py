"""The lab: the form of a new simulation, what the engines refuse, and the list of all runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from upcard.answers.shared_fields import MOST_ROUNDS, RunTerms, list_included, read_included
from upcard.core import fields
from upcard.core.errors import BlackjackError, as_sentence
from upcard.rules.describe import name_game
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.services import run_queue
from upcard.services.run_queue import Run, RunSummary
from upcard.strategy.chart import Strategy
from upcard.strategy.count_system import load_system, system_names
from upcard.strategy.deviations import deviation_names, load_deviations
from upcard.web import endpoints
from upcard.web.showing import patience_of, show, wants
from upcard.web.site import site_of

PASTED: Final = "pasted"
FIELDS: Final = tuple(one for one in fields.list_fields(RunTerms) if one.field.is_for_pages)
TEXTS: Final = {one.name: one.field.help for one in FIELDS} | {
    "r": "the rules",
    "plays": "`pasted` for the chart of the form, a player's name, or empty for the best chart",
    "chart": "a strategy chart as text, for `pasted`",
}
OTHERS: Final = tuple(
    (one.name, one.title, one.field.help, one.field.choices or ("yes",) * one.field.is_mark)
    for one in FIELDS
    if one.name not in ("count", "rounds")
)
START: Final = {"count": "hi-lo", "rounds": "100M"}
"""The form that was not sent; a field of one that was sent may be empty."""


def fill_form(sent: Mapping[str, str], rules: Rules | None = None) -> dict[str, str]:
    """Return the texts of all fields, with these rules if it has none."""
    start = {} if sent.keys() & START.keys() else START
    form = {name: sent.get(name, start.get(name, "")) for name in TEXTS}
    return form | {"r": form["r"] or str(rules or "")}


def prepare_run(form: Mapping[str, str], *, draws: bool = False) -> Run:
    """Read every field and make the run. It may solve a game.

    Without a seed it has 0, or one that it `draws`. Raises: FieldFaultsError; as `make_run` does.
    """
    values, faults = fields.read_asked(FIELDS, form)
    if not draws:
        values["seed"] = values.get("seed") or 0
    plays, ramp = form["plays"], values.pop("ramp", None)

    def take(name: str, read: Callable[..., Any], *given: Any) -> Any:  # noqa: ANN401 (what it reads)
        found, words = fields.attempt(read, *given)
        faults.update({name: words} if words else {})
        return found

    rules = take("r", Rules.parse, form["r"])
    if plays == PASTED:  # a form sends CRLF
        values["strategy"] = take("chart", Strategy.parse, form["chart"].replace("\r\n", "\n"))
        if not form["chart"]:
            faults["chart"] = "Paste a chart, or choose the best one."
    elif plays and plays != "basic":  # the best chart by its name, as in the command
        values["player"] = take("plays", read_included, plays)
    if values.get("indices") is not None and "count" not in faults:
        take("indices", load_deviations, values["indices"], values["count"])
    run: Run | None = None if faults or rules is None else RunTerms(**values).make_run(rules)
    if run is not None:
        run = take("ramp", run_queue.place_ramp, run, ramp)
    if run is None:
        raise fields.refuse_fields(faults)
    return run


@dataclass(frozen=True, slots=True, kw_only=True)
class LabView:
    """The form of a new run, what is known about it, and all runs."""

    form: dict[str, str]
    """The fields of the form, as they were sent."""
    others: tuple[tuple[str, str, str, tuple[str, ...]], ...]
    """The fields that most runs leave empty: name, words, help, and texts to choose from."""
    game: str
    """Name of the game; empty for faulty rules."""
    ready: tuple[str, ...]
    """Sentences about a run that can be started; empty if it cannot, or is not checked yet."""
    problem: str
    faults: dict[str, str]
    is_checked: bool
    """Whether the form was checked; False until the program has had the time."""
    houses: tuple[tuple[str, str], ...]
    systems: tuple[tuple[str, str], ...]
    """The counting systems: name and title."""
    indices: tuple[str, ...]
    """The sets of index plays."""
    players: tuple[tuple[str, str], ...]
    """The players other than a chart: name and words."""
    runs: tuple[RunSummary, ...]
    """All runs, the last changed first."""
    most_rounds: int
    """Number of rounds that a run can have."""
    most_waiting: int
    """Number of runs that can wait."""


@endpoints.endpoint("GET /lab", page="lab", view=LabView)
async def show_lab(request: Request, *, texts: Annotated[dict[str, str], TEXTS]) -> Response:
    """Show the form, filled by the address, and the runs."""
    form = fill_form(texts, site_of(request).rules)
    patience = patience_of(request)
    prepared = await _prepare(request, form, patience) if wants(request, "check") else None
    return await _show(request, form, prepared)


@endpoints.endpoint("POST /runs", answer="303 to the run")
async def start_run(request: Request, *, texts: Annotated[dict[str, str], TEXTS]) -> Response:
    """Start a run and show it."""
    site = site_of(request)
    form = fill_form(texts, site.rules)
    prepared = await _prepare(request, form, None, draws=not form["seed"])
    if not isinstance(prepared, Run):
        return await _show(request, form, prepared, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    name = await run_in_threadpool(site.runs.start, prepared)
    return RedirectResponse(f"/runs/{name}", HTTPStatus.SEE_OTHER)


async def _prepare(
    request: Request, form: dict[str, str], patience: float | None, *, draws: bool = False
) -> Run | BlackjackError | None:
    try:
        return await site_of(request).solver.ask(
            ("run", *form.items(), *(object() for _ in range(draws))),  # one draw is not another
            lambda: prepare_run(form, draws=draws),
            part="check",
            patience=patience,
        )
    except BlackjackError as error:
        return error


async def _show(
    request: Request,
    form: dict[str, str],
    prepared: Run | BlackjackError | None,
    *,
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    runs = site_of(request).runs.list_runs if wants(request, "runs") else list[RunSummary]
    problem, faults = "", {}
    if isinstance(prepared, fields.FieldFaultsError):
        problem, faults = "This run cannot be started yet.", prepared.write(str)
    elif isinstance(prepared, BlackjackError):
        problem = fields.shorten(prepared)
    try:
        game = name_game(Rules.parse(form["r"]))
    except BlackjackError as error:
        game, faults = "", {"r": as_sentence(str(error)), **faults}
    view = LabView(
        form=form,
        others=OTHERS,
        game=game,
        ready=tuple(run_queue.describe_ready(prepared)) if isinstance(prepared, Run) else (),
        problem=problem,
        faults=faults,
        is_checked=prepared is not None,
        houses=tuple((name, load_house(name).title) for name in house_names()),
        systems=tuple((name, load_system(name).title) for name in system_names()),
        indices=(*deviation_names(), "i18+fab4"),
        players=list_included(),
        runs=tuple(await run_in_threadpool(runs)),
        most_rounds=MOST_ROUNDS,
        most_waiting=run_queue.MOST_WAITING,
    )
    say, rules = problem or " ".join(view.ready[:1]), form["r"] if game else ""
    return show(request, "lab", view, title="Lab", say=say, rules=rules, status=status)
