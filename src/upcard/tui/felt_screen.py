"""The layout that the table and the replay share, and its messages."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import Key as KeyPress
from textual.events import Resize
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from upcard.tui import drawing, keys, pages
from upcard.tui.appearance import fit_line, fit_lines, fit_newest, more_mark

if TYPE_CHECKING:
    from upcard.tui.app import UpcardApp

_MOST: Final = 200


class Until(Enum):
    """When a message ends."""

    KEY = auto()
    """At the next key: refusals, and what a key changed."""
    SETTLED = auto()
    """When the round is settled: the steps of the round."""
    NEXT_BET = auto()
    """When the next bet is placed or changed: how the round ended."""


class Messages:
    """Messages that are shown, and a log of those that were."""

    def __init__(self) -> None:
        self._shown: list[tuple[str, Until]] = []
        self._log: deque[str] = deque(maxlen=_MOST)

    def add(self, words: str, until: Until, *, is_logged: bool = False) -> None:
        """Show a message, and log it unless it is; what is shown already is not repeated."""
        if until is Until.KEY:
            self.end(Until.KEY)
        message = (words, until)
        if message in self._shown:
            self._shown.remove(message)
        elif not is_logged:
            self.note(words)
        self._shown.append(message)

    def note(self, words: str) -> None:
        """Log what is shown elsewhere."""
        self._log.append(words)

    def end(self, *moments: Until) -> bool:
        """End the messages that last until these moments; whether there were any."""
        left = [message for message in self._shown if message[1] not in moments]
        had_any = len(left) < len(self._shown)
        self._shown = left
        return had_any

    @property
    def notice(self) -> str:
        """Message about the last key; empty if there is no message."""
        return next((words for words, until in self._shown if until is Until.KEY), "")

    @property
    def story(self) -> list[str]:
        """Messages about the round, the newest last."""
        return [words for words, until in self._shown if until is not Until.KEY]

    def __iter__(self) -> Iterator[str]:
        return iter(self._log)


class Felt(Widget):
    """Draws a scene again when it or the size changes."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 (Textual's name for it)
        super().__init__(id=id)
        self._scene: drawing.Scene | None = None

    def show(self, scene: drawing.Scene | None) -> None:
        """Show a scene; None clears the table."""
        self._scene = scene
        self.refresh()

    def render(self) -> Text:
        """Draw it, in the middle of the room."""
        if self._scene is None:
            return Text()
        width, height = self.size
        lines = drawing.draw_table(self._scene, width=width, height=height)
        above = max(height - len(lines), 0) // 2
        return Text("\n").join([*[Text()] * above, *lines[:height]])


_WIDE: Final = 116
_TALL: Final = 32
_LOW: Final = 12
_WORDS_BY_CLASS: Final = {"-tall": 6, "-low": 1, "-led": 5}
_WORDS: Final = 3
_SIDE_COLUMNS: Final = 42
_LINES_AROUND_SIDE: Final = 4
"""The top line, the notice, the question and the keys."""


class FeltScreen(keys.Keyed, Screen[None]):
    """A line on top, the felt, words or a side panel, a notice, a line that asks, and the keys.

    The notice has a line of its own: a message about a key never hides behind other words.
    """

    app: UpcardApp

    def __init__(self) -> None:
        super().__init__()
        self.messages = Messages()

    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield Static(id="head")
        with Horizontal(id="middle"):
            yield Felt(id="felt")
            with Vertical(id="side"):
                yield Static(id="side-coach")
                yield Static(id="side-words")
        yield Static(id="words")
        yield Static(id="notice")
        yield Static(id="asked")
        yield keys.ActionBar(id="foot")

    @property
    def is_wide(self) -> bool:
        """Whether there is room for a side panel."""
        return self.has_class("-wide")

    @property
    def columns(self) -> int:
        """How long a line may be."""
        return max(self.size.width - 2, 1)

    def on_resize(self, event: Resize) -> None:
        """Use the room there is."""
        self.set_class(event.size.width >= _WIDE, "-wide")
        self.set_class(event.size.height >= _TALL, "-tall")
        self.set_class(event.size.height < _LOW, "-low")
        self.call_after_refresh(self.draw)

    def on_key(self, event: KeyPress) -> None:
        """End the words about the last key, and take what is typed."""
        was_said = self.messages.end(Until.KEY)
        if self.type_key(event.character if event.is_printable else event.key):
            event.stop()
            event.prevent_default()
        elif was_said:
            self.draw()

    def on_mouse_down(self) -> None:
        """End the words about the last key at a click."""
        self.messages.end(Until.KEY)

    def type_key(self, key: str | None) -> bool:
        """Take a key that is part of a typed number; False if it is not."""
        del key
        return False

    def say_of_key(self, words: str) -> None:
        """Report the effect of the last key, until the next one."""
        self.messages.add(words, Until.KEY)
        self.draw()

    def action_show_messages(self) -> None:
        """Show all messages, the newest first."""
        lines = list(self.messages)[::-1] or ["There are no messages yet."]
        self.app.push_screen(pages.TextPage("Messages, the newest first", lines, closes="v"))

    def draw(self) -> None:
        """Draw everything again."""
        raise NotImplementedError

    @property
    def can_draw(self) -> bool:
        """Whether there is something to draw on; not when an answer comes after the screen went."""
        return bool(self.query("#foot"))

    def show_frame(self, head: Text, scene: drawing.Scene | None, asked: Text) -> None:
        """Show the top line, the felt, the notice, and the line that asks."""
        self._put("#head", fit_line(head, self.columns, Text()))
        self.query_one(Felt).show(scene)
        notice = Text(self.messages.notice, self.app.inks.active)
        self._put("#notice", fit_line(notice, self.columns, self._mark("V")))
        self._put("#asked", fit_line(asked, self.columns, self._mark("V")))

    def show_words(self, coach: Sequence[Text], aside: Sequence[Text] = ()) -> None:
        """Show the coach's words and the story of the round; `aside` only in the side panel.

        One line at least is the story's where it has something to say.
        """
        story = [Text(words) for words in self.messages.story]
        if self.is_wide:
            self._show_side(coach, aside, story)
            return
        named = (lines for name, lines in _WORDS_BY_CLASS.items() if self.has_class(name))
        width, height = self.columns, next(named, _WORDS)
        kept = 1 if story and height > 1 else 0
        said = fit_lines(coach, self._mark("W"), width=width, height=height - kept)
        free = height - len(said)
        lines = fit_newest(story, self._mark("V"), width=width, height=free) if free else []
        blank = [Text()] * (free - len(lines))
        # The coach speaks right above the question.
        self._put("#words", Text("\n").join([*lines, *blank, *said]))

    def _show_side(
        self, coach: Sequence[Text], aside: Sequence[Text], story: Sequence[Text]
    ) -> None:
        width, height = _SIDE_COLUMNS, self.size.height - _LINES_AROUND_SIDE
        heading = [Text("Coach", self.app.inks.active)] if coach else []
        kept = min(len(story), 2)
        room = height - len(aside) - kept - 1
        said = fit_lines([*heading, *coach], self._mark("W"), width=width, height=room)
        free = height - len(said) - len(aside) - 1
        told = fit_newest(story, self._mark("V"), width=width, height=max(free, 0))
        self._put("#side-coach", Text("\n").join(said))
        self._put("#side-words", Text("\n").join([*aside, *told]))

    def _mark(self, key: str) -> Text:
        return more_mark(key, self.app.look, self.app.inks.active)

    def _put(self, place: str, text: Text) -> None:
        self.query_one(place, Static).update(text)
