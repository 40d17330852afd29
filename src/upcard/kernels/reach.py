"""How often each hand is reached when a given plan is followed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import kernel
from upcard.kernels.player import HIT, HandPlan
from upcard.kernels.player_hands import HandArrays


@kernel
def fill_reach(
    shoe: NDArray[np.float64],
    order: NDArray[np.int32],
    hands: HandArrays,
    plan: HandPlan,
    reach: NDArray[np.float64],
) -> None:
    """Spread the chances in `reach` of two-card hands to all hands that hitting makes of them.

    `shoe` is without the upcard; `order` has the fewest cards first.
    """
    left = np.empty(11)
    for position in range(order.shape[0]):
        hand = order[position]
        if reach[hand] <= 0:
            continue
        action = plan.opening[hand] if hands.cards[hand] == 2 else plan.later[hand]
        if action != HIT:
            continue
        cards_left = 0.0
        for rank in range(1, 11):
            left[rank] = shoe[rank] - hands.counts[hand, rank]
            cards_left += left[rank]
        for rank in range(1, 11):
            after = hands.next_hand[hand, rank]
            if after >= 0 and left[rank] > 0:
                reach[after] += reach[hand] * left[rank] / cards_left
