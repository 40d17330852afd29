"""Changes to which an answer is sensitive: a deck more or less, common rules, the count."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from upcard.coach.counts import expected_composition, neutral_count, thin
from upcard.coach.evaluation import value_question
from upcard.coach.judgement import Advice
from upcard.coach.question import Question
from upcard.coach.seen_cards import Composition
from upcard.core.actions import Action
from upcard.core.cards import CARDS_PER_DECK
from upcard.core.errors import NoExactValueError, RulesError
from upcard.exact.composition import full_decks
from upcard.exact.solver_results import best_action
from upcard.rules.settings import DoubleOn, Soft17
from upcard.strategy.count_system import CountBy, CountSystem, load_system

_FURTHEST: Final = 10
"""Largest true count considered: higher ones hardly ever occur."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One changed rule, and the best answer with it."""

    what: str
    best: Action
    ev: dict[Action, float]
    is_other: bool
    """Whether the best answer differs."""

    def __str__(self) -> str:
        return f"{self.what}: {'' if self.is_other else 'still '}{self.best}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A count from which another answer is best.

    An approximation: the shoe is the expected one at that count, with at least half of it dealt.
    """

    count: int
    is_above: bool
    """Whether it applies at the count and above, or at the count and below."""
    action: Action

    def __str__(self) -> str:
        return f"{self.count:+d} and {'above' if self.is_above else 'below'}: {self.action}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Changes that affect an answer, and those that do not."""

    rules: tuple[Change, ...]
    system: str
    """Counting system of `turns`; empty if counts do not apply."""
    neutral: int
    """Count that implies nothing about the cards."""
    at_neutral: Action
    turns: tuple[Turn, ...]

    @property
    def others(self) -> tuple[Change, ...]:
        """The changes of rules that change the answer."""
        return tuple(change for change in self.rules if change.is_other)


def find_changes(advice: Advice, system: CountSystem | None = None) -> Changes:
    """Find what would change an advice. Takes some tenths of a second: call only when needed."""
    found = []
    for what, question, cards in _vary(advice):
        try:
            ev = value_question(question, cards, splits=advice.splits).ev
        except (NoExactValueError, RulesError):
            continue
        best = best_action(ev)
        found.append(Change(what=what, best=best, ev=ev, is_other=best is not advice.best))
    counting = load_system("hi-lo") if system is None else system
    name, neutral, at_neutral, turns = _find_turns(advice, counting)
    return Changes(
        rules=tuple(found), system=name, neutral=neutral, at_neutral=at_neutral, turns=turns
    )


def _vary(advice: Advice) -> Iterator[tuple[str, Question, Composition]]:
    question, cards = advice.question, advice.cards
    rules = question.rules
    if not rules.is_infinite:
        for sign, what in ((1, "one deck more"), (-1, "one deck less")):
            unseen = tuple(
                count + sign * more for count, more in zip(cards.unseen, full_decks(1), strict=True)
            )
            if min(unseen) >= 0 and math.fsum(unseen) > 0:
                tens = None
                if cards.tens is not None:
                    tens = tuple(count + 4 * sign for count in cards.tens)
                    tens = tens if min(tens) >= 0 else None
                changed = dataclasses.replace(cards, unseen=unseen, tens=tens, told=what)
                yield what, question, changed
    hits = rules.soft_17 is Soft17.HIT
    changes: dict[str, dict[str, object]] = {
        f"dealer {'stands' if hits else 'hits'} soft 17": {
            "soft_17": Soft17.STAND if hits else Soft17.HIT
        }
    }
    if question.pair and not question.split_rank and rules.double_on is not DoubleOn.NEVER:
        das = rules.double_after_split
        what = f"{'no ' if das else ''}double after a split"
        changes[what] = {
            "double_after_split": not das,
            "double_split_aces": rules.double_split_aces and not das,
        }
    for what, change in changes.items():
        other = rules.replace(**change)
        yield what, dataclasses.replace(question, rules=other), cards


def _find_turns(advice: Advice, system: CountSystem) -> tuple[str, int, Action, tuple[Turn, ...]]:
    """Find the nearest counts, up and down, from which another answer is best."""
    question = advice.question
    if question.rules.is_infinite or question.must_be_natural:
        return "", 0, advice.best, ()

    cards = thin(question, advice.cards)

    @cache
    def best_at(count: int) -> Action | None:
        shoe = expected_composition(question, cards, system, count)
        if shoe is None:
            return None
        return best_action(value_question(question, shoe, splits=advice.splits).ev)

    neutral = neutral_count(question, cards, system)
    try:
        start = best_at(neutral)
    except NoExactValueError:
        return "", 0, advice.best, ()
    if start is None:
        return "", 0, advice.best, ()
    step = 1
    if system.by is CountBy.RUNNING:
        step = max(1, round(math.fsum(cards.unseen) / CARDS_PER_DECK))
    turns = []
    for sign in (1, -1):
        count = _find_turn(best_at, neutral, sign, _FURTHEST * step)
        action = None if count is None else best_at(count)
        if count is not None and action is not None:
            turns.append(Turn(count=count, is_above=sign > 0, action=action))
    return system.name, neutral, start, tuple(turns)


def _find_turn(
    best_at: Callable[[int], Action | None], start: int, sign: int, furthest: int
) -> int | None:
    """Return the first count on one side with another answer; None if there is none.

    Searches by bisection, so it may miss an answer that changes and changes back.
    """
    near, far = 0, furthest
    while far > near and best_at(start + sign * far) is None:
        far -= 1  # no such shoe exists
    if far == near or best_at(start + sign * far) is best_at(start):
        return None
    while far - near > 1:
        middle = (near + far) // 2
        if best_at(start + sign * middle) is best_at(start):
            near = middle
        else:
            far = middle
    return start + sign * far
