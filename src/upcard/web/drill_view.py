"""A drill as its page shows it: the question, the last verdict, how it goes, the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.core.cards import CARDS_PER_DECK, Card, rank_name
from upcard.core.numbers import with_minus
from upcard.drills.catalogue import CATALOGUE
from upcard.drills.counting import CountingKind, write_number
from upcard.drills.desk import DrillStep
from upcard.drills.feedback_text import (
    rank_answers,
    summarize,
    write_cost,
    write_expected,
    write_lost,
    write_share,
    write_tally,
    write_verdict,
)
from upcard.drills.prompt_view import FanView, ShowingView, view_play, view_showing, write_total
from upcard.session.keys import KEYS, YES
from upcard.web.drill_cards import TrayView, draw_tray

if TYPE_CHECKING:
    from upcard.drills.desk import Answered, DrillDesk
    from upcard.drills.drill import Prompt
    from upcard.rules.model import Rules
    from upcard.web.drill_book import RunningDrill

_MOST_EXPECTED: Final = 6
_MOST_MARKS: Final = 60
_SHORT: Final[Mapping[str, str]] = {
    CountingKind.COUNTDOWN: "What is the count?",
    CountingKind.RUNNING: "What is the running count?",
    CountingKind.TRUE: "What is the true count?",
    CountingKind.DECKS: "How many decks are left?",
    CountingKind.BET: "How many units do you bet?",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillAnswerView:
    """An answer that can be given."""

    do: str
    keys: str
    """The keys for it, with blanks between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerValueView:
    """The value of an answer. Units: EV per initial bet; `bar` is that in percent of 1.5 bets."""

    answer: str
    ev: float
    figure: str
    cost: str
    bar: float
    is_right: bool
    is_given: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillVerdictView:
    """Verdict on an answer."""

    question: str
    is_right: bool
    given: str
    right: str
    sentence: str
    reason: str
    after: str
    cost: float
    cost_words: str
    values: tuple[AnswerValueView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedView:
    """An item that comes next most often, and why: `bar` in percent of the likeliest."""

    item: str
    share: str
    why: str
    bar: float
    is_due: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TallyView:
    """How it goes so far."""

    rows: tuple[tuple[str, str], ...]
    asked: int
    right: int
    streak: int
    best_streak: int
    questions: int
    of: int | None
    """After how many questions it ends; None for never."""
    marks: tuple[bool, ...]
    """The last answers, right or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainView:
    """A drill that may follow: its words, and the fields of its form."""

    words: str
    mistakes: int | None
    """How many items it has; None for the same drill again."""
    fields: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportView:
    """How a drill went."""

    lines: tuple[str, ...]
    share: str
    """Of right answers, empty without any."""
    mistakes: tuple[DrillVerdictView, ...]
    again: tuple[AgainView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillView:
    """A drill at its present step. While it is prepared there is no question yet."""

    drill: str
    version: int
    name: str
    slug: str
    about: str
    explanation: str
    step: str
    """`preparing`, `showing`, `asking`, `judged` or `over`."""
    ask: str
    """The question in a few words."""
    text: str
    """The whole question in one line."""
    count: str
    """The count at which a hand is asked; empty without one."""
    dealer: FanView | None
    hands: tuple[FanView, ...]
    tray: TrayView | None
    showing: ShowingView | None
    facts: tuple[tuple[str, str], ...]
    answers: tuple[DrillAnswerView, ...]
    is_number: bool
    """Whether a number is asked for."""
    verdict: DrillVerdictView | None
    tally: TallyView | None
    expected: tuple[ExpectedView, ...]
    report: ReportView | None
    ending: str
    pauses: bool
    """Whether it stops at right verdicts too."""
    speed: str
    problem: str
    typed: str
    options: str
    """Address of the drills with the same options."""


def look_at_drill(
    drill: RunningDrill,
    desk: DrillDesk | None,
    *,
    again: Sequence[AgainView] = (),
    problem: str = "",
    typed: str = "",
) -> DrillView:
    """Return the page of a drill; `again` are the drills that may follow its report."""
    wishes = drill.form
    step = str(DrillStep.PREPARING) if desk is None else str(desk.step)
    if drill.fault:
        step = str(DrillStep.OVER)
    shown = _look_at_question(desk) if desk is not None and step != DrillStep.OVER else _NO_QUESTION
    return DrillView(
        drill=drill.id,
        version=drill.version,
        name=drill.name,
        slug=drill.id.rpartition("-")[0],
        about=str(wishes.options.rules) if desk is None else desk.run.drill.about,
        explanation=CATALOGUE[drill.name].explanation,
        step=step,
        ask=shown.ask,
        text=shown.text,
        count=shown.count,
        dealer=shown.dealer,
        hands=shown.hands,
        tray=shown.tray,
        showing=shown.showing,
        facts=shown.facts,
        answers=shown.answers,
        is_number=shown.is_number,
        verdict=None
        if desk is None or desk.verdict is None
        else look_at_answer(desk.verdict, desk),
        tally=None if desk is None else _look_at_tally(desk),
        expected=() if desk is None else _look_at_expected(desk),
        report=None
        if desk is None or step != DrillStep.OVER
        else _look_at_report(desk, tuple(again)),
        ending="" if desk is None else desk.ending,
        pauses=desk is not None and not desk.goes_on_at_once,
        speed=wishes.speed,
        problem=drill.fault or problem,
        typed=typed,
        options=wishes.link(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _DrillQuestion:
    """The part of the page that asks."""

    ask: str = ""
    text: str = ""
    count: str = ""
    dealer: FanView | None = None
    hands: tuple[FanView, ...] = ()
    tray: TrayView | None = None
    showing: ShowingView | None = None
    facts: tuple[tuple[str, str], ...] = ()
    answers: tuple[DrillAnswerView, ...] = ()
    is_number: bool = False


_NO_QUESTION: Final = _DrillQuestion()


def _look_at_question(desk: DrillDesk) -> _DrillQuestion:
    prompt = desk.prompt
    shown = view_play(desk)
    if shown is not None:
        return _DrillQuestion(
            ask=shown.ask,
            text=prompt.text,
            count=shown.count,
            dealer=shown.dealer,
            hands=shown.hands,
            answers=_look_at_answers(prompt) if desk.step is DrillStep.ASKING else (),
        )
    return _look_at_number(desk, prompt, desk.setup.options.rules)


def _look_at_number(desk: DrillDesk, prompt: Prompt, rules: Rules) -> _DrillQuestion:
    kind = CountingKind(desk.run.drill.name)
    facts: tuple[tuple[str, str], ...] = ()
    if kind is CountingKind.TRUE:
        cards_left = prompt.fact("cards_left")
        facts = (
            ("Running count", write_number(prompt.fact("running"))),
            ("Cards left", str(cards_left)),
            ("Decks left", f"{cards_left / CARDS_PER_DECK:.2f}"),
        )
    elif kind is CountingKind.BET:
        facts = (("Count", prompt.text.partition(":")[0]),)
    return _DrillQuestion(
        ask=_SHORT[kind],
        text=prompt.text[:1].upper() + prompt.text[1:],
        tray=draw_tray(prompt.fact("discards"), rules) if kind is CountingKind.DECKS else None,
        showing=view_showing(desk),
        facts=facts,
        is_number=desk.step is DrillStep.ASKING,
    )


def _look_at_answers(prompt: Prompt) -> tuple[DrillAnswerView, ...]:
    actions = tuple(map(Action, prompt.choices))
    is_offer = bool(actions) and actions[-1].declines
    return tuple(
        DrillAnswerView(
            do=str(action), keys=KEYS[action] + (f" {YES.key}" if is_offer and not place else "")
        )
        for place, action in enumerate(actions)
    )


def look_at_answer(answered: Answered, desk: DrillDesk) -> DrillVerdictView:
    """Return what an answer was worth."""
    prompt, feedback = answered.prompt, answered.feedback
    return DrillVerdictView(
        question=_name_question(prompt, desk.setup.options.rules),
        is_right=feedback.is_right,
        given=feedback.answer,
        right=feedback.right,
        sentence=write_verdict(feedback),
        reason=feedback.reason,
        after=answered.after,
        cost=feedback.cost,
        cost_words="" if feedback.is_right else write_cost(feedback).removeprefix("that cost "),
        values=tuple(
            AnswerValueView(
                answer=one.answer,
                ev=one.ev,
                figure=with_minus(f"{one.ev:+.4f}"),
                cost=with_minus(write_lost(one.lost)),
                bar=max(-100.0, min(100.0, one.ev / 1.5 * 100)),
                is_right=one.is_right,
                is_given=one.is_given,
            )
            for one in rank_answers(feedback)
        ),
    )


def _name_question(prompt: Prompt, rules: Rules) -> str:
    if prompt.upcard is None:
        return prompt.text[:1].upper() + prompt.text[1:]
    at = prompt.text.partition(" at ")[2]
    total = write_total(prompt.cards, rules)
    cards = " ".join(_name(card) for card in prompt.cards)
    hand = f"{cards} ({total})" if len(prompt.cards) > 1 else total
    return f"{hand} against {_name(prompt.upcard)}" + (f" at {at}" if at else "")


def _name(card: Card) -> str:
    return "10" if rank_name(card.rank) == "T" else rank_name(card.rank)


def _look_at_tally(desk: DrillDesk) -> TallyView:
    run, tally = desk.run, desk.run.tally
    return TallyView(
        rows=tuple(write_tally(run, desk.setup)),
        asked=tally.asked,
        right=tally.right,
        streak=tally.streak,
        best_streak=tally.best_streak,
        questions=run.questions,
        of=desk.setup.questions,
        marks=tuple(one.feedback.is_right for one in desk.answered[-_MOST_MARKS:]),
    )


def _look_at_expected(desk: DrillDesk) -> tuple[ExpectedView, ...]:
    found = desk.run.expect(_MOST_EXPECTED)
    most = max((one.share for one in found), default=0.0) or 1.0
    return tuple(
        ExpectedView(
            item=one.item,
            share=write_share(one),
            why=write_expected(one),
            bar=100 * one.share / most,
            is_due=one.is_due,
        )
        for one in found
    )


def _look_at_report(desk: DrillDesk, again: tuple[AgainView, ...]) -> ReportView:
    tally = desk.run.tally
    return ReportView(
        lines=summarize(desk.run),
        share=f"{tally.right / tally.asked:.0%}" if tally.asked else "",
        mistakes=tuple(
            look_at_answer(one, desk) for one in desk.answered if not one.feedback.is_right
        ),
        again=again,
    )
