"""`Judgement`: one decision, the best action, and the cost of the difference."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

from upcard.analysis.grades import Grade, grade_of
from upcard.coach.question import HandClass, Question
from upcard.coach.verdict import write_verdict
from upcard.core.actions import Action
from upcard.core.cards import Rank, rank_name
from upcard.core.errors import IllegalActionError, NoExactValueError, NotationError
from upcard.exact.solver_results import NEARLY_EQUAL

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.coach.seen_cards import Composition
    from upcard.exact.position import Position


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
    def grade(self) -> Grade:
        """Whether the action was right, a slip, a mistake or a blunder."""
        return grade_of(self.cost)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """EV of every answer, per initial bet of the hand, for the player.

    Insurance and even money are valued separately from the hand.
    """

    question: Question
    ev: dict[Action, float]
    """EV by action, in the order of the table."""
    best: Action
    split_class: str | None
    """Name of the way in which split hands are played; None if no split is valued."""
    assumptions: tuple[str, ...]
    """Assumptions behind the values, one sentence each."""
    approximations: tuple[str, ...]
    """Approximations in the values, one sentence each; empty if all are exact."""
    missing: dict[Action, str]
    """Legal actions without an exact value, with the reason."""
    natural_probability: float
    """Chance of a dealer's natural; 0 once the dealer has looked."""
    splits: str = field(repr=False)
    cards: Composition = field(repr=False)
    position: Position = field(repr=False, compare=False)

    @property
    def is_exact(self) -> bool:
        """Whether every answer has an exact value."""
        return not self.approximations and not self.missing

    @property
    def chips(self) -> dict[Action, float]:
        """EV of every answer, in chips."""
        bet = float(self.question.bet)
        return {action: ev * bet for action, ev in self.ev.items()}

    @property
    def costs(self) -> dict[Action, float]:
        """Cost of every answer, per initial bet; 0 for the best."""
        best = max(self.ev.values())
        return {action: cost_of(best, ev) for action, ev in self.ev.items()}

    @property
    def runner_up(self) -> Action | None:
        """The second best answer; None if there is no other."""
        others = [action for action in self.ev if action is not self.best]
        return max(others, key=lambda action: self.ev[action], default=None)

    def judge(self, action: Action) -> Judgement:
        """Return the verdict on an action.

        Raises: IllegalActionError if it is not legal here; NoExactValueError if it has no value.
        """
        question = self.question
        if action in self.missing:
            raise NoExactValueError(self.missing[action])
        if action not in self.ev:
            legal = ", ".join(question.legal)
            raise IllegalActionError(
                f"cannot judge {action} with {question}: it is not legal here. Legal: {legal}"
            )
        cost = self.costs[action]
        return Judgement(
            key=question.key,
            hand_class=question.hand_class,
            label=question.label,
            upcard=question.upcard.rank,
            cards=tuple(map(str, question.cards)),
            actions=tuple(self.ev),
            ev=tuple(self.ev.values()),
            best=self.best if cost else action,
            chosen=action,
            cost=cost,
            chips=cost * float(question.bet),
            is_exact=self.is_exact,
        )
