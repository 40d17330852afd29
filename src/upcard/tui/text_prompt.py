"""A line to type something in."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType


class TextPrompt(ModalScreen[None]):
    """Asks for a text until it is accepted; Escape closes it and changes nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "cancel")]

    def __init__(self, title: str, text: str, take: Callable[[str], str]) -> None:
        """Ask for `title`, with `text` to begin with.

        `take` takes what was typed and returns why it is refused; empty if it is not.
        """
        super().__init__()
        self._title = title
        self._text = text
        self._take = take

    def compose(self) -> ComposeResult:
        """Put the line up."""
        frame = Vertical(Input(self._text), Static(id="refused"), classes="page")
        frame.border_title = self._title
        frame.border_subtitle = "Enter takes it   Esc: as it was"
        yield frame

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close if it is accepted; what is refused stays, to be corrected."""
        reason = self._take(event.value)
        if reason:
            self.query_one("#refused", Static).update(Text(reason))
        else:
            self.dismiss()

    def action_cancel(self) -> None:
        """Change nothing."""
        self.dismiss()
