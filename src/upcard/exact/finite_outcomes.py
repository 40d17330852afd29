"""Results of hands on a solved shoe, played by the solution's own plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.core.cards import RANKS
from upcard.core.hands import BUST_LIMIT
from upcard.exact.outcome_probabilities import Ending, compare
from upcard.kernels.dealer_tree import NATURAL_COLUMN
from upcard.kernels.player import DOUBLE, HIT
from upcard.rules.settings import HoleCard

if TYPE_CHECKING:
    from upcard.exact.solution import UpcardSolution


class FiniteOutcomes:
    """Results of hands on one solved shoe, played by the solution's own plan."""

    def __init__(self, solution: UpcardSolution) -> None:
        self.solution = solution
        self.prepared = solution.prepared
        self.known: dict[int, Ending] = {}

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
            after_peek = rules.hole_card is HoleCard.PEEK
            if after_peek:
                return Ending(win=1 - natural, natural=natural)
            return Ending(win=1 - natural, natural_win=natural)
        return compare(
            rules,
            total,
            enumerate(chances, start=17),
            bust=1 - sum(chances) - natural,
            natural=natural,
        )

    def draw(self, hand: int, *, plays_on: bool) -> Ending:
        """Return the result of a hand that takes a card, then stands or is played by the plan."""
        solution, hands = self.solution, self.prepared.hands
        left = solution.shoe - hands.counts[hand]
        cards = float(left[1:].sum())
        matching = solution.matching
        ending = Ending()
        for rank in RANKS:
            if left[rank] <= 0:
                continue
            share = float(left[rank]) / cards
            after = int(hands.next_hand[hand, rank])
            if after < 0:
                natural = 0.0
                if matching:
                    natural = float(left[matching] - (rank == matching)) / (cards - 1)
                ending = ending.plus(Ending(lose=1 - natural, natural=natural), share)
            elif plays_on:
                ending = ending.plus(self._play(after), share)
            else:
                ending = ending.plus(self.stand(after), share)
        return ending

    def _play(self, hand: int) -> Ending:
        if hand not in self.known:
            hands = self.prepared.hands
            action = int(self.solution.plan.later[hand])
            if hands.total[hand] == BUST_LIMIT or action not in (HIT, DOUBLE):
                self.known[hand] = self.stand(hand)
            else:
                self.known[hand] = self.draw(hand, plays_on=action == HIT)
        return self.known[hand]
