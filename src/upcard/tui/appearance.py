"""How the screen is drawn: theme, colours, glyphs, animation; and words in the room there is."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final, NamedTuple, Self

from rich.console import Console
from rich.segment import Segment
from rich.text import Text
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

from upcard.charts.palette import THEME_NAMES, THEMES
from upcard.core.cards import Card
from upcard.core.errors import NotationError

_SEVEN_BITS: Final = str.maketrans("−▁▂▃▄▅▆▇▉▊▋▌▍▎▏", "-" + 14 * " ")
"""Minus signs, and the ends of scroll bars."""


class AsciiFilter(LineFilter):
    """Writes minus signs as hyphens and whole scroll bars, on a terminal of 7 bits."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments of a line in ASCII."""
        _ = background
        return [one._replace(text=one.text.translate(_SEVEN_BITS)) for one in segments]


class Paints(NamedTuple):
    """Styles of a card's parts, as Rich writes them."""

    edge: str
    back: str
    suits: dict[str, str]
    """By suit; the empty one for a card without."""


def _paints(theme: str, paper: str, edge: str, back: str) -> Paints:
    inks = [f"bold {ink} on {paper}" for ink in THEMES[theme].suits]
    suits = dict(zip("SHDC", inks, strict=True)) | {"": inks[0]}
    return Paints(edge=f"{edge} on {paper}", back=back, suits=suits)


_BLUE: Final = ("#f3f0e6", "#8d8772", "#9db7d6 on #24476e")
"""Paper, edge and back of the dark themes."""
PAINTS: Final = {
    "dark": _paints("dark", *_BLUE),
    "light": _paints("light", "#ffffff", "#6b7280", "#dbe7f5 on #3a6ea5"),
    "four-colour": _paints("four-colour", *_BLUE),
    "high-contrast": _paints("high-contrast", "#ffffff", "#000000", "#000000 on #ffd500"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """The look of the screen, saved between sessions."""

    theme: str = THEME_NAMES[0]
    letters: bool = False
    """Letters in place of suit glyphs."""
    ascii_only: bool = False
    """7-bit characters only; letters are part of it."""
    animate: bool = True
    """Whether cards are dealt one by one."""

    def __post_init__(self) -> None:
        if self.theme not in THEME_NAMES:
            raise NotationError(f"theme {self.theme!r}: one of {', '.join(THEME_NAMES)}")

    @property
    def paints(self) -> Paints:
        """The paints of the cards."""
        return PAINTS[self.theme]

    @property
    def has_glyphs(self) -> bool:
        """Whether suits are written as glyphs."""
        return not (self.letters or self.ascii_only)

    def style_of(self, card: Card) -> str:
        """Return the style of a card's rank and suit."""
        return self.paints.suits[card.suit]

    def next_theme(self) -> Self:
        """Return the same with the theme after this one."""
        at = THEME_NAMES.index(self.theme) + 1
        return replace(self, theme=THEME_NAMES[at % len(THEME_NAMES)])


def read_look(kept: dict[str, Any] | None) -> Appearance:
    """Read its fields, as saved; an invalid value means the default."""
    known = {field.name: type(field.default) for field in fields(Appearance)}
    given = (kept or {}).items()
    fitting: dict[str, Any] = {name: one for name, one in given if known.get(name) is type(one)}
    if fitting.get("theme", THEME_NAMES[0]) not in THEME_NAMES:
        del fitting["theme"]
    return Appearance(**fitting)


def needs_ascii(encoding: str | None) -> bool:
    """Whether a terminal of this encoding cannot show the glyphs, or says that it is dumb."""
    if os.environ.get("TERM") == "dumb":
        return True
    try:
        "♠╭▒·►".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


_ROLES: Final = ("primary", "secondary", "accent", "foreground", "background", "surface", "panel")
_DARK: Final = ("#7fb8a0", "#8fb4dc", "#e9b44c", "#e8ece9", "#0f1f1a", "#16302a", "#1d3d35")
_LIGHT: Final = ("#14624a", "#27548a", "#8a5a00", "#1b1f24", "#f6f7f4", "#e9ede8", "#dbe2db")
_BOLD: Final = ("#ffffff", "#ffffff", "#ffd500", "#ffffff", "#000000", "#000000", "#1a1a1a")
_COLORS: Final = {"dark": _DARK, "light": _LIGHT, "four-colour": _DARK, "high-contrast": _BOLD}
"""Colours of each theme, in the order of `_ROLES`, besides those of `charts.palette`."""
MUTED: Final = "$foreground 65%"
"""The style of secondary text."""


def register_themes(app: App[None]) -> None:
    """Make the themes known to an app; `app.theme` then takes their names."""
    for name, colors in _COLORS.items():
        good, bad, gold, _ = THEMES[name]
        tones: dict[str, Any] = dict(zip(_ROLES, colors, strict=True), dark=colors is not _LIGHT)
        app.register_theme(Theme(name=name, success=good, error=bad, warning=gold, **tones))


_CONSOLE = Console(width=80, force_terminal=False)


def more_mark(key: str, look: Appearance, style: str) -> Text:
    """Return the mark of a text that is cut: `… W: more`."""
    return Text(f"{'...' if look.ascii_only else '…'} {key}: more", style)


def fit_line(text: Text, width: int, mark: Text) -> Text:
    """Return a text in one line, cut at a blank and marked if it is too long."""
    return text if text.cell_len <= width else _cut(text, width, mark)


def fit_lines(texts: Iterable[Text], mark: Text, *, width: int, height: int) -> list[Text]:
    """Wrap texts into a number of lines; the last line is marked if there are more."""
    lines = wrap(texts, width)
    if len(lines) <= height:
        return lines
    return [*lines[: height - 1], _cut(lines[height - 1], width, mark)] if height else []


def fit_newest(texts: Sequence[Text], mark: Text, *, width: int, height: int) -> list[Text]:
    """Wrap as many of the last texts as fit whole; the last one is cut if it is too long."""
    lines: list[Text] = []
    for text in reversed(texts):
        wrapped = wrap([text], width)
        if len(lines) + len(wrapped) > height:
            break
        lines = [*wrapped, *lines]
    return lines if lines or not texts else fit_lines(texts[-1:], mark, width=width, height=height)


def choose(variants: Sequence[str], width: int) -> str:
    """Return the first of several wordings that fits; the last one if none does."""
    return next((words for words in variants if len(words) <= width), variants[-1])


def wrap(texts: Iterable[Text], width: int) -> list[Text]:
    """Break texts into lines of a width."""
    lines: list[Text] = []
    for text in texts:
        for line in text.wrap(_CONSOLE, max(width, 1)) if text.plain else [Text()]:
            line.rstrip()
            lines.append(line)
    return lines


def _cut(text: Text, width: int, mark: Text) -> Text:
    """Cut a text so that a mark fits behind it."""
    line = text.copy()
    room = max(width - mark.cell_len - 1, 0)
    if line.cell_len > room:
        line.truncate(room)
        blank = line.plain.rfind(" ")
        if blank > room // 2 and text.plain[len(line.plain) : len(line.plain) + 1] != " ":
            line.right_crop(len(line.plain) - blank)
    line.rstrip()
    line.append(" ").append_text(mark)
    if line.cell_len > width:
        line.truncate(width)
    return line
