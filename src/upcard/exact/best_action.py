"""The best of several answers: one order and one tolerance for every value in the program."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from upcard.core.actions import Action
from upcard.core.errors import IllegalActionError

NEARLY_EQUAL: Final = 1e-9
"""EVs closer than this are equal: the difference is rounding, not a mistake."""
_PREFERENCE: Final = (
    *(Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER),
    *(Action.NO_SPLIT, Action.NO_SURRENDER, Action.NO_INSURANCE, Action.NO_EVEN_MONEY),
    *(Action.INSURANCE, Action.EVEN_MONEY),
)
"""Order of equally good actions: the one that stakes least comes first."""


def best_action(values: Mapping[Action, float], among: Collection[Action] = _PREFERENCE) -> Action:
    """Return the action with the highest value; ties go by the order of `among`.

    Raises: IllegalActionError if none of them has a value.
    """
    candidates = [action for action in _PREFERENCE if action in values and action in among]
    if not candidates:
        msg = f"none of {', '.join(among)} is possible. Legal: {', '.join(values)}"
        raise IllegalActionError(msg)
    most = max(values[action] for action in candidates)
    return next(
        action
        for action in candidates
        if values[action] == most or most - values[action] <= NEARLY_EQUAL
    )
