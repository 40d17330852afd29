"""The themes of the screen and the browser: their names, the colours of verdicts, of suits.

A stylesheet cannot read this table: a test compares the two.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class ThemeColors(NamedTuple):
    """Colours of a theme, as sRGB in hexadecimal."""

    good: str
    bad: str
    gold: str
    """Warnings, and what deserves a look."""
    suits: tuple[str, str, str, str]
    """Spades, hearts, diamonds and clubs, on paper."""


_BLACK: Final = "#16191d"
_RED: Final = "#b40f1e"
_TWO: Final = (_BLACK, _RED, _RED, _BLACK)
_DARK: Final = ThemeColors("#7fd18b", "#ff8b7e", "#f0c05a", _TWO)
THEMES: Final = {
    "dark": _DARK,
    "light": ThemeColors("#17692c", "#a3160f", "#8a5a00", _TWO),
    "four-colour": _DARK._replace(suits=(_BLACK, _RED, "#0a4fa8", "#0a6b35")),
    "high-contrast": ThemeColors(
        "#00ff6a", "#ff7b7b", "#ffd500", ("#000000", "#a00000", "#a00000", "#000000")
    ),
}
"""Red and black inks differ in lightness too little to distinguish suits: the suit's sign does."""
THEME_NAMES: Final = tuple(THEMES)
