"""A shoe with known cards, prepared for the kernels: rules, payoffs, and the dealer's totals."""

from __future__ import annotations

from collections.abc import Collection
from copy import copy
from dataclasses import KW_ONLY, InitVar, dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import RANKS, TEN, Rank
from upcard.core.errors import EmptyShoeError
from upcard.core.hands import BUST_LIMIT
from upcard.exact.dealer_totals import SHARED_EXTRA, dealer_totals
from upcard.exact.finite_rules import SplitPlay, payoffs_of
from upcard.exact.insurance import rules_after_look
from upcard.exact.supported_rules import FINITE
from upcard.kernels.player_hands import player_hands
from upcard.rules.model import Rules
from upcard.rules.predicates import may_double, most_hands_of, needs_equal_faces
from upcard.rules.settings import Soft17
from upcard.strategy.chart import Strategy

_SAFE_TOTAL: Final = 17


@lru_cache(maxsize=64)
def doubles_of(rules: Rules) -> NDArray[np.int8]:
    """Return for every hand whether it may double unsplit."""
    doubles = [
        may_double(rules, total=total, is_soft=is_soft, cards=cards)
        for total, is_soft, cards in player_hands().facts
    ]
    return np.array(doubles, dtype=np.int8)


@dataclass(eq=False)
class PreparedShoe:
    """Inputs for the values of hands dealt from `shoe`, which holds all cards before the deal.

    It may hold parts of cards: the expected composition at a count. Immutable except for the
    dealer's totals, which `require` fills in. Options: as `SolverOptions`.

    Raises: UnsupportedRuleError for a rule that it does not support; EmptyShoeError if the cards
    could run out before the dealer is done.
    """

    rules: Rules
    shoe: tuple[float, ...]
    _: KW_ONLY
    splits: SplitPlay = SplitPlay.CDZ
    strategy: Strategy | None = None
    upcards: Collection[Rank] = RANKS
    pairs: InitVar[tuple[Rank, ...]] = RANKS
    further_pairs: float | None = None

    def __post_init__(self, pairs: tuple[Rank, ...]) -> None:
        """Check the rules and the cards, and find the totals of the shoe."""
        rules, shoe = self.rules, self.shoe
        FINITE.check(rules)
        self.hands = player_hands()
        self.payoffs = payoffs_of(rules)
        self.upcards = tuple(upcard for upcard in self.upcards if shoe[upcard] > 0)
        self._most = {
            rank: most
            for rank in pairs
            if shoe[rank] >= 2 and (most := self._most_hands(rank)) >= 2
        }
        self._check_cards()
        self._extras = {
            rank: min(2 * most - 3, self._pair_cards(rank) - 2) + 1
            for rank, most in self._most.items()
        }
        needed = max(self._extras.values(), default=0)
        most_extra = next((extra for extra in SHARED_EXTRA if extra >= needed), needed)
        self.totals = dealer_totals(tuple(shoe), rules.soft_17 is Soft17.HIT, most_extra)

    @cached_property
    def doubles(self) -> NDArray[np.int8]:
        """Whether each hand may double unsplit."""
        return doubles_of(self.rules)

    @property
    def splits_of(self) -> tuple[Rank, ...]:
        """Ranks whose pairs can be split here."""
        return tuple(self._most)

    def with_strategy(self, strategy: Strategy) -> PreparedShoe:
        """Return the same shoe for following a chart, sharing prepared data."""
        other = copy(self)
        other.strategy = strategy
        return other

    def with_look(self) -> PreparedShoe:
        """Return the same shoe with a dealer who peeks, sharing prepared data."""
        other = copy(self)
        other.rules = rules_after_look(self.rules)
        other.payoffs = payoffs_of(other.rules)
        return other

    def most_hands(self, rank: Rank) -> int:
        """Return how many hands a pair of this rank can become here, 1 if it cannot be split."""
        return self._most.get(rank, 1)

    def contexts_of(self, rank: Rank) -> NDArray[np.int32]:
        """Return the rows of removed cards for the hands of a split pair, by extra cards out."""
        return self.totals.removed.of_split[rank, : self._extras[rank]]

    def pair_cards_after(self, rank: Rank, upcard: Rank) -> float:
        """Return how many cards make another pair, after an upcard and a pair are dealt."""
        if needs_equal_faces(self.rules, rank):
            if self.further_pairs is not None:
                return self.further_pairs
            # A ten-valued upcard has the pair's face one time in four.
            return self.shoe[TEN] / 4 - 2 - (0.25 if upcard == TEN else 0.0)
        return float(self.shoe[rank] - 2 - (1 if upcard == rank else 0))

    def _pair_cards(self, rank: Rank) -> int:
        if not needs_equal_faces(self.rules, rank):
            return int(self.shoe[rank])
        if self.further_pairs is not None:
            return int(self.further_pairs) + 2
        return int(self.shoe[rank] // 4)

    def _most_hands(self, rank: Rank) -> int:
        most = most_hands_of(self.rules, rank)
        there = self._pair_cards(rank)
        return there if most is None else min(most, max(there, 1))

    def _check_cards(self) -> None:
        """Refuse a shoe whose cards could run out before the dealer has 17."""
        hands = max(self._most.values(), default=1)
        pips = sum(rank * self.shoe[rank] for rank in RANKS)
        needed = BUST_LIMIT * hands + _SAFE_TOTAL
        if pips < needed:
            raise EmptyShoeError(
                f"a shoe of {sum(self.shoe):g} cards that count {pips:g}: the cards could run out"
                f" before the dealer is done; with {hands} hand{'s' * (hands > 1)} of 21 on the"
                f" table they must count {needed}"
            )
