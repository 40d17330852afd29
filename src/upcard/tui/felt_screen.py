"""What a table that is played and a round that is looked over share: the screen's places."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from upcard.tui.action_bar import ActionBar
from upcard.tui.felt import Felt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.events import Key as KeyPress
    from textual.events import Resize

    from upcard.tui.app import UpcardApp
    from upcard.tui.picture import Scene

_WIDE: Final = 116
_TALL: Final = 32
_WORDS: Final = 3
_WORDS_WHEN_TALL: Final = 6


class FeltScreen(Screen[None]):
    """A line on top, the felt, words or a side panel, a line that asks, and the keys."""

    app: UpcardApp

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield Static(id="head")
        with Horizontal(id="middle"):
            yield Felt(id="felt")
            with Vertical(id="side"):
                yield Static(id="side-coach")
                yield Static(id="side-words")
        yield Static(id="words")
        yield Static(id="asked")
        yield ActionBar(id="foot")

    @property
    def is_wide(self) -> bool:
        """Whether there is room for a side panel."""
        return self.has_class("-wide")

    @property
    def columns(self) -> int:
        """How long a line may be."""
        return max(self.size.width - 2, 20)

    @property
    def word_lines(self) -> int:
        """How many lines of words there are without a side panel."""
        return _WORDS_WHEN_TALL if self.has_class("-tall") else _WORDS

    def on_resize(self, event: Resize) -> None:
        """Use the room there is."""
        self.set_class(event.size.width >= _WIDE, "-wide")
        self.set_class(event.size.height >= _TALL, "-tall")
        self.call_after_refresh(self.draw)

    def on_key(self, event: KeyPress) -> None:
        """Take the keys in that mean something only now."""
        key = event.character if event.character and event.is_printable else event.key
        if self.take_key(key.lower() if len(key) == 1 else key):
            event.stop()
            event.prevent_default()

    def action_press(self, key: str) -> None:
        """Do what a key does, for a click on it."""
        if not self.take_key(key):
            self.app.simulate_key(key)

    def take_key(self, key: str) -> bool:
        """Take a key of the moment in; False for one that is a binding, or that nobody knows."""
        raise NotImplementedError

    def draw(self) -> None:
        """Draw everything anew."""
        raise NotImplementedError

    @property
    def can_draw(self) -> bool:
        """Whether there is something to draw on; not when an answer comes after the screen went."""
        return bool(self.query("#foot"))

    def show_frame(self, head: Text, scene: Scene | None, asked: Text) -> None:
        """Show the top line, the felt, and the line that asks."""
        self.query_one("#head", Static).update(head)
        self.query_one(Felt).show(scene)
        self.query_one("#asked", Static).update(asked)

    def show_side(self, coach: Sequence[Text], words: Sequence[Text]) -> None:
        """Show what stands in the side panel."""
        heading = [Text("Coach", self.app.inks.active)] if coach else []
        self.query_one("#side-coach", Static).update(Text("\n").join([*heading, *coach]))
        self.query_one("#side-words", Static).update(Text("\n").join(words))

    def show_words(self, words: Sequence[Text]) -> None:
        """Show the lines of words; those that have no room are left out."""
        self.query_one("#words", Static).update(Text("\n").join(words[: self.word_lines]))
