"""Bet ramps on a finished run as pages show them: figures, bets and results by count."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlencode

from upcard.analysis.count_rows import CountedRun, CountRow, gather_rare
from upcard.analysis.ramp_plan import ROUNDS_PER_HOUR, RampPlan, RampQuestion, make_plans
from upcard.analysis.ramp_report import (
    HUNDRED,
    RampAnswer,
    list_figures,
    name_kelly,
    read_fraction,
    read_spread,
    read_wong,
    write_bank,
    write_figure,
    write_ramp,
    write_unit,
)
from upcard.charts.plot_data import SIGMAS, typeset_count
from upcard.core.errors import BlackjackError, NotationError, as_sentence
from upcard.core.numbers import exact_number, with_minus
from upcard.web.field_reader import FieldReader
from upcard.web.plots import Bar, Bars, draw_bars, write_percent
from upcard.web.reading import MOST_FIELDS, Fields

if TYPE_CHECKING:
    from upcard.analysis.figures import Figure

_AMOUNTS: Final = ("bankroll", "unit", "chip", "goal", "hours")
_MAIN: Final = ("score", "ev_per_hour", "sd_per_hour", "n0", "risk_of_ruin", "risk_in_time")
_LEAST_ROUNDS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class RampForm:
    """The texts of a question; the empty ones are not asked."""

    spread: str = ""
    """Spread for which the best ramp is sought: `1-8`; instead of `ramp`."""
    ramp: str = ""
    """The bet ramp; instead of `spread`."""
    wong: str = ""
    """Lowest count at which it plays, or `best`."""
    bankroll: str = ""
    """Bankroll in money."""
    risk: str = ""
    """Risk of ruin that decides the unit: `5%`."""
    kelly: str = ""
    """Fraction of Kelly that decides the unit: `1/2`."""
    unit: str = ""
    """The unit in money."""
    chip: str = ""
    """Smallest chip in money: bets are whole multiples of it."""
    goal: str = ""
    """Win in money at which a trip ends."""
    hours: str = ""
    """Hours of a trip."""
    pace: str = ""
    """Rounds an hour; empty for 100."""

    @property
    def query(self) -> str:
        """The form as the query of an address."""
        return urlencode({name: text for name, text in asdict(self).items() if text})


START: Final = RampForm(spread="1-8", bankroll="10000", hours="100")
"""The question of an address without any."""


def read_ramp_form(sent: Fields) -> RampForm:
    """Read the form; an address without any field asks `START`."""
    names = [one.name for one in fields(RampForm)]
    if not any(sent.text(name) for name in names):
        return START
    return RampForm(**{name: sent.text(name) for name in names})


def read_other_form(text: str, form: RampForm) -> RampForm | None:
    """Read the second question: a query, or a ramp in text, with the other terms the same."""
    if not text:
        return None
    if "=" not in text:
        return replace(form, ramp=text, spread="", chip="")
    try:
        pairs = dict(parse_qsl(text, max_num_fields=MOST_FIELDS))
    except ValueError:
        return None
    names = {one.name for one in fields(RampForm)}
    return RampForm(**{name: text.strip() for name, text in pairs.items() if name in names})


@dataclass(frozen=True, slots=True, kw_only=True)
class RampFigure:
    """A figure of a ramp, with its formula."""

    name: str
    """Name of the figure, such as `score`."""
    title: str
    """The figure in words."""
    value: float | None
    """The figure; None if it is not known."""
    standard_error: float | None
    figure: str
    """The figure with its error and unit, as text."""
    formula: str
    """The formula in text."""
    source: str
    """The publication that the formula is from; empty without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanView:
    """A ramp with its figures."""

    title: str
    """Name of the ramp."""
    ramp: str
    """The bets by count, as text."""
    unit: str
    """The unit in money, as text."""
    bankroll: str
    """The bankroll in money, as text."""
    kelly: str
    """The fraction of Kelly in words."""
    plays_from: int | None
    """Lowest count at which it plays; None if it plays at all counts."""
    figures: tuple[RampFigure, ...]
    """All figures."""
    main: tuple[RampFigure, ...]
    """The figures to show first."""

    def find(self, name: str) -> str:
        """Return a figure as text; a dash if this ramp has none of that name."""
        return next((one.figure for one in self.figures if one.name == name), "–")


@dataclass(frozen=True, slots=True, kw_only=True)
class RampCount:
    """One count: how often, what a unit wins there, what is bet."""

    label: str
    """The count, with ≤ or ≥ where it includes those beyond it."""
    share: float
    """Share of the rounds, 0 to 1."""
    share_error: float
    """Standard error of the share."""
    ev: float | None
    """EV of a unit; None for fewer than 100 rounds."""
    standard_error: float | None
    bet: float
    """The bet in money."""
    other_bet: float | None
    """The bet of the second question; None without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RampResult:
    """Answers to one or two questions about a run."""

    plans: tuple[PlanView, ...]
    """The ramps of the question; the last one is drawn."""
    other: PlanView | None
    """The ramp of the second question; None without one."""
    by_count: tuple[RampCount, ...]
    """The bets and the EV by count."""
    notes: tuple[str, ...]
    """Assumptions of the figures, a sentence each."""
    spots: int
    """Number of hands each round."""

    @property
    def svg(self) -> str:
        """Bets, EV and frequency by count, drawn."""
        rows = self.by_count
        panels = [
            Bars(
                title="Bet",
                bars=[Bar(row.bet, hint=f"{row.label}: {row.bet:,.6g}") for row in rows],
                write=_write_amount,
                height=90,
            )
        ]
        if self.other is not None:
            bars = [Bar(row.other_bet, 0.0, "is-second") for row in rows]
            panels.append(
                Bars(title="Bet of the pinned ramp", bars=bars, write=_write_amount, height=90)
            )
        bars = [_draw_ev(row) for row in rows]
        title = "EV of a unit, with 95% intervals"
        panels.append(Bars(title=title, bars=bars, write=write_percent, height=130))
        bars = [Bar(row.share, SIGMAS * row.share_error) for row in rows]
        title = "Share of the rounds"
        panels.append(Bars(title=title, bars=bars, write=write_percent, height=70))
        return draw_bars([row.label for row in rows], panels)


@dataclass(frozen=True, slots=True, kw_only=True)
class RampFaults:
    """Why there is no answer: a sentence for each faulty field, and one for all."""

    fields: dict[str, str]
    words: str


def answer_ramps(
    run: CountedRun, form: RampForm, other: RampForm | None
) -> RampResult | RampFaults:
    """Answer the question of a form, and a second one beside it."""
    answer = answer_ramp(run, form)
    if isinstance(answer, RampFaults):
        return answer
    second = None if other is None else answer_ramp(run, other)
    if isinstance(second, RampFaults):
        words = " ".join([second.words, *second.fields.values()])
        return RampFaults(fields={}, words=f"The pinned ramp: {words}")
    bets = [plan.betting.bets for plan in (*answer.plans, *(second.plans if second else ()))]
    other_plan = None if second is None else second.plans[-1]
    rows = [
        _count(run, row, answer.plans[-1].betting.bets[place], other_plan, place)
        for place, row in gather_rare(run.game, bets)
    ]
    plans = _look_at_plans(answer)
    return RampResult(
        plans=plans,
        other=None if second is None else _look_at_plans(second)[-1],
        by_count=tuple(rows),
        notes=tuple(answer.notes()),
        spots=run.job.spots,
    )


def answer_ramp(run: CountedRun, form: RampForm) -> RampAnswer | RampFaults:
    """Answer the question of a form, or say what is wrong with it."""
    reader = FieldReader(form)
    terms: dict[str, Any] = {name: reader.read(name, _read_amount) for name in _AMOUNTS}
    wong = reader.read("wong", read_wong)
    risk = reader.read("risk", lambda text: read_fraction(text, "risk", example="5%"))
    kelly = reader.read("kelly", lambda text: read_fraction(text, "kelly", example="1/2"))
    pace = reader.read("pace", _read_amount)
    spread = reader.read("spread", read_spread)
    reader.read("ramp", run.parse_ramp)
    if form.ramp and form.spread:
        reader.faults["ramp"] = "Give a ramp, or the spread of the best one: empty one of them."
    if reader.faults:
        return RampFaults(fields=reader.faults, words="This cannot be computed yet.")
    try:
        terms |= run.choose_bets(ramp=form.ramp or None, spread=spread, chip=terms["chip"])
        question = RampQuestion(
            **terms,
            wong=wong,
            risk=risk,
            kelly=kelly,
            rounds_per_hour=ROUNDS_PER_HOUR if pace is None else pace,
        )
        plans = make_plans(run.game, question)
    except BlackjackError as error:
        return RampFaults(fields={}, words=as_sentence(str(error)))
    figures = tuple(tuple(list_figures(plan, question)) for plan in plans)
    return RampAnswer(run=run, question=question, plans=tuple(plans), figures=figures)


def _read_amount(text: str) -> float:
    number = exact_number(text.replace(",", "").replace("_", ""))
    if number is None:
        msg = "write a number, such as 5000 or 2.5"
        raise NotationError(msg)
    return float(number)


def _look_at_plans(answer: RampAnswer) -> tuple[PlanView, ...]:
    views = []
    for plan, figures in zip(answer.plans, answer.figures, strict=True):
        shown = tuple(_figure(one) for one in figures if _is_shown(one, answer.question))
        by_name = {one.name: one for one in shown}
        per_hour = {"ev_per_hour": "ev_per_100", "sd_per_hour": "sd_per_100"}
        names = (name if name in by_name else per_hour.get(name, "") for name in _MAIN)
        views.append(
            PlanView(
                title=plan.title,
                ramp=write_ramp(plan),
                unit=write_unit(plan, answer.question),
                bankroll=write_bank(plan, answer.question),
                kelly=name_kelly(plan.kelly),
                plays_from=answer.run.game.rows[plan.first].count if plan.first else None,
                figures=shown,
                main=tuple(by_name[name] for name in names if name in by_name),
            )
        )
    return tuple(views)


def _is_shown(figure: Figure, question: RampQuestion) -> bool:
    """Leave out the figures of an hour of 100 rounds, which equal those of 100 rounds."""
    same = question.rounds_per_hour == HUNDRED
    return not (same and figure.name in ("ev_per_hour", "sd_per_hour"))


def _figure(figure: Figure) -> RampFigure:
    return RampFigure(
        name=figure.name,
        title=figure.title,
        value=figure.value,
        standard_error=figure.standard_error,
        figure=with_minus(write_figure(figure)),
        formula=figure.text,
        source=figure.source,
    )


def _count(
    run: CountedRun, row: CountRow, bet: float, other: RampPlan | None, place: int
) -> RampCount:
    known = row.rounds >= _LEAST_ROUNDS
    return RampCount(
        label=typeset_count(row.label),
        share=run.game.frequency(row),
        share_error=run.game.frequency_error(row),
        ev=row.ev if known else None,
        standard_error=row.standard_error if known else None,
        bet=bet,
        other_bet=None if other is None else other.betting.bets[place],
    )


def _draw_ev(row: RampCount) -> Bar:
    if row.ev is None or row.standard_error is None:
        return Bar(None)
    half = SIGMAS * row.standard_error
    tone = "is-open" if abs(row.ev) <= half else "is-good" if row.ev > 0 else "is-bad"
    return Bar(row.ev, half, tone, f"{row.label}: {row.ev:+.3%}")


def _write_amount(amount: float) -> str:
    return f"{amount:,.6g}"
