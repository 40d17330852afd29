"""Drills of deviations: a hand, an upcard and a count; the play of the indices, and its gain."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from upcard.coach.adviser import Coach, compose_fresh, list_openings, pose
from upcard.coach.judgement import cost_of
from upcard.coach.reasons import expected_composition, thin
from upcard.core.actions import Action
from upcard.core.cards import ACE
from upcard.core.errors import UnsupportedRuleError
from upcard.drills.drill import DrillError, Feedback, Item, Prompt
from upcard.drills.strategy import choose_opening, make_item, read_answer, sum_shares
from upcard.rules.settings import Surrender
from upcard.table.state import Phase

if TYPE_CHECKING:
    import random

    from upcard.coach.adviser import OpeningHand, ValuedOpening
    from upcard.coach.judgement import Advice
    from upcard.coach.question import Question
    from upcard.core.cards import Card
    from upcard.rules.model import Rules
    from upcard.strategy.chart import Strategy
    from upcard.strategy.count_system import CountSystem
    from upcard.strategy.deviations import Deviation, Deviations

_WHO: Final = "drill of deviations"
_NEAR: Final = (-3, -2, -1, 0, 1, 2)
"""Distances from its index at which a play is asked."""
_INSURANCE: Final = "insurance"


class DeviationDrill:
    """Asks for plays near their index. An item is a play of the set, or insurance.

    The right answer is the set's play, applied to the chart. Its cost is computed for the expected
    shoe at that count, half of it dealt: a named approximation.

    Raises: RulesError for indices of another count; UnsupportedRuleError for an infinite deck;
    DrillError for a set with no play that the rules allow.
    """

    name = "deviations"

    def __init__(
        self, rules: Rules, *, system: CountSystem, deviations: Deviations, strategy: Strategy
    ) -> None:
        if rules.decks is None:
            reason = "cards that never run out leave nothing to count"
            raise UnsupportedRuleError(_WHO, "INF", reason)
        deviations.require_system(system)
        self.rules = rules
        self.system = system
        self.deviations = deviations
        self.strategy = strategy
        self.about = f"{rules} {system} {deviations.name}"
        self._plays: dict[str, Deviation] = {}
        self._openings: dict[str, list[ValuedOpening]] = {}
        self._sort_openings()
        self._items = self._weigh()
        self._asked: dict[tuple[str, tuple[Card, ...], Card, int], Advice | None] = {}

    def items(self) -> tuple[Item, ...]:
        """Return the plays of the drill; frequencies sum to 1."""
        return self._items

    def ask(self, item: str, rng: random.Random) -> Prompt:
        """Deal a hand of a play, at a count near its index."""
        situation = choose_opening(self._openings, item, rng).situation
        count = self._index(item) + rng.choice(_NEAR)
        question = self._pose(item, situation)
        hand = " ".join(map(str, situation.cards))
        what = "insurance?" if item == _INSURANCE else f"{hand} v {situation.upcard}"
        return Prompt(
            item=item,
            text=f"{what} at {self.system} {count:+d}",
            choices=tuple(map(str, question.legal)),
            cards=situation.cards,
            upcard=situation.upcard,
            data=(("count", count),),
        )

    def check(self, prompt: Prompt, answer: str) -> Feedback:
        """Judge an action by the indices, and its cost by the expected shoe."""
        action = read_answer(prompt, answer)
        if prompt.upcard is None:
            raise DrillError(f"not a question of this drill: {prompt.text}")
        count = prompt.fact("count")
        question = self._question(prompt.item, prompt.cards, prompt.upcard)
        right = self._decide(question, count)
        cost = 0.0
        key = (prompt.item, question.cards, question.upcard, count)
        if key not in self._asked:
            self._asked[key] = self._advise(question, count)
        advice = self._asked[key]
        if action is not right and advice is not None and {action, right} <= set(advice.ev):
            cost = cost_of(advice.ev[right], advice.ev[action])
        return Feedback(
            is_right=action is right,
            answer=str(action),
            right=str(right),
            cost=cost,
            reason=self._reason(prompt.item, count),
            ev=() if advice is None else tuple((str(one), ev) for one, ev in advice.ev.items()),
        )

    def _sort_openings(self) -> None:
        """Find the hands that each play acts on."""
        openings = list_openings(self.rules)
        for play in self.deviations.plays:
            cell = play.cell
            key = str(play)
            self._plays[key] = play
            hands = [
                one
                for one in openings
                if one.cell == cell and play.action in self._pose(key, one.situation).legal
            ]
            if hands:
                self._openings[key] = hands
        faces_ace = [one for one in openings if one.situation.upcard.rank == ACE]
        if self.deviations.insurance is not None and self.rules.insurance and faces_ace:
            self._openings[_INSURANCE] = faces_ace
        if not self._openings:
            raise DrillError(f"the rules {self.rules} ask about none of {self.deviations.name}")

    def _index(self, item: str) -> int:
        if item == _INSURANCE:
            return self.deviations.insurance or 0
        return self._plays[item].index

    def _question(self, item: str, cards: tuple[Card, ...], upcard: Card) -> Question:
        question = pose(self._rules_of(item), cards, upcard)
        if item != _INSURANCE:
            return question
        legal = (Action.INSURANCE, Action.NO_INSURANCE)
        return replace(question, phase=Phase.INSURANCE, legal=legal, has_looked=False)

    def _pose(self, item: str, situation: OpeningHand) -> Question:
        return self._question(item, situation.cards, situation.upcard)

    def _rules_of(self, item: str) -> Rules:
        """Return the rules of a play's question: only surrenders are asked with surrender allowed.

        A hand that surrenders does not show whether it would hit or stand.
        """
        play = self._plays.get(item)
        if play is not None and play.action is not Action.SURRENDER:
            return self.rules.replace(surrender=Surrender.NONE)
        return self.rules

    def _decide(self, question: Question, count: int) -> Action:
        if question.phase is Phase.INSURANCE:
            takes = self.deviations.takes_insurance(self.strategy, count)
            return Action.INSURANCE if takes else Action.NO_INSURANCE
        return self.deviations.decide(
            self.strategy,
            total=question.total,
            is_soft=question.is_soft,
            pair_rank=question.pair,
            upcard=question.upcard.rank,
            count=count,
            legal=question.legal,
        )

    def _advise(self, question: Question, count: int) -> Advice | None:
        fresh = compose_fresh(self.rules, question.cards, question.upcard)
        shoe = expected_composition(question, thin(question, fresh), self.system, count)
        return None if shoe is None else Coach(question.rules).advise_on(question, shoe)

    def _weigh(self) -> tuple[Item, ...]:
        """Weight each play by the frequency of its hands, and by its gain past its index."""
        shares = {key: sum_shares(openings) for key, openings in self._openings.items()}
        total = math.fsum(shares.values())
        return tuple(
            make_item(key, share / total, self._gain(key)) for key, share in shares.items()
        )

    def _gain(self, item: str) -> float:
        """Return the gain of the play two counts past its index, in its most frequent hand."""
        common = max(self._openings[item], key=lambda one: one.situation.frequency).situation
        question = self._pose(item, common)
        play = self._plays.get(item)
        past = 2 if play is None or play.at_or_above else -3
        advice = self._advise(question, self._index(item) + past)
        if advice is None or len(advice.ev) < 2:
            return 0.0
        best, second = sorted(advice.ev.values(), reverse=True)[:2]
        return cost_of(best, second)

    def _reason(self, item: str, count: int) -> str:
        if item == _INSURANCE:
            index = self._index(item)
            side = "at it or above" if count >= index else "below it"
            return f"Insurance is taken from {index:+d} on; {count:+d} is {side}."
        play = self._plays[item]
        holds = "on its side" if play.holds(count) else "on the other side"
        return f"The play is {play}; {count:+d} is {holds} of the index."
