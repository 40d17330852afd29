"""The walk of a bank through simulated rounds, in whole numbers of a chip."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import kernel

PLAYING, RUINED, AT_GOAL = range(3)

BANK, LOWEST, HIGHEST, ROUNDS, MARK = range(5)
FIELDS: Final = 5
"""The fields of a path: bank, its lowest and highest, rounds walked, marks passed."""


@kernel
def walk(
    outcomes: NDArray[np.int32],
    begin: int,
    end: int,
    gains: NDArray[np.int64],
    costs: NDArray[np.int64],
    nets: int,
    least_net: int,
    least_cost: int,
    goal: int,
    path: NDArray[np.int64],
    marks: NDArray[np.int64],
    kept: NDArray[np.int64],
) -> int:
    """Walk the rounds from `begin` to `end`; return PLAYING, RUINED or AT_GOAL.

    `outcomes` are places in a (seats and counts, nets) table. By seat and count, `gains` is what a
    net of 1 adds to the bank and `costs` the chips that the bets before the deal take. The bank is
    ruined when it cannot cover the bets of a count, or not even `least_cost`. `path` has FIELDS
    entries and continues from its current state; the last array receives the bank after the number
    of rounds of each of `marks`, in ascending order.
    """
    bank, lowest, highest = path[BANK], path[LOWEST], path[HIGHEST]
    rounds, mark = path[ROUNDS], path[MARK]
    next_mark = marks[mark] if mark < len(marks) else -1
    ending = PLAYING
    for place in range(begin, end):
        outcome = outcomes[place]
        cell = outcome // nets
        if costs[cell] > bank:
            ending = RUINED
            break
        bank += gains[cell] * (outcome - cell * nets + least_net)
        rounds += 1
        lowest = min(lowest, bank)
        highest = max(highest, bank)
        if rounds == next_mark:
            kept[mark] = bank
            mark += 1
            next_mark = marks[mark] if mark < len(marks) else -1
        if bank >= goal:
            ending = AT_GOAL
            break
        if bank < least_cost:
            ending = RUINED
            break
    path[BANK], path[LOWEST], path[HIGHEST] = bank, lowest, highest
    path[ROUNDS], path[MARK] = rounds, mark
    return ending
