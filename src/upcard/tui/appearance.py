"""How the screen is drawn: theme, glyphs, animation; and the paints of the cards."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace
from typing import Any, Final, NamedTuple, Self

from upcard.charts.palette import THEME_NAMES, THEMES
from upcard.core.cards import Card
from upcard.core.errors import NotationError


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

    def to_json(self) -> dict[str, Any]:
        """Return it as what JSON has; `read_look` reads it back."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def read_look(kept: dict[str, Any] | None) -> Appearance:
    """Read what `to_json` wrote; what is not understood is as if it had never been chosen."""
    known = {field.name: type(field.default) for field in fields(Appearance)}
    fitting: dict[str, Any] = {
        name: value for name, value in (kept or {}).items() if known.get(name) is type(value)
    }
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
