"""The actions of the environments as numbers, and their masks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from upcard.core.actions import Action
from upcard.kernels import codes as kernel_codes

Mask: TypeAlias = NDArray[np.int8]

STAND, HIT, DOUBLE = kernel_codes.STAND, kernel_codes.HIT, kernel_codes.DOUBLE
SPLIT, SURRENDER = kernel_codes.SPLIT, kernel_codes.SURRENDER
INSURE: Final = 5
"""Also takes even money, as stand also declines an offer. The numbers before are the kernel's."""
FIRST_BET: Final = 6
"""From here on: bets, where there is a choice of them."""

CODES: Final = {
    Action.STAND: STAND,
    Action.HIT: HIT,
    Action.DOUBLE: DOUBLE,
    Action.SPLIT: SPLIT,
    Action.SURRENDER: SURRENDER,
    Action.INSURANCE: INSURE,
    Action.EVEN_MONEY: INSURE,
    Action.NO_INSURANCE: STAND,
    Action.NO_EVEN_MONEY: STAND,
    Action.NO_SPLIT: STAND,
    Action.NO_SURRENDER: STAND,
}
"""The number of each answer to the table."""
NAMES: Final = ("stand", "hit", "double", "split", "surrender", "insurance")


def find_action(code: int, legal: Iterable[Action]) -> Action | None:
    """Return the one of the `legal` actions that has this number; None if there is none."""
    return next((action for action in legal if CODES[action] == code), None)


def refused_action(code: int) -> Action:
    """Return the action that a number stands for where no offer gives it another meaning."""
    return next(action for action, number in CODES.items() if number == code)


def make_mask(codes: Iterable[int], size: int) -> Mask:
    """Return 1 for each of the numbers and 0 for the others, shape (size,)."""
    mask = np.zeros(size, np.int8)
    for code in codes:
        mask[code] = 1
    return mask
