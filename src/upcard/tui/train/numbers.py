"""Drills answered by a number: the true count, the bet, and decks left in a drawn tray."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text
from textual.content import Content
from textual.widgets import Static

from upcard.drills.counting import CountingKind
from upcard.tui.action_bar import Key
from upcard.tui.train.discard_tray import choose_rows, draw_tray
from upcard.tui.train.screen import DrillScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from upcard.drills.drill import Prompt

NUMBER_KEYS: Final = tuple("0123456789-+./")
_LONGEST: Final = 8
_NAMES: Final = {"minus": "-", "plus": "+", "full_stop": ".", "slash": "/", "comma": "."}
_ABOUTS: Final = {
    CountingKind.TRUE: "Turn the running count into the count that decides, as your system does:"
    " the decks left as it estimates them, rounded as it rounds.",
    CountingKind.BET: "Say what the ramp bets at this count, in units; 0 is to sit the round out.",
    CountingKind.DECKS: "Look at the tray and say how many decks are left in the shoe, to a half."
    " The single deck beside it has the same width and scale; the scale changes with every"
    " question.",
}


class NumberScreen(DrillScreen):
    """Asks for a number: digits, a point, a sign, Backspace, and Enter."""

    DEFAULT_CSS = """
    NumberScreen #drill-entry { margin-top: 1; }
    NumberScreen #drill-pad {
        link-color: $foreground 65%; link-style: none; link-background: transparent;
        link-color-hover: $foreground; link-style-hover: bold; link-background-hover: $primary 40%;
    }
    """
    KEYS: tuple[tuple[str, str], ...] = (
        ("0-9 - . /", "the number: 3, -1.5 or 1/2"),
        ("Backspace", "take the last digit back"),
        ("Enter", "answer"),
    )

    def picture(self) -> ComposeResult:
        """Yield the picture, the line with the number typed so far, and its digits to click."""
        yield Static(id="drill-cards")
        yield Static(id="drill-entry")
        yield Static(_write_pad(), id="drill-pad")

    def on_mount(self) -> None:
        """Begin with nothing typed."""
        self.typed = ""
        super().on_mount()

    def draw_question(self, prompt: Prompt) -> None:
        """Write the question, and draw what belongs to it."""
        self.typed = ""
        self.query_one("#drill-ask", Static).update(Content(_first_up(prompt.text)))
        picture = self.draw_picture(prompt)
        cards = self.query_one("#drill-cards", Static)
        cards.update(picture)
        cards.display = bool(picture.plain)
        self.show_entry()

    def draw_picture(self, prompt: Prompt) -> Text:
        """Return the picture of a question."""
        del prompt
        return Text()

    def keys(self, prompt: Prompt) -> Sequence[Key]:
        """Return the digits, to be clicked, and Enter."""
        del prompt
        return (
            Key("enter", "Enter", "answers"),
            Key("backspace", "Backspace", "takes back"),
        )

    def read_key(self, key: str, character: str | None) -> None:
        """Take a digit, or Enter."""
        typed = _NAMES.get(key, character or "").replace(",", ".")
        if key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "enter":
            if not self.typed:
                self.say("Type the number first: digits, - and a point; Enter answers.")
                return
            self.answer(self.typed)
        elif typed in NUMBER_KEYS:
            if len(self.typed) >= _LONGEST:
                self.say("That is long enough for any answer: Backspace takes a digit back.")
                return
            self.typed += typed
        elif typed.isprintable() and typed:
            self.say(f"{typed!r} is no part of a number: digits, - and a point; Enter answers.")
        else:
            self.say(self.write_unknown(key))
        self.show_entry()

    def show_entry(self) -> None:
        """Show what has been typed."""
        self.query_one("#drill-pad").display = True
        cursor = "_" if self.look.ascii_only else "▏"
        self.query_one("#drill-entry", Static).update(
            Content.assemble("Your answer  ", (self.typed + cursor, "bold $accent"))
        )

    def name_question(self, prompt: Prompt) -> str:
        """Say nothing more: the reason names the numbers."""
        del prompt
        return ""

    def explain(self) -> str:
        """Say what the drill is."""
        return _ABOUTS.get(CountingKind(self.drill_name), "")


class DecksScreen(NumberScreen):
    """Draws the discard tray."""

    def draw_picture(self, prompt: Prompt) -> Text:
        """Draw the tray as high as there is room."""
        discards = prompt.fact("discards")
        rows = choose_rows(discards, max(8, min(self.size.height - 13, 24)))
        decks = self.setup.options.rules.decks or 1
        tray = draw_tray(discards, decks, self.look, rows=rows)
        return Text("\n").join(tray)


def _write_pad() -> Content:
    digits = (f"[@click=screen.press('{digit}')] {digit} [/]" for digit in "1234567890-.")
    return Content.from_markup("".join(digits))


def _first_up(text: str) -> str:
    return text[:1].upper() + text[1:]
