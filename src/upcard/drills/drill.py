"""What a drill is: items with frequency and cost, questions about them, and feedback."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import random

    from upcard.core.cards import Card


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """Something that can be learnt and forgotten by itself.

    Units: `frequency` is a share of all that the drill asks about, `cost` what the likeliest
    mistake costs (EV per initial bet; where a drill is not about money, 1), `prior` how often
    somebody of whom nothing is known answers wrong.
    """

    key: str
    frequency: float
    cost: float
    prior: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One question to a learner, self-contained: nothing of the drill changes by asking."""

    item: str
    """The key of the item it is about."""
    text: str
    """What is asked, in one line."""
    choices: tuple[str, ...] = ()
    """The answers to choose from; none if a number is asked for."""
    cards: tuple[Card, ...] = ()
    """What to show, in the order of dealing."""
    groups: tuple[tuple[Card, ...], ...] = ()
    """What to show one after another, for counting."""
    upcard: Card | None = None
    data: tuple[tuple[str, Any], ...] = field(default=(), repr=False)
    """What the drill needs to judge the answer."""

    def fact(self, name: str) -> Any:  # noqa: ANN401 (each drill knows its own)
        """Return one of the drill's facts about the question."""
        return dict(self.data)[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What an answer was worth. Units: `cost` is EV per initial bet unless `unit` says other."""

    is_right: bool
    answer: str
    right: str
    """The best answer."""
    cost: float
    """What was given away, 0 or more; 0 where it was right."""
    reason: str
    unit: str = "EV"
    ev: tuple[tuple[str, float], ...] = ()
    """What every answer is worth, per initial bet, in the order of the choices; none for counts."""
    verdict: str = ""
    """The verdict as a sentence that names the hand; empty where the drill asks for no hand."""

    def __str__(self) -> str:
        """Write it in one line."""
        if self.verdict:
            return f"{self.verdict} {self.reason}"
        if self.is_right:
            return f"right: {self.right}. {self.reason}"
        return f"{self.right}, not {self.answer}: {self.cost:.3g} {self.unit}. {self.reason}"


class Drill(Protocol):
    """A source of questions about items."""

    @property
    def name(self) -> str:
        """What the drill is called; progress is kept under it."""

    @property
    def about(self) -> str:
        """What it is about: rules, counting system, indices; progress is for these only."""

    def items(self) -> tuple[Item, ...]:
        """Return what is asked about; frequencies sum to 1."""

    def ask(self, item: str, rng: random.Random) -> Prompt:
        """Make a question about an item.

        Raises: DrillError if there is no such item.
        """

    def check(self, prompt: Prompt, answer: str) -> Feedback:
        """Judge an answer.

        Raises: DrillError for what is no answer.
        """
