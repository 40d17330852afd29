"""A line to type something in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual.widgets import Input, Static

from upcard.tui.pages import Page

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult


class TextPrompt(Page[None]):
    """Asks for a text until it is accepted; Escape closes it and changes nothing."""

    FOOT = "Enter takes it   Esc: as it was"

    def __init__(self, title: str, text: str, take: Callable[[str], str]) -> None:
        """Ask for `title`, with `text` to begin with.

        `take` takes what was typed and returns why it is refused; empty if it is not.
        """
        super().__init__(title)
        self._text = text
        self._take = take

    def compose(self) -> ComposeResult:
        """Put the line up."""
        yield self.frame(Input(self._text), Static(id="refused"))

    def on_mount(self) -> None:
        """Type at once."""
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close if it is accepted; what is refused stays, to be corrected."""
        reason = self._take(event.value)
        if reason:
            self.query_one("#refused", Static).update(Text(reason))
        else:
            self.dismiss()
