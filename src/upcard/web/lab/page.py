"""The lab: the form of a new simulation, what the engines refuse, and the list of all runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from upcard.answers.shared_fields import MOST_ROUNDS, RunTerms
from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.fields import list_fields
from upcard.core.numbers import fields_of
from upcard.rules.describe import name_game
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.simulation import job as jobs
from upcard.simulation.registry import player_names, read_included
from upcard.simulation.run_state import Run
from upcard.strategy.chart import Strategy
from upcard.strategy.count_system import load_system, system_names
from upcard.strategy.deviations import deviation_names, load_deviations
from upcard.web import endpoints, reading
from upcard.web.lab.desk import MOST_WAITING, RunSummary, Status, write_ev
from upcard.web.showing import patience_of, show, topic_of, wants
from upcard.web.site import site_of

PASTED: Final = "pasted"
FIELDS: Final = tuple(one for one in list_fields(RunTerms) if one.field.is_for_pages)
TEXTS: Final = endpoints.Texts(
    {one.name: one.field.help for one in FIELDS}
    | {
        "r": "the rules",
        "plays": "`pasted` for the chart of the form, a player's name, or empty for the best chart",
        "chart": "a strategy chart as text, for `pasted`",
    }
)
OTHERS: Final = tuple(
    (one.name, one.title, one.field.help, one.field.choices)
    for one in FIELDS
    if one.name not in ("count", "rounds")
)
START: Final = {"count": "hi-lo", "rounds": "100M"}
"""The form that was not sent; a field of one that was sent may be empty."""


def fill_form(sent: Mapping[str, str], rules: Rules | None = None) -> dict[str, str]:
    """Return the texts of all fields, with these rules if it has none."""
    start = {} if sent.keys() & START.keys() else START
    form = {name: sent.get(name, start.get(name, "")) for name in TEXTS.helps}
    return form | {"r": form["r"] or str(rules or "")}


def prepare_run(form: Mapping[str, str]) -> Run | reading.Faults:
    """Read every field and make the run, or find what is wrong. It may solve a game."""
    values, faults = reading.read_asked(FIELDS, form)
    values["seed"] = values.get("seed") or 0
    plays, ramp = form["plays"], values.pop("ramp", None)

    def attempt(name: str, read: Callable[..., Any], *given: Any) -> Any:  # noqa: ANN401 (what it reads)
        found, words = reading.attempt(read, *given)
        faults.update({name: words} if words else {})
        return found

    rules = attempt("r", Rules.parse, form["r"])
    if plays == PASTED:  # a form sends CRLF
        values["strategy"] = attempt("chart", Strategy.parse, form["chart"].replace("\r\n", "\n"))
        if not form["chart"]:
            faults["chart"] = "Paste a chart, or choose the best one."
    elif plays:
        values["player"] = attempt("plays", read_included, plays)
    if values.get("indices") is not None and "count" not in faults:
        attempt("indices", load_deviations, values["indices"], values["count"])
    faulty = reading.Faults(fields=faults, words="This run cannot be started yet.")
    if faults or rules is None:
        return faulty
    run, words = reading.attempt(RunTerms(**values).make_run, rules)
    if run is None:
        return reading.Faults(words=words)
    own = attempt("ramp", jobs.read_ramp, ramp, run.job)
    return faulty if faults else Run(run.job, run.goal, own)


def _describe(run: Run) -> list[str]:
    job = run.job
    words = [f"{name_game(job.rules)}, ready to run."]
    if job.engine is jobs.Engine.TABLE:
        reasons = "; ".join(f"{rule}: {why}" for rule, why in jobs.find_unsupported(job.rules))
        why = f"it cannot honour {reasons}" if reasons else f"player {job.player} sits at a table"
        words.append(
            f"The compiled engine does not play this: {why}. The table engine does, at some 20,000"
            " rounds a second and core instead of millions."
        )
    if run.own_ramp is not None:
        words.append(f"The ramp by count: {run.own_ramp}.")
    elif job.system is not None:
        words.append("Bets do not move cards: every ramp can be tried on the finished run.")
    else:
        words.append("Without a count there is nothing to bet by: the run gives the house edge.")
    return words


def list_players() -> tuple[tuple[str, str], ...]:
    """Return the players that can be chosen by name, with a line about each."""
    return tuple(
        (name, about)
        for name, about in player_names().items()
        if name not in ("basic", "counter") and ":" not in name
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """A run in the list."""

    name: str
    title: str
    """Name of the game."""
    about: str
    """The count and the bets in words; empty if the run cannot be read."""
    status: Status
    status_words: str
    rounds: int
    ev: float | None
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
    runs: tuple[RunRow, ...]
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
    seeded = form | {"seed": form["seed"] or str(jobs.draw_seed())}
    prepared = await _prepare(request, seeded, None)
    if not isinstance(prepared, Run):
        return await _show(request, form, prepared, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    run = Run(prepared.job, prepared.goal, prepared.own_ramp)  # that one is remembered unplayed
    name = await run_in_threadpool(site.runs.start, run)
    return RedirectResponse(f"/runs/{name}", HTTPStatus.SEE_OTHER)


async def _prepare(
    request: Request, form: dict[str, str], patience: float | None
) -> Run | reading.Faults | None:
    return await site_of(request).desk.ask(
        ("run", *form.items()),
        lambda: prepare_run(form),
        topic=topic_of(request, "check"),
        patience=patience,
    )


async def _show(
    request: Request,
    form: dict[str, str],
    prepared: Run | reading.Faults | None,
    *,
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    runs: list[RunSummary] = []
    if wants(request, "runs"):
        runs = await run_in_threadpool(site_of(request).runs.list_runs)
    problem, faults = "", {}
    if isinstance(prepared, reading.Faults):
        problem, faults = prepared.words, prepared.fields
    try:
        game = name_game(Rules.parse(form["r"]))
    except BlackjackError as error:
        game, faults = "", {"r": as_sentence(str(error)), **faults}
    view = LabView(
        form=form,
        others=OTHERS,
        game=game,
        ready=tuple(_describe(prepared)) if isinstance(prepared, Run) else (),
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
    say, rules = problem or " ".join(view.ready[:1]), form["r"] if game else ""
    return show(request, "lab", view, title="Lab", say=say, rules=rules, status=status)


def view_row(run: RunSummary) -> RunRow:
    """Return a run as the list shows it."""
    title = run.rules or run.name
    with suppress(BlackjackError):  # they are of another version
        title = name_game(Rules.parse(run.rules)) if run.rules else title
    bets = f"ramp {run.ramp}" if run.ramp else "bets flat"
    about = f"{run.system}, {bets}" if run.system else bets
    error = run.standard_error
    return RunRow(
        **fields_of(run, "name", "status", "rounds", "ev", "words"),
        title=title,
        about=about if run.rules else "",
        status_words=run.status.capitalize(),
        standard_error=error,
        figure=write_ev(run.ev) if run.ev is not None else "",
        error="" if error is None else f"± {error:.4%}",
        is_readable=bool(run.rules),
    )
