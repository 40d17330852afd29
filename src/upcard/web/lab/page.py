"""The lab: the form of a new simulation, what the engines refuse, and the list of all runs."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, fields, replace
from http import HTTPStatus
from typing import Annotated, Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from upcard.core.errors import BlackjackError, NotationError, as_sentence
from upcard.core.number_texts import read_whole
from upcard.core.numbers import fields_of
from upcard.rules.describe import name_game
from upcard.rules.house import house_names, load_house
from upcard.rules.model import Rules
from upcard.simulation import job as jobs
from upcard.simulation.registry import player_names
from upcard.simulation.run import DEFAULT_ROUNDS
from upcard.simulation.run_state import Goal, Run, read_error, read_rounds
from upcard.strategy.chart import Strategy
from upcard.strategy.count_system import load_system, system_names
from upcard.strategy.deviations import deviation_names, load_deviations
from upcard.web import endpoints, reading
from upcard.web.lab.desk import MOST_WAITING, RunSummary, Status, write_ev
from upcard.web.showing import patience_of, show, topic_of, wants
from upcard.web.site import site_of

MOST_ROUNDS: Final = 10**10
"""A run of the lab ends within a day; longer ones are for the command line."""
BEST: Final = ""
PASTED: Final = "pasted"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunForm:
    """The texts of the form; empty ones stand for the defaults."""

    r: Annotated[str, "the rules"] = ""
    plays: Annotated[
        str, "`pasted` for the chart of the form, the name of a player, or empty for the best chart"
    ] = BEST
    chart: Annotated[str, "a strategy chart as text, for `pasted`"] = ""
    count: Annotated[str, "name of the counting system; empty for none"] = "hi-lo"
    indices: Annotated[str, "the set of index plays; empty for none"] = ""
    ramp: Annotated[str, "the bet ramp, such as `1-8`; empty for flat bets"] = ""
    spots: Annotated[str, "number of hands each round"] = ""
    enter: Annotated[str, "count at which it sits down; empty for seated from the start"] = ""
    leave: Annotated[str, "count under which it leaves; empty for never"] = ""
    seed: Annotated[str, "the seed; empty for a random one"] = ""
    rounds: Annotated[str, "number of rounds: `100M`"] = "100M"
    until: Annotated[str, "standard error at which it ends: `0.01%`"] = ""

    def with_seed(self) -> RunForm:
        """Return the form with a random seed if it has none."""
        return self if self.seed else replace(self, seed=str(jobs.draw_seed()))

    @classmethod
    def read(cls, sent: reading.Fields) -> RunForm:
        """Read the form: one that was not sent has the defaults, else an empty field is empty."""
        known = fields(cls)
        if "count" in sent or "rounds" in sent:
            return cls(**{one.name: sent.text(one.name) for one in known})
        return cls(**{one.name: sent.text(one.name, str(one.default)) for one in known})

    def with_rules(self, rules: Rules) -> RunForm:
        """Return the form with these rules if it has none."""
        return self if self.r else replace(self, r=str(rules))


def prepare_run(form: RunForm) -> Run | reading.Faults:
    """Read every field and make the run, or find what is wrong. It may solve a game."""
    reader = reading.FieldReader(form)
    rules = reader.read("r", Rules.parse)
    system = reader.read("count", load_system)
    indices = reader.read("indices", lambda text: load_deviations(text, system))
    whole = {name: reader.read(name, read_whole) for name in ("spots", "enter", "leave", "seed")}
    rounds = reader.read("rounds", lambda text: check_rounds(read_rounds(text)))
    until = reader.read("until", read_error)
    strategy = None
    if form.plays == PASTED:  # a form sends CRLF
        strategy = reader.read("chart", lambda text: Strategy.parse(text.replace("\r\n", "\n")))
        if not form.chart:
            reader.faults["chart"] = "Paste a chart, or choose the best one."
    faulty = reading.Faults(fields=reader.faults, words="This run cannot be started yet.")
    if reader.faults or rules is None:
        return faulty
    try:
        job = jobs.make_job(
            rules,
            strategy,
            count=system,
            indices=indices,
            spots=whole["spots"],
            enter=whole["enter"],
            leave=whole["leave"],
            seed=whole["seed"] or 0,
            player=None if form.plays in (BEST, PASTED) else form.plays,
        )
        if rounds is None and until is None:
            rounds = DEFAULT_ROUNDS[jobs.Engine(job.engine)]
        goal = Goal(rounds=rounds, until=until)
        ramp = reader.read("ramp", lambda text: jobs.read_ramp(text, job))
    except BlackjackError as error:
        return reading.Faults(words=as_sentence(str(error)))
    if reader.faults:
        return faulty
    return Run(job, goal, ramp)


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


def check_rounds(rounds: int) -> int:
    """Return a number of rounds unless it is too large here."""
    if rounds > MOST_ROUNDS:
        raise NotationError(f"at most {MOST_ROUNDS:,} rounds here; `upcard simulate` plays more")
    return rounds


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

    form: RunForm
    """The fields of the form, as they were sent."""
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
async def show_lab(request: Request, *, form: RunForm) -> Response:
    """Show the form, filled by the address, and the runs."""
    form = form.with_rules(site_of(request).rules)
    patience = patience_of(request)
    prepared = await _prepare(request, form, patience) if wants(request, "check") else None
    return await _show(request, form, prepared)


@endpoints.endpoint("POST /runs", answer="303 to the run")
async def start_run(request: Request, *, form: RunForm) -> Response:
    """Start a run and show it."""
    site = site_of(request)
    form = form.with_rules(site.rules)
    prepared = await _prepare(request, form.with_seed(), None)
    if not isinstance(prepared, Run):
        return await _show(request, form, prepared, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    run = Run(prepared.job, prepared.goal, prepared.own_ramp)  # that one is remembered unplayed
    name = await run_in_threadpool(site.runs.start, run)
    return RedirectResponse(f"/runs/{name}", HTTPStatus.SEE_OTHER)


async def _prepare(
    request: Request, form: RunForm, patience: float | None
) -> Run | reading.Faults | None:
    return await site_of(request).desk.ask(
        ("run", form),
        lambda: prepare_run(form),
        topic=topic_of(request, "check"),
        patience=patience,
    )


async def _show(
    request: Request,
    form: RunForm,
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
        game = name_game(Rules.parse(form.r))
    except BlackjackError as error:
        game, faults = "", {"r": as_sentence(str(error)), **faults}
    view = LabView(
        form=form,
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
    say, rules = problem or " ".join(view.ready[:1]), form.r if game else ""
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
