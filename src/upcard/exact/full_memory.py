"""The optimum with full memory for a pair split into two hands, using every card seen.

The second hand is played knowing all cards of the first. The first is played knowing that its cards
will be known then, and, if both halves get a card at once as at our table, the second card of the
other. The hands' results add up, and the mean value of a finished hand does not change while the
other draws: so each set of cards with which the first hand may end needs the second hand's optimum,
for each of its second cards.
"""

from __future__ import annotations

import sys
import time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import RANKS, Rank
from upcard.core.errors import UnsupportedRuleError
from upcard.core.hands import BUST_LIMIT
from upcard.exact.finite_rules import find_without_memory
from upcard.exact.solution import UpcardSolution, empty_plan, empty_values, hands_with
from upcard.exact.supported_rules import FINITE
from upcard.kernels.dealer import fill_dealer_totals
from upcard.kernels.dealer_tree import COLUMNS, NATURAL_COLUMN, dealer_tree_against
from upcard.kernels.player import evaluate_hands, fill_stand
from upcard.rules.predicates import gets_one_card, may_double, may_double_after_split
from upcard.rules.settings import Soft17

_PROGRESS_SECONDS: Final = 2.0


def split_with_full_memory(solution: UpcardSolution, rank: Rank, *, at_once: bool) -> float:
    """Return the kernel value of splitting a pair into two hands, with full memory.

    Shows its progress on a terminal's standard error; it takes seconds to minutes.

    Raises: UnsupportedRuleError unless there are one deck and two hands at most.
    """
    prepared = solution.prepared
    rules = prepared.rules
    cards, hands = int(sum(prepared.shoe)), prepared.most_hands(rank)
    refusal = find_without_memory(rules, rank, cards=cards, hands=hands)
    if refusal is not None:
        raise UnsupportedRuleError(FINITE.name, "splits=full", refusal[1])
    if gets_one_card(rules, rank):
        return solution.split_value(rank)  # there is no decision
    return _FullMemory(solution, rank, at_once=at_once).value()


class _FullMemory:
    """Two hands of one pair against one upcard. Sets of cards are tuples of eleven counts."""

    def __init__(self, solution: UpcardSolution, rank: Rank, *, at_once: bool) -> None:
        prepared = solution.prepared
        self.solution = solution
        self.rank = rank
        self.at_once = at_once
        self.hands = prepared.hands
        self.tree = dealer_tree_against(prepared.rules.soft_17 is Soft17.HIT, (solution.upcard,))
        self.order = hands_with(rank)
        self.rows = np.full(len(self.hands.codes), -1, dtype=np.int32)
        self.rows[self.order] = np.arange(len(self.order))
        self.removed = self.hands.counts[self.order]
        self.sets = np.arange(len(self.order))
        self.upcards = np.array([solution.upcard])
        self.outcomes = np.zeros((11, len(self.order), COLUMNS))
        self.values = empty_values(len(self.hands.codes))
        self.plan = empty_plan(len(self.hands.codes))
        self.doubles = np.zeros(len(self.hands.codes), dtype=np.int8)
        if may_double_after_split(prepared.rules, rank):
            for hand in self.order:
                self.doubles[hand] = may_double(
                    prepared.rules,
                    total=int(self.hands.total[hand]),
                    is_soft=bool(self.hands.is_soft[hand]),
                    cards=int(self.hands.cards[hand]),
                )
        first = int(self.hands.next_hand[0, rank])
        self.second_hands = {second: int(self.hands.next_hand[first, second]) for second in RANKS}
        self.known: dict[tuple[int, ...], tuple[dict[Rank, float], dict[Rank, float]]] = {}
        self.progress = _Progress(f"full memory, {rank} {rank}")

    def value(self) -> float:
        """Weight the second cards: of both hands if dealt at once, otherwise of the first."""
        shoe = self.solution.shoe.copy()
        shoe[self.rank] -= 2
        total = 0.0
        for other, chance in self._next_cards(shoe) if self.at_once else ((0, 1.0),):
            left = shoe.copy()
            left[other] -= 1
            done: dict[int, float] = {}
            for second, share in self._next_cards(left):
                hand = self.second_hands[second]
                total += chance * share * self._play_first(hand, other, done)
        self.progress.end()
        return total

    @staticmethod
    def _next_cards(left: NDArray[np.float64]) -> list[tuple[Rank, float]]:
        """Return the possible next ranks with their chances. Entry 0 does not count."""
        cards = float(left[1:].sum())
        return [(rank, float(left[rank]) / cards) for rank in RANKS if left[rank] > 0]

    def _play_first(self, hand: int, other: Rank, done: dict[int, float]) -> float:
        """Return the value of both hands while the first is played.

        `other` is the second card of the second hand, 0 if it has not been dealt yet.
        """
        if hand in done:
            return done[hand]
        hands = self.hands
        cards = tuple(int(count) for count in hands.counts[hand])
        best = self._after_first(cards, int(hands.total[hand]), other)[0]
        if hands.total[hand] < BUST_LIMIT:
            left = self.solution.shoe - hands.counts[hand]
            left[self.rank] -= 1
            left[other] -= 1
            hit = 0.0
            double = 0.0
            for drawn, chance in self._next_cards(left):
                after = int(hands.next_hand[hand, drawn])
                more = (*cards[:drawn], cards[drawn] + 1, *cards[drawn + 1 :])
                total = 0 if after < 0 else int(hands.total[after])
                both, first = self._after_first(more, total, other)
                double += chance * (both + first)
                hit += chance * (both if after < 0 else self._play_first(after, other, done))
            best = max(best, hit)
            if self.doubles[hand]:
                best = max(best, double)
        done[hand] = best
        return best

    def _after_first(self, cards: tuple[int, ...], total: int, other: Rank) -> tuple[float, float]:
        """Return the value from here of both hands, and of the finished first hand."""
        finished, following = self._solve_second(cards, total)
        if other:
            return finished[other] + following[other], finished[other]
        left = self.solution.shoe - np.array(cards, dtype=np.float64)
        left[self.rank] -= 1
        chances = self._next_cards(left)
        first = sum(chance * finished[second] for second, chance in chances)
        return first + sum(chance * following[second] for second, chance in chances), first

    def _solve_second(
        self, cards: tuple[int, ...], total: int
    ) -> tuple[dict[Rank, float], dict[Rank, float]]:
        """Return the values of a finished first hand and of the second hand, by the second's card.

        A `total` of 0 is a bust.
        """
        if cards in self.known:
            return self.known[cards]
        solution, payoffs = self.solution, self.solution.prepared.payoffs
        order, arrays = self.order, self.hands.arrays
        shoe = solution.shoe - np.array(cards, dtype=np.float64)
        whole = shoe.copy()
        whole[solution.upcard] += 1
        upcard = solution.upcard
        fill_dealer_totals(whole, self.removed, self.sets, self.tree, self.upcards, self.outcomes)
        outcomes = self.outcomes[upcard]
        fill_stand(outcomes, self.rows, order, arrays, payoffs, self.values.stand)
        matching, doubles = solution.matching, self.doubles
        evaluate_hands(shoe, matching, order, arrays, doubles, payoffs, 1, self.plan, self.values)
        finished, following = {}, {}
        for second, hand in self.second_hands.items():
            chances = outcomes[self.rows[hand]]
            finished[second] = self._finish(chances, total)
            following[second] = float(self.values.best[hand])
        self.known[cards] = (finished, following)
        self.progress.tell(len(self.known))
        return self.known[cards]

    def _finish(self, chances: NDArray[np.float64], total: int) -> float:
        """Return the kernel value of a finished hand against the dealer's chances."""
        payoffs = self.solution.prepared.payoffs
        natural = float(chances[NATURAL_COLUMN])
        if not total:
            return -1.0 + natural * (1 - payoffs.natural_takes_all)
        net = 1.0 - float(chances.sum())
        for column in range(NATURAL_COLUMN):
            net += float(chances[column]) * ((column + 17 < total) - (column + 17 > total))
        tied = payoffs.natural_ties_21 if total == BUST_LIMIT else 0.0
        return net - payoffs.natural_takes_all * natural * (1 - tied)


class _Progress:
    """Progress line on a terminal: the number of solved sets of cards."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.is_shown = sys.stderr is not None and sys.stderr.isatty()
        self.last = time.monotonic()

    def tell(self, done: int) -> None:
        if self.is_shown and time.monotonic() - self.last > _PROGRESS_SECONDS:
            self.last = time.monotonic()
            sys.stderr.write(f"\r{self.what}: {done} sets of cards solved ...")
            sys.stderr.flush()

    def end(self) -> None:
        if self.is_shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
