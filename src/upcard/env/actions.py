"""The actions of the environments as numbers, and their masks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from upcard.core.actions import Action
from upcard.core.errors import IllegalActionError, quote
from upcard.core.numbers import as_whole
from upcard.env.questions import Stage
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
NO_ACTION: Final = -1
_MOST: Final = 2**31
INTEGERS: Final = frozenset({int, np.int64, np.int32, np.int8})
"""Types that are whole numbers without a further look."""


def read_action(action: Any) -> int:  # noqa: ANN401 (Gymnasium's)
    """Return the number of an action: a whole number, or an array of one; else NO_ACTION."""
    if type(action) not in INTEGERS:
        if hasattr(action, "__array__"):
            array = np.asarray(action)
            action = array.item() if array.size == 1 else None
        action = as_whole(action)
    return NO_ACTION if action is None or not 0 <= action < _MOST else int(action)


def refuse_action(
    action: object, stage: Stage, legal: Iterable[int], bets: Sequence[Fraction], why_not: str
) -> IllegalActionError:
    """Return the error for an action at a stage; `why_not` is for those that a hand could take."""
    names = [*NAMES, *(f"bet {bet}" for bet in bets if len(bets) > 1)]
    possible = ", ".join(f"{code} ({names[code]})" for code in sorted(legal))
    code = read_action(action)
    if not 0 <= code < len(names):
        most = len(names) - 1
        text = f"action {quote(action)} is not a whole number from 0 to {most}. Legal: {possible}"
        return IllegalActionError(text)
    if stage is Stage.BET:
        why_not = "the table asks for a bet"
    elif stage is Stage.SETTLED:
        why_not = "the round is over, and 0 ends it"
    elif code >= FIRST_BET:
        why_not = "a round is in progress"
    return IllegalActionError(f"action {code} ({names[code]}): {why_not}. Legal: {possible}")


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
