"""The ways in which the dealer can finish, lowered to a tree of drawn cards for all ten upcards.

Which sets of drawn cards end a hand, and in how many orders, depends on S17 or H17 alone, not on
the decks. Keyed by the drawn cards only there are 1,668 (S17) or 1,742 (H17) distinct sets; each
costs one multiplication along a tree of prefixes. 4,634 (4,961) pairs of upcard and set then give
every total of every upcard.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import ACE, RANKS, TEN
from upcard.core.hands import BUST_LIMIT, AceRule, hand_table
from upcard.kernels.player_hands import UNITS

NATURAL_COLUMN = 5
COLUMNS = 6
"""17, 18, 19, 20, 21 without a natural, natural."""


class DealerTree(NamedTuple):
    """Nodes are sets of drawn cards, each after its parent.

    Ends are sorted into groups of one upcard, one column and one number of drawn cards of the
    upcard's own rank.
    """

    parent: NDArray[np.int32]
    rank: NDArray[np.int32]
    """The card by which a node differs from its parent."""
    already: NDArray[np.int32]
    """The number of cards of that rank in the parent."""
    depth: NDArray[np.int32]
    """The number of cards in the parent."""
    end_node: NDArray[np.int32]
    end_orders: NDArray[np.float64]
    """The number of orders in which the cards of an end can come without stopping earlier."""
    group_column: NDArray[np.int32]
    group_drawn: NDArray[np.int32]
    """The number of drawn cards of the upcard's own rank."""
    first_end: NDArray[np.int32]
    """The ends of group g are first_end[g] up to first_end[g + 1]."""
    first_group: NDArray[np.int32]
    """12 entries: the groups of upcard u are first_group[u] up to first_group[u + 1]."""


@cache
def dealer_tree(hits_soft_17: bool) -> DealerTree:  # noqa: FBT001 (a key of the cache)
    """Lower the dealer's rule: count the orders layer by layer."""
    nodes: dict[int, int] = {0: 0}
    parent, rank_of, already, depth = [0], [0], [0], [0]

    def node_of(drawn: tuple[int, ...]) -> int:
        code = sum(UNITS[rank] * drawn[rank] for rank in RANKS)
        if code not in nodes:
            last = max(rank for rank in RANKS if drawn[rank])
            before = (*drawn[:last], drawn[last] - 1, *drawn[last + 1 :])
            above = node_of(before)
            nodes[code] = len(parent)
            parent.append(above)
            rank_of.append(last)
            already.append(before[last])
            depth.append(sum(before))
        return nodes[code]

    ends: list[tuple[int, int, int, int, int]] = []
    for upcard in RANKS:
        for drawn, total, orders in _count_orders(upcard, hits_soft_17):
            is_natural = sum(drawn) == 1 and total == BUST_LIMIT
            column = NATURAL_COLUMN if is_natural else total - 17
            ends.append((upcard, column, drawn[upcard], node_of(drawn), orders))
    ends.sort()
    columns = np.array(ends)
    keys, first_end = np.unique(columns[:, :3], axis=0, return_index=True)
    return DealerTree(
        parent=np.array(parent, dtype=np.int32),
        rank=np.array(rank_of, dtype=np.int32),
        already=np.array(already, dtype=np.int32),
        depth=np.array(depth, dtype=np.int32),
        end_node=columns[:, 3].astype(np.int32),
        end_orders=columns[:, 4].astype(np.float64),
        group_column=keys[:, 1].astype(np.int32),
        group_drawn=keys[:, 2].astype(np.int32),
        first_end=np.append(first_end, len(ends)).astype(np.int32),
        first_group=np.searchsorted(keys[:, 0], np.arange(12)).astype(np.int32),
    )


def _count_orders(upcard: int, hits_soft_17: bool) -> list[tuple[tuple[int, ...], int, int]]:  # noqa: FBT001
    """Return the sets of drawn cards that end the dealer's hand at 17 to 21, with their orders."""
    table = hand_table(AceRule.BEST)
    ends: list[tuple[tuple[int, ...], int, int]] = []
    layer: dict[tuple[int, ...], tuple[int, int]] = {(0,) * 11: (table.next_state[0][upcard], 1)}
    while layer:
        following: dict[tuple[int, ...], tuple[int, int]] = {}
        for drawn, (state, orders) in layer.items():
            total = table.total[state]
            if total > 17 or (total == 17 and not (table.is_soft[state] and hits_soft_17)):
                ends.append((drawn, total, orders))
                continue
            for rank in RANKS:
                after = table.next_state[state][rank]
                if table.total[after] <= BUST_LIMIT:
                    key = (*drawn[:rank], drawn[rank] + 1, *drawn[rank + 1 :])
                    _, counted = following.get(key, (after, 0))
                    following[key] = (after, counted + orders)
        layer = following
    return ends


def natural_rank(upcard: int) -> int:
    """Return the rank that makes a natural with the upcard, 0 if none does."""
    return {ACE: TEN, TEN: ACE}.get(upcard, 0)
