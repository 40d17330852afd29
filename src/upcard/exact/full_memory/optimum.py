"""The optimum with full memory for a split pair: play that uses every card seen in the round.

A finished hand's mean result does not change while others draw, and results add up: so a state is
the set of cards drawn, the hand in play and the hands that wait, whatever the finished hands hold.
All sets of cards that the hands can draw are gone through, those with most cards first; each needs
the dealer's outcomes once. See `upcard.exact.kernels.split_memory`.
"""

import math
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import RANKS, Rank
from upcard.core.errors import EmptyShoeError, UnsupportedRuleError
from upcard.exact.composition import natural_rank
from upcard.exact.full_memory.states import SplitShape, list_stages, list_totals
from upcard.exact.kernels import dealer_hands, hand_sets, split_memory
from upcard.exact.supported_rules import (
    SplitPlay,
    most_dealer_total,
    payoffs_of,
)
from upcard.rules.engines import find_refusals
from upcard.rules.model import Rules
from upcard.rules.predicates import gets_one_card
from upcard.rules.settings import EngineName, Soft17

Tell = Callable[[float], object]
"""Called with the share of the work that is done."""

_BLOCK: Final = 96 * 64
_LEFT_OVER: Final = 17 + max(RANKS)
"""The dealer ends at a total of 17, and may have to leave a card for the player to draw."""


class SplitQuestion(NamedTuple):
    """All that the value of a split with full memory depends on."""

    rules: Rules
    shoe: tuple[float, ...]
    """Cards before the deal."""
    upcard: Rank
    rank: Rank
    """Rank of the pair."""
    most_hands: int
    at_once: bool
    """Whether all hands get their second card before the first is played."""

    @property
    def shape(self) -> SplitShape:
        """Return what bounds the cards of its hands."""
        one_card = gets_one_card(self.rules, self.rank)
        return SplitShape(self.rank, self.most_hands, one_card, self.at_once)

    @property
    def dealer_tree(self) -> dealer_hands.DealerTree:
        """The ends of the dealer's hand."""
        hits_soft_17 = self.rules.soft_17 is Soft17.HIT
        return dealer_hands.dealer_tree(hits_soft_17, (self.upcard,), most_dealer_total(self.rules))

    @property
    def without_pair(self) -> NDArray[np.float64]:
        """The cards less the pair, the upcard included."""
        cards = np.array(self.shoe, dtype=np.float64)
        cards[self.rank] -= 2
        return cards

    @property
    def drawn_from(self) -> NDArray[np.float64]:
        """The cards less the pair and the upcard."""
        cards = self.without_pair
        cards[self.upcard] -= 1
        return cards

    def check(self) -> None:
        """Refuse rules and shoes for which there is no full memory."""
        play = f"splits={SplitPlay.FULL_AT_ONCE if self.at_once else SplitPlay.FULL}"
        pair = {self.rank: self.most_hands}
        for _, reason in find_refusals(self.rules, EngineName.FULL_MEMORY, pair):
            raise UnsupportedRuleError(EngineName.FINITE, play, reason)
        if any(count != int(count) for count in self.shoe):
            raise UnsupportedRuleError(EngineName.FINITE, play, "it knows whole cards only")
        pips = int(math.fsum(rank * self.shoe[rank] for rank in RANKS))
        needed = self.shape.most_sum + 2 * self.rank + _LEFT_OVER
        if pips < needed:
            raise EmptyShoeError(
                f"a shoe of {math.fsum(self.shoe):g} cards that count {pips}: the cards could run"
                f" out before the dealer is done; with full memory and {self.most_hands} hands they"
                f" must count {needed}"
            )


def solve_split(question: SplitQuestion, tell: Tell) -> float:
    """Return the kernel value of splitting a pair."""
    return _Layers(question).solve(tell)


class _Layers:
    """The sets of drawn cards by size, each layer from the one with one card more."""

    def __init__(self, question: SplitQuestion) -> None:
        self.question = question
        self.shape = shape = question.shape
        rules, rank = question.rules, question.rank
        self.totals = list_totals(rules, rank)
        self.stages: split_memory.SplitStages = list_stages(shape, len(self.totals.total))
        self.shoe = question.drawn_from
        self.sets: split_memory.CardSets = split_memory.number_sets(self.shoe, shape.most_sum)
        self.tree = question.dealer_tree
        self.outcomes = np.zeros((_BLOCK, self.tree.columns))
        self.counts = np.zeros((_BLOCK, 11), dtype=np.int64)

    def solve(self, tell: Tell) -> float:
        sizes = self.sets.first[:, -1]
        every, done = int(sizes.sum()), 0
        layer = self._empty(self.sets.layers)
        following = layer
        for size in range(self.sets.layers - 1, -1, -1):
            following, layer = layer, self._empty(size)
            for start in range(0, int(sizes[size]), _BLOCK):
                end = min(start + _BLOCK, int(sizes[size]))
                self._fill(size, start, end, layer, following)
                done += end - start
                tell(done / every)
        return self._value(layer, following)

    def _empty(self, size: int) -> split_memory.LayerValues:
        """Return rows for a layer; beyond the last there are none."""
        stages, first = self.stages, self.sets.first
        if size == self.sets.layers:
            rows = np.zeros_like(stages.limit)
        else:
            known = 2 * self.question.rank
            sums = np.minimum(stages.limit - known, self.shape.most_sum)
            rows = np.where(sums >= 0, first[size, sums + 1], 0)
        ends = np.cumsum(rows * stages.width)
        sets = 0 if size == self.sets.layers else int(first[size, -1])
        return split_memory.LayerValues(
            standing=np.zeros((sets, split_memory.STANDING)),
            values=np.zeros(int(ends[-1])),
            offset=ends - rows * stages.width,
            rows=rows,
        )

    def _fill(
        self,
        size: int,
        start: int,
        end: int,
        layer: split_memory.LayerValues,
        following: split_memory.LayerValues,
    ) -> None:
        question, sets = self.question, self.sets
        upcard, counts = question.upcard, self.counts[: end - start]
        split_memory.fill_counts(sets.before, sets.first, self.shoe, size, start, end, counts)
        dealer_hands.fill_dealer_totals(
            question.without_pair,
            hand_sets.group_sets(counts.astype(np.float64)),
            np.arange(end - start),
            np.array([upcard]),
            self.tree,
            self.outcomes,
        )
        split_memory.play_split_hands(
            size,
            start,
            counts,
            self.outcomes,
            self.shoe,
            natural_rank(upcard),
            payoffs_of(question.rules),
            question.rank,
            int(not self.shape.one_card),
            sets.before,
            sets.first,
            self.shape.most_sum,
            self.totals,
            self.stages,
            layer,
            following,
        )

    def _value(
        self, none_drawn: split_memory.LayerValues, one_drawn: split_memory.LayerValues
    ) -> float:
        """Return the value of the pair from the layers of no and of one drawn card."""
        last = len(self.stages.limit) - 1
        if not self.shape.at_once:
            return float(none_drawn.values[none_drawn.offset[last] + split_memory.FIRST_CARD])
        # The first card goes to the first hand; the values of the layer include the second's.
        shares = split_memory.LATER + len(self.totals.total)
        value = 0.0
        for place, card in enumerate(card for card in RANKS if self.shoe[card] > 0):
            begin = one_drawn.offset[last] + place * self.stages.width[last] + shares
            value += self.shoe[card] / self.shoe.sum() * one_drawn.values[begin + card]
        return float(value)
