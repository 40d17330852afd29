"""Colours of actions, themes, verdicts and suits; and the steps of an axis.

The hues follow Okabe and Ito's set for colour-blind readers. The steps of lightness keep the five
colours of actions distinct in a greyscale print too, and the cells' letters give the same
information without colour. Stylesheets repeat these values; a test compares the two.
"""

import math
from typing import Final, NamedTuple

from upcard.core.actions import Action


class Paint(NamedTuple):
    """A fill and the ink of the text on it: sRGB in hexadecimal, and colours of xterm's 256."""

    fill: str
    ink: str
    xterm_fill: int
    xterm_ink: int


DARK_INK: Final = "#1b1f24"
LIGHT_INK: Final = "#ffffff"

PAINTS: Final[dict[Action, Paint]] = {
    Action.STAND: Paint("#f8f0cf", DARK_INK, 230, 16),
    Action.HIT: Paint("#a8d1f0", DARK_INK, 153, 16),
    Action.DOUBLE: Paint("#e69f00", DARK_INK, 208, 16),
    Action.SPLIT: Paint("#007a5e", LIGHT_INK, 23, 231),
    Action.SURRENDER: Paint("#5c1a4a", LIGHT_INK, 53, 231),
}


class PageColors(NamedTuple):
    """The colours around the cells: paper, ink, lesser ink, thin lines."""

    paper: str
    ink: str
    muted: str
    line: str


LIGHT_PAGE: Final = PageColors("#ffffff", DARK_INK, "#57606a", "#d5d9de")
DARK_PAGE: Final = PageColors("#14171a", "#e8eaed", "#a3abb3", "#3a4047")


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


def choose_step(least: float) -> float:
    """Return the smallest of 1, 2 and 5 with zeros that is at least `least`; 1 for 0."""
    if least <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next((each * power for each in (1, 2, 5) if each * power >= least), 10 * power)
