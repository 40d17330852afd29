"""`TrainApp`: the drills as a program of their own, for `upcard train`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding

from upcard.tui.themes import register_themes
from upcard.tui.train.context import Ended
from upcard.tui.train.menu import DrillMenu
from upcard.tui.train.opening import open_drill

if TYPE_CHECKING:
    from textual.binding import BindingType

    from upcard.tui.train.context import TrainContext


class TrainApp(App[None]):
    """Shows the menu, or one drill; `ended` is how that did."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "upcard train"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(self, setup: TrainContext, *, drill: str | None = None) -> None:
        """Show this drill, or without one the menu."""
        super().__init__()
        self.setup = setup
        self.drill = drill
        self.ended = Ended()

    def on_mount(self) -> None:
        """Take the theme, and show what was asked for."""
        register_themes(self)
        self.theme = self.setup.look.theme
        if self.drill is None:
            self.push_screen(DrillMenu(self.setup), self._leave_menu)
        else:
            self.push_screen(open_drill(self.drill, self.setup), self._end)

    def _leave_menu(self, _: object) -> None:
        self.exit()

    def _end(self, ended: Ended | None) -> None:
        self.ended = ended or Ended()
        self.exit()

    async def action_leave(self) -> None:
        """Leave what is on top."""
        await self.screen.run_action("screen.leave")
