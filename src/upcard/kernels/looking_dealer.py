"""A dealer by any hand table, who may see the player's total: every order of the dealer's cards."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import kernel

_DEEPEST = 32


class DealerTable(NamedTuple):
    """A hand table and the dealer's rule, as arrays over the table's states."""

    next_state: NDArray[np.int32]
    total: NDArray[np.int64]
    is_soft: NDArray[np.bool_]
    was_softened: NDArray[np.bool_]
    hits_soft_17: int
    stops_ahead: int


@kernel
def _draws(table: DealerTable, state: int, player: int) -> bool:
    """Whether the dealer takes a card, by the same rule as `rules.predicates.dealer_draws`."""
    total = table.total[state]
    if table.stops_ahead:
        if table.was_softened[state]:
            return True
        if total > player:
            return False
    if total == 17 and table.hits_soft_17:
        return bool(table.is_soft[state])
    return bool(total < 17)


@kernel
def fill_looking_dealer(
    shoe: NDArray[np.float64],
    counts: NDArray[np.float64],
    totals: NDArray[np.int64],
    upcard: int,
    table: DealerTable,
    net: NDArray[np.float64],
    natural: NDArray[np.float64],
) -> None:
    """Fill the net result of standing without a dealer natural, and the chance of a dealer natural.

    `shoe` is without the upcard; row n of `counts` are the player's cards, `totals[n]` their total.
    The first card drawn is the hole card.
    """
    left = np.empty(11)
    states = np.empty(_DEEPEST, np.int64)
    chances = np.empty(_DEEPEST)
    ranks = np.empty(_DEEPEST, np.int64)
    start = table.next_state[0, upcard]
    for row in range(counts.shape[0]):
        cards = 0.0
        is_possible = True
        for rank in range(1, 11):
            left[rank] = shoe[rank] - counts[row, rank]
            is_possible &= left[rank] >= 0
            cards += left[rank]
        net[row] = 0.0
        natural[row] = 0.0
        if not is_possible:
            continue
        depth = 0
        states[0], chances[0], ranks[0] = start, 1.0, 0
        while depth >= 0:
            ranks[depth] += 1
            rank = ranks[depth]
            if rank > 10:
                depth -= 1
                if depth >= 0:
                    left[ranks[depth]] += 1
                    cards += 1
                continue
            if left[rank] <= 0:
                continue
            chance = chances[depth] * left[rank] / cards
            state = table.next_state[states[depth], rank]
            total = table.total[state]
            if depth == 0 and total == 21:
                natural[row] += chance
            elif total <= 21 and _draws(table, state, totals[row]):
                left[rank] -= 1
                cards -= 1
                depth += 1
                states[depth], chances[depth], ranks[depth] = state, chance, 0
            elif total > 21 or total < totals[row]:
                net[row] += chance
            elif total > totals[row]:
                net[row] -= chance
