"""`Advice`: the value of each answer to one question, with its assumptions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from upcard.coach.judgement import Judgement, cost_of
from upcard.core.errors import IllegalActionError, NoExactValueError

if TYPE_CHECKING:
    from upcard.coach.question import Question
    from upcard.coach.seen_cards import Composition
    from upcard.core.actions import Action
    from upcard.exact.position import Position


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
