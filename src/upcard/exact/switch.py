"""Two hands whose second cards may be swapped: values of both pairings, and of the game.

A pairing is worth what its two hands are worth one by one, each played by the optimum that knows
the other's two starting cards: it is dealt from the shoe without them. The swap is decided once the
dealer has no natural, so values are given that there is none; a natural settles the hands as dealt.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, TypeAlias, Unpack

import numpy as np

from upcard.core.actions import Action
from upcard.core.cards import ACE, RANKS, TEN, Rank, rank_name
from upcard.core.errors import UnsupportedRuleError
from upcard.core.long_work import SWITCH, PartedWork
from upcard.exact import composition, insurance
from upcard.exact.finite import FiniteSolver
from upcard.exact.solver_results import AskedHand
from upcard.exact.supported_rules import FULL_MEMORY, SWITCHING, SplitPlay, check_chart
from upcard.kernels.solving.dealer_hands import natural_rank
from upcard.rules.model import SWITCHED_HANDS, Rules
from upcard.rules.payoffs import natural_ev
from upcard.rules.predicates import find_pair
from upcard.strategy.chart import Strategy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from upcard.exact.solve import SolverOptions

Pair: TypeAlias = tuple[Rank, Rank]
"""Ranks of two cards."""
Pairing: TypeAlias = tuple[Pair, Pair]
"""The two hands of a round."""

KNOWS: Final = "Each hand is played knowing the other hand's two starting cards."
_NATURAL: Final = (ACE, TEN)
_CARDS: Final = composition.TWO_CARD_HANDS
_NUMBERS: Final = {pair: number for number, pair in enumerate(_CARDS)}


def swap(hands: Pairing) -> Pairing:
    """Return two hands with their second cards swapped."""
    (one, two), (three, four) = hands
    return (one, four), (three, two)


def value_pairings(
    rules: Rules, unseen: tuple[float, ...], hands: Pairing, upcard: Rank, splits: SplitPlay
) -> dict[Action, float]:
    """Return the value of a switch and of none, per bet of one hand, given no dealer's natural.

    `unseen` are the cards by rank without those of the hands and the upcard, in shape (11,).
    """

    def value(own: Pair, *, is_switched: bool) -> float:
        shoe = list(unseen)
        for rank in (*own, upcard):
            shoe[rank] += 1
        pairs = own[:1] if own[0] == own[1] else ()
        solver = FiniteSolver(
            _rules_of_hand(rules), tuple(shoe), splits=splits, upcards=(upcard,), pairs=pairs
        )
        return _value_hand(solver, own, upcard, is_switched=is_switched)

    return {
        action: math.fsum(value(hand, is_switched=action is Action.SWITCH) for hand in pairing)
        for action, pairing in ((Action.SWITCH, swap(hands)), (Action.NO_SWITCH, hands))
    }


def _rules_of_hand(rules: Rules) -> Rules:
    """Return the rules by which each hand is played."""
    return rules.replace(switch=False)


def _value_hand(solver: FiniteSolver, hand: Pair, upcard: Rank, *, is_switched: bool) -> float:
    """Return the value of the best play of a hand, given no dealer's natural."""
    ranks = tuple(sorted(hand))
    if ranks == _NATURAL and is_switched:
        asked = AskedHand(ranks, upcard, has_looked=True)
        return solver.value_answer(asked, Action.STAND) or 0.0
    values = solver.values(ranks, upcard, pair=find_pair(solver.rules, ranks, are_equal_faces=True))
    return values[Action.STAND] if ranks == _NATURAL else max(values.values())


class SwitchSolver(FiniteSolver):
    """Values of a game of two hands, whose second cards may be swapped.

    Values of a hand are those of one whose cards are final, while the other's are not known.
    """

    def __init__(
        self, rules: Rules, shoe: tuple[float, ...], **options: Unpack[SolverOptions]
    ) -> None:
        SWITCHING.check(rules)
        if options.get("strategy") is not None:
            check_chart(rules, "strategy")
        splits = options.get("splits", SplitPlay.CDZ)
        if splits in FULL_MEMORY:
            reason = "each of 55 shoes would take as long as another game"
            raise UnsupportedRuleError(SWITCHING.name, f"splits={splits}", reason)
        super().__init__(_rules_of_hand(rules), shoe, **options)
        self._game = rules
        self._shoe = shoe

    def value_rounds(self) -> dict[Rank, insurance.RoundValue]:
        """Return the value of a round by upcard, per bet of one hand."""
        shoe = np.array(self._shoe)
        dealt, switched = self._value_hands()
        return {
            upcard: insurance.RoundValue(
                _weigh_deals(self.rules, shoe, upcard, dealt[upcard], switched[upcard]),
                insurance.Offers(),
            )
            for upcard in self.prepared.upcards
        }

    def _value_hands(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the values of all hands, as dealt and swapped, of shape (11, 55, 55).

        They are by upcard, by the other hand's cards, and by the hand; 0 for cards that are not
        there.
        """
        dealt = np.zeros((len(RANKS) + 1, len(_CARDS), len(_CARDS)))
        switched = np.zeros_like(dealt)
        work = PartedWork(SWITCH, parts=len(_CARDS), seconds=len(_CARDS))
        try:
            for number, other in enumerate(_CARDS):
                work.begin(f"without {' '.join(map(rank_name, other))}", 1.0)
                work.tell(0.0)
                self._value_beside(other, dealt[:, number], switched[:, number])
        finally:
            work.end()
        return dealt, switched

    def _value_beside(
        self, other: Pair, dealt: NDArray[np.float64], switched: NDArray[np.float64]
    ) -> None:
        """Fill in the values of all hands beside one, by upcard."""
        shoe = _remove(self._shoe, other)
        if shoe is None:
            return
        solver = FiniteSolver(self.rules, shoe, splits=self.splits)
        for upcard in solver.prepared.upcards:
            for hand, ranks in enumerate(_CARDS):
                left = _remove(shoe, (*ranks, upcard))
                if left is None or solver.natural_probability(ranks, upcard) >= 1:
                    continue
                ev = _value_hand(solver, ranks, upcard, is_switched=False)
                dealt[upcard, hand] = switched[upcard, hand] = ev
                if ranks == _NATURAL:
                    ev = _value_hand(solver, ranks, upcard, is_switched=True)
                    switched[upcard, hand] = ev

    def describe_assumptions(self, offers: insurance.Offers) -> tuple[str, ...]:
        """Return the assumptions behind the value of a game, one sentence each."""
        first = "It is the value of the first round after a shuffle, per bet of one hand."
        return (first, KNOWS, *super().describe_assumptions(offers)[1:])

    def chart(self) -> Strategy:
        """Refuse: a chart does not answer a switch."""
        check_chart(self._game)
        return super().chart()

    def free_chart(self) -> Strategy:
        """Refuse: a chart does not answer a switch."""
        check_chart(self._game, "free_chart")
        return super().free_chart()


def _remove(shoe: tuple[float, ...], ranks: tuple[Rank, ...]) -> tuple[float, ...] | None:
    """Return a shoe without some cards; None if they are not there."""
    left = list(shoe)
    for rank in ranks:
        left[rank] -= 1
    return None if min(left) < 0 else tuple(left)


_PAIRS: Final = np.array(
    [[_NUMBERS[min(a, b), max(a, b)] for b in RANKS] for a in RANKS], dtype=np.int64
)
"""Number of each two cards, of shape (10, 10)."""


def _weigh_deals(
    rules: Rules,
    shoe: NDArray[np.float64],
    upcard: Rank,
    dealt: NDArray[np.float64],
    switched: NDArray[np.float64],
) -> float:
    """Return the value of a round against an upcard, from those of the hands."""
    drawn = np.indices((len(RANKS),) * 4)
    left = shoe.copy()
    left[upcard] -= 1
    chances = np.ones(drawn.shape[1:])
    for number, index in enumerate(drawn):
        used = (drawn[:number] == index).sum(axis=0)
        chances *= (left[index + 1] - used).clip(0) / (left.sum() - number)
    natural = np.zeros(drawn.shape[1:])
    if matching := natural_rank(upcard):
        there = left[matching] - (drawn + 1 == matching).sum(axis=0)
        natural = there.clip(0) / (left.sum() - len(drawn))

    one, two, three, four = drawn
    first, second = _PAIRS[one, two], _PAIRS[three, four]
    kept = dealt[second, first] + dealt[first, second]
    first_after, second_after = _PAIRS[one, four], _PAIRS[three, two]
    after = switched[second_after, first_after] + switched[first_after, second_after]
    tie, number = natural_ev(rules, 1.0), _NUMBERS[_NATURAL]
    settled = np.where(first == number, tie, -1.0) + np.where(second == number, tie, -1.0)
    evs = (1 - natural) * np.maximum(kept, after) + natural * settled
    return math.fsum((chances * evs).ravel().tolist()) / SWITCHED_HANDS
