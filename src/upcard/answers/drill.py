"""Answers of a drill: what it asks, whether you were right, what it cost, how you are doing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from upcard.analysis.grades import count_grades, write_grades
from upcard.answers.figure import Figure
from upcard.answers.hand import AnswerValue, list_values
from upcard.coach.judgement import write_bets, write_verdict
from upcard.core.actions import Action
from upcard.core.cards import CARDS_PER_DECK, Card, rank_name
from upcard.core.errors import BlackjackError, as_sentence
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.core.numbers import fields_of, with_minus, with_minus_signs
from upcard.drills.catalogue import CATALOGUE, HANDS, STRATEGY, DrillMemory, DrillOptions
from upcard.drills.counting_drills import CountingKind, write_number
from upcard.drills.desk import Answered, DrillDesk, DrillStep, dress_prompt
from upcard.drills.drill import DrillProgress, Feedback, Prompt
from upcard.drills.drill_run import DrillEnding, DrillRun, price_of
from upcard.rules.settings import DealOrder, HoleCard
from upcard.table.state import HandStatus, RoundState

if TYPE_CHECKING:
    from upcard.drills.strategy_drills import PlayedHand
    from upcard.rules.model import Rules

ABOUT_WEIGHTS: Final = (
    "What comes next is drawn by what it would cost you: how often such a hand comes, times how"
    " often you answer it wrong, times what the error costs. A mistake comes again four answers"
    " later. Until you have answered, your error rate is a guess: half where the likeliest mistake"
    " costs nothing, less where it is costly."
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
class DrawnHand:
    """Some cards and their words; a card face down is None."""

    name: str
    """`You`, `Dealer` or `Hand 2`."""
    cards: tuple[Card | None, ...]
    """The cards in the order of the deal, with suits, which mean nothing."""
    text: str
    """Total of the cards, or what the dealer shows."""
    is_active: bool = False
    """Whether it is the hand to answer for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCards:
    """Cards that are shown group by group; those to come are not in it."""

    cards: tuple[Card | None, ...]
    """The cards of this group; face down before the first."""
    place: int
    """Number of this group, from 1; 0 before the first."""
    of: int
    """Number of groups."""
    text: str
    """All the cards and groups in words."""
    best_text: str
    """The best time; empty if none is saved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnswer:
    """Question of a drill, with all that is shown with it."""

    question: int
    """Number of the question, from 1; a whole hand is one."""
    item: str
    """Name of the item that it is about: `hard 16 v T`."""
    text: str
    """The whole question in one line."""
    ask: str
    """The question in a few words."""
    choices: tuple[str, ...]
    """The answers to choose from; empty if a number is asked for."""
    cards: tuple[Card, ...]
    """Cards of the hand; empty if a number is asked for."""
    upcard: Card | None
    """The dealer's upcard; None if a number is asked for."""
    at: str
    """The count at which a hand is asked, `hi-lo +2`; empty without one."""
    dealer: DrawnHand | None
    """The dealer's cards as they are drawn; None if a number is asked for."""
    hands: tuple[DrawnHand, ...]
    """Your hands as they are drawn; empty if a number is asked for."""
    is_over: bool
    """Whether it is a whole hand that is over."""
    showing: ShownCards | None
    """The cards that are shown now, in two drills of counting; None once all were."""
    facts: tuple[Figure, ...]
    """Numbers of the question, such as the running count."""


def answer_drill(desk: DrillDesk) -> QuestionAnswer:
    """Return what a drill asks, or asked last."""
    prompt, rules, played = desk.prompt, desk.setup.options.rules, desk.run.hand
    at = with_minus_signs(prompt.text.partition(" at ")[2])
    dealer: DrawnHand | None = None
    hands: tuple[DrawnHand, ...] = ()
    is_over = False
    if played is not None:
        state = played.state
        is_over = state.is_over
        ask = "The hand is over" if is_over else _ask_in_round(state)
        dealer = _draw("Dealer", _order_shown(state), _write_dealer_total(state))
        hands = tuple(_draw_hands(state))
    elif prompt.upcard is not None:
        cards, upcard = dress_prompt(prompt, rules)
        ask = _ask_line(prompt, at)
        dealer = _draw("Dealer", _order_dealer(upcard, rules), f"shows {_name_card(upcard)}")
        is_open = desk.step is DrillStep.ASKING
        hands = (_draw("You", cards, _write_hand_total(cards, rules), is_active=is_open),)
    else:
        ask = _SHORT[CountingKind(desk.run.drill.name)]
    return QuestionAnswer(
        question=desk.run.questions,
        item=prompt.item,
        text=with_minus_signs(prompt.text),
        ask=ask,
        choices=prompt.choices,
        cards=() if prompt.upcard is None else prompt.cards,
        upcard=prompt.upcard,
        at=at,
        dealer=dealer,
        hands=hands,
        is_over=is_over,
        showing=_show_cards(desk),
        facts=tuple(_list_facts(prompt)),
    )


_SHORT: Final[Mapping[str, str]] = {
    CountingKind.COUNTDOWN: "What is the count?",
    CountingKind.RUNNING: "What is the running count?",
    CountingKind.TRUE: "What is the true count?",
    CountingKind.DECKS: "How many decks are left?",
    CountingKind.BET: "How many units do you bet?",
}
_GROUPS: Final = {1: "one by one", 2: "by twos", 3: "by threes"}


def _list_facts(prompt: Prompt) -> Iterable[Figure]:
    known = dict(prompt.data)
    if "running" in known:
        running, cards = known["running"], known["cards_left"]
        yield _figure("running", "Running count", running, with_minus(write_number(running)))
        yield _figure("cards_left", "Cards left", cards, str(cards))
        decks = cards / CARDS_PER_DECK
        yield _figure("decks_left", "Decks left", decks, f"{decks:.2f}")
    elif "count" in known:
        name, colon, _ = prompt.text.partition(": how many")
        text = name if colon else prompt.text.partition(" at ")[2]
        yield _figure("count", "Count", known["count"], with_minus_signs(text))


def _figure(name: str, title: str, value: Fraction | float, text: str) -> Figure:
    return Figure(name=name, title=title, value=float(value), text=text)


def _show_cards(desk: DrillDesk) -> ShownCards | None:
    place, groups = desk.place, desk.prompt.groups
    if place is None:
        return None
    best = desk.run.progress.record(desk.prompt.item).best_seconds
    how = _GROUPS.get(len(groups[0]), "") if desk.is_countdown else f"in {len(groups)} groups"
    return ShownCards(
        cards=(None,) * len(groups[0]) if place < 0 else groups[place],
        place=place + 1,
        of=len(groups),
        text=f"{sum(map(len, groups))} cards {how}",
        best_text="" if best is None else write_seconds(best),
    )


_NAMES: Final = {"A": "an ace", "T": "a ten", "J": "a jack", "Q": "a queen", "K": "a king"}
_OUTCOMES: Final = {
    "win": "won",
    "natural": "won",
    "push": "pushed",
    "lose": "lost",
    "surrender": "surrendered",
}


def _draw(
    name: str, cards: Sequence[Card | None], text: str, *, is_active: bool = False
) -> DrawnHand:
    return DrawnHand(name=name, cards=tuple(cards), text=text, is_active=is_active)


def _draw_hands(state: RoundState) -> Iterable[DrawnHand]:
    for index, hand in enumerate(state.hands):
        yield _draw(
            "You" if len(state.hands) == 1 else f"Hand {index + 1}",
            hand.cards,
            _write_status(state, index),
            is_active=not state.is_over and index == state.active,
        )


def _ask_line(prompt: Prompt, at: str) -> str:
    """Write what is asked: the count if there is one, and an offer separately."""
    offer = prompt.text.partition(": ")[2]
    if "insurance" in prompt.choices:
        return f"Insurance at {at}?" if at else "Insurance?"
    what = f"{_capital(offer)}: your answer?" if offer else "Your play?"
    return f"At {at}: {what[:1].lower()}{what[1:]}" if at else what


def _ask_in_round(state: RoundState) -> str:
    """Write what is asked in a whole hand: `Your play?`, `Hand 1 of 2: surrender?`."""
    count = len(state.hands)
    which = f"Hand {state.active + 1} of {count}: " if count > 1 else ""
    line = which + {"surrender": "surrender?", "split": "split?"}.get(state.phase, "your play?")
    return _capital(line)


def _order_dealer(upcard: Card, rules: Rules) -> list[Card | None]:
    """Return the dealer's opening cards in the order of the deal, as the table draws them."""
    if rules.hole_card is HoleCard.NONE:
        return [upcard]
    return [None, upcard] if rules.deal_order is DealOrder.HANDS_HOLE_UP else [upcard, None]


def _order_shown(state: RoundState) -> list[Card | None]:
    """Return the dealer's cards in the order of the deal, as the table draws them."""
    if len(state.shown_dealer_cards) == len(state.dealer):
        return list(state.dealer)
    up = state.setup.up_index if state.shown_dealer_cards else -1
    return [card if place == up else None for place, card in enumerate(state.dealer)]


def _write_hand_total(cards: Sequence[Card], rules: Rules) -> str:
    """Write the total of cards: `hard 16`, `soft 18`, `21`, `24, bust`."""
    table = hand_table(rules.ace_rule)
    state = table.state_of(card.rank for card in cards)
    total = table.total[state]
    if total >= BUST_LIMIT:
        return f"{total}, bust" if total > BUST_LIMIT else str(total)
    return f"{'soft' if table.is_soft[state] else 'hard'} {total}"


def _write_dealer_total(state: RoundState) -> str:
    """Write the dealer's total once the round is over, else what the dealer shows."""
    if state.is_over and len(state.dealer) == len(state.shown_dealer_cards) > 1:
        total = state.dealer_total
        return f"{total}, bust" if total > BUST_LIMIT else str(total)
    return f"shows {_name_card(state.upcard)}"


def _write_status(state: RoundState, index: int) -> str:
    """Write the total of a hand, and that it waits, is finished or how it ended."""
    hand = state.hands[index]
    total = _write_hand_total(hand.cards, state.rules)
    if state.is_over:
        outcome = str(state.results[index][0])
        return total if outcome == "bust" else f"{total}, {_OUTCOMES.get(outcome, outcome)}"
    if hand.status is HandStatus.PLAYING:
        return total if index == state.active else f"{total}, waits"
    is_told = hand.status in (HandStatus.BUST, HandStatus.TWENTY_ONE)
    return total if is_told else f"{total}, {hand.status}"


def _name_card(card: Card) -> str:
    """Write a card's face as players do: `an ace`, `a 9`."""
    return _NAMES.get(card.face, f"an {card.face}" if card.face == "8" else f"a {card.face}")


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
    """The answer that was given."""
    right: str
    """The right answer."""
    is_right: bool
    """Whether the answer was right."""
    grade: str
    """`right`, `slip`, `mistake` or `blunder`; a wrong count is a mistake."""
    cost: float
    """Cost of the answer: EV per initial bet, or the distance from the right number."""
    unit: str
    """The unit of the cost: `EV`, `counts off`, `decks off`, `units off`."""
    cost_text: str
    """The cost in words; empty for a right answer."""
    text: str
    """The verdict as a sentence."""
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
        after = "The hand goes on." if hand is None else hand.text
    return DrillVerdict(
        question=_name_question(prompt, rules),
        item=prompt.item,
        answer=feedback.answer,
        right=feedback.right,
        is_right=feedback.is_right,
        grade=feedback.grade.value,
        cost=feedback.cost,
        unit=feedback.unit,
        cost_text="" if feedback.is_right else _write_cost(feedback),
        text=write_feedback(feedback),
        names_hand=feedback.judgement is not None,
        reason=with_minus_signs(feedback.reason),
        answers=_list_answers(feedback),
        seconds=answered.seconds,
        after=after,
        hand=hand,
    )


def write_feedback(feedback: Feedback) -> str:
    """Write whether an answer was right, and what it cost."""
    if feedback.judgement is not None:
        return with_minus_signs(write_verdict(feedback.judgement, has_bets=False))
    if feedback.is_right:
        return with_minus_signs(f"{_capital(feedback.answer)} is right.")
    grade = f"a {feedback.grade}, " if feedback.unit == "EV" else ""
    wrong = f"{_capital(feedback.right)}, not {feedback.answer}: {grade}{_write_cost(feedback)}."
    return with_minus_signs(wrong)


def _list_answers(feedback: Feedback) -> tuple[AnswerValue, ...]:
    ev = {Action(name): value for name, value in feedback.ev}
    if not ev:
        return ()
    right, best = Action(feedback.right), max(ev, key=lambda action: ev[action])
    # The index plays can differ from what is best for the expected shoe.
    return list_values(ev, right if ev.get(right) == ev[best] else best)


def _write_cost(feedback: Feedback) -> str:
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
    result = "even" if not net else f"{'won' if net > 0 else 'lost'} {_write_bets(abs(net))}"
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


def _write_bets(net: Fraction) -> str:
    return f"{float(net):g} bet{'' if net == 1 else 's'}"


def _name_question(prompt: Prompt, rules: Rules) -> str:
    if prompt.upcard is None:
        return with_minus_signs(_capital(prompt.text))
    at = with_minus_signs(prompt.text.partition(" at ")[2])
    total = _write_hand_total(prompt.cards, rules)
    cards = " ".join(map(_face, prompt.cards))
    hand = f"{cards} ({total})" if len(prompt.cards) > 1 else total
    return f"{hand} against {_face(prompt.upcard)}" + (f" at {at}" if at else "")


def _face(card: Card) -> str:
    return "10" if rank_name(card.rank) == "T" else rank_name(card.rank)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedItem:
    """An item that may come next, and why: frequency, error rate and cost, multiplied."""

    item: str
    """The item by its name: `surrender 12 v T`."""
    name: str
    """The item as a question: `12 v T: surrender?` is no advice to surrender."""
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
    """Return the items that are likeliest to be asked next, and why; due repetitions first."""
    return tuple(
        ExpectedItem(
            **one._asdict(),
            name=with_minus_signs(one.name),
            share_text="soon again" if one.is_due else f"{one.share:.1%}",
            text=f"{_write_often(one.frequency)} × {one.error_rate:.0%} × {one.cost:.3g}",
        )
        for one in run.expect(most)
    )


def _write_often(frequency: float) -> str:
    return f"{frequency:.1%}" if frequency >= 0.01 else f"{100 * frequency:.2g}%"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillScore:
    """How a drill goes."""

    asked: int
    """Number of answers."""
    right: int
    """Number of right answers."""
    streak: int
    """Right answers in a row, up to now."""
    best_streak: int
    """The most right answers in a row."""
    cost: float
    """Cost of the wrong answers, in `unit`."""
    unit: str
    """The unit of the cost: `EV` per initial bet, `counts off`, `decks off`, `units off`."""
    grades: dict[str, int]
    """Number of the answers of each grade: `right`, `slip`, `mistake`, `blunder`."""
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
    """The right answers, and the wrong ones by their grades."""
    figures: tuple[Figure, ...]
    """The same and more, as rows of a name and a number."""


_ENDINGS: Final = {
    None: "",
    DrillEnding.QUESTIONS: "That was the last one.",
    DrillEnding.TIME: "The time is up.",
}


def score_drill(desk: DrillDesk) -> DrillScore:
    """Return how a drill goes: right answers, the last ones one by one, pace, time, cost."""
    run, tally = desk.run, desk.run.tally
    wrong = write_grades(tally.grades)
    return DrillScore(
        asked=tally.asked,
        right=tally.right,
        streak=tally.streak,
        best_streak=tally.best_streak,
        cost=tally.cost,
        unit=tally.unit,
        grades=tally.grades,
        marks=tuple(one.feedback.grade.value for one in desk.answered[-_MOST_MARKS:]),
        questions=run.questions,
        of=desk.setup.questions,
        seconds=run.seconds,
        ending=_ENDINGS[desk.ending],
        wrong=wrong,
        text=", ".join(filter(None, (f"{tally.right} right", wrong))),
        figures=tuple(_list_figures(desk)),
    )


def _list_figures(desk: DrillDesk) -> Iterable[Figure]:
    run, tally, setup = desk.run, desk.run.tally, desk.setup
    share = f" ({tally.right / tally.asked:.0%})" if tally.asked else ""
    question = f"{run.questions}" + (f" of {setup.questions}" if setup.questions else "")
    yield _figure("questions", "Question", run.questions, question)
    yield _figure("right", "Right", tally.right, f"{tally.right} of {tally.asked}{share}")
    streak = f"{tally.streak}, best {tally.best_streak}"
    yield _figure("streak", "Streak", tally.streak, streak)
    if run.seconds >= FIRST_PACE:
        yield _figure("pace", "Pace", run.per_minute, f"{run.per_minute:.0f} a minute")
    if setup.minutes:
        left = max(60 * setup.minutes - run.seconds, 0)
        yield _figure("seconds_left", "Time", left, f"{write_seconds(left)} left")
    elif run.seconds >= FIRST_PACE:
        time = f"{int(run.seconds)} s" if run.seconds < 60 else write_seconds(run.seconds)
        yield _figure("seconds", "Time", run.seconds, time)
    yield _figure("cost", "Cost", tally.cost, write_total(tally.cost, tally.unit))
    asked, wrong = count_answers(run.progress)
    ever = f"{asked}, {wrong / asked:.0%} wrong" if asked else NOT_BEGUN
    yield _figure("ever", "Answers ever", asked, ever)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillReport(DrillScore):
    """How a drill went."""

    drill: str
    """Name of the drill."""
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


def report_drill(desk: DrillDesk) -> DrillReport:
    """Return how a drill went."""
    score, run, rules = score_drill(desk), desk.run, desk.setup.options.rules
    expected = list_expected(run, _SHOWN)
    return DrillReport(
        **fields_of(score, *(one.name for one in fields(score))),
        drill=run.drill.name,
        about=run.drill.about,
        lines=tuple(_summarize(run, expected)),
        share=f"{score.right / score.asked:.0%}" if score.asked else "",
        expected=expected,
        mistakes=tuple(
            judge_answer(one, rules) for one in desk.answered if not one.feedback.is_right
        ),
    )


def _summarize(run: DrillRun, expected: Sequence[ExpectedItem]) -> Iterable[str]:
    tally = run.tally
    yield f"{_capital(run.drill.name)}, {run.drill.about}"
    if tally.asked:
        answers, share = _count(tally.asked, "answer"), tally.right / tally.asked
        right = f"{tally.right} right ({share:.0%})"
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


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


NOT_BEGUN: Final = "not begun"
"""The standing in a drill without answers."""
_PRICED: Final = (STRATEGY, HANDS)
"""The drills whose mistakes have a price."""
_OPTION_NAMES: Final = {
    "classes": "classes",
    "system": "count",
    "deviations": "index plays",
    "ramp": "ramp",
    "group": "group",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillStanding:
    """A drill that can be begun, and how far one is with it."""

    name: str
    """Name of the drill."""
    about: str
    """Its question, in a line."""
    explanation: str
    """Its lesson, in a few sentences."""
    takes: tuple[str, ...]
    """The options that it uses, in words."""
    why_not: str
    """Why it cannot be begun; empty if it can."""
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
                about=entry.about,
                explanation=entry.explanation,
                takes=tuple(_OPTION_NAMES[one] for one in entry.options if one in _OPTION_NAMES),
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
    return f"{_count(asked, 'answer')}, {wrong / asked:.0%} wrong" if asked else NOT_BEGUN


def find_begun(options: DrillOptions, memory: DrillMemory) -> list[str]:
    """Return the drills with a price that have been begun."""
    found = []
    for name in _PRICED:
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
            progress = memory.load(name, drill.about)
            price = price_of(drill, progress, memory.observe(drill))
            if price is not None:
                prices[name] = Figure(
                    name="price",
                    title="Cost of mistakes",
                    value=price,
                    unit="bets in 100 hands",
                    text=f"{price:.2f} bets lost in 100 hands",
                )
    return prices
