"""`TrainContext`, which the screens of drills are given, and `Ended`, which they return."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from upcard.tui.appearance import Appearance

if TYPE_CHECKING:
    from collections.abc import Callable

    from upcard.drills.memory import DrillMemory
    from upcard.drills.options import DrillOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainContext:
    """The drills' options, the store of their answers, and the look."""

    options: DrillOptions
    memory: DrillMemory
    look: Appearance = field(default_factory=Appearance)
    seed: int | None = None
    """Of the questions; None draws them by chance."""
    questions: int | None = None
    """After how many questions a drill ends; a hand is one."""
    minutes: float | None = None
    """After how many minutes it ends, with the answer that is due then."""
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a drill ended."""

    summary: tuple[str, ...] = ()
    fault: str | None = None
    """Why it could not go on; None if it was left."""
