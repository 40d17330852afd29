"""Blackjack Switch: two hands, and one swap of their second cards.

A pairing of the four cards is worth the sum of its two hands, and each of them knows the two
starting cards of the other: they have left the shoe. So every hand is valued on 55 shoes, without
each pair of ranks, against every upcard; the swap is then the better of two sums.

The dealer has looked before the swap. Values of the solver exclude naturals of the dealer, which
settle the hands as they were dealt.
"""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Final, Unpack

import numpy as np
from numpy.typing import NDArray

from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, UPCARD_ORDER, Rank
from upcard.core.errors import EmptyShoeError, UnsupportedRuleError
from upcard.core.long_work import SWITCH, following
from upcard.exact import insurance, supported_rules
from upcard.exact.finite import FiniteSolver
from upcard.exact.finite_hands import UpcardSolution, solve_starts
from upcard.exact.finite_shoe import PreparedShoe
from upcard.rules import predicates
from upcard.rules.model import Rules
from upcard.rules.payoffs import average_natural_pay, natural_ev
from upcard.rules.settings import EngineName
from upcard.strategy.chart import WORTH_OF_BET, WORTH_PAIRS, Strategy

if TYPE_CHECKING:
    from upcard.exact.solve import SolverOptions

_KEEPS_CARDS: Final = "The chart has no worths of two cards, so that it never swaps."
_KNOWS_OTHER: Final = "Each hand knows the two starting cards of the other."


class SwitchSolver(FiniteSolver):
    """Values of rounds of two hands; a hand alone is valued as in a game without a swap."""

    def __init__(
        self, rules: Rules, shoe: tuple[float, ...], **options: Unpack[SolverOptions]
    ) -> None:
        """Prepare the shoe of single hands; values of pairings are computed on demand."""
        supported_rules.check_solvable(rules, EngineName.SWITCH)
        super().__init__(predicates.one_hand(rules), shoe, **options)
        if self.splits in supported_rules.FULL_MEMORY:
            reason = "each hand knows two cards of the other, not all"
            raise UnsupportedRuleError(EngineName.SWITCH, f"splits={self.splits}", reason)
        self.options = options

    def _without(self, pair: tuple[Rank, Rank]) -> PreparedShoe | None:
        """Return the shoe without two cards; None if they are not there."""
        shoe = list(self.prepared.shoe)
        for rank in pair:
            shoe[rank] -= 1
        if min(shoe) < 0:
            return None
        return PreparedShoe(self.rules, tuple(shoe), **self.options)

    @cached_property
    def _tables(self) -> dict[Rank, tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Kernel values by upcard: 11 x 11 x 11 x 11 (the other hand, then the hand).

        Of each hand as it was dealt, and after a swap.
        """
        shape = (11,) * 4
        dealt = {up: np.full(shape, np.nan) for up in self.prepared.upcards}
        swapped = {up: np.full(shape, np.nan) for up in self.prepared.upcards}

        def fill(others: tuple[Rank, Rank]) -> None:
            prepared = self._without(others)
            for solution in solve_starts(prepared).values() if prepared else ():
                up = solution.upcard
                for hand in WORTH_PAIRS:
                    values = _value_hand(solution, hand)
                    for table, value in zip((dealt[up], swapped[up]), values, strict=True):
                        for one, other in {others, others[::-1]}:
                            table[one, other, hand[0], hand[1]] = value
                            table[one, other, hand[1], hand[0]] = value

        with following(SWITCH) as tell, ThreadPoolExecutor(os.cpu_count()) as pool:
            try:
                for done, _ in enumerate(pool.map(fill, WORTH_PAIRS), start=1):
                    tell("the two hands", done / len(WORTH_PAIRS))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return {up: (dealt[up], swapped[up]) for up in dealt}

    def value_pairings(
        self, first: tuple[Rank, Rank], second: tuple[Rank, Rank], upcard: Rank
    ) -> dict[Action, float]:
        """Return the values of swapping the second cards of two hands, and of keeping them.

        Units: initial bets of one hand, for both together, given no dealer's natural.
        """
        sums = []
        for hands, is_swapped in (
            ((first, second), False),
            (((first[0], second[1]), (second[0], first[1])), True),
        ):
            total = 0.0
            for hand, other in (hands, hands[::-1]):
                prepared = self._without(other)
                if prepared is None:
                    raise EmptyShoeError("the shoe does not hold the cards of both hands")
                solution = UpcardSolution(prepared, upcard)
                value = _value_hand(solution, hand)[is_swapped]
                number = prepared.hands.find(hand)
                total += value / (1 - solution.natural_probability(number))
            sums.append(total)
        return {Action.SWITCH: sums[1], Action.NO_SWITCH: sums[0]}

    def value_rounds(self) -> dict[Rank, insurance.RoundValue]:
        """Return the value of a round by upcard, per bet: half of what both hands win."""
        return {up: self._value_round(up) for up in self._tables}

    def _value_round(self, up: Rank) -> insurance.RoundValue:
        dealt, swapped = self._tables[up]
        shoe = np.array(self.prepared.shoe)
        shoe[up] -= 1
        # Axes: first and second card of the first hand, then of the second hand.
        keep = dealt.transpose(2, 3, 0, 1) + dealt
        switch = swapped.transpose(2, 3, 0, 1) + swapped
        switch = switch.transpose(0, 3, 2, 1)  # hands (a, d) and (c, b) of the cards a b, c d
        chance = np.ones(())
        left = shoe.sum()
        counts = [shoe] * 4
        for card, there in enumerate(counts):
            axes = [
                np.arange(11).reshape([-1 if at == axis else 1 for at in range(4)])
                for axis in range(4)
            ]
            held = sum((axes[card] == axes[before]) for before in range(card))
            of_rank = there.reshape([-1 if at == card else 1 for at in range(4)])
            chance = chance * np.maximum(of_rank - held, 0) / (left - card)
        better = np.fmax(keep, switch)
        if self.prepared.strategy is not None:
            better = np.where(self._find_swaps(self.prepared.strategy, up), switch, keep)
        possible = chance > 0
        ev = float((chance[possible] * better[possible]).sum())
        return insurance.RoundValue(
            (ev + self._lost_to_naturals(up, chance)) / 2, insurance.Offers()
        )

    def _find_swaps(self, chart: Strategy, up: Rank) -> NDArray[np.bool_]:
        """Return the pairings that a chart swaps, with the axes of `_value_round`."""
        kept, swapped = np.zeros((2, 11, 11), np.int64)
        pays = average_natural_pay(self.rules)
        for hand in product(RANKS, RANKS):
            kept[hand] = chart.worth(hand, up, natural_pays=pays)
            swapped[hand] = chart.worth(hand, up)
        crossed = swapped[:, None, None, :] + swapped.T[None, :, :, None]
        found: NDArray[np.bool_] = crossed > kept[:, :, None, None] + kept[None, None, :, :]
        return found

    def chart(self) -> Strategy:
        """Return the best total-dependent chart, with what two cards are worth when played by it.

        That is the value of a hand alone, once the dealer has looked; 0 where the shoe lacks cards.
        """
        chart = super().chart()
        alone = FiniteSolver(self.rules, self.prepared.shoe, **(self.options | {"strategy": chart}))

        def find_worth(hand: tuple[Rank, Rank], up: Rank) -> int:
            if up not in alone.prepared.upcards:
                return 0
            solution = alone.against(up)
            natural = solution.natural_probability(alone.prepared.hands.find(hand))
            value = _value_hand(solution, hand)[1] / (1 - natural)
            return round(WORTH_OF_BET * value) if math.isfinite(value) else 0

        rows = (tuple(find_worth(hand, up) for up in UPCARD_ORDER) for hand in WORTH_PAIRS)
        return replace(chart, worths=tuple(rows))

    def _lost_to_naturals(self, up: Rank, chance: NDArray[np.float64]) -> float:
        """Return what both hands lose to the dealer's natural, as they were dealt."""
        matching = {ACE: TEN, TEN: ACE}.get(up, 0)
        if not matching:
            return 0.0
        tied = natural_ev(self.rules, 1.0)
        shoe = np.array(self.prepared.shoe)
        shoe[up] -= 1
        cards = np.indices(chance.shape)
        there = shoe[matching] - (cards == matching).sum(axis=0)
        natural = np.maximum(there, 0.0) / (shoe.sum() - len(cards))
        nets = [
            np.where((np.minimum(one, two) == ACE) & (np.maximum(one, two) == TEN), tied, -1.0)
            for one, two in (cards[:2], cards[2:])
        ]
        return float((chance * natural * (nets[0] + nets[1])).sum())

    def describe_assumptions(self, offers: insurance.Offers) -> tuple[str, ...]:
        """Return the assumptions behind the value of a game, one sentence each."""
        first, *others = super().describe_assumptions(offers)
        first = first.replace("one spot", "one player")
        chart = self.prepared.strategy
        keeps = (_KEEPS_CARDS,) if chart is not None and not chart.worths else ()
        return (first, _KNOWS_OTHER, *keeps, *(text for text in others if "nsurance" not in text))


def _value_hand(solution: UpcardSolution, hand: tuple[Rank, Rank]) -> tuple[float, float]:
    """Return the kernel value of two cards as they were dealt, and after a swap."""
    number = solution.prepared.hands.find(hand)
    pair = hand[0] if hand[0] == hand[1] else 0
    value = solution.best_value(number, pair=pair)
    if not solution.is_natural(number):
        return value, value
    return value, solution.raw.best.item(number)
