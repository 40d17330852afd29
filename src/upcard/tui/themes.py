"""The colours of the screen: one Textual theme for each name in `THEME_NAMES`."""

from __future__ import annotations

from typing import Final

from textual.app import App
from textual.theme import Theme


def _dark(name: str) -> Theme:
    """Make the dark theme; the suits' inks are not among its colours."""
    return Theme(
        name=name,
        dark=True,
        primary="#7fb8a0",
        secondary="#8fb4dc",
        accent="#e9b44c",
        foreground="#e8ece9",
        background="#0f1f1a",
        surface="#16302a",
        panel="#1d3d35",
        success="#7fd18b",
        warning="#f0c05a",
        error="#ff8b7e",
    )


MUTED: Final = "$foreground 65%"
"""The style of secondary text."""
_THEMES: Final = (
    _dark("dark"),
    Theme(
        name="light",
        dark=False,
        primary="#14624a",
        secondary="#27548a",
        accent="#8a5a00",
        foreground="#1b1f24",
        background="#f6f7f4",
        surface="#e9ede8",
        panel="#dbe2db",
        success="#17692c",
        warning="#8a5a00",
        error="#a3160f",
    ),
    _dark("four-colour"),
    Theme(
        name="high-contrast",
        dark=True,
        primary="#ffffff",
        secondary="#ffffff",
        accent="#ffd500",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#1a1a1a",
        success="#00ff6a",
        warning="#ffd500",
        error="#ff7b7b",
    ),
)


def register_themes(app: App[None]) -> None:
    """Make the themes known to an app; `app.theme` then takes their names."""
    for theme in _THEMES:
        app.register_theme(theme)
