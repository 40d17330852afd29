"""The fair shuffle on the screen: commitments before, the player's seed, reveals after."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, Static

from upcard.core.errors import NotationError
from upcard.session.fair_words import describe_shoe, mix_seed
from upcard.session.game_session import GameSession
from upcard.tui.pages import Page

_TALL: Final = 40
"""Lines from which on three revealed shoes have room, else one."""

if TYPE_CHECKING:
    from upcard.tui.table import TableScreen


def show_shoe(screen: TableScreen) -> None:
    """Open the page, or say why there is none."""
    if screen.session.kept is None:
        screen.say_of_key(
            "There is no commitment to practice cards: play without --seed and --cards."
        )
        return
    # A shoe that is ended there leaves nothing to count.
    screen.app.push_screen(ShoePage(screen.session), lambda _: screen.draw())


class ShoePage(Page[None]):
    """Commitments, revealed seeds, and a line for the player's seed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+e", "end_shoe", "end the shoe", priority=True)
    ]
    FOOT = "Enter adds the seed   Ctrl-E ends the shoe   Esc closes"

    def __init__(self, session: GameSession) -> None:
        super().__init__("A shuffle that you can verify")
        self._session = session
        self._said = ""

    def compose(self) -> ComposeResult:
        """Put the frame up."""
        seed = Input(placeholder="your seed: any words", id="seed")
        yield self.frame(Static(id="shoe-text"), seed)

    def on_mount(self) -> None:
        """Show the present state; the seed may be typed at once."""
        self._draw()
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Add the player's seed."""
        kept = self._session.kept
        if kept is None:
            return
        try:
            self._said = mix_seed(kept, event.value)
        except NotationError as error:
            self._said = str(error)
        self._draw()

    def action_end_shoe(self) -> None:
        """End the shoe between hands, to see its seeds now."""
        kept = self._session.kept
        if kept is None:
            return
        if self._session.is_playing:
            self._said = "The shoe ends between hands: finish this one first."
        else:
            kept.end_shoe()
            self._said = "The shoe is ended; the next hand begins a new one."
        self._draw()

    def _draw(self) -> None:
        kept = self._session.kept
        if kept is None:
            return
        lines = describe_shoe(kept, reveals=3 if self.size.height >= _TALL else 1)
        lines.append(self._said)
        self.query_one("#shoe-text", Static).update(Text("\n".join(lines)))
