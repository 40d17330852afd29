"""The colours of the screen: one Textual theme for each name in `THEME_NAMES`."""

from __future__ import annotations

from typing import Any, Final

from textual.app import App
from textual.theme import Theme

from upcard.charts.palette import THEMES

_DARK: Final = {
    "dark": True,
    "primary": "#7fb8a0",
    "secondary": "#8fb4dc",
    "accent": "#e9b44c",
    "foreground": "#e8ece9",
    "background": "#0f1f1a",
    "surface": "#16302a",
    "panel": "#1d3d35",
}
_COLORS: Final[dict[str, dict[str, Any]]] = {
    "dark": _DARK,
    "light": {
        "dark": False,
        "primary": "#14624a",
        "secondary": "#27548a",
        "accent": "#8a5a00",
        "foreground": "#1b1f24",
        "background": "#f6f7f4",
        "surface": "#e9ede8",
        "panel": "#dbe2db",
    },
    "four-colour": _DARK,
    "high-contrast": {
        "dark": True,
        "primary": "#ffffff",
        "secondary": "#ffffff",
        "accent": "#ffd500",
        "foreground": "#ffffff",
        "background": "#000000",
        "surface": "#000000",
        "panel": "#1a1a1a",
    },
}
"""Colours of each theme besides those of `charts.palette`."""
MUTED: Final = "$foreground 65%"
"""The style of secondary text."""


def register_themes(app: App[None]) -> None:
    """Make the themes known to an app; `app.theme` then takes their names."""
    for name, colors in _COLORS.items():
        good, bad, gold, _ = THEMES[name]
        app.register_theme(Theme(name=name, success=good, error=bad, warning=gold, **colors))
