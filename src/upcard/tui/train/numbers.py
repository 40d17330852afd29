"""Drills answered by a number: the true count, the bet, and decks left in a drawn tray."""

from __future__ import annotations

import random
from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from upcard.drills.drill import Prompt
from upcard.tui.action_bar import Key
from upcard.tui.appearance import Appearance
from upcard.tui.train.screen import DrillScreen

WIDTH: Final = 14
_DECK: Final = 52
_EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
_ASCII_STEPS: Final = " _-="
_GAP: Final = 6
_LEAST_ROWS: Final = 8


def draw_tray(discards: int, decks: int, look: Appearance, *, rows: int) -> list[Text]:
    """Draw a tray that holds a whole shoe in `rows` lines, and a single deck on its right.

    Both are one smooth block: nothing in them can be counted, only compared.
    """
    per_row = _DECK * decks / rows
    side, floor = ("|", "-") if look.ascii_only else ("│", "─")
    left, right = ("+", "+") if look.ascii_only else ("╰", "╯")
    lines = []
    for row in reversed(range(rows)):
        line = Text(side)
        line.append_text(_fill(discards / per_row - row, WIDTH, look))
        line.append(side)
        scale = _fill(_DECK / per_row - row, WIDTH, look)
        line.append(" " * _GAP)
        line.append_text(scale)
        lines.append(line)
    foot = Text(left + floor * WIDTH + right)
    foot.append(" " * _GAP + "one deck".center(WIDTH).rstrip())
    return [*lines, foot]


def choose_rows(discards: int, most: int) -> int:
    """Return how many lines a tray takes, `most` at most: another scale for every pile.

    So that lines do not become a measure: the deck beside the tray is the only one.
    """
    least = max(_LEAST_ROWS, most * 2 // 3)
    return random.Random(discards).randint(min(least, most), most)


def _fill(share: float, width: int, look: Appearance) -> Text:
    """Draw one line of a pile: full, empty, or as high as its share."""
    paper = look.paints.edge.partition(" on ")[2]
    if look.ascii_only:
        step = min(max(round(share * (len(_ASCII_STEPS) - 1)), 0), len(_ASCII_STEPS) - 1)
        return Text(("#" if share >= 1 else _ASCII_STEPS[step]) * width)
    step = min(max(round(share * 8), 0), 8)
    return Text(_EIGHTHS[step] * width, paper)


_PAD: Final = "".join(f"[@click=screen.press('{key}')] {key} [/]" for key in "1234567890-.")
NUMBER_KEYS: Final = tuple("0123456789-+./")
_LONGEST: Final = 8
_NAMES: Final = {"minus": "-", "plus": "+", "full_stop": ".", "slash": "/", "comma": "."}


class NumberScreen(DrillScreen):
    """Asks for a number: digits, a point, a sign, Backspace, and Enter."""

    KEYS: tuple[tuple[str, str], ...] = (
        ("0-9 - . /", "the number: 3, -1.5 or 1/2"),
        ("Backspace", "take the last digit back"),
        ("Enter", "answer"),
    )

    def picture(self) -> ComposeResult:
        """Yield the picture, the line with the number typed so far, and its digits to click."""
        yield Static(id="drill-cards")
        yield Static(id="drill-entry")
        yield Static(Content.from_markup(_PAD), id="drill-pad")

    def on_mount(self) -> None:
        """Begin with nothing typed."""
        self.typed = ""
        super().on_mount()

    def draw_question(self) -> None:
        """Write the question, and draw what belongs to it."""
        self.typed = ""
        text = self.desk.prompt.text
        self.query_one("#drill-ask", Static).update(Content(text[:1].upper() + text[1:]))
        picture = self.draw_picture()
        cards = self.query_one("#drill-cards", Static)
        cards.update(picture)
        cards.display = bool(picture.plain)
        self.show_entry()

    def draw_picture(self) -> Text:
        """Return the picture of the question."""
        return Text()

    def keys(self) -> tuple[Key, ...]:
        """Return the digits, to be clicked, and Enter."""
        return (Key("enter", "Enter", "answers"), Key("backspace", "Backspace", "takes back"))

    def read_key(self, key: str, character: str | None) -> None:
        """Take a digit, or Enter."""
        typed = _NAMES.get(key, character or "").replace(",", ".")
        if key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "enter":
            if not self.typed:
                self.say_of_key("Type the number first: digits, - and a point; Enter answers.")
                return
            self.answer(self.typed)
        elif typed in NUMBER_KEYS:
            if len(self.typed) >= _LONGEST:
                self.say_of_key("That is long enough for any answer: Backspace takes a digit back.")
                return
            self.typed += typed
        elif typed.isprintable() and typed:
            self.say_of_key(
                f"{typed!r} is no part of a number: digits, - and a point; Enter answers."
            )
        else:
            self.say_of_key(self.write_unknown(key))
        self.show_entry()

    def show_entry(self) -> None:
        """Show what has been typed."""
        self.query_one("#drill-pad").display = True
        cursor = "_" if self.app.look.ascii_only else "▏"
        self.query_one("#drill-entry", Static).update(
            Content.assemble("Your answer  ", (self.typed + cursor, "bold $accent"))
        )

    def name_question(self, prompt: Prompt) -> str:
        """Say nothing more: the reason names the numbers."""
        del prompt
        return ""


class DecksScreen(NumberScreen):
    """Draws the discard tray."""

    def draw_picture(self) -> Text:
        """Draw the tray as high as there is room."""
        discards = self.desk.prompt.fact("discards")
        rows = choose_rows(discards, max(8, min(self.size.height - 13, 24)))
        decks = self.setup.options.rules.decks or 1
        return Text("\n").join(draw_tray(discards, decks, self.app.look, rows=rows))
