"""`Advice`: what each answer to one question is worth, and on what terms."""

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
    """The EV of every answer, per initial bet of the hand, from the player's side.

    Insurance and even money are valued by themselves, the hand apart.
    """

    question: Question
    ev: dict[Action, float]
    """By action, in the order of the table."""
    best: Action
    split_class: str | None
    """The named way in which the hands of a split are played; None where none is valued."""
    assumptions: tuple[str, ...]
    """What the values rest on, one sentence each."""
    approximations: tuple[str, ...]
    """What in them is not exact, one sentence each; none if all is."""
    missing: dict[Action, str]
    """Legal answers for which there is no exact value, with the reason."""
    natural_probability: float
    """The chance that the dealer has a natural; 0 once he has looked and has none."""
    splits: str = field(repr=False)
    cards: Composition = field(repr=False)
    position: Position = field(repr=False, compare=False)

    @property
    def is_exact(self) -> bool:
        """Whether every answer has an exact value."""
        return not self.approximations and not self.missing

    @property
    def chips(self) -> dict[Action, float]:
        """The EV of every answer in chips."""
        bet = float(self.question.bet)
        return {action: ev * bet for action, ev in self.ev.items()}

    @property
    def costs(self) -> dict[Action, float]:
        """What every answer gives away, per initial bet; 0 for the best."""
        best = max(self.ev.values())
        return {action: cost_of(best, ev) for action, ev in self.ev.items()}

    @property
    def runner_up(self) -> Action | None:
        """The best of the others; None if there is no other."""
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
            msg = f"cannot judge {action} with {question}: it is not legal here. Legal: {legal}"
            raise IllegalActionError(msg)
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
