"""Requests: messages of the screens that the app answers by opening another screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from upcard.rules.model import Rules
    from upcard.session.count_check import CountCheck
    from upcard.session.count_options import CountOptions
    from upcard.session.plan import TablePlan
    from upcard.session.review_source import Source
    from upcard.tui.train.context import Ended, TrainContext


class OpenTable(Message):
    """Sit down at a table."""

    def __init__(self, plan: TablePlan, *, keeps: bool, counting: CountOptions) -> None:
        """Ask for the table of a plan; `keeps` saves its rounds."""
        super().__init__()
        self.plan, self.keeps, self.counting = plan, keeps, counting


class LeaveTable(Message):
    """Leave the table, by its report."""

    def __init__(self, check: CountCheck | None, *, is_thinking: bool) -> None:
        """Report with the score of `check`, also while the coach `is_thinking`."""
        super().__init__()
        self.check, self.is_thinking = check, is_thinking


class OpenReplay(Message):
    """Review rounds."""

    def __init__(self, rounds: Sequence[Callable[[], Source]], *, asks_first: bool = False) -> None:
        """Review the first of `rounds`; with `asks_first` the mistakes of all of them."""
        super().__init__()
        self.rounds, self.asks_first = rounds, asks_first


class OpenDrills(Message):
    """Show the menu of drills."""

    def __init__(self, rules: Rules) -> None:
        """Ask for the drills of these rules."""
        super().__init__()
        self.rules = rules


class OpenDrill(Message):
    """Begin a drill."""

    def __init__(
        self, name: str, setup: TrainContext, then: Callable[[Ended | None], None]
    ) -> None:
        """Ask for a drill; `then` gets how it ended."""
        super().__init__()
        self.name, self.setup, self.then = name, setup, then
