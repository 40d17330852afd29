"""The states of split hands with full memory, as the kernel takes them.

A stage is one hand in play while given others wait. With the second cards dealt hand by hand, the
waiting hands are alike and only their number counts; dealt at once, each has a second card.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from upcard.core.cards import RANKS, Rank
from upcard.core.hands import BUST_LIMIT, EMPTY_HAND, AceRule, hand_table
from upcard.exact.kernels.split_memory import FIRST_CARD, LATER, SplitStages, SplitTotals
from upcard.rules.model import Rules
from upcard.rules.predicates import may_double, may_double_after_split

_LARGEST_BUST = BUST_LIMIT - 1 + max(RANKS)
_NOT_DEALT: Rank = 0
_LATER_CARDS = 3


class SplitShape(NamedTuple):
    """Bounds that the rules set to the cards of split hands."""

    rank: Rank
    most_hands: int
    one_card: bool
    """Whether every hand gets one card only."""
    at_once: bool
    """Whether all hands get their second card before the first is played."""

    @property
    def largest_hand(self) -> int:
        """Largest sum of the cards of a hand in play."""
        return self.rank + max(RANKS) if self.one_card else BUST_LIMIT

    @property
    def largest_finished(self) -> int:
        """Largest sum of the cards of a finished hand, bust or not."""
        return self.rank + max(RANKS) if self.one_card else _LARGEST_BUST

    @property
    def most_sum(self) -> int:
        """Largest sum of the cards drawn, without the pair, that matters."""
        sums = (self.most_hands - 1) * self.largest_finished + self.largest_hand
        return max(sums, 2 * self.rank + max(RANKS)) - 2 * self.rank


def list_totals(rules: Rules, rank: Rank) -> SplitTotals:
    """List the totals that a split hand of two cards or more can have."""
    table = hand_table(AceRule.BEST)
    states: list[int] = []
    index: dict[int, int] = {}

    def number(state: int) -> int:
        if state not in index:
            index[state] = len(states)
            states.append(state)
        return index[state]

    one_card = table.next_state[EMPTY_HAND][rank]
    opening = [0, *(number(table.next_state[one_card][second]) for second in RANKS)]
    after: list[list[int]] = []
    for state in states:  # grows during the loop
        following = table.next_state[state]
        after.append(
            [-1]
            + [
                number(following[card]) if table.total[following[card]] <= BUST_LIMIT else -1
                for card in RANKS
            ]
        )
    totals = [table.total[state] for state in states]
    softs = [table.is_soft[state] for state in states]

    def doubles(cards: int) -> list[bool]:
        return [
            may_double_after_split(rules, rank)
            and may_double(rules, total=total, is_soft=is_soft, cards=cards)
            for total, is_soft in zip(totals, softs, strict=True)
        ]

    return SplitTotals(
        total=np.array(totals, dtype=np.int64),
        hard_total=np.array(totals, dtype=np.int64) - 10 * np.array(softs, dtype=np.int64),
        after=np.array(after, dtype=np.int64),
        opening=np.array(opening, dtype=np.int64),
        doubles_opening=np.array(doubles(2), dtype=np.int8),
        doubles_later=np.array(doubles(_LATER_CARDS), dtype=np.int8),
    )


def count_stages(shape: SplitShape) -> int:
    """Return the number of stages."""
    choices = len(RANKS) if shape.at_once else 1
    return sum(
        choices**waiting
        for splits in range(_most_splits(shape) + 1)
        for waiting in range(shape.most_hands - splits)
    )


def list_stages(shape: SplitShape, kinds: int) -> SplitStages:
    """List the stages; the last is that of the pair, or of the first hand of its split.

    `kinds` is the number of totals. A stage is found by the second cards of the waiting hands and
    the number of splits left.
    """
    rank, hand = shape.rank, shape.largest_hand
    index: dict[tuple[tuple[Rank, ...], int], int] = {}
    rows: list[tuple[int, int, int, int, int, int, list[int], int]] = []
    for splits in range(_most_splits(shape) + 1):
        hands = shape.most_hands - splits
        lists: list[tuple[Rank, ...]] = [()]
        for finished in range(hands - 1, -1, -1):
            for waiting in lists:
                index[waiting, splits] = len(rows)
                held = sum(waiting) + len(waiting) * rank
                most = finished * shape.largest_finished + held
                limit = most + hand
                split, dealt = -1, [-1] * 11
                if splits and shape.at_once:
                    dealt = [0, *(index[(card, *waiting), splits - 1] for card in RANKS)]
                    limit = max(limit, most + 2 * rank + max(RANKS))
                elif splits:
                    split = index[(_NOT_DEALT, *waiting), splits - 1]
                rows.append(
                    (
                        finished * (rank + 1) + held,
                        most,
                        limit,
                        index[waiting[1:], splits] if waiting else -1,
                        waiting[0] if waiting else FIRST_CARD,
                        split,
                        dealt,
                        LATER + kinds + (11 if dealt[0] >= 0 else 0),
                    )
                )
            cards = RANKS if shape.at_once else (_NOT_DEALT,)
            lists = [(card, *others) for others in lists for card in cards]
    return SplitStages(*(np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)))


def _most_splits(shape: SplitShape) -> int:
    """Return the most splits left in a stage: at once, the pair itself is one."""
    return shape.most_hands - (1 if shape.at_once else 2)
