"""Opening hands with their exact values, all at once: what drills weigh their questions by."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from upcard.coach.judgement import cost_of
from upcard.coach.lowering import limit_splits, lower_rules
from upcard.coach.question import HandClass
from upcard.coach.situations import list_situations, pose
from upcard.core.actions import Action
from upcard.core.errors import UnsupportedRuleError
from upcard.exact.finite import ShoeSolver
from upcard.exact.infinite import solve_infinite
from upcard.exact.odd import OddSolver
from upcard.exact.odd_rules import is_odd
from upcard.exact.shoe import full_decks
from upcard.rules.settings import HoleCard, Surrender
from upcard.table.state import Phase

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.coach.question import Question
    from upcard.coach.situations import Situation
    from upcard.core.cards import Rank
    from upcard.exact.solution import UpcardSolution
    from upcard.rules.model import Rules

    Values = dict[Action, float]

CLOSE_SURRENDER = 0.15
"""Hands whose surrender is within this of the best answer are a class of their own."""


class Opening(NamedTuple):
    """An opening situation with its exact values."""

    situation: Situation
    question: Question
    ev: dict[Action, float]
    hand_class: HandClass
    """The class under which drills ask: surrender where it is close, best, or offered alone."""
    slip: float
    """What the likeliest mistake costs: the second best answer; EV per initial bet."""

    @property
    def cell(self) -> str:
        """The situation as a chart has it, for adding up: `16 v T`."""
        return f"{self.question.label} v {self.situation.upcard}"


@lru_cache(maxsize=8)
def list_openings(rules: Rules) -> tuple[Opening, ...]:
    """Return every opening situation that is asked, with frequency and exact values.

    Raises: UnsupportedRuleError for rules without exact values.
    """
    situations = list_situations(rules)
    value = _values_of(rules)
    openings = []
    for situation in situations:
        question = pose(rules, situation.cards, situation.upcard)
        ev = _offer(question, value(question))
        openings.append(Opening(situation, question, ev, _classify(question, ev), _slip(ev)))
    return tuple(openings)


def _values_of(rules: Rules) -> Callable[[Question], Values]:
    """Return what gives the values of an opening question, from one solution of all of them."""
    try:
        solvable = limit_splits(rules)[0]
    except UnsupportedRuleError:
        solvable = lower_rules(rules, most=1)  # the splits alone have no exact method
    if rules.is_infinite:
        infinite = solve_infinite(solvable)
        return lambda question: infinite.values(
            " ".join(map(str, question.cards)), question.upcard.rank
        )
    shoe = full_decks(rules.decks or 1)
    if is_odd(rules):
        odd = OddSolver(solvable, shoe)
        by_upcard: dict[Rank, list[Values]] = {}

        def value_odd(question: Question) -> Values:
            upcard = question.upcard.rank
            if upcard not in by_upcard:
                by_upcard[upcard] = odd.against(upcard)
            return by_upcard[upcard][odd.find(question.ranks)]

        return value_odd
    solutions = ShoeSolver(solvable, shoe).against_all()
    return lambda question: _value_finite(question, solutions[question.upcard.rank])


def _value_finite(question: Question, solution: UpcardSolution) -> Values:
    rules = question.rules
    hand = solution.solver.hands.find(question.ranks)
    before_look = rules.surrender is Surrender.EARLY and rules.hole_card is HoleCard.PEEK
    finish = solution.before_look if before_look else solution.given_no_natural
    values = solution.values(hand, pair=question.pair)
    return {action: finish(value, hand) for action, value in values.items()}


def _offer(question: Question, values: Values) -> Values:
    """Return the values of what is asked: an offer by itself leaves the best of the others."""
    match question.phase:
        case Phase.SURRENDER:
            offered, declined = Action.SURRENDER, Action.NO_SURRENDER
        case Phase.SPLIT:
            offered, declined = Action.SPLIT, Action.NO_SPLIT
        case _:
            return {action: values[action] for action in question.legal if action in values}
    others = max(value for action, value in values.items() if action is not offered)
    found = {declined: others}
    return {offered: values[offered], **found} if offered in values else found


def _classify(question: Question, ev: Values) -> HandClass:
    if Action.SURRENDER in ev:
        others = max(value for action, value in ev.items() if action is not Action.SURRENDER)
        if question.phase is Phase.SURRENDER or ev[Action.SURRENDER] - others >= -CLOSE_SURRENDER:
            return HandClass.SURRENDER
    if question.pair:
        return HandClass.PAIR
    return HandClass.SOFT if question.is_soft else HandClass.HARD


def _slip(ev: Values) -> float:
    best = max(ev.values())
    costs = (cost_of(best, value) for value in ev.values())
    return min((cost for cost in costs if cost > 0), default=0.0)
