"""Requests: messages of the screens that the app answers by opening another screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from upcard.drills.drill_run import DrillSetup
    from upcard.rules.model import Rules
    from upcard.session.count_check import CountCheck, CountOptions
    from upcard.session.plan import TablePlan
    from upcard.session.review import Source
    from upcard.tui.train.modals import Ended


@dataclass
class OpenTable(Message):
    """Sit down at the table of a plan; without one it is the start screen."""

    plan: TablePlan | None
    keeps: bool
    """Whether its rounds are saved."""
    counting: CountOptions


@dataclass
class LeaveTable(Message):
    """Leave the table, by its report."""

    check: CountCheck | None
    is_thinking: bool
    """Whether the coach has not judged all answers yet."""


@dataclass
class OpenReplay(Message):
    """Review the first of some rounds; with `asks_first` the mistakes of all of them."""

    rounds: Sequence[Callable[[], Source]]
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
