"""The fair shuffle on the screen: commitments before, the player's seed, reveals after."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, Static

from upcard.core.errors import NotationError
from upcard.session.game_session import GameSession
from upcard.tui.pages import Page

_TALL: Final = 40
"""Lines from which on three revealed shoes have room, else one."""

if TYPE_CHECKING:
    from upcard.tui.table import TableScreen


def tell_commitment(session: GameSession) -> str:
    """Say that the shoe is committed to, before its first card."""
    if session.kept is None:
        return "Practice: nothing is saved, and there is no commitment to the cards."
    return "The shuffle is committed to: F shows it."


def reveal_if_over(session: GameSession) -> str:
    """End a shoe whose cut card is out, and say where its seed is; empty if it goes on."""
    kept = session.kept
    if kept is None or not kept.fair_shoe.is_over:
        return ""
    reveal = kept.end_shoe()
    if kept.fair_shoe.commitment == reveal.commitment:
        return "The shoe is over: F shows its seed."
    return "The shoe is over: F shows its seed and the commitment of the next ones."


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
            kept.fair_shoe.add_player_seed(event.value)
        except NotationError as error:
            self._said = str(error)
        else:
            now = kept.fair_shoe.player_seed == event.value
            when = "this shoe" if now else "the next shoe"
            self._said = f"Your seed is mixed into {when}."
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
        shoe = kept.fair_shoe
        coming = shoe.next_player_seed or "none"
        if shoe.next_commitment is None:
            coming = "none yet; it gets a new commitment first"
        lines = [
            (
                "One SHA-256, fixed before your first card, commits to the rules and to the secret"
                " seeds of all shoes of the session; you may add a seed of your own. After a shoe"
                " its secret is shown, and upcard verify, or any program of yours, deals the same"
                " cards again (docs/fair-shuffle.md)."
            ),
            "",
            "Commitment",
            f"  {shoe.commitment}",
            f"Shoe {shoe.number:<10}your seed: {shoe.player_seed or 'none'}",
            f"The next one   your seed: {coming}",
            "",
        ]
        shown = 3 if self.size.height >= _TALL else 1
        for reveal in shoe.reveals[-shown:][::-1]:
            lines += [
                f"Shoe {reveal.number:<10}your seed: {reveal.player_seed or 'none'}, server seed:",
                f"  {reveal.server_seed.hex()}",
            ]
        lines.append(self._said)
        self.query_one("#shoe-text", Static).update(Text("\n".join(lines)))
