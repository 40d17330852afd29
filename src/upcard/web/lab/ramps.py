"""The ramp explorer: what bets by count win and risk, and paths of a bank, from one run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from upcard.answers import bank_report, ramp_report
from upcard.charts.panels import follow_banks, list_ramp
from upcard.charts.plot_data import SIGMAS
from upcard.charts.svg_plots import HALF, WIDTHS, draw_panels
from upcard.core import figure
from upcard.core.errors import BlackjackError, NotationError, RulesError, as_sentence
from upcard.core.fields import FieldFaultsError
from upcard.core.numbers import finite
from upcard.rules.describe import name_game
from upcard.services.run_queue import RunFile
from upcard.store.money import load_pace
from upcard.web import endpoints, reading
from upcard.web.showing import address, patience_of, show, wants
from upcard.web.site import site_of

_HOURS: Final = 100.0
"""Length of a trip that is not given."""
_ALL_ROUNDS: Final = 4_000_000
_LEAST_PATHS: Final = 100
_MOST_PATHS: Final = 1_000
_MOST_ROUNDS: Final = 100_000
_ROWS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PathsView:
    """The banks over a trip, one for each ramp; `problem` says why there is none."""

    problem: str = ""
    across: str = ""
    """Unit of the places: rounds, or hours."""
    places: tuple[float, ...] = ()
    """The places along a path at which `bands` are given."""
    banks: tuple[bank_report.BankView, ...] = ()

    @property
    def svgs(self) -> tuple[str, ...]:
        """The banks as bands, all on the same scale."""
        amounts = [amount for bank in self.banks for band in bank.bands for amount in band]
        extent = (min(0.0, *amounts), max(amounts))
        widths = WIDTHS if len(self.banks) == 1 else HALF
        panels = (
            follow_banks(
                self.places,
                bank.bands,
                title=bank.title,
                across=self.across.capitalize(),
                extent=extent,
            )
            for bank in self.banks
        )
        return tuple(draw_panels([panel], widths) for panel in panels)

    @property
    def rows(self) -> list[tuple[str, list[list[str]]]]:
        """A few of the places with the amounts of each bank, as text."""
        last = len(self.places) - 1
        chosen = sorted({round(last * row / _ROWS) for row in range(_ROWS + 1)})
        return [
            (
                f"{self.places[place]:,.6g}",
                [[f"{amount:,.0f}" for amount in bank.bands[place]] for bank in self.banks],
            )
            for place in chosen
        ]


def play_banks(run: RunFile, form: dict[str, str], other: dict[str, str] | None) -> PathsView:
    """Play paths of the bank with the ramp of a form, and with a second one.

    Path K plays the rounds of chunk K of a run with the same seed, as `upcard bankroll` does.
    """
    try:
        return _view_paths(
            [ramp_report.ask_ramp(run.counted, one) for one in (form, other) if one is not None]
        )
    except BlackjackError as error:
        return PathsView(problem=as_sentence(str(error)))


def _view_paths(answers: list[ramp_report.RampAnswer]) -> PathsView:
    asked = answers[0].question
    rounds = round((asked.hours or _HOURS) * asked.rounds_per_hour)
    if not 1 <= rounds <= _MOST_ROUNDS:
        raise NotationError(f"paths have 1 to {_MOST_ROUNDS:,} rounds; this trip has {rounds:,}")
    if any(finite(one.plans[-1].bankroll) is None for one in answers):
        raise NotationError("no bank is enough for these bets, so there are no paths of one")
    names = ("This ramp", "The pinned ramp") if len(answers) > 1 else ("Bank",)
    paths = min(max(_ALL_ROUNDS // rounds, _LEAST_PATHS), _MOST_PATHS)
    played = [
        bank_report.play_bank(name, answer, rounds, paths)
        for name, answer in zip(names, answers, strict=True)
    ]
    return PathsView(
        across="hours",
        places=tuple(mark / asked.rounds_per_hour for mark in played[0][1]),
        banks=tuple(bank for bank, _ in played),
    )


TEXTS: Final = {one.name: one.field.help for one in ramp_report.FIELDS} | {
    "pace": "`rounds_per_hour`, as it was called"
}
START: Final = {"spread": "1-8", "bankroll": "10000", "hours": "100"}
"""The question of an address without any."""


def _fill(sent: dict[str, str]) -> dict[str, str]:
    """Return the texts of all fields; those that were not sent are empty."""
    given = {"rounds_per_hour": sent.get("pace", ""), **sent}
    return {one.name: given.get(one.name, "").strip() for one in ramp_report.FIELDS}


def read_other_texts(text: str, texts: dict[str, str]) -> dict[str, str] | None:
    """Read the second question: a query, or a ramp in text, with the other terms the same."""
    if not text:
        return None
    if "=" not in text:
        return {**texts, "ramp": text, "spread": "", "chip": "", "levels": ""}
    try:
        return _fill(dict(parse_qsl(text, max_num_fields=reading.MOST_FIELDS)))
    except ValueError:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class RampResult:
    """Answers to one or two questions about a run."""

    plans: tuple[ramp_report.PlanAnswer, ...]
    """The ramps of the question; the last one is drawn."""
    other: ramp_report.PlanAnswer | None
    """The ramp of the second question; None without one."""
    by_count: tuple[ramp_report.RampCount, ...]
    """The bets and the EV by count."""
    table: figure.AnswerTable
    """The same as texts, with the bets of the second question."""
    notes: tuple[str, ...]
    spots: int
    """Number of hands each round."""
    outcome: ramp_report.RampAnswer
    """The answer as `upcard ramp --json` writes it."""

    @property
    def svg(self) -> str:
        """Bets, EV and frequency by count, drawn."""
        rows = self.by_count
        panels = list_ramp(
            [row.label for row in rows],
            bets=[row.bet for row in rows],
            evs=[(row.ev, SIGMAS * (row.standard_error or 0.0)) for row in rows],
            shares=[(row.share, SIGMAS * row.share_error) for row in rows],
            other_bets=() if self.other is None else [row.other_bet for row in rows],
        )
        return draw_panels(panels)


def answer_ramps(run: RunFile, form: dict[str, str], other: dict[str, str] | None) -> RampResult:
    """Answer the question of a form, and a second one beside it.

    Raises: FieldFaultsError for those of the first; AnalysisError, NotationError, RulesError.
    """
    answer = ramp_report.ask_ramp(run.counted, form)
    try:
        second = None if other is None else ramp_report.ask_ramp(run.counted, other)
    except BlackjackError as error:
        raise RulesError(f"The pinned ramp: {' '.join(_tell_faults(error))}") from None
    return RampResult(
        plans=answer.plan_answers,
        other=None if second is None else second.plan_answers[-1],
        by_count=ramp_report.list_counts(answer, second),
        table=ramp_report.tabulate_counts(answer, second),
        notes=tuple(answer.all_notes()),
        spots=run.counted.job.spots,
        outcome=answer,
    )


def _tell_faults(error: BlackjackError) -> tuple[str, ...]:
    if isinstance(error, FieldFaultsError):
        return "This cannot be computed yet.", *error.write(str).values()
    return (as_sentence(str(error)),)


@dataclass(frozen=True, slots=True, kw_only=True)
class SliderView:
    """A field of the form with a slider through some values."""

    field: str
    name: str
    """The field in words."""
    hint: str
    """Help for the field."""
    values: tuple[str, ...]
    """The values of the slider in order; empty for a field that is not used."""


SLIDERS: Final = tuple(
    SliderView(field=one.name, name=one.title, hint=one.field.help, values=one.field.ruler)
    for one in ramp_report.FIELDS
    if one.field.ruler
)
OTHERS: Final = tuple(
    (one.name, one.title, one.field.help) for one in ramp_report.FIELDS if not one.field.ruler
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RampView:
    """A run, a question about bets on it, and the answer."""

    name: str
    title: str
    """The count and the game."""
    rules: str
    rounds: int
    form: dict[str, str]
    """The texts of the question, by the names of its fields."""
    sliders: tuple[SliderView, ...]
    others: tuple[tuple[str, str, str], ...]
    """The other fields: name, words and hint."""
    faults: dict[str, str]
    problem: str
    result: RampResult | None
    """The answer; None for a faulty question."""
    pinned: str
    """The second question; empty without one."""
    paths: PathsView | None
    """Paths of the bank; None while they are played, or without a result."""
    pin: str
    """Address with the present question pinned."""
    unpin: str
    """Address without the second question."""


@endpoints.endpoint("GET /runs/{name}/ramp", page="ramp", view=RampView)
async def show_ramp(
    request: Request,
    *,
    texts: Annotated[dict[str, str], TEXTS],
    with_: Annotated[str, "a second ramp beside the first, or its address"] = "",
) -> Response:
    """Show the ramps of the address."""
    site, name = site_of(request), request.path_params["name"]
    form = _fill(texts)
    form |= {} if any(form.values()) else START
    other = read_other_texts(with_, form)
    asked = tuple(form.values()), tuple((other or {}).values())
    look = await run_in_threadpool(site.runs.look, name)
    result, paths, problem, faults = None, None, "", {}
    try:
        result = await site.ramps.ask(
            ("ramp", name, look.document["checksum"], asked, load_pace()),
            lambda: answer_ramps(look.file, form, other),
            part="ramp",
        )
    except BlackjackError as error:
        problem = _tell_faults(error)[0]
        faults = error.write(str) if isinstance(error, FieldFaultsError) else {}
    if result is not None and wants(request, "paths"):
        paths = await site.replays.ask(
            ("paths", name, look.document["checksum"], asked, load_pace()),
            lambda: play_banks(look.file, form, other),
            part="paths",
            patience=patience_of(request),
        )
    run, path = look.file.counted, f"/runs/{name}/ramp"
    view = RampView(
        name=name,
        title=f"{run.system.title}: {name_game(run.job.rules)}",
        rules=str(run.job.rules),
        rounds=look.document["rounds"],
        form=form,
        sliders=SLIDERS,
        others=OTHERS,
        faults=faults,
        problem=problem,
        result=result,
        paths=paths,
        pinned=with_,
        pin=address(path, **form, **{"with": address("", **form).removeprefix("?")}),
        unpin=address(path, **form),
    )
    title, say = f"Bet ramps: {view.title}", _say(result) if result else ""
    return show(request, "ramp", view, title=title, say=say, fault=view.problem, rules=view.rules)


def _say(result: RampResult) -> str:
    plan = result.plans[-1]
    return ". ".join(f"{plan.figures[one].title} {plan.text(one)}" for one in plan.main[:2]) + "."
