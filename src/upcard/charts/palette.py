"""The colours of a chart, one paint for each action, distinct in lightness alone.

The hues follow Okabe and Ito's set for colour-blind readers; the steps of lightness keep the five
distinct in a greyscale print too. The cells' letters give the same information without colour.
"""

from __future__ import annotations

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
