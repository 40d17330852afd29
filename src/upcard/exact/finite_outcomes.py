"""Results of hands on a solved shoe, played by the solution's own plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.core.cards import RANKS
from upcard.core.hands import BUST_LIMIT
from upcard.exact.outcome_probabilities import Ending, HandOutcomes, compare
from upcard.kernels.dealer_tree import NATURAL_COLUMN
from upcard.kernels.player import DOUBLE, HIT, STAND
from upcard.rules.settings import HoleCard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from upcard.exact.solution import UpcardSolution

_ACTIONS: Final = {STAND: Action.STAND, HIT: Action.HIT, DOUBLE: Action.DOUBLE}


class FiniteOutcomes(HandOutcomes):
    """Results of hands on one solved shoe, played by the solution's own plan."""

    def __init__(self, solution: UpcardSolution) -> None:
        super().__init__()
        self.solution = solution
        self.prepared = solution.prepared

    def dealer(self, hand: int) -> tuple[list[float], float]:
        """Return the chances of the dealer's 17 to 21 and of a natural, by hand (0: none)."""
        row = self.prepared.removed.of_hand[0][hand]
        chances = [float(chance) for chance in self.prepared.outcomes[row, self.solution.upcard]]
        natural = chances.pop(NATURAL_COLUMN)
        return chances, natural

    def stand(self, hand: int) -> Ending:
        """Return the result of a hand that stands, or that won at once."""
        rules, hands = self.prepared.rules, self.prepared.hands
        chances, natural = self.dealer(hand)
        total, cards = int(hands.total[hand]), int(hands.cards[hand])
        if rules.charlie is not None and cards >= rules.charlie:
            if rules.hole_card is HoleCard.PEEK:
                return Ending(win=1 - natural, natural=natural)
            return Ending(win=1 - natural, natural_win=natural)
        bust = 1 - sum(chances) - natural
        return compare(rules, total, enumerate(chances, start=17), bust=bust, natural=natural)

    def next_action(self, hand: int) -> Action:
        """Return the action of the plan."""
        if self.prepared.hands.total[hand] == BUST_LIMIT:
            return Action.STAND
        return _ACTIONS[int(self.solution.plan.later[hand])]

    def next_cards(self, hand: int) -> Iterator[tuple[float, int, float]]:
        """Iterate over one more card: chance, hand (-1 for a bust), then a natural's chance."""
        hands, matching = self.prepared.hands, self.solution.matching
        left = self.solution.shoe - hands.counts[hand]
        cards = float(left[1:].sum())
        for rank in RANKS:
            if left[rank] <= 0:
                continue
            after = int(hands.next_hand[hand, rank])
            natural = 0.0
            if after < 0 and matching:
                natural = float(left[matching] - (rank == matching)) / (cards - 1)
            yield float(left[rank]) / cards, after, natural
