"""Verdicts, summaries and standings of drills in words, the same for every front-end."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from upcard.analysis.grades import count_grades, write_grades
from upcard.coach.judgement import write_bets
from upcard.core.errors import BlackjackError
from upcard.drills.catalogue import HANDS, STRATEGY, DrillMemory, DrillOptions
from upcard.drills.drill import DrillProgress, Feedback
from upcard.drills.drill_run import DrillRun, DrillSetup, Expected, price_of

if TYPE_CHECKING:
    from upcard.drills.strategy_drills import PlayedHand


NOT_BEGUN: Final = "not begun"
"""The standing in a drill without answers."""
FIRST_PACE: Final = 5.0
"""Seconds before which a pace is meaningless."""
ABOUT_WEIGHTS: Final = (
    "What comes next is drawn by what it would cost you: how often such a hand comes, times how"
    " often you answer it wrong, times what the error costs. A mistake comes again four answers"
    " later. Until you have answered, your error rate is a guess: half where the likeliest mistake"
    " costs nothing, less where it is costly."
)
_NOTHING_TO_SPEAK_OF: Final = 0.00005
_SHOWN: Final = 3


def write_verdict(feedback: Feedback) -> str:
    """Write whether an answer was right, and what it cost."""
    if feedback.verdict:
        return feedback.verdict
    if feedback.is_right:
        return f"{_capital(feedback.answer)} is right."
    grade = f"a {feedback.grade}, " if feedback.unit == "EV" else ""
    return f"{_capital(feedback.right)}, not {feedback.answer}: {grade}{write_cost(feedback)}."


def write_cost(feedback: Feedback) -> str:
    """Write what an answer cost, in EV or in the drill's own unit."""
    if feedback.unit != "EV":
        return write_total(feedback.cost, feedback.unit)
    if feedback.cost < _NOTHING_TO_SPEAK_OF:
        return "next to nothing"
    return write_bets(feedback.cost)


def write_total(cost: float, unit: str) -> str:
    """Write the cost of all mistakes of a session."""
    if unit != "EV":
        # "counts off", "decks off", "units off"
        return f"{cost:g} {unit.replace('s off', ' off') if cost == 1 else unit}"
    return f"{cost:.4f} bets"


def write_seconds(seconds: float) -> str:
    """Write a time: `24.3 s`, `4 min 10 s`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes} min {rest:02d} s"


def write_standing(progress: DrillProgress) -> str:
    """Write a learner's standing in a drill: the answers and the share that was wrong."""
    asked = sum(record.asked for record in progress.records.values())
    wrong = sum(record.errors for record in progress.records.values())
    if not asked:
        return NOT_BEGUN
    return f"{_count(asked, 'answer')}, {wrong / asked:.0%} wrong"


def write_totals(progress: DrillProgress) -> str:
    """Write the standing in short: `124, 12% wrong`."""
    return write_standing(progress).replace(" answers", "").replace(" answer", "")


def write_price(price: float) -> str:
    """Write the expected cost of mistakes."""
    return f"{price:.2f} bets lost in 100 hands"


def write_expected(one: Expected, *, times: str = "×") -> str:
    """Write why an item is next: how often the hand occurs, the error rate, and the cost."""
    often = f"{one.frequency:.1%}" if one.frequency >= 0.01 else f"{100 * one.frequency:.2g}%"
    return f"{often} {times} {one.error_rate:.0%} {times} {one.cost:.3g}"


def write_share(one: Expected) -> str:
    """Write how much of the questions an item is, or that it comes again."""
    return "soon again" if one.is_due else f"{one.share:.1%}"


def write_values(feedback: Feedback) -> str:
    """Write the EV of every answer in one line, the best first."""
    return ", ".join(f"{one.answer} {one.ev:+.4f}" for one in rank_answers(feedback))


class RankedAnswer(NamedTuple):
    """An answer and its value. Units: EV per initial bet."""

    answer: str
    ev: float
    lost: float
    """The cost compared with the best answer, 0 or more."""
    is_right: bool
    is_given: bool


def rank_answers(feedback: Feedback) -> list[RankedAnswer]:
    """Return the values of all answers, the best first; none for counts."""
    ranked = sorted(feedback.ev, key=lambda pair: -pair[1])
    return [
        RankedAnswer(name, ev, ranked[0][1] - ev, name == feedback.right, name == feedback.answer)
        for name, ev in ranked
    ]


def write_lost(lost: float) -> str:
    """Write the cost of an answer; empty if it is negligible."""
    return f"{-lost:+.4f}" if lost > _NOTHING_TO_SPEAK_OF else ""


def write_tally(run: DrillRun, setup: DrillSetup) -> list[tuple[str, str]]:
    """Return how a session goes in rows: a label and a text."""
    tally = run.tally
    share = f" ({tally.right / tally.asked:.0%})" if tally.asked else ""
    question = f"{run.questions}" + (f" of {setup.questions}" if setup.questions else "")
    time = write_seconds(run.seconds).partition(".")[0].removesuffix(" s") + (
        "" if run.seconds >= 60 else " s"
    )
    if setup.minutes:
        time = f"{write_seconds(max(60 * setup.minutes - run.seconds, 0))} left"
    return [
        ("question", question),
        ("right", f"{tally.right} of {tally.asked}{share}"),
        ("streak", f"{tally.streak}, best {tally.best_streak}"),
        *([("pace", f"{run.per_minute:.0f} a minute")] if run.seconds >= FIRST_PACE else []),
        *([("time", time)] if setup.minutes or run.seconds >= FIRST_PACE else []),
        ("cost", write_total(tally.cost, tally.unit)),
        ("answers ever", write_totals(run.progress)),
    ]


def write_end(played: PlayedHand) -> str:
    """Write how a hand ended, and the cost of its mistakes."""
    net = played.state.net
    result = "even" if not net else f"{'won' if net > 0 else 'lost'} {_amount(abs(net))}"
    if all(one.is_right for one in played.judgements):
        return f"The hand is over: {result}; no mistake in it."
    wrong = count_grades(one.cost for one in played.judgements)
    return f"The hand is over: {result}; {wrong} for {played.cost:.4f} of a bet."


def write_dealer(played: PlayedHand) -> str:
    """Write the dealer's cards as they are on the table, and their total once all are seen."""
    state = played.state
    cards = " ".join(map(str, state.shown_dealer_cards))
    is_whole = len(state.shown_dealer_cards) == len(state.dealer) > 1
    return f"Dealer: {cards} ({state.dealer_total})." if is_whole else f"Dealer: {cards}."


def _amount(net: Fraction) -> str:
    return f"{float(net):g} bet{'' if net == 1 else 's'}"


def summarize(run: DrillRun) -> tuple[str, ...]:
    """Summarize a drill session in a few lines."""
    tally = run.tally
    head = f"{_capital(run.drill.name)}, {run.drill.about}"
    standing = f"In all: {write_standing(run.progress)}."
    if not tally.asked:
        return (head, "Nothing was answered this time.", standing)
    answers, share = _count(tally.asked, "answer"), tally.right / tally.asked
    total = write_total(tally.cost, tally.unit)
    wrong = write_grades(tally.grades)
    cost = f"Wrong answers cost {total}: {wrong}." if wrong else "No answer was wrong."
    pace = f", {run.per_minute:.0f} answers a minute" if run.seconds >= FIRST_PACE else ""
    expected = [f"{one.name} ({one.share:.0%})" for one in run.expect(_SHOWN)]
    return (
        head,
        f"{answers}, {tally.right} right ({share:.0%}), the longest streak {tally.best_streak}.",
        f"{write_seconds(run.seconds)}{pace}.",
        cost,
        f"Comes next most often: {', '.join(expected)}.",
        standing,
    )


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


PRICED: Final = (STRATEGY, HANDS)
"""The drills whose mistakes have a price."""


def read_standing(options: DrillOptions, memory: DrillMemory, name: str) -> str:
    """Return the standing in a drill, or why it cannot be read."""
    try:
        about = options.about(name)
        return write_standing(memory.load(name, about))
    except BlackjackError as error:
        return str(error)


def find_begun(options: DrillOptions, memory: DrillMemory) -> list[str]:
    """Return the drills with a price that have been begun."""
    return [name for name in PRICED if read_standing(options, memory, name) != NOT_BEGUN]


def find_prices(options: DrillOptions, memory: DrillMemory, names: Iterable[str]) -> dict[str, str]:
    """Return what mistakes are expected to cost in some drills, over all classes of hands.

    It solves the game, which may take seconds.
    """
    whole = replace(options, classes=None)
    prices = {}
    for name in names:
        with suppress(BlackjackError):  # a drill that cannot be has no price
            drill = whole.make(name)
            progress = memory.load(name, drill.about)
            price = price_of(drill, progress, memory.observe(drill))
            if price is not None:
                prices[name] = write_price(price)
    return prices
