"""A shoe with known cards, prepared for the kernels: rules, payoffs, and the dealer's totals.

The totals depend on the cards and on S17 or H17 alone, so that games with one shoe share them:
another rule about doubling or splitting finds most of them computed.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from copy import copy
from dataclasses import KW_ONLY, InitVar, dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import ACE, RANKS, TEN, Rank
from upcard.core.errors import EmptyShoeError, UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT
from upcard.core.long_work import check
from upcard.exact import insurance, supported_rules
from upcard.exact.composition import start_of
from upcard.exact.kernels import dealer_hands, hand_sets
from upcard.exact.kernels.player_values import Payoffs
from upcard.rules import predicates, settings
from upcard.rules.model import Rules
from upcard.rules.settings import EngineName
from upcard.strategy.chart import Strategy

SHARED_EXTRA: Final = (0, 6, 14)
"""Pair cards that can be out beside a hand: without splits, and in splits to four and eight hands.

All games of a class share totals.
"""
_MOST_SHOES: Final = 4


class DealerTotals:
    """Chances of the dealer's totals on one shoe, for hands with up to `most_extra` pair cards out.

    Threads may share it: they can compute the same values twice, never different ones.
    """

    def __init__(
        self,
        shoe: tuple[float, ...],
        hits_soft_17: bool,  # noqa: FBT001
        most_extra: int,
        most_total: int = BUST_LIMIT,
        with_busts: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        """Index the sets of removed cards; nothing is computed yet."""
        self.removed = hand_sets.removed_cards(most_extra, with_busts)
        self.outcomes: dict[dealer_hands.Start, NDArray[np.float64]] = {}
        """By start, then by set: 17 to 21, a natural, and 22 if it is distinguished; anything until
        it is required."""
        self._known: dict[dealer_hands.Start, NDArray[np.bool_]] = {}
        self._columns = dealer_hands.COLUMNS + most_total - BUST_LIMIT
        self._counts = np.array(shoe, dtype=np.float64)
        self._hits_soft_17 = hits_soft_17
        self._most_total = most_total

    def adopt(self, other: DealerTotals) -> None:
        """Take over what is known for fewer extra pair cards: the sets have the same index."""
        for start in list(other._known):
            outcomes, is_known = self._open(start)
            known = np.flatnonzero(other._known[start])
            outcomes[known] = other.outcomes[start][known]
            is_known[known] = True

    def _open(self, start: dealer_hands.Start) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the outcomes of a start and which are known."""
        if start not in self._known:
            sets = len(self.removed.sets.counts)
            self.outcomes.setdefault(start, np.empty((sets, self._columns)))
            self._known.setdefault(start, self.no_sets())
        return self.outcomes[start], self._known[start]

    def no_sets(self) -> NDArray[np.bool_]:
        """Return a mask of the sets, with none marked."""
        return np.zeros(len(self.removed.sets.counts), dtype=np.bool_)

    def require(self, wanted: NDArray[np.bool_], against: Collection[dealer_hands.Start]) -> None:
        """Fill in what is missing for the sets marked in `wanted`, against these starts.

        `wanted` may be shorter than the list of sets.
        """
        is_missing, size = self.no_sets(), len(wanted)
        for start in against:
            _, is_known = self._open(start)
            is_missing[:size] |= wanted & ~is_known[:size]
        sets = self.removed.sets
        missing = dealer_hands.list_marked(self.removed.in_order, is_missing)
        for start in against if missing.size else ():
            tree = dealer_hands.dealer_tree(self._hits_soft_17, start, self._most_total)
            outcomes, is_known = self._open(start)
            cards = np.array(start)
            dealer_hands.fill_dealer_totals(self._counts, sets, missing, cards, tree, outcomes)
            is_known |= is_missing


@lru_cache(maxsize=_MOST_SHOES)
def dealer_totals(
    shoe: tuple[float, ...],
    hits_soft_17: bool,  # noqa: FBT001 (a key of the cache)
    most_extra: int,
    most_total: int = BUST_LIMIT,
    with_busts: bool = False,  # noqa: FBT001, FBT002
) -> DealerTotals:
    """Return the totals of a shoe; those of the last few shoes are remembered."""
    totals = DealerTotals(shoe, hits_soft_17, most_extra, most_total, with_busts)
    if most_extra > SHARED_EXTRA[1]:
        fewer = dealer_totals(shoe, hits_soft_17, SHARED_EXTRA[1], most_total, with_busts)
        totals.adopt(fewer)
    return totals


_SAFE_TOTAL: Final = 17


@lru_cache(maxsize=64)
def doubles_of(rules: Rules) -> NDArray[np.int8]:
    """Return how every hand may double unsplit: not (0), PAID_DOUBLE or FREE_DOUBLE."""
    doubles = [
        predicates.may_double(rules, total=total, is_soft=is_soft, cards=cards)
        * (1 + predicates.doubles_free(rules, total=total, is_soft=is_soft, cards=cards))
        for total, is_soft, cards in hand_sets.player_hands().facts
    ]
    return np.array(doubles, dtype=np.int8)


@dataclass(eq=False)
class PreparedShoe:
    """Inputs for the values of hands dealt from `shoe`, which holds all cards before the deal.

    The hole card is known if the house shows it; `hole` is the only one then, if it is given. The
    shoe may hold parts of cards: the expected composition at a count. Immutable except for the
    dealer's totals, which `require` fills in. Options: as `SolverOptions`.
    """

    rules: Rules
    shoe: tuple[float, ...]
    _: KW_ONLY
    splits: supported_rules.SplitPlay = supported_rules.SplitPlay.CDZ
    strategy: Strategy | None = None
    upcards: Collection[Rank] = RANKS
    pairs: InitVar[tuple[Rank, ...]] = RANKS
    further_pairs: float | None = None
    hole: Rank = 0
    holding: tuple[Rank, ...] = ()

    def __post_init__(self, pairs: tuple[Rank, ...]) -> None:
        check()
        rules, shoe = self.rules, self.shoe
        self.free_strategy = self.strategy
        """Chart that free hands follow."""
        supported_rules.check_solvable(rules, EngineName.FINITE)
        if self.strategy is not None:
            self.strategy.require_dealer(shows_hole=rules.shows_hole, who=EngineName.FINITE)
        is_joint = predicates.counts_ended(rules) and predicates.may_split(rules)
        if is_joint and self.strategy is None and self.splits is not supported_rules.SplitPlay.CDZ:
            reason = "where what a natural takes depends on how hands ended, it knows CDZ-"
            raise UnsupportedRuleError(EngineName.FINITE, f"splits={self.splits}", reason)
        self.hands = hand_sets.hands_with_busts() if rules.busts_live else hand_sets.player_hands()
        self.payoffs = supported_rules.payoffs_of(rules)
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
        hits_soft_17 = rules.soft_17 is settings.Soft17.HIT
        most_total = supported_rules.most_dealer_total(rules)
        self.totals = dealer_totals(
            tuple(shoe), hits_soft_17, most_extra, most_total, rules.busts_live
        )

    @cached_property
    def doubles(self) -> NDArray[np.int8]:
        """How each hand may double unsplit; see `doubles_of`."""
        return doubles_of(self.rules)

    @property
    def splits_of(self) -> tuple[Rank, ...]:
        """Ranks whose pairs can be split here."""
        return tuple(self._most)

    def splits_free(self, rank: Rank) -> bool:
        """Whether a split gives a hand with a stake hands without one."""
        has_free = self.payoffs.has_free_bets > 0 and self.payoffs.stake > 0  # quick, and mostly no
        return has_free and predicates.splits_free(self.rules, rank)

    @property
    def free_splits(self) -> tuple[Rank, ...]:
        """Ranks of which that is so."""
        return tuple(filter(self.splits_free, self._most))

    def with_strategy(self, strategy: Strategy | None, free: Strategy | None) -> PreparedShoe:
        """Return the same shoe for following charts, for free hands too, sharing prepared data."""
        other = copy(self)
        other.strategy, other.free_strategy = strategy, free
        return other

    @property
    def for_free_hands(self) -> PreparedShoe:
        """The same shoe for hands of a split without a stake, sharing prepared data."""
        other = self._with_rules(self.rules.replace(surrender=settings.Surrender.NONE))
        other.strategy = self.free_strategy
        other.payoffs = other.payoffs._replace(stake=0.0, spot_loss=0.0)
        return other

    def payoffs_against(self, upcard: Rank) -> Payoffs:
        """Return the payoffs of hands that were not split, against an upcard."""
        bonuses = self.rules.bonuses
        has_super = bonuses is not None and bonuses.suited_777_v_7 is not None
        if not has_super and not self.rules.busts_live:
            return self.payoffs
        return supported_rules.payoffs_of(self.rules, upcard)

    def with_look(self) -> PreparedShoe:
        """Return the same shoe with a dealer who peeks, sharing prepared data."""
        return self._with_rules(insurance.rules_after_look(self.rules))

    def _with_rules(self, rules: Rules) -> PreparedShoe:
        other = copy(self)
        other.rules, other.payoffs = rules, supported_rules.payoffs_of(rules)
        return other

    def most_hands(self, rank: Rank) -> int:
        """Return how many hands a pair of this rank can become here, 1 if it cannot be split."""
        return self._most.get(rank, 1)

    def contexts_of(self, rank: Rank) -> NDArray[np.int32]:
        """Return the rows of removed cards for the hands of a split pair, by extra cards out."""
        return self.totals.removed.of_split[rank, : self._extras[rank]]

    @property
    def starts(self) -> list[dealer_hands.Start]:
        """The dealer's known cards, of all that the shoe is prepared for, but for naturals."""
        if not self.rules.shows_hole:
            return [(upcard,) for upcard in self.upcards]
        holes = (self.hole,) if self.hole else tuple(rank for rank in RANKS if self.shoe[rank] > 0)
        pairs = {start_of(upcard, hole) for upcard in self.upcards for hole in holes}
        alike = {(rank, rank) for rank in holes if self.shoe[rank] <= 1}
        return sorted(pairs - alike - {(ACE, TEN)})

    def pair_cards_after(self, rank: Rank, start: dealer_hands.Start) -> float:
        """Return how many cards make another pair, after a pair and the dealer's are dealt."""
        if predicates.needs_equal_faces(self.rules, rank):
            if self.further_pairs is not None:
                return self.further_pairs
            # A ten-valued upcard has the pair's face one time in as many as there are.
            faces = self.rules.full_deck.ten_faces
            return self.shoe[TEN] / faces - 2 - (1 / faces if start == (TEN,) else 0.0)
        return float(self.shoe[rank] - 2 - start.count(rank))

    def _pair_cards(self, rank: Rank) -> int:
        if not predicates.needs_equal_faces(self.rules, rank):
            return int(self.shoe[rank])
        if self.further_pairs is not None:
            return int(self.further_pairs) + 2
        return int(self.shoe[rank] // self.rules.full_deck.ten_faces)

    def _most_hands(self, rank: Rank) -> int:
        most = predicates.most_hands_of(self.rules, rank)
        there = self._pair_cards(rank)
        return there if most is None else min(most, max(there, 1))

    def _check_cards(self) -> None:
        """Refuse a shoe whose cards could run out before the dealer has 17."""
        hands = max(self._most.values(), default=1)
        pips = math.fsum(rank * self.shoe[rank] for rank in RANKS)
        needed = BUST_LIMIT * hands + _SAFE_TOTAL
        if pips < needed:
            raise EmptyShoeError(
                f"a shoe of {math.fsum(self.shoe):g} cards that count {pips:g}: the cards could"
                f" run out before the dealer is done; with {hands} hand{'s' * (hands > 1)} of 21 on"
                f" the table they must count {needed}"
            )
