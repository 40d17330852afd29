"""Drills: items with frequency and cost, questions about them, and feedback."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from upcard.analysis.grades import Grade, grade_of
from upcard.coach.question import HandClass
from upcard.core.cards import Card
from upcard.core.errors import BlackjackError

CLASSES: Final = (HandClass.HARD, HandClass.SOFT, HandClass.PAIR, HandClass.SURRENDER)
"""Classes of opening hands that are drilled."""


class DrillError(BlackjackError):
    """A drill that cannot be made, or an answer that cannot be read."""


def read_class(name: str) -> HandClass:
    """Read a class of opening hands. Raises: DrillError listing the classes."""
    if name not in CLASSES:
        raise DrillError(f"no class of hands is called {name!r}: one of {', '.join(CLASSES)}")
    return HandClass(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something that is learnt and forgotten independently of other items.

    Units: `frequency` is a share of all questions of the drill, `cost` the cost of the likeliest
    mistake (EV per initial bet; 1 where a drill is not about money), `prior` the expected error
    rate of a learner without any answers.
    """

    key: str
    frequency: float
    cost: float
    prior: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One question to a learner, self-contained: asking does not change the drill."""

    item: str
    """The key of the item that the question is about."""
    text: str
    """The question, in one line."""
    choices: tuple[str, ...] = ()
    """The answers to choose from; none if a number is asked for."""
    cards: tuple[Card, ...] = ()
    """The cards to show, in the order of dealing."""
    groups: tuple[tuple[Card, ...], ...] = ()
    """The groups of cards to show one after another, for counting."""
    upcard: Card | None = None
    data: tuple[tuple[str, Any], ...] = field(default=(), repr=False)
    """The data that the drill needs to judge the answer."""

    def fact(self, name: str) -> Any:  # noqa: ANN401 (each drill knows its own)
        """Return one of the drill's facts about the question."""
        return dict(self.data)[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """The value of an answer. Units: `cost` is EV per initial bet unless `unit` names another."""

    is_right: bool
    answer: str
    right: str
    """The best answer."""
    cost: float
    """The loss of the answer, 0 or more; 0 if it was right."""
    reason: str
    unit: str = "EV"
    ev: tuple[tuple[str, float], ...] = ()
    """The value of every answer, per initial bet, in the order of the choices; none for counts."""
    verdict: str = ""
    """The verdict as a sentence that names the hand; empty in drills without hands."""

    @property
    def grade(self) -> Grade:
        """Whether the answer was right, a slip, a mistake or a blunder."""
        if self.is_right:
            return Grade.RIGHT
        if self.unit != "EV":  # a count has no cost
            return Grade.MISTAKE
        return grade_of(self.cost) if self.cost else Grade.SLIP

    def __str__(self) -> str:
        if self.verdict:
            return f"{self.verdict} {self.reason}"
        if self.is_right:
            return f"right: {self.right}. {self.reason}"
        return f"{self.right}, not {self.answer}: {self.cost:.3g} {self.unit}. {self.reason}"


class Drill(Protocol):
    """A source of questions about items."""

    @property
    def name(self) -> str:
        """The name of the drill; progress is saved under it."""

    @property
    def about(self) -> str:
        """The rules, counting system or indices of the drill; its progress is for these only."""

    def items(self) -> tuple[Item, ...]:
        """Return the items of the drill; frequencies sum to 1."""

    def ask(self, item: str, rng: random.Random) -> Prompt:
        """Create a question about an item. Raises: DrillError if there is no such item."""

    def check(self, prompt: Prompt, answer: str) -> Feedback:
        """Judge an answer. Raises: DrillError for an invalid answer."""
