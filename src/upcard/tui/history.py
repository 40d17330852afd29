"""The rounds of memory on the screen, to be looked over one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.binding import Binding
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from upcard.sitting.listing import HEADINGS, LEFT, row_of
from upcard.sitting.review_source import source_of
from upcard.store.history import read_round, read_rounds
from upcard.tui.action_bar import ActionBar, Key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from upcard.store.database import Store
    from upcard.tui.app import UpcardApp

_MOST: Final = 500
"""Rounds that are listed; `upcard history` has them all."""
_KEYS: Final = (Key("enter", "Enter", "look it over"), Key("q", "Q", "back"))


class HistoryScreen(Screen[None]):
    """Lists the newest rounds, the newest first."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,escape", "leave", "back")]
    app: UpcardApp

    def __init__(self, store: Store) -> None:
        """List the rounds of a store."""
        super().__init__()
        self._store = store

    def compose(self) -> ComposeResult:
        """Lay it out: headings, rounds, keys."""
        yield Static(id="head")
        yield Static(id="columns")
        yield OptionList(id="rounds")
        yield Static(id="message")
        yield ActionBar(id="foot")

    def on_mount(self) -> None:
        """Read the rounds."""
        rounds = list(read_rounds(self._store, last=_MOST))[::-1]
        rows = [row_of(stored) for stored in rounds]
        widths = [max(map(len, column)) for column in zip(HEADINGS, *rows, strict=True)]
        listed = self.query_one(OptionList)
        listed.add_options(
            Option(Text(_write(row, widths), no_wrap=True), id=row[0]) for row in rows
        )
        self.query_one("#columns", Static).update(Text(_write(HEADINGS, widths), "bold"))
        if rows:
            listed.highlighted = 0
        else:
            message = "No round has been kept yet: play some that are kept."
            self.query_one("#message", Static).update(message)
        listed.focus()
        self.call_after_refresh(self.draw)

    def draw(self) -> None:
        """Draw what depends on the theme."""
        if not self.query("#foot"):
            return
        inks = self.app.inks
        words = Text("Your rounds", inks.active).append("  the newest first", inks.muted)
        self.query_one("#head", Static).update(words)
        self.query_one(ActionBar).show(_KEYS)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Look a round over."""
        stored = read_round(self._store, int(event.option.id or 0))
        self.app.open_replay(source_of(self._store, stored, cards="fresh"))

    def action_press(self, key: str) -> None:
        """Do what a key does, for a click on it."""
        self.app.simulate_key(key)

    def action_leave(self) -> None:
        """Go back."""
        self.app.pop_screen()


def _write(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(
        f"{cell:<{width}}" if number < LEFT else f"{cell:>{width}}"
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
