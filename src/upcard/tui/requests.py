"""Options of the full screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from upcard.session.count_check import CountOptions

if TYPE_CHECKING:
    from upcard.coach.seen_cards import Knowledge
    from upcard.drills.drill_run import DrillSetup
    from upcard.session import coaching, review
    from upcard.session.plan import TablePlan


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenOptions:
    """Options of the full screen; None and empty are the defaults."""

    replay: review.Source | None = None
    """A round to review, and nothing else."""
    following: tuple[Callable[[], review.Source], ...] = ()
    """The rounds whose mistakes are reviewed after it."""
    asks_first: bool = False
    """Whether mistakes are asked again before the answer is shown."""
    plan: TablePlan | None = None
    """The table to sit down at; None opens the start screen."""
    chips: Fraction | None = None
    is_practice: bool = False
    """Whether nothing is saved; a seed or cards mean practice too."""
    seed: int | None = None
    cards: str | None = None
    rounds: int | None = None
    """How many rounds are played before the table is left."""
    ascii_only: bool = False
    voice: coaching.CoachVoice | None = None
    knows: Knowledge | None = None
    counting: CountOptions = field(default_factory=CountOptions)
    """Count questions and bet checks, at every table."""
    first_hands: bool = False
    """Whether the led first hands open."""
    train: DrillSetup | None = None
    """The drills to open, and nothing else."""
    drill: str | None = None
    """The drill of `train`; None opens the menu."""
    player_seed: str = ""
    """Seed that the player mixes into the shuffle."""

    @property
    def keeps(self) -> bool:
        """Whether the rounds are saved."""
        return not self.is_practice and self.seed is None and self.cards is None
