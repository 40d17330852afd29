"""Verdicts on the answers to drills: right or not, the cost; how a drill goes and went."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from upcard.analysis.grades import count_grades, write_grades
from upcard.answers.drill_question import capital, name_question, write_reason, write_seconds
from upcard.answers.hand import AnswerValue, list_values
from upcard.coach.judgement import write_bets, write_verdict
from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.figure import Figure, make_figure
from upcard.core.numbers import count_of, fields_of, format_chips, with_minus_signs
from upcard.drills.catalogue import CATALOGUE, OPTIONS, DrillOptions
from upcard.drills.drill import CLOSE, LATE, DrillProgress, Feedback
from upcard.drills.drill_run import DrillEnding, DrillMemory, DrillRun, DrillTally, price_of
from upcard.drills.ready_report import ReadyReport, report_ready
from upcard.drills.session_plan import ROUNDS
from upcard.drills.trainer import Answered, DrillTrainer
from upcard.store.money import load_pace
from upcard.store.records import today

if TYPE_CHECKING:
    from upcard.drills.strategy_drills import PlayedHand
    from upcard.rules.model import Rules

ABOUT_WEIGHTS: Final = (
    "What comes next is drawn by what it would cost you: how often such a hand comes, times how"
    " often you answer it wrong, times what the error costs. A mistake comes again four answers"
    " later. Until you have answered, your error rate is a guess: half where the likeliest mistake"
    " costs nothing, less where it is costly. What you missed also comes back tomorrow and, once"
    " it is right, three days later."
)
PREPARING: Final = (
    "Every question is worked out exactly for these rules. The first time on a machine this takes"
    " up to twenty seconds; after that, a second or two."
)
FIRST_PACE: Final = 5.0
"""Seconds before which a pace is meaningless."""
_NOTHING_TO_SPEAK_OF: Final = 0.00005
_MOST_MARKS: Final = 60
_SHOWN: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class HandEnd:
    """How a whole hand ended."""

    net: Fraction
    """Initial bets that it won."""
    dealer: tuple[Card, ...]
    """The dealer's cards that were seen."""
    outcomes: tuple[str, ...]
    """How each of your hands ended: `win`, `push`, `bust` and so on."""
    cost: float
    """Cost of its mistakes, in EV per initial bet."""
    dealer_text: str
    """The dealer's cards in words, with their total once all were seen."""
    text: str
    """The result and the mistakes in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillVerdict:
    """Whether an answer was right, and what it cost."""

    question: str
    """The question in words: `10 6 (hard 16) against 9`."""
    item: str
    """Name of the item that it is about: `hard 16 v 9`."""
    answer: str
    right: str
    """The right answer."""
    is_right: bool
    grade: str
    """`right`, `late`, `close`, `slip`, `mistake` or `blunder`; a wrong count is a mistake."""
    cost: float
    """Cost of the answer: EV per initial bet, or the distance from the right number."""
    unit: str
    """The unit of the cost: `EV`, `counts off`, `decks off`, `units off`."""
    cost_text: str
    """The cost in words; empty for a right answer."""
    text: str
    names_hand: bool
    """Whether the sentence names the hand, so that it can stand without the question."""
    reason: str
    """Why the right answer is right."""
    answers: tuple[AnswerValue, ...]
    """The value of each answer, the best first; empty if a number was asked for."""
    seconds: float | None
    """The time taken for cards that were shown; None if it was not measured."""
    after: str
    """The end of a hand, or the time taken; may be empty."""
    hand: HandEnd | None
    """How the hand ended; None for anything but the last answer of a whole hand."""

    @property
    def values(self) -> str:
        """The values in a line, the best first: `stand −0.5410, hit −0.5803`."""
        return ", ".join(f"{one.action} {one.short}" for one in self.answers)


def judge_answer(answered: Answered, rules: Rules) -> DrillVerdict:
    """Return what an answer was worth."""
    prompt, feedback = answered.prompt, answered.feedback
    hand = None
    after = _write_time(answered)
    if answered.hand is not None:
        hand = _end_hand(answered.hand) if answered.is_hand_over else None
        after = "The hand continues." if hand is None else hand.text
    return DrillVerdict(
        question=name_question(prompt, rules),
        item=prompt.item,
        **fields_of(feedback, "answer", "right", "is_right", "cost", "unit"),
        grade=feedback.grade,
        cost_text=_write_cost(feedback) if feedback.is_wrong else "",
        text=write_feedback(feedback),
        names_hand=feedback.judgement is not None,
        reason=write_reason(prompt, feedback),
        answers=_list_answers(feedback),
        seconds=answered.seconds,
        after=after,
        hand=hand,
    )


def write_feedback(feedback: Feedback) -> str:
    """Write whether an answer was right, and what it cost."""
    if feedback.neither:
        right = f"{capital(feedback.neither)}: {feedback.right} was the answer."
        return with_minus_signs(right)
    if feedback.judgement is not None:
        return with_minus_signs(write_verdict(feedback.judgement, has_bets=False))
    if feedback.is_right:
        return with_minus_signs(f"{capital(feedback.answer)} is right.")
    grade = f"a {feedback.grade}, " if feedback.unit == "EV" else ""
    wrong = f"{capital(feedback.right)}, not {feedback.answer}: {grade}{_write_cost(feedback)}."
    return with_minus_signs(wrong)


def _list_answers(feedback: Feedback) -> tuple[AnswerValue, ...]:
    ev = {Action(name): value for name, value in feedback.ev}
    if not ev:
        return ()
    right, best = Action(feedback.right), max(ev, key=lambda action: ev[action])
    # The index plays can differ from what is best for the expected shoe.
    return list_values(ev, right if ev.get(right) == ev[best] else best)


def _write_cost(feedback: Feedback) -> str:
    if feedback.unit != "EV":
        return write_total(feedback.cost, feedback.unit)
    if feedback.cost < _NOTHING_TO_SPEAK_OF:
        return "next to nothing"
    return write_bets(feedback.cost)


def write_total(cost: float, unit: str) -> str:
    """Write the cost of all mistakes of a session."""
    if unit != "EV":
        # "counts off", "decks off", "units off"
        return f"{cost:.4g} {unit.replace('s off', ' off') if cost == 1 else unit}"
    pace = load_pace()
    return f"{cost:.4f} bets, {cost * float(pace.bet):,.2f} at {format_chips(pace.bet)} a hand"


def _write_time(answered: Answered) -> str:
    if answered.seconds is None:
        return ""
    took, best = f"It took {write_seconds(answered.seconds)}", answered.best_seconds
    if answered.is_best:
        return f"{took}: your best."
    return f"{took}." if best is None else f"{took}; your best is {write_seconds(best)}."


def _end_hand(played: PlayedHand) -> HandEnd:
    state = played.state
    net = Fraction(state.net)
    size = f"{float(abs(net)):g} bet{'' if abs(net) == 1 else 's'}"
    result = "even" if not net else f"{'won' if net > 0 else 'lost'} {size}"
    mistakes = "no mistake in it"
    if not all(one.is_right for one in played.judgements):
        wrong = count_grades(one.cost for one in played.judgements)
        mistakes = f"{wrong} for {played.cost:.4f} of a bet"
    dealer = " ".join(map(str, state.shown_dealer_cards))
    if len(state.shown_dealer_cards) == len(state.dealer) > 1:
        dealer += f" ({state.dealer_total})"
    return HandEnd(
        net=net,
        dealer=tuple(state.shown_dealer_cards),
        outcomes=tuple(str(outcome) for outcome, _ in state.results),
        cost=played.cost,
        dealer_text=f"Dealer: {dealer}.",
        text=f"The hand is over: {result}; {mistakes}.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedItem:
    """An item that may come next, and why: frequency, error rate and cost, multiplied."""

    item: str
    """The item by its name: `surrender 12 v T`."""
    name: str
    """The item as a question: `12 v T: surrender?`, which does not say what is best."""
    share: float
    """Its share of the next questions, 0 to 1."""
    frequency: float
    """Its share of the questions if none were asked more often than it is dealt."""
    error_rate: float
    """The probability that the next answer to it is wrong, 0 to 1."""
    cost: float
    """Cost of an error, in EV per initial bet."""
    is_due: bool
    """Whether it comes again soon because it was answered wrong."""
    share_text: str
    """The share in percent, or `soon again`."""
    text: str
    """Frequency, error rate and cost in words."""


def list_expected(run: DrillRun, most: int) -> tuple[ExpectedItem, ...]:
    """Return the items that are likeliest to be asked next, and why; due repetitions first.

    A session chooses nothing: it asks what comes.
    """
    if run.is_session:
        return ()
    scheduler, found = run.scheduler(), []
    weights = scheduler.weights()
    whole = math.fsum(weights.values())
    by_key = {item.key: item for item in run.drill.items()}
    for key, weight in weights.items():
        frequency, rate = by_key[key].frequency, scheduler.error_rate(by_key[key])
        often = frequency * rate
        cost = weight / often if often else 0.0
        share = weight / whole if whole else 0.0
        record = run.progress.record(key)
        is_due = record.again_at is not None or record.is_due(scheduler.day)
        percent = f"{frequency:.1%}" if frequency >= 0.01 else f"{100 * frequency:.2g}%"
        found.append(
            ExpectedItem(
                item=key,
                name=with_minus_signs(by_key[key].name or key),
                share=share,
                frequency=frequency,
                error_rate=rate,
                cost=cost,
                is_due=is_due,
                share_text="soon again" if is_due else f"{share:.1%}",
                text=f"{percent} × {rate:.0%} × {cost:.3g}",
            )
        )
    return tuple(sorted(found, key=lambda one: not one.is_due)[:most])


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillScore(DrillTally):
    """How a drill goes."""

    marks: tuple[str, ...]
    """The grades of the last answers."""
    questions: int
    """Number of questions that were asked; one of a whole hand has several answers."""
    of: int | None
    """After how many questions it ends; None for never."""
    seconds: float
    """Seconds since the first question."""
    ending: str
    """Why no further question is asked; empty while there is one."""
    wrong: str
    """The wrong answers by their grades, in words; empty without one."""
    text: str
    """The right answers, the late ones, and the wrong ones by their grades."""
    figures: tuple[Figure, ...]
    """The same and more, as rows of a name and a number."""


_ENDINGS: Final = {
    None: "",
    DrillEnding.QUESTIONS: "That was the last one.",
    DrillEnding.TIME: "The time is up.",
    DrillEnding.SESSION: "The session is over.",
}


def score_drill(trainer: DrillTrainer) -> DrillScore:
    """Return how a drill goes: right answers, the last ones one by one, pace, time, cost."""
    run, tally = trainer.run, trainer.run.tally
    wrong = write_grades(tally.grades)
    shown = () if trainer.is_silent else trainer.answered[-_MOST_MARKS:]
    return DrillScore(
        **fields_of(tally),
        marks=tuple(one.feedback.grade for one in shown),
        **fields_of(run, "questions", "seconds"),
        of=trainer.setup.questions,
        ending=_ENDINGS[trainer.ending],
        wrong=wrong,
        text=", ".join(filter(None, (f"{tally.right} right", _write_neither(trainer.run), wrong))),
        figures=tuple(_list_figures(trainer)),
    )


def _write_neither(run: DrillRun) -> str:
    counts = ((run.tally.grades.get(one, 0), one) for one in (LATE, CLOSE))
    return ", ".join(f"{number} {one}" for number, one in counts if number)


def _list_figures(trainer: DrillTrainer) -> Iterable[Figure]:
    run, tally, setup = trainer.run, trainer.run.tally, trainer.setup
    share = f" ({tally.right / tally.asked:.0%})" if tally.asked else ""
    if run.hand is not None and run.hand.is_session:
        number = run.hand.round
        yield make_figure("round", "Round", number, f"{number} of {ROUNDS}")
    question = f"{run.questions}" + (f" of {setup.questions}" if setup.questions else "")
    yield make_figure("questions", "Question", run.questions, question)
    if not trainer.is_silent:
        right, streak = tally.right, f"{tally.streak}, best {tally.best_streak}"
        yield make_figure("right", "Right", right, f"{right} of {tally.asked}{share}")
        yield make_figure("streak", "Streak", tally.streak, streak)
    if trainer.limit is not None:
        yield make_figure("limit", "Clock", trainer.limit, f"{trainer.limit} s an answer")
    if run.seconds >= FIRST_PACE:
        yield make_figure("pace", "Pace", run.per_minute, f"{run.per_minute:.0f} a minute")
    if setup.minutes:
        left = max(60 * setup.minutes - run.seconds, 0)
        yield make_figure("seconds_left", "Time", left, f"{write_seconds(left)} left")
    elif run.seconds >= FIRST_PACE:
        time = f"{int(run.seconds)} s" if run.seconds < 60 else write_seconds(run.seconds)
        yield make_figure("seconds", "Time", run.seconds, time)
    if trainer.is_silent:
        return
    yield make_figure("cost", "Cost", tally.cost, write_total(tally.cost, tally.unit))
    asked, wrong = count_answers(run.progress)
    ever = f"{asked}, {wrong / asked:.0%} wrong" if asked else NOT_BEGUN
    yield make_figure("ever", "Answers ever", asked, ever)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillReport(DrillScore):
    """How a drill went."""

    drill: str
    about: str
    """The rules, counting system or indices of the drill."""
    lines: tuple[str, ...]
    """The result in a few sentences; the first is a title."""
    share: str
    """Share of right answers in percent; empty without any answer."""
    expected: tuple[ExpectedItem, ...]
    """The items that are likeliest to be asked next."""
    mistakes: tuple[DrillVerdict, ...]
    """The wrong answers, in the order in which they were given."""
    ready: ReadyReport | None
    """The result of a session as in a casino, in money; None for other drills."""


def report_drill(trainer: DrillTrainer) -> DrillReport:
    """Return how a drill went."""
    score, run, rules = score_drill(trainer), trainer.run, trainer.setup.options.rules
    expected, hand = list_expected(run, _SHOWN), run.hand
    ready = report_ready(hand) if hand is not None and hand.is_session else None
    return DrillReport(
        **fields_of(score),
        drill=run.drill.name,
        about=run.drill.about,
        lines=tuple(_summarize(run, expected, () if ready is None else ready.lines)),
        ready=ready,
        share=f"{score.right / score.asked:.0%}" if score.asked else "",
        expected=expected,
        mistakes=tuple(
            judge_answer(one, rules) for one in trainer.answered if one.feedback.is_wrong
        ),
    )


def _summarize(
    run: DrillRun, expected: Sequence[ExpectedItem], session: Sequence[str]
) -> Iterable[str]:
    tally = run.tally
    yield f"{capital(run.drill.name)}, {run.drill.about}"
    if session:
        yield from session
    elif tally.asked:
        answers, share = count_of(tally.asked, "answer"), tally.right / tally.asked
        right = f"{tally.right} right ({share:.0%})"
        right = ", ".join(filter(None, (right, _write_neither(run))))
        yield f"{answers}, {right}, the longest streak {tally.best_streak}."
        pace = f", {run.per_minute:.0f} answers a minute" if run.seconds >= FIRST_PACE else ""
        yield f"{write_seconds(run.seconds)}{pace}."
        wrong = write_grades(tally.grades)
        cost = write_total(tally.cost, tally.unit)
        yield f"Wrong answers cost {cost}: {wrong}." if wrong else "No answer was wrong."
        items = ", ".join(f"{one.name} ({one.share:.0%})" for one in expected)
        yield f"Comes next most often: {items}."
    else:
        yield "Nothing was answered this time."
    yield f"In all: {write_standing(run.progress)}."


NOT_BEGUN: Final = "not started"
"""The standing in a drill without answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillStanding:
    """A drill that can be begun, and how far one is with it."""

    name: str
    about: str
    """Its question, in a line."""
    explanation: str
    takes: tuple[str, ...]
    """The options that it uses, in words."""
    why_not: str
    asked: int
    """Number of answers ever given to it with these options."""
    right: int
    """Number of the right ones."""
    text: str
    """The answers and the share that was wrong; empty if it cannot be begun."""
    has_price: bool
    """Whether its mistakes have a price, which may take seconds to work out."""
    price: Figure | None
    """Expected cost of the mistakes in 100 hands; None if it is not known."""


def list_standings(
    options: DrillOptions, memory: DrillMemory, prices: Mapping[str, Figure] | None = None
) -> tuple[DrillStanding, ...]:
    """Return all drills; with `prices`, the cost of mistakes that `find_prices` worked out."""
    begun = find_begun(options, memory) if prices is None else prices
    found = []
    for name, entry in CATALOGUE.items():
        fault = options.why_not(name)
        asked, wrong, text = 0, 0, ""
        if fault is None:
            try:
                progress = memory.load(name, options.about(name))
                (asked, wrong), text = count_answers(progress), write_standing(progress)
            except BlackjackError as error:
                text = str(error)
        found.append(
            DrillStanding(
                name=str(name),
                **fields_of(entry, "about", "explanation"),
                takes=tuple(OPTIONS[one].title.lower() for one in entry.takes),
                why_not="" if fault is None else as_sentence(fault),
                asked=asked,
                right=asked - wrong,
                text=text,
                has_price=name in begun,
                price=None if prices is None else prices.get(name),
            )
        )
    return tuple(found)


def count_answers(progress: DrillProgress) -> tuple[int, int]:
    """Return the number of answers ever given, and of the wrong ones."""
    records = progress.records.values()
    return sum(one.asked for one in records), sum(one.errors for one in records)


def write_standing(progress: DrillProgress) -> str:
    """Write a learner's standing in a drill: the answers and the share that was wrong."""
    asked, wrong = count_answers(progress)
    if not asked:
        return NOT_BEGUN
    day = today().isoformat()
    due = sum(one.is_due(day) for one in progress.records.values())
    again = f", {due} to repeat today" if due and not CATALOGUE[progress.drill].is_session else ""
    return f"{count_of(asked, 'answer')}, {wrong / asked:.0%} wrong{again}"


def find_begun(options: DrillOptions, memory: DrillMemory) -> list[str]:
    """Return the drills with a price that have been begun."""
    found = []
    for name in (one.name for one in CATALOGUE.values() if one.has_cells):
        with suppress(BlackjackError):  # what cannot be read has no price
            if count_answers(memory.load(name, options.about(name)))[0]:
                found.append(name)
    return found


def find_prices(
    options: DrillOptions, memory: DrillMemory, names: Iterable[str]
) -> dict[str, Figure]:
    """Return what mistakes are expected to cost in some drills, over all classes of hands.

    It solves the game, which may take seconds.
    """
    whole = replace(options, classes=None)
    prices = {}
    for name in names:
        with suppress(BlackjackError):  # a drill that cannot be has no price
            drill = whole.make(name)
            price = price_of(drill, memory.load(name, drill.about), memory.observe(drill))
            if price is not None:
                unit = "bets in 100 hands"
                text = f"{price:.2f} bets lost in 100 hands"
                prices[name] = make_figure("price", "Cost of mistakes", price, text, unit)
    return prices
