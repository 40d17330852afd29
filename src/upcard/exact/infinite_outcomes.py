"""Results of hands against one upcard of an infinite deck, with the best play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.core.actions import Action
from upcard.core.cards import RANKS
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.exact.best_action import best_action
from upcard.exact.dealer import DealerProbabilities, dealer_outcomes, natural_odds, rank_odds
from upcard.exact.outcome_probabilities import Ending, compare
from upcard.rules.predicates import dealer_peeks

if TYPE_CHECKING:
    from upcard.exact.infinite_hands import UpcardValues


class InfiniteOutcomes:
    """Results of hands, after the dealer looked and has no natural, or before the look."""

    def __init__(self, against: UpcardValues, *, has_looked: bool) -> None:
        self.against = against
        self.rules = against.rules
        self.table = hand_table(self.rules.ace_rule)
        self.has_looked = has_looked
        self.known: dict[int, Ending] = {}

    def dealer(self, total: int) -> DealerProbabilities:
        """Return the dealer's totals as parts of the whole, including a natural."""
        upcard = self.against.upcard
        found = dealer_outcomes(self.rules, upcard, player_total=total)
        if self.has_looked or not dealer_peeks(self.rules, upcard):
            return found
        natural = natural_odds(self.rules, upcard)
        parts = tuple((1 - natural) * chance for chance in found.totals)
        return DealerProbabilities(parts, (1 - natural) * found.bust, natural)

    def stand(self, state: int) -> Ending:
        """Return the result of a hand that stands, or that won at once."""
        total = self.table.total[state]
        found = self.dealer(total)
        return compare(
            self.rules, total, enumerate(found.totals), bust=found.bust, natural=found.natural
        )

    def draw(self, state: int, *, plays_on: bool) -> Ending:
        """Return the result of a hand that takes a card, then stands or is played best."""
        odds = rank_odds(self.rules)
        ending = Ending()
        for rank in RANKS:
            after = self.table.next_state[state][rank]
            if self.table.total[after] > BUST_LIMIT:
                natural = self.dealer(0).natural
                end = Ending(lose=1 - natural, natural=natural)
            elif plays_on:
                end = self._play(after)
            else:
                end = self.stand(after)
            ending = ending.plus(end, odds[rank])
        return ending

    def _play(self, state: int) -> Ending:
        if state not in self.known:
            values = self.against.first_values(state, cards=3)
            best = best_action(values)
            if best is Action.STAND or self.table.total[state] == BUST_LIMIT:
                self.known[state] = self.stand(state)
            else:
                self.known[state] = self.draw(state, plays_on=best is Action.HIT)
        return self.known[state]
