"""Why an answer to a question of a drill is refused, in the words of the table."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from upcard.core.actions import Action
from upcard.drills.hands import deal_opening
from upcard.rules.settings import Surrender
from upcard.table.legal import find_refusal

if TYPE_CHECKING:
    from upcard.drills.drill import Prompt
    from upcard.drills.hands import PlayedHand
    from upcard.rules.model import Rules
    from upcard.table.refusal import Refusal

_SIDE: Final = (Action.INSURANCE, Action.EVEN_MONEY)


def explain_refusal(
    action: Action, prompt: Prompt, *, rules: Rules, hand: PlayedHand | None = None
) -> str:
    """Return one sentence saying why an action is not an answer to a question of a drill."""
    if hand is not None and not hand.is_over:
        return _shorten(find_refusal(hand.state, action), action)
    if prompt.upcard is None or not prompt.cards:
        return f"cannot {action.verb}: a number is asked for"
    if any(one in prompt.choices for one in _SIDE):
        return f"cannot {action.verb}: the question is insurance alone"
    if action is Action.SURRENDER and rules.surrender is not Surrender.NONE and prompt.choices:
        return f"cannot {action.verb}: this play is asked as if there were no surrender"
    table = deal_opening(rules, prompt.cards, prompt.upcard, random.Random(0))
    return _shorten(find_refusal(table.state, action), action)


def _shorten(refusal: Refusal | None, action: Action) -> str:
    """Omit the legal actions, which the screen shows."""
    return f"cannot {action.verb} here" if refusal is None else refusal.without_legal
