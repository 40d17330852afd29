"""A page of keys; one of them leads to blackjack in five minutes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding

from upcard.session.primer import TITLE
from upcard.tui.pages import TextPage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType

HELP: Final = (
    "H hit   S stand   D double   P split   R surrender",
    "I insurance or even money   N no   Y yes, to an offer",
    "The keys at the bottom are the legal ones; any other key says why not.",
    "",
    "Enter, Space    deal with the same bet; during the deal, show all cards",
    "+ -             raise or lower the bet;  digits type one, Esc forgets it",
    "Digits, + -     answer the count question (--ask-count); Esc skips it",
    "B               bring 100 chips when the smallest bet is not covered",
    "U               undo the last answer (in practice, alone at the table)",
    "",
    "C               the coach: silent, after the hand, before you act",
    "W               why: values, chances, the dealer's totals, what changes it",
    "V               view all messages in full, the newest first",
    "K               the coach goes by a fresh shoe, or by the cards seen",
    "F               the fair shuffle: commitment, your seed, what was revealed",
    "",
    "T theme   L letters for suits   A cards one by one, or at once",
    "Q, Esc          leave: a saved hand goes on at the next start",
    "Ctrl-C          end the program; nothing settled is lost, nor is the hand",
    "Ctrl-P          the command palette; Ctrl-Z suspends until fg in the shell",
)


_NEW_HERE: Final = (f"New to the game? B opens {TITLE[0].lower()}{TITLE[1:]}.", "")


class HelpPage(TextPage):
    """The keys of a screen, closed by the key that opened it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "open_primer", TITLE),
    ]

    def __init__(self, title: str, lines: Sequence[str]) -> None:
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
