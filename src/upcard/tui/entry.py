"""A line to type something in."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType


class Entry(ModalScreen[str | None]):
    """Asks for a text; Enter gives it, Escape gives nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "cancel")]

    def __init__(self, title: str, text: str) -> None:
        """Ask for `title`, with `text` to begin with."""
        super().__init__()
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        """Put the line up."""
        frame = Vertical(Input(self._text), classes="page")
        frame.border_title = self._title
        frame.border_subtitle = "Enter takes it   Esc: as it was"
        yield frame

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give what was typed."""
        self.dismiss(event.value)

    def action_cancel(self) -> None:
        """Give nothing."""
        self.dismiss(None)
