"""`Judgement`: one decision, the best action, and the cost of the difference."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from upcard.coach.question import HandClass
from upcard.coach.verdict import write_verdict
from upcard.core.actions import Action
from upcard.core.cards import rank_name
from upcard.core.errors import NotationError
from upcard.exact.best_action import NEARLY_EQUAL

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

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
            raise NotationError(
                f"a judgement with cost {self.cost}, {self.chips} chips: a cost is 0 or more"
            )

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

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON values; `from_json` reads it back."""
        return dict(json.loads(json.dumps(asdict(self))))

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Read what `to_json` wrote.

        Raises: NotationError if a field is missing or of another type.
        """
        try:
            return cls(**{name: read(data[name]) for name, read in _READERS.items()})
        except (KeyError, TypeError, ValueError) as error:
            raise NotationError(f"no judgement: {error!r}") from None


def _read_all(read: Callable[[Any], object]) -> Callable[[Any], object]:
    return lambda values: tuple(map(read, values))


_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("key", "label"), str),
    **dict.fromkeys(("cost", "chips"), float),
    **dict.fromkeys(("best", "chosen"), Action),
    "hand_class": HandClass,
    "upcard": int,
    "cards": _read_all(str),
    "actions": _read_all(Action),
    "ev": _read_all(float),
    "is_exact": bool,
}
"""The reader of each field of a judgement from JSON."""


def cost_of(best: float, chosen: float) -> float:
    """Return the EV lost, 0 for a rounding difference; EVs may be infinite."""
    if best == chosen:
        return 0.0
    lost = best - chosen
    return 0.0 if lost <= NEARLY_EQUAL or math.isnan(lost) else lost
