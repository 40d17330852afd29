"""The dealer's final hand, for many sets of removed cards at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from upcard.kernels.dealer_tree import COLUMNS
from upcard.kernels.jit import kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from upcard.kernels.dealer_tree import DealerTree

_LANES = 32
_LONGEST = 24


@kernel
def fill_dealer_outcomes(
    shoe: NDArray[np.float64],
    removed: NDArray[np.float64],
    tree: DealerTree,
    first_upcard: int,
    last_upcard: int,
    outcomes: NDArray[np.float64],
) -> None:
    """Fill `outcomes[s, u, column]` for every set s of removed cards and each upcard u.

    Shapes: shoe 11, removed s x 11, outcomes s x 11 x 6. The upcard leaves the shoe besides the
    removed cards; what is missing to 1 is the probability of a bust. The chance of a set of drawn
    cards is a product of (cards of the rank left) / (cards left), one factor a card; `first_end`
    corrects for the upcard, which is of one of the ranks. Thirty-two sets go side by side, so that
    the inner loops vectorise.
    """
    nodes = tree.parent.shape[0]
    weight = np.empty((nodes, _LANES))
    left = np.empty((11, _LANES))
    per_card = np.empty((_LONGEST, _LANES))
    sums = np.empty((11, COLUMNS, _LANES))
    for start in range(0, removed.shape[0], _LANES):
        lanes = min(_LANES, removed.shape[0] - start)
        for lane in range(_LANES):
            row = start + min(lane, lanes - 1)
            cards = 0.0
            for rank in range(1, 11):
                left[rank, lane] = shoe[rank] - removed[row, rank]
                cards += left[rank, lane]
            for depth in range(_LONGEST):
                others = cards - 1 - depth
                per_card[depth, lane] = 1.0 / others if others > 0 else 0.0
            weight[0, lane] = 1.0
        sums[:] = 0.0
        for node in range(1, nodes):
            above, rank = tree.parent[node], tree.rank[node]
            already, depth = tree.already[node], tree.depth[node]
            for lane in range(_LANES):
                cards_left = max(left[rank, lane] - already, 0.0)
                weight[node, lane] = weight[above, lane] * cards_left * per_card[depth, lane]
        for upcard in range(first_upcard, last_upcard + 1):
            for end in range(tree.first_end[upcard], tree.first_end[upcard + 1]):
                column, node = tree.end_column[end], tree.end_node[end]
                orders, drawn = tree.end_orders[end], tree.end_upcards_drawn[end]
                for lane in range(_LANES):
                    upcards_left = max(left[upcard, lane] - drawn, 0.0)
                    sums[upcard, column, lane] += weight[node, lane] * orders * upcards_left
        for upcard in range(first_upcard, last_upcard + 1):
            for lane in range(lanes):
                upcards = left[upcard, lane]
                share = 1.0 / upcards if upcards > 0 else 0.0
                for column in range(COLUMNS):
                    outcomes[start + lane, upcard, column] = sums[upcard, column, lane] * share
