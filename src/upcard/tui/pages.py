"""Pages over the screen: a text to scroll in, closed by a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from upcard.tui.keys import Keyed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.events import Key

COMPILING: Final = "The first time on a machine this takes up to half a minute."
"""Shown with work that may have to compile first, once it takes longer than it usually does."""
PATIENCE_SECONDS: Final = 1.0
"""How long work takes at most where nothing has to be compiled."""


class Page(Keyed, ModalScreen[None]):
    """A text in a frame; arrows scroll, Escape or any key of `closes` closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,space", "close", "close"),
    ]

    WHERE_KEYS_ARE = "Esc closes."

    def __init__(self, title: str, lines: Sequence[Text | str], *, closes: str = "") -> None:
        """Show lines under a title; `closes` is the key that opened the page."""
        super().__init__()
        self._title = title
        self._lines = list(lines)
        self._closes = closes

    def compose(self) -> ComposeResult:
        """Put the frame up."""
        scroll = VerticalScroll(Static(self._text(), id="page-text"), classes="page")
        scroll.border_title = self._title
        scroll.border_subtitle = "Esc closes"
        yield scroll

    def on_key(self, event: Key) -> None:
        """Close at the key that opened it."""
        if self._closes and event.key.lower() == self._closes:
            event.stop()
            event.prevent_default()
            self.dismiss()

    def say_of_key(self, words: str) -> None:
        """Say something about the last key, in the frame."""
        self.query_one(VerticalScroll).border_subtitle = words

    def action_close(self) -> None:
        """Close the page."""
        self.dismiss()

    def add(self, lines: Sequence[Text | str]) -> None:
        """Add lines at the end, which came later."""
        self.replace([*self._lines, *lines])

    def replace(self, lines: Sequence[Text | str]) -> None:
        """Show other lines."""
        self._lines = list(lines)
        for shown in self.query("#page-text").results(Static):  # none while the page closes
            shown.update(self._text())

    def _text(self) -> Text:
        return Text("\n").join(
            line if isinstance(line, Text) else Text(line) for line in self._lines
        )


class WaitingPage(Page):
    """A page to wait at; it says so if the work takes longer than usual."""

    def on_mount(self) -> None:
        """Begin to wait."""
        self.set_timer(PATIENCE_SECONDS, lambda: self.add([COMPILING]))
