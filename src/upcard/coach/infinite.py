"""A position on an infinite deck, by the infinite-deck solver."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from upcard.coach.conditional_rules import check_solvable, lower_rules
from upcard.coach.outcome_probabilities import DealerTotals, Ending, compare
from upcard.core.actions import Action
from upcard.core.cards import RANKS
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.exact.best_action import best_action
from upcard.exact.dealer import (
    DealerProbabilities,
    dealer_outcomes,
    natural_odds,
    rank_odds,
)
from upcard.exact.infinite_hands import UpcardValues
from upcard.rules.predicates import dealer_peeks

if TYPE_CHECKING:
    from upcard.coach.outcome_probabilities import OutcomeProbabilities
    from upcard.coach.question import Question


class InfinitePosition:
    """A hand and the upcard; what has left an infinite deck changes nothing."""

    def __init__(self, question: Question, *, has_looked: bool) -> None:
        """Read the question."""
        self.question = question
        self.has_looked = has_looked
        self.natural = natural_odds(question.rules, question.upcard.rank)
        self._table = hand_table(question.rules.ace_rule)
        self._state = self._table.state_of(question.ranks)
        self._ends: dict[int, Ending] = {}

    def stand(self) -> float:
        """EV of standing, per initial bet."""
        return self._finish(self._play.first_values(self._state, cards=3)[Action.STAND])

    def hit(self) -> float:
        """EV of one card and the best play after it."""
        return self._finish(self._play.first_values(self._state, cards=3)[Action.HIT])

    def double(self) -> float:
        """EV of a doubled bet and one card."""
        cards = len(self.question.cards)
        return self._finish(self._play.first_values(self._state, cards=cards)[Action.DOUBLE])

    def split(self, most: int | None) -> float:
        """EV of splitting into `most` hands at most."""
        pair = self.question.pair
        values = self._values(most).first_values(self._state, pair_rank=pair)
        return self._finish(values[Action.SPLIT])

    @cached_property
    def _play(self) -> UpcardValues:
        return self._values(1)

    def _values(self, most: int | None) -> UpcardValues:
        question = self.question
        rules = lower_rules(
            question.rules,
            most=most,
            split_rank=question.split_rank,
            has_looked=self.has_looked,
        )
        check_solvable(rules)
        return UpcardValues(rules, question.upcard.rank)

    def _finish(self, ev: float) -> float:
        """Turn the solver's value, after a look where the dealer peeks, into that of now."""
        if self.has_looked:
            return ev
        return self._play.before_look(ev)

    def chances(self, action: Action) -> OutcomeProbabilities | None:
        """Return win, push and lose by an action; None where they are not known."""
        match action:
            case Action.STAND:
                ending = self._stand(self._state)
            case Action.DOUBLE:
                ending = self._draw(self._state, plays_on=False)
            case Action.HIT:
                ending = self._draw(self._state, plays_on=True)
            case _:
                return None
        return ending.finish(is_conditional=self.has_looked)

    def dealer(self) -> DealerTotals:
        """Return how the dealer ends."""
        found = self._dealer(self.question.total)
        return DealerTotals.of(
            found.totals[17:], natural=found.natural, below=sum(found.totals[:17])
        )

    def _dealer(self, total: int) -> DealerProbabilities:
        """Return the dealer's totals as parts of the whole, his natural counted."""
        rules, upcard = self.question.rules, self.question.upcard.rank
        found = dealer_outcomes(rules, upcard, player_total=total)
        if not dealer_peeks(rules, upcard):
            if not self.has_looked:
                return found
            whole = 1 - found.natural
            parts = tuple(chance / whole for chance in found.totals)
            return DealerProbabilities(parts, found.bust / whole, 0.0)
        if self.has_looked:
            return found
        rest = 1 - self.natural
        parts = tuple(rest * chance for chance in found.totals)
        return DealerProbabilities(parts, rest * found.bust, self.natural)

    def _stand(self, state: int) -> Ending:
        total = self._table.total[state]
        found = self._dealer(total)
        return compare(
            self.question.rules,
            total,
            enumerate(found.totals),
            bust=found.bust,
            natural=found.natural,
        )

    def _draw(self, state: int, *, plays_on: bool) -> Ending:
        odds = rank_odds(self.question.rules)
        ending = Ending()
        for rank in RANKS:
            after = self._table.next_state[state][rank]
            if self._table.total[after] > BUST_LIMIT:
                natural = self._dealer(0).natural
                end = Ending(lose=1 - natural, natural=natural)
            elif plays_on:
                end = self._play_on(after)
            else:
                end = self._stand(after)
            ending = ending.plus(end, odds[rank])
        return ending

    def _play_on(self, state: int) -> Ending:
        if state not in self._ends:
            values = self._play.first_values(state, cards=3)
            best = best_action(values)
            if best is Action.STAND or self._table.total[state] == BUST_LIMIT:
                self._ends[state] = self._stand(state)
            else:
                self._ends[state] = self._draw(state, plays_on=best is Action.HIT)
        return self._ends[state]
