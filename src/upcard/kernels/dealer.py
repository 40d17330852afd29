"""The dealer's final hand, for many sets of removed cards at once.

The chance of a set of drawn cards is a product of (cards of the rank left) / (cards left), one
factor per card. Removed sets of one group have the same factors for the dealer's low cards and for
the cards left, so these are added up once for a group, and then multiplied by the factors of the
high cards for each of its sets.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.dealer_tree import COLUMNS, DealerTree
from upcard.kernels.jit import kernel
from upcard.kernels.removed_sets import FIRST_HIGH, RemovedSets

_LANES: Final = 64
"""Groups that are added up side by side: enough that the compiler keeps the loops over them, where
it would unroll 32 one by one, and few enough that their numbers stay near."""
_DEEPEST: Final = 13


@kernel
def list_marked(in_order: NDArray[np.int64], marked: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the marked sets, in the order of `in_order`."""
    found = np.empty(in_order.shape[0], np.int64)
    size = np.uint64(0)
    for position in range(in_order.shape[0]):
        row = in_order[position]
        found[size] = row  # without a branch: the next one takes its place
        size += np.uint64(marked[np.uint64(row)])
    return found[:size]


@kernel
def fill_dealer_totals(
    shoe: NDArray[np.float64],
    removed: RemovedSets,
    rows: NDArray[np.int64],
    upcard: int,
    tree: DealerTree,
    outcomes: NDArray[np.float64],
) -> None:
    """Fill `outcomes[s, column]` for the sets s of removed cards in `rows`.

    Shapes: shoe 11, outcomes s x 6. The upcard leaves the shoe in addition to the removed cards;
    the outcomes sum to 1 less the probability of a bust. Rows of one group share its sums only if
    they follow each other. Indices are unsigned, as one that can be negative is checked each time.
    """
    counts = removed.counts
    before = shoe.copy()
    before[upcard] -= 1
    left = np.zeros((FIRST_HIGH, _LANES))  # row 0: cards of all ranks
    weights = np.zeros((tree.node_low.shape[0], _LANES))
    sums = np.zeros((_LANES, tree.sum_high.shape[0]))
    chances = np.empty((removed.high_kinds, tree.high.rank.shape[0]))
    has_chances = np.zeros(removed.high_kinds, np.bool_)
    first_row = np.zeros(_LANES + 1, np.int64)
    at = 0
    while at < rows.shape[0]:
        lanes, group = 0, -1
        while at < rows.shape[0]:
            row = np.uint64(rows[at])
            if removed.group[row] != group:
                if lanes == _LANES:
                    break
                group = removed.group[row]
                left[0, lanes] = 0.0
                for rank in range(1, 11):
                    left[0, lanes] += before[rank] - counts[row, rank]
                for rank in range(1, FIRST_HIGH):
                    left[rank, lanes] = before[rank] - counts[row, rank]
                if upcard < FIRST_HIGH and left[upcard, lanes] <= -1:
                    left[0, lanes] = 0.0  # there is no such upcard
                first_row[lanes] = at
                lanes += 1
            high = np.uint64(removed.high[row])
            if not has_chances[high]:
                has_chances[high] = True
                is_there = upcard < FIRST_HIGH or before[upcard] - counts[row, upcard] > -1
                chances[high, 0] = 1.0 if is_there else 0.0
                for node in range(1, chances.shape[1]):
                    above, rank = tree.high.parent[node], tree.high.rank[node]
                    there = before[rank] - counts[row, rank] - tree.high.already[node]
                    chances[high, node] = chances[high, above] * max(there, 0.0)
            at += 1
        first_row[lanes] = at
        _sum_low_cards(left, lanes, tree, weights, sums)
        _multiply_high_cards(
            rows,
            first_row[: lanes + 1],
            removed.high,
            chances,
            sums,
            tree.first_sum,
            tree.sum_high,
            outcomes,
        )


@kernel
def _sum_low_cards(
    left: NDArray[np.float64],
    lanes: int,
    tree: DealerTree,
    weights: NDArray[np.float64],
    sums: NDArray[np.float64],
) -> None:
    """Fill `sums` of the first `lanes` groups from the low cards that are left in each."""
    low = np.ones((tree.low.rank.shape[0], _LANES))
    per_cards = np.ones((_DEEPEST, _LANES))
    group_sum = np.zeros(_LANES)
    for drawn in range(1, _DEEPEST):
        for lane in range(_LANES):
            others = left[0, lane] - (drawn - 1)
            per_cards[drawn, lane] = per_cards[drawn - 1, lane] / others if others > 0 else 0.0
    for node in range(1, low.shape[0]):
        above, rank = tree.low.parent[node], tree.low.rank[node]
        already = tree.low.already[node]
        for lane in range(_LANES):
            low[node, lane] = low[above, lane] * max(left[rank, lane] - already, 0.0)
    for node in range(weights.shape[0]):
        cards_low, drawn_cards = tree.node_low[node], tree.node_cards[node]
        for lane in range(_LANES):
            weights[node, lane] = low[cards_low, lane] * per_cards[drawn_cards, lane]
    for number in range(sums.shape[1]):
        group_sum[:] = 0.0
        first, last = np.int64(tree.first_end[number]), np.int64(tree.first_end[number + 1])
        in_fours = last - (last - first) % 4
        # Four ends at a time load and store the sum once; the order of adding is the same.
        for end in range(first, in_fours, 4):
            node_0, orders_0 = tree.end_node[end], tree.end_orders[end]
            node_1, orders_1 = tree.end_node[end + 1], tree.end_orders[end + 1]
            node_2, orders_2 = tree.end_node[end + 2], tree.end_orders[end + 2]
            node_3, orders_3 = tree.end_node[end + 3], tree.end_orders[end + 3]
            for lane in range(_LANES):
                one = group_sum[lane] + weights[node_0, lane] * orders_0
                two = one + weights[node_1, lane] * orders_1
                three = two + weights[node_2, lane] * orders_2
                group_sum[lane] = three + weights[node_3, lane] * orders_3
        for end in range(in_fours, last):
            node_0, orders_0 = tree.end_node[end], tree.end_orders[end]
            for lane in range(_LANES):
                group_sum[lane] += weights[node_0, lane] * orders_0
        for lane in range(lanes):
            sums[lane, number] = group_sum[lane]


@kernel
def _multiply_high_cards(
    rows: NDArray[np.int64],
    first_row: NDArray[np.int64],
    high: NDArray[np.int32],
    chances: NDArray[np.float64],
    sums: NDArray[np.float64],
    first_sum: NDArray[np.uint32],
    sum_high: NDArray[np.uint32],
    outcomes: NDArray[np.float64],
) -> None:
    """Fill the outcomes for the rows of each group, four at a time, the last of them repeated."""
    for lane in range(first_row.shape[0] - 1):
        last = first_row[lane + 1] - 1
        of_group = sums[lane]
        for start in range(first_row[lane], last + 1, 4):
            row_0 = np.uint64(rows[start])
            row_1 = np.uint64(rows[min(start + 1, last)])
            row_2 = np.uint64(rows[min(start + 2, last)])
            row_3 = np.uint64(rows[min(start + 3, last)])
            chances_0 = chances[np.uint64(high[row_0])]
            chances_1 = chances[np.uint64(high[row_1])]
            chances_2 = chances[np.uint64(high[row_2])]
            chances_3 = chances[np.uint64(high[row_3])]
            for column in range(COLUMNS):
                sum_0 = sum_1 = sum_2 = sum_3 = 0.0
                for number in range(first_sum[column], first_sum[column + 1]):
                    cards_high, share = sum_high[number], of_group[number]
                    sum_0 += chances_0[cards_high] * share
                    sum_1 += chances_1[cards_high] * share
                    sum_2 += chances_2[cards_high] * share
                    sum_3 += chances_3[cards_high] * share
                outcomes[row_3, column] = sum_3
                outcomes[row_2, column] = sum_2
                outcomes[row_1, column] = sum_1
                outcomes[row_0, column] = sum_0
