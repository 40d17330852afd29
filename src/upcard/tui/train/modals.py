"""Pages over a drill: help, and how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

HELP: tuple[tuple[str, str], ...] = (
    ("?", "this page"),
    ("Q, Esc, Ctrl-C", "leave; every answer is kept already"),
    ("A", "stop after right answers too, or go on at once"),
    ("any key", "after a mistake: the next question"),
)
ABOUT_WEIGHTS = (
    "What comes next is drawn by what it would cost you: how often such a hand comes, times how"
    " often you answer it wrong, times what the error costs. A mistake comes again four answers"
    " later. Until you have answered, your error rate is a guess: half where the likeliest mistake"
    " costs nothing, less where it is dear."
)


class DrillPage(ModalScreen[None]):
    """A page of text; any key but those that scroll closes it."""

    DEFAULT_CSS = """
    DrillPage { align: center middle; background: $background 60%; }
    DrillPage #drill-page {
        width: 72; max-width: 96%; height: auto; max-height: 96%; padding: 1 3;
        background: $panel; color: $foreground;
    }
    DrillPage #drill-title { text-style: bold; color: $primary; margin-bottom: 1; }
    DrillPage #drill-body { height: auto; max-height: 1fr; scrollbar-size-vertical: 1; }
    DrillPage #drill-close { color: $foreground 65%; margin-top: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "leave", show=False)]
    _SCROLLING = ("up", "down", "pageup", "pagedown", "home", "end")

    def __init__(self, title: str, body: Content) -> None:
        """Show a title and a text."""
        super().__init__()
        self._title, self._body = title, body

    def compose(self) -> ComposeResult:
        """Lay out the page."""
        with Vertical(id="drill-page"):
            yield Static(Content(self._title), id="drill-title")
            with VerticalScroll(id="drill-body"):
                yield Static(self._body)
            yield Static("any key closes", id="drill-close")

    def on_key(self, event: events.Key) -> None:
        """Close."""
        if event.key not in self._SCROLLING:
            event.stop()
            event.prevent_default()
            self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Close."""
        event.stop()
        self.dismiss(None)

    def action_leave(self) -> None:
        """Close."""
        self.dismiss(None)


def write_keys(keys: Sequence[tuple[str, str]]) -> Content:
    """Write keys and what they do in two columns."""
    width = max(len(key) for key, _ in keys) + 2
    return Content("\n").join(
        Content.assemble((f"{key:<{width}}", "bold $accent"), what) for key, what in keys
    )


def make_help(title: str, text: str, keys: Sequence[tuple[str, str]]) -> DrillPage:
    """Return the help page of a drill."""
    blank = Content("")
    parts = [Content(text), blank, write_keys((*keys, *HELP)), blank, Content(ABOUT_WEIGHTS)]
    return DrillPage(title, Content("\n").join(parts))


def make_summary(lines: Sequence[str]) -> DrillPage:
    """Return the page that says how a drill went."""
    title, *rest = lines
    return DrillPage(title, Content("\n").join(map(Content, rest)))
