"""The values of a hand as a page shows them: every answer, the dealer, the reasons."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from upcard.coach.judgement import Advice, decimals_for
from upcard.coach.question import Question
from upcard.coach.seen_cards import CardsSeen, Composition, compose
from upcard.core.actions import Action
from upcard.core.cards import FACES, Card, rank_name
from upcard.core.numbers import with_minus, with_minus_signs
from upcard.exact.supported_rules import SplitPlay
from upcard.rules.model import Rules
from upcard.rules.predicates import offers_insurance
from upcard.table.state import Phase

if TYPE_CHECKING:
    from upcard.coach.adviser import Coach
    from upcard.coach.reasons import Explanation

_DECIMALS: Final = 4
_BAR: Final = 100
"""Length of the longest bar."""
_LONGEST_COST: Final = 0.5
"""Cost of an answer whose bar is the longest, in initial bets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerView:
    """The value of one answer. `win`, `push` and `lose` are None where they are not all of it."""

    action: str
    """The answer: `hit`, `stand`, `double`, `split`, `surrender`, `insurance` and so on."""
    ev: float
    """EV per initial bet."""
    figure: str
    """The EV as text with its sign: `−0.5350`."""
    cost: float
    """EV that is lost against the best answer; 0 for the best."""
    cost_figure: str
    """The cost as text; empty for the best."""
    is_best: bool
    """Whether it is the best answer; one only, also where two are equal."""
    bar: float
    """Length of its bar: 100 for a cost of half a bet or more, 0 for the best answer."""
    win: float | None
    """Chance to win, 0 to 1."""
    push: float | None
    """Chance of a push, 0 to 1."""
    lose: float | None
    """Chance to lose, 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalView:
    """A final result of the dealer, and its chance."""

    name: str
    """`17` to `21`, `natural` or `bust`."""
    chance: float
    """Chance of it, 0 to 1."""
    figure: str
    """The chance in percent, as text."""
    bar: float
    """Length of its bar, in percent of the likeliest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeView:
    """A change, and the best answer with it."""

    words: str
    """The change and the best answer with it, in words."""
    is_other: bool
    """Whether another answer is best with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandValues:
    """Everything about one question."""

    question: str
    """The hand and the upcard in words: `Hard 16 against 10`."""
    best: str
    """The best answer."""
    summary: str
    """The question, the best answer and its value as a sentence."""
    answers: tuple[AnswerView, ...]
    """The value of each answer, the best first."""
    insurance: tuple[AnswerView, ...]
    """The values with and without insurance; empty where it is not offered."""
    dealer: tuple[TotalView, ...]
    """The dealer's final results with their chances."""
    reason: str
    """Why the best answer is best, or better than the answer that was given."""
    missing: tuple[tuple[str, str], ...]
    """Answers without an exact value, each with the reason."""
    split_class: str
    """How split hands are played: `CDZ-` and so on; empty if no split is valued."""
    assumptions: tuple[str, ...]
    """Assumptions and approximations of the values, a sentence each."""
    is_exact: bool
    """Whether every answer has an exact value."""
    changes: tuple[ChangeView, ...] | None
    """None if they were not asked for."""


def value_hand(
    question: Question,
    composition: Composition,
    *,
    splits: SplitPlay = SplitPlay.CDZ,
    wants_changes: bool,
) -> HandValues:
    """Return the values of a hand, given the unseen cards and how split hands are played."""
    from upcard.coach.adviser import Coach

    coach = Coach(question.rules, splits=splits)
    advice = coach.advise_on(question, composition)
    return value_advice(
        advice,
        insurance=_insurance(coach, question, composition),
        wants_changes=wants_changes,
    )


def value_advice(
    advice: Advice,
    *,
    answer: Action | None = None,
    insurance: tuple[AnswerView, ...] = (),
    wants_changes: bool = False,
) -> HandValues:
    """Return everything about an advice; the reason is about `answer`, if it was a mistake."""
    from upcard.coach.reasons import explain

    why = explain(advice, answer)
    question = advice.question
    words = f"{_name_hand(question)} against {_name(question.upcard)}"
    best = str(advice.best)
    return HandValues(
        question=words,
        best=best,
        summary=f"{words}: {best}, {_write(advice.ev[advice.best], _DECIMALS)} of a bet.",
        answers=list_answers(advice, why),
        insurance=insurance,
        dealer=_dealer(why),
        reason=with_minus_signs(why.sentence),
        missing=tuple((str(action), reason) for action, reason in advice.missing.items()),
        split_class=advice.split_class or "",
        assumptions=(*advice.assumptions, *advice.approximations),
        is_exact=advice.is_exact,
        changes=_changes(advice) if wants_changes else None,
    )


def compose_shown(rules: Rules, seen: tuple[Card, ...], removed: int) -> Composition:
    """Return the shoe without the cards `seen`; `removed` of them are neither hand nor upcard."""
    if rules.is_infinite:
        nothing = CardsSeen((0,) * len(FACES))
        return compose(rules, nothing, "composition: infinite deck, always the same")
    left_out = ["the hand", "the upcard"]
    if removed:
        left_out.append(f"{removed} removed card{'s' * (removed != 1)}")
    decks = f"{rules.decks} deck{'s' * (rules.decks != 1)}"
    told = f"composition: {decks} without {', '.join(left_out[:-1])} and {left_out[-1]}"
    return compose(rules, CardsSeen.of(seen), told)


def list_answers(advice: Advice, why: Explanation | None) -> tuple[AnswerView, ...]:
    """Return the value of each answer, the best first, with its chances if `why` has them."""
    ranked = sorted(advice.ev, key=lambda action: (action is not advice.best, -advice.ev[action]))
    return tuple(_answer(action, advice, why) for action in ranked)


def draw_cost(cost: float) -> float:
    """Return the length of the bar of a cost, up to 100; the best answer has none."""
    return round(min(_BAR * cost / _LONGEST_COST, _BAR), 1)


def _answer(action: Action, advice: Advice, why: Explanation | None) -> AnswerView:
    ev, cost = advice.ev[action], advice.costs[action]
    chance = None if why is None else why.chances.get(action)
    return AnswerView(
        action=str(action),
        ev=ev,
        figure=_write(ev, _DECIMALS),
        cost=cost,
        cost_figure=f"{cost:.{decimals_for(cost, least=_DECIMALS)}f}" if cost else "",
        is_best=action is advice.best,
        bar=draw_cost(cost),
        win=None if chance is None else chance.win,
        push=None if chance is None else chance.push,
        lose=None if chance is None else chance.lose,
    )


def _insurance(
    coach: Coach, question: Question, composition: Composition
) -> tuple[AnswerView, ...]:
    if not offers_insurance(question.rules, question.upcard.rank):
        return ()
    asked = replace(
        question,
        phase=Phase.INSURANCE,
        legal=(Action.INSURANCE, Action.NO_INSURANCE),
        has_looked=False,
    )
    return list_answers(coach.advise_on(asked, composition), None)


def _dealer(why: Explanation) -> tuple[TotalView, ...]:
    chances = {name: chance for name, chance in why.dealer.as_dict().items() if chance}
    most = max(chances.values(), default=1.0)
    return tuple(
        TotalView(
            name=name, chance=chance, figure=f"{chance:.2%}", bar=round(_BAR * chance / most, 1)
        )
        for name, chance in chances.items()
    )


def _changes(advice: Advice) -> tuple[ChangeView, ...]:
    from upcard.coach.reasons import find_changes

    changes = find_changes(advice)
    found = [ChangeView(words=str(change), is_other=change.is_other) for change in changes.rules]
    if changes.system:
        neutral = f"{changes.system} at {changes.neutral:+d}: {changes.at_neutral}"
        found.append(ChangeView(words=neutral, is_other=False))
        found += [
            ChangeView(words=f"{changes.system} {turn}", is_other=True) for turn in changes.turns
        ]
        if not changes.turns:
            found.append(ChangeView(words=f"{changes.system}: no count changes it", is_other=False))
    return tuple(replace(view, words=with_minus_signs(view.words)) for view in found)


def _write(ev: float, decimals: int) -> str:
    return with_minus(f"{ev:+.{decimals}f}")


def _name_hand(question: Question) -> str:
    if question.pair or (len(question.cards) == 2 and len(set(question.ranks)) == 1):
        return ",".join(_name(card) for card in question.cards)
    return f"{'Soft' if question.is_soft else 'Hard'} {question.total}"


def _name(card: Card) -> str:
    name = rank_name(card.rank)
    return "10" if name == "T" else name
