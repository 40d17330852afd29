"""Results of hands against one upcard of an infinite deck, with the best play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.core.actions import Action
from upcard.core.cards import RANKS
from upcard.core.hands import BUST_LIMIT, hand_table
from upcard.exact.best_action import best_action
from upcard.exact.dealer import DealerProbabilities, dealer_outcomes, natural_odds, rank_odds
from upcard.exact.outcome_probabilities import Ending, HandOutcomes, compare
from upcard.rules.predicates import dealer_peeks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.exact.infinite_hands import UpcardValues


class InfiniteOutcomes(HandOutcomes):
    """Results of hands, after the dealer looked and has no natural, or before the look."""

    def __init__(self, against: UpcardValues, *, has_looked: bool) -> None:
        super().__init__()
        self.against = against
        self.rules = against.rules
        self.table = hand_table(self.rules.ace_rule)
        self.has_looked = has_looked

    def dealer(self, total: int) -> DealerProbabilities:
        """Return the dealer's totals as parts of the whole, including a natural."""
        upcard = self.against.upcard
        found = dealer_outcomes(self.rules, upcard, player_total=total)
        if self.has_looked or not dealer_peeks(self.rules, upcard):
            return found
        natural = natural_odds(self.rules, upcard)
        parts = tuple((1 - natural) * chance for chance in found.totals)
        return DealerProbabilities(parts, (1 - natural) * found.bust, natural)

    def stand(self, hand: int) -> Ending:
        """Return the result of a hand that stands, or that won at once."""
        total = self.table.total[hand]
        found = self.dealer(total)
        return compare(
            self.rules, total, enumerate(found.totals), bust=found.bust, natural=found.natural
        )

    def next_action(self, hand: int) -> Action:
        """Return the best action."""
        if self.table.total[hand] == BUST_LIMIT:
            return Action.STAND
        return best_action(self.against.first_values(hand, cards=3))

    def next_cards(self, hand: int) -> Iterator[tuple[float, int, float]]:
        """Iterate over one more card: chance, hand (-1 for a bust), then a natural's chance."""
        odds = rank_odds(self.rules)
        for rank in RANKS:
            after = self.table.next_state[hand][rank]
            if self.table.total[after] > BUST_LIMIT:
                yield odds[rank], -1, self.dealer(0).natural
            else:
                yield odds[rank], after, 0.0
