"""Options of the full screen, and requests of its screens that open another one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from textual.message import Message

from upcard.rules.model import Rules
from upcard.session.count_check import CountCheck, CountOptions

if TYPE_CHECKING:
    from upcard.coach.seen_cards import Knowledge
    from upcard.drills.drill_run import DrillSetup
    from upcard.session import coaching, review
    from upcard.session.plan import TablePlan
    from upcard.tui.train.screen import Ended


@dataclass
class OpenTable(Message):
    """Sit down at the table of a plan; without one it is the start screen."""

    plan: TablePlan | None
    counting: CountOptions


@dataclass
class OpenFirstHands(Message):
    """Sit down for the led first hands, where they were left."""


@dataclass
class TakeRules(Message):
    """Take a game that was found to the start screen."""

    rules: Rules


@dataclass
class LeaveTable(Message):
    """Leave the table, by its report."""

    check: CountCheck | None
    is_thinking: bool
    """Whether the coach has not judged all answers yet."""


@dataclass
class OpenReplay(Message):
    """Review the first of some rounds; with `asks_first` the mistakes of all of them."""

    rounds: Sequence[Callable[[], review.Source]]
    asks_first: bool = False


@dataclass
class OpenDrills(Message):
    """Show the menu of drills for these rules."""

    rules: Rules


@dataclass
class OpenDrill(Message):
    """Begin a drill; `then` gets how it ended."""

    name: str
    setup: DrillSetup
    then: Callable[[Ended | None], None]


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
