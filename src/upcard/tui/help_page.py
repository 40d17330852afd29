"""A page of keys; one of them leads to blackjack in five minutes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding

from upcard.session.primer import TITLE
from upcard.tui.pages import TextPage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType

_NEW_HERE: Final = (f"New to the game? B opens {TITLE[0].lower()}{TITLE[1:]}.", "")


class HelpPage(TextPage):
    """The keys of a screen, closed by the key that opened it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "open_primer", TITLE),
    ]

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        """Show the keys in `lines` under a title."""
        super().__init__(title, [*_NEW_HERE, *lines], closes="question_mark")

    def on_mount(self) -> None:
        """Add the keys of the keymap at the top."""
        if self.app.caps:
            yours = ", ".join(f"{cap} {one}" for one, cap in self.app.caps.items())
            self.replace([f"Your keymap: {yours}.", "", *self._lines])

    def action_open_primer(self) -> None:
        """Explain the game."""
        from upcard.tui.primer_page import write_primer

        self.app.push_screen(TextPage(TITLE, write_primer(self.app.look, self.app.inks)))
