"""A drill as its page shows it: the question, the last verdict, how it goes, the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

from upcard.analysis.grades import write_grades
from upcard.answers.hand import draw_cost
from upcard.core.actions import Action
from upcard.core.cards import CARDS_PER_DECK, Card, rank_name
from upcard.core.numbers import with_minus, with_minus_signs
from upcard.drills.catalogue import CATALOGUE
from upcard.drills.counting_drills import CountingKind, write_number
from upcard.drills.desk import (
    Answered,
    DrillDesk,
    DrillStep,
    FanView,
    ShowingView,
    view_play,
    view_showing,
    write_total,
)
from upcard.drills.drill import Prompt
from upcard.drills.feedback import (
    rank_answers,
    summarize,
    write_cost,
    write_expected,
    write_lost,
    write_share,
    write_tally,
    write_verdict,
)
from upcard.rules.model import Rules
from upcard.session.table_view import KEYS, YES

if TYPE_CHECKING:
    from upcard.web.drills.book import RunningDrill


_TRAY_HEIGHT: Final = 100
_LEAST_SCALE: Final = 0.62
_QUARTERS: Final = 4
_STEPS: Final = 6
"""Heights with words of their own between two quarters of the tray."""
_MARKS: Final = ("the floor", "a quarter", "half", "three quarters", "the top")
_PARTS: Final = ("half", "a third", "a quarter", "a fifth", "a sixth", "a seventh", "an eighth")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayView:
    """A discard tray with one deck beside it: heights in percent of a full tray's picture."""

    height: float
    """Height of the tray."""
    pile: float
    """Height of the discarded cards in the tray."""
    deck: float
    """Height of the single deck beside the tray."""
    words: str
    """The picture in words: as much as an eye sees of it, and not the number of cards."""


def draw_tray(discards: int, rules: Rules) -> TrayView:
    """Return the picture of a tray, at another scale for every pile.

    So that its height does not become a measure: the deck beside the tray is the only one.
    """
    full = CARDS_PER_DECK * (rules.decks or 1)
    scale = Random(discards).uniform(_LEAST_SCALE, 1.0) * _TRAY_HEIGHT
    return TrayView(
        height=round(scale, 2),
        pile=round(scale * discards / full, 2),
        deck=round(scale * CARDS_PER_DECK / full, 2),
        words=describe_tray(discards / full, rules.decks or 1),
    )


def describe_tray(share: float, decks: int) -> str:
    """Describe a pile that fills a `share` of the tray, to about a twenty-fourth of its height."""
    steps = round(share * _STEPS * _QUARTERS)
    passed, step = divmod(min(max(steps, 1), _STEPS * _QUARTERS), _STEPS)
    below, above = _MARKS[passed], _MARKS[min(passed + 1, _QUARTERS)]
    reaches = {
        0: f"{below}",
        1: f"just above {below}",
        2: f"a third of the way from {below} to {above}",
        3: f"midway between {below} and {above}",
        4: f"two thirds of the way from {below} to {above}",
        5: f"just below {above}",
    }[step]
    beside = "as high as the tray" if decks == 1 else f"{_PARTS[decks - 2]} as high as the tray"
    return (
        f"A discard tray. The pile in it reaches {reaches} of the tray. The deck beside it is"
        f" {beside}."
    )


_MOST_EXPECTED: Final = 6
_MOST_MARKS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class TallyView:
    """How it goes so far."""

    rows: tuple[tuple[str, str], ...]
    """The tally to show: label and text."""
    asked: int
    """Number of answers."""
    right: int
    """Number of right answers."""
    streak: int
    """Right answers in a row, up to now."""
    best_streak: int
    """The most right answers in a row."""
    questions: int
    """Number of finished questions; one of a whole hand has several answers."""
    of: int | None
    """After how many questions it ends; None for never."""
    grades: dict[str, int]
    """Number of the answers of each grade: `right`, `slip`, `mistake`, `blunder`."""
    marks: tuple[str, ...]
    """The grades of the last answers."""

    @property
    def words(self) -> str:
        """The right answers, and the wrong ones by their grades."""
        return ", ".join(filter(None, (f"{self.right} right", write_grades(self.grades))))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedView:
    """An item that comes next most often, and why: `bar` in percent of the likeliest."""

    item: str
    """The question in words."""
    share: str
    """Its share of the next questions, as text, or `soon again`."""
    why: str
    """How often the hand occurs, the error rate and the cost, multiplied."""
    bar: float
    """Its share in percent of the likeliest."""
    is_due: bool
    """Whether it comes again soon because it was answered wrong."""


def look_at_tally(desk: DrillDesk) -> TallyView:
    """Return how many answers were right, and the last ones one by one."""
    run, tally = desk.run, desk.run.tally
    return TallyView(
        rows=tuple(write_tally(run, desk.setup)),
        asked=tally.asked,
        right=tally.right,
        streak=tally.streak,
        best_streak=tally.best_streak,
        questions=run.questions,
        of=desk.setup.questions,
        grades=tally.grades,
        marks=tuple(one.feedback.grade.value for one in desk.answered[-_MOST_MARKS:]),
    )


def look_at_expected(desk: DrillDesk) -> tuple[ExpectedView, ...]:
    """Return what is asked most often next, the likeliest first."""
    found = desk.run.expect(_MOST_EXPECTED)
    most = max((one.share for one in found), default=0.0) or 1.0
    return tuple(
        ExpectedView(
            item=one.name,
            share=write_share(one),
            why=write_expected(one),
            bar=100 * one.share / most,
            is_due=one.is_due,
        )
        for one in found
    )


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
    """The answer: send it as `text`."""
    keys: str
    """The keys for it, with blanks between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerValueView:
    """The value of an answer. Units: EV per initial bet; `bar` is that in percent of 1.5 bets."""

    answer: str
    """The answer in words."""
    ev: float
    """EV per initial bet."""
    figure: str
    """The EV as text with its sign."""
    cost: str
    """EV lost against the best answer, as text; empty if it is negligible."""
    bar: float
    """Length of its bar: 100 for a cost of half a bet or more, 0 for the best answer."""
    is_right: bool
    """Whether it is the right answer."""
    is_given: bool
    """Whether it is the answer that was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillVerdictView:
    """Verdict on an answer."""

    question: str
    """The question in words."""
    is_right: bool
    """Whether the answer was right."""
    grade: str
    """`right`, `slip`, `mistake` or `blunder`; a wrong count is a mistake."""
    given: str
    """The answer that was given."""
    right: str
    """The right answer."""
    sentence: str
    """The verdict as a sentence."""
    reason: str
    """Why the right answer is right; empty where there is nothing to explain."""
    after: str
    """Words after the reason: the end of a hand, or the time taken; may be empty."""
    cost: float
    """Cost of the answer: EV per initial bet, or the distance from the right number."""
    cost_words: str
    """The cost in words; empty for a right answer."""
    values: tuple[AnswerValueView, ...]
    """The value of every answer, the best first; empty if a number was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgainView:
    """A drill that may follow: its words, and the fields of its form."""

    words: str
    """The offer in words."""
    mistakes: int | None
    """Number of items that it has; None for the same drill again."""
    fields: dict[str, str]
    """The fields of the form for `POST /drills/{name}`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportView:
    """How a drill went."""

    lines: tuple[str, ...]
    """The result in a few sentences."""
    share: str
    """Share of right answers as text; empty without any answer."""
    wrong: str
    """The wrong answers by their grades, as text; empty without one."""
    mistakes: tuple[DrillVerdictView, ...]
    """The wrong answers, in the order in which they were given."""
    again: tuple[AgainView, ...]
    """The drills that may follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillView:
    """A drill at its present step. While it is prepared there is no question yet."""

    drill: str
    """Name of this drill, as its address has it."""
    version: int
    name: str
    """Name of the drill in words."""
    slug: str
    """Name of its kind, as `POST /drills/{name}` has it."""
    about: str
    """The rules and options that it is about."""
    explanation: str
    """Its lesson, in a few sentences."""
    step: str
    """`preparing`, `showing`, `asking`, `judged` or `over`."""
    ask: str
    """The question in a few words."""
    text: str
    """The whole question in one line."""
    count: str
    """The count at which a hand is asked; empty without one."""
    dealer: FanView | None
    """The dealer's cards; None if the question has none."""
    hands: tuple[FanView, ...]
    """Your hands; empty if a number is asked for."""
    tray: TrayView | None
    """The discard tray, in the drill of decks; else None."""
    showing: ShowingView | None
    """The cards shown now, in the drills of counting; else None."""
    facts: tuple[tuple[str, str], ...]
    """Facts of the question, such as the running count: label and text."""
    answers: tuple[DrillAnswerView, ...]
    """The answers to choose from; empty if a number is asked for."""
    is_number: bool
    """Whether a number is asked for."""
    verdict: DrillVerdictView | None
    """Verdict on the last answer; None before the first."""
    tally: TallyView | None
    """How it goes so far; None while the drill is prepared."""
    expected: tuple[ExpectedView, ...]
    """The items that come next most often, the likeliest first."""
    report: ReportView | None
    """The result; None until the drill is over."""
    ending: str
    """Why it is over; empty while it goes on."""
    pauses: bool
    """Whether it stops at right verdicts too."""
    speed: str
    """Seconds for each group of cards, as text; empty to turn them by the button."""
    problem: str
    typed: str
    """The answer that could not be read; empty if there is none."""
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
        tally=None if desk is None else look_at_tally(desk),
        expected=() if desk is None else look_at_expected(desk),
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
        grade=feedback.grade.value,
        given=feedback.answer,
        right=feedback.right,
        sentence=with_minus_signs(write_verdict(feedback)),
        reason=with_minus_signs(feedback.reason),
        after=answered.after,
        cost=feedback.cost,
        cost_words="" if feedback.is_right else write_cost(feedback),
        values=tuple(
            AnswerValueView(
                answer=one.answer,
                ev=one.ev,
                figure=with_minus(f"{one.ev:+.4f}"),
                cost=with_minus(write_lost(one.lost)),
                bar=draw_cost(one.lost),
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


def _look_at_report(desk: DrillDesk, again: tuple[AgainView, ...]) -> ReportView:
    tally = desk.run.tally
    return ReportView(
        lines=summarize(desk.run),
        share=f"{tally.right / tally.asked:.0%}" if tally.asked else "",
        wrong=write_grades(tally.grades),
        mistakes=tuple(
            look_at_answer(one, desk) for one in desk.answered if not one.feedback.is_right
        ),
        again=again,
    )
