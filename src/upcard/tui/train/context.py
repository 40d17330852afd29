"""`TrainContext`, which the screens of drills are given, and `Ended`, which they return."""

from __future__ import annotations

from dataclasses import dataclass, field

from upcard.drills.run import DrillSetup
from upcard.tui.appearance import Appearance


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainContext(DrillSetup):
    """The drills to open, and the look of their screens."""

    look: Appearance = field(default_factory=Appearance)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a drill ended."""

    summary: tuple[str, ...] = ()
    fault: str | None = None
    """Why it could not go on; None if it was left."""
