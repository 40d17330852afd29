"""The dealer's final hand, for many sets of removed cards at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.dealer_tree import COLUMNS, DealerTree
from upcard.kernels.jit import kernel

_LANES = 64
_LONGEST = 24
_DEEPEST = 12


@kernel
def fill_dealer_totals(
    shoe: NDArray[np.float64],
    removed: NDArray[np.float64],
    rows: NDArray[np.int64],
    tree: DealerTree,
    upcards: NDArray[np.int64],
    outcomes: NDArray[np.float64],
) -> None:
    """Fill `outcomes[u, s, column]` for the sets s of removed cards in `rows`, and `upcards` u.

    Shapes: shoe 11, removed s x 11, outcomes 11 x s x 6. The upcard leaves the shoe in addition to
    the removed cards; the outcomes sum to 1 less the probability of a bust. The chance of a set of
    drawn cards is a product of (cards of the rank left) / (cards left), one factor per card. With k
    cards of the upcard's rank drawn, the factors of that rank are (left - k) / left of their value
    without the upcard. Many sets are computed side by side, so that the inner loops vectorise: 64
    lanes are enough that the compiler keeps them as loops, where it would unroll 32 one by one, and
    few enough that the weights of the nodes stay near. Indices of rows are unsigned, as one that
    can be negative is checked each time.
    """
    nodes, draws = tree.parent.shape[0], tree.draw_rank.shape[0]
    weight = np.empty((nodes, _LANES))
    chance = np.empty((draws, _LANES))
    # cards_left[rank, n]: cards of the rank when n of it have been drawn
    cards_left = np.empty((11, _LONGEST, _LANES))
    per_card = np.empty((_DEEPEST, _LANES))
    sums = np.empty((COLUMNS, _LANES))
    group_sum = np.empty(_LANES)
    weight[0, :] = 1.0
    for start in range(0, rows.shape[0], _LANES):
        lanes = min(_LANES, rows.shape[0] - start)
        for lane in range(_LANES):
            row = rows[start + min(lane, lanes - 1)]
            cards = 0.0
            for rank in range(1, 11):
                left = shoe[rank] - removed[row, rank]
                cards += left
                cards_left[rank, 0, lane] = left
            per_card[0, lane] = cards
        for rank in range(1, 11):
            for drawn in range(21 // rank, -1, -1):
                for lane in range(_LANES):
                    cards_left[rank, drawn, lane] = max(cards_left[rank, 0, lane] - drawn, 0.0)
        for depth in range(_DEEPEST - 1, -1, -1):
            for lane in range(_LANES):
                others = per_card[0, lane] - 1 - depth
                per_card[depth, lane] = 1.0 / others if others > 0 else 0.0
        for draw in range(draws):
            rank, already, depth = (
                tree.draw_rank[draw],
                tree.draw_already[draw],
                tree.draw_depth[draw],
            )
            for lane in range(_LANES):
                chance[draw, lane] = cards_left[rank, already, lane] * per_card[depth, lane]
        for node in range(1, nodes):
            above, drawn_card = np.uint64(tree.parent[node]), np.uint64(tree.draw[node])
            for lane in range(_LANES):
                weight[node, lane] = weight[above, lane] * chance[drawn_card, lane]
        for upcard in upcards:
            sums[:] = 0.0
            for group in range(tree.first_group[upcard], tree.first_group[upcard + 1]):
                column, drawn = tree.group_column[group], tree.group_drawn[group]
                group_sum[:] = 0.0
                first, last = tree.first_end[group], tree.first_end[group + 1]
                in_fours = last - (last - first) % 4
                # Four ends at a time load and store the sums once; the order of adding is the same.
                for end in range(first, in_fours, 4):
                    node_0, orders_0 = np.uint64(tree.end_node[end]), tree.end_orders[end]
                    node_1, orders_1 = np.uint64(tree.end_node[end + 1]), tree.end_orders[end + 1]
                    node_2, orders_2 = np.uint64(tree.end_node[end + 2]), tree.end_orders[end + 2]
                    node_3, orders_3 = np.uint64(tree.end_node[end + 3]), tree.end_orders[end + 3]
                    for lane in range(_LANES):
                        one = group_sum[lane] + weight[node_0, lane] * orders_0
                        two = one + weight[node_1, lane] * orders_1
                        three = two + weight[node_2, lane] * orders_2
                        group_sum[lane] = three + weight[node_3, lane] * orders_3
                for end in range(in_fours, last):
                    node_0, orders_0 = np.uint64(tree.end_node[end]), tree.end_orders[end]
                    for lane in range(_LANES):
                        group_sum[lane] += weight[node_0, lane] * orders_0
                for lane in range(_LANES):
                    sums[column, lane] += group_sum[lane] * cards_left[upcard, drawn, lane]
            for lane in range(lanes):
                of_rank = cards_left[upcard, 0, lane]
                share = 1.0 / of_rank if of_rank > 0 else 0.0
                for column in range(COLUMNS):
                    outcomes[upcard, rows[start + lane], column] = sums[column, lane] * share
