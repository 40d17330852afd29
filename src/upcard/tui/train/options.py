"""The page on which the options of the drills are changed: rules, classes, count, indices, ramp."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import Click
from textual.widgets import Input, Static

from upcard.core.errors import BlackjackError
from upcard.drills.catalogue import INDEX_SETS, DrillOptions
from upcard.rules.model import Rules
from upcard.tui.pages import Page

_FIELDS: Final = (
    ("rules", "Rules", "a house or notation: 6D H17 LS"),
    ("classes", "Classes", "hard, soft, pair, surrender; empty is all"),
    ("system", "Count", "a system of upcard counts, or a file"),
    (
        "indices",
        "Indices",
        f"{', '.join(filter(None, INDEX_SETS))}, or a file; empty is {INDEX_SETS['']}",
    ),
    ("ramp", "Ramp", "1-8, or 1,1,2,4,8, or 1:1 2:4, or a file"),
    ("group", "Group", "1, 2 or 3 cards of a countdown; empty is all in turn"),
)


class OptionsPage(Page[DrillOptions | None]):
    """Fields to type in; Enter takes them all, Esc none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
    ]

    def __init__(self, options: DrillOptions) -> None:
        super().__init__("Options of the drills")
        self._options = options

    def compose(self) -> ComposeResult:
        """Lay out a field a line, each with what may stand there."""
        with self.frame():
            for name, label, hint in _FIELDS:
                with Horizontal():
                    yield Static(label, classes="label")
                    with Vertical(classes="field"):
                        yield Input(self._text(name), id=name)
                        yield Static(Content(hint), classes="hint")
            yield Static(id="drill-fault")
            yield Static("Enter takes them all, Esc none; Tab goes on", id="drill-close")

    def on_mount(self) -> None:
        """Begin with the rules."""
        self.query_one("#drill-fault", Static).display = False
        self.query_one("#rules", Input).focus()

    def on_input_submitted(self) -> None:
        """Take what is typed, or say what is wrong with it."""
        try:
            options = self._read()
        except BlackjackError as error:
            fault = self.query_one("#drill-fault", Static)
            fault.update(Content(str(error)))
            fault.display = True
            return
        self.dismiss(options)

    def on_click(self, event: Click) -> None:
        """Take a click on the last line for Enter."""
        if event.widget is not None and event.widget.id == "drill-close":
            self.on_input_submitted()

    def _text(self, name: str) -> str:
        value = getattr(self._options, name)
        return "" if value is None else str(value)

    def _read(self) -> DrillOptions:
        typed = {name: self.query_one(f"#{name}", Input).value.strip() for name, _, _ in _FIELDS}
        rules = Rules.parse(typed.pop("rules"))
        options = DrillOptions(rules=rules, mistakes=self._options.mistakes)
        for name, text in typed.items():
            options = options.with_text(name, text)
        return options
