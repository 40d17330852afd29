"""`Judgement`: one decision, the best action, and the cost of the difference."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from upcard.coach.verdict import write_verdict
from upcard.core.cards import rank_name
from upcard.core.errors import NotationError
from upcard.exact.best_action import NEARLY_EQUAL

if TYPE_CHECKING:
    from upcard.coach.question import HandClass
    from upcard.core.actions import Action
    from upcard.core.cards import Rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """One decision, judged. Units: EV per initial bet of the hand, chips of that bet.

    `key` names the situation as a chart does (`hard 16 v T`), so that judgements can be grouped;
    `cards` are the hand.

    Raises: NotationError for a cost below 0.
    """

    key: str
    hand_class: HandClass
    label: str
    """Row of the chart, as near as possible."""
    upcard: Rank
    cards: tuple[str, ...]
    actions: tuple[Action, ...]
    """The legal actions."""
    ev: tuple[float, ...]
    """EV of each action, in their order."""
    best: Action
    chosen: Action
    cost: float
    """EV lost, 0 for the best action."""
    chips: float
    """The cost in chips."""
    is_exact: bool = True
    """Whether the values are exact."""

    def __post_init__(self) -> None:
        if not (self.cost >= 0 and self.chips >= 0):
            msg = f"a judgement with cost {self.cost}, {self.chips} chips: a cost is 0 or more"
            raise NotationError(msg)

    @property
    def is_right(self) -> bool:
        """Whether the action was a best one."""
        return self.cost == 0

    @property
    def cell(self) -> tuple[str, str]:
        """Row and column of the chart, by which heat maps add up."""
        return self.label, rank_name(self.upcard)

    def __str__(self) -> str:
        return write_verdict(self)


def cost_of(best: float, chosen: float) -> float:
    """Return the EV lost, 0 for a rounding difference; EVs may be infinite."""
    if best == chosen:
        return 0.0
    lost = best - chosen
    return 0.0 if lost <= NEARLY_EQUAL or math.isnan(lost) else lost
