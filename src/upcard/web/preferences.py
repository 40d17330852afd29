"""A person's settings of the pages: theme, motion, keys."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from upcard.charts.palette import THEME_NAMES
from upcard.core.errors import BlackjackError, NotationError
from upcard.store.bankroll import load_setting, save_setting

if TYPE_CHECKING:
    from upcard.store.database import Store

_SETTING: Final = "web"
CHOICES: Final[dict[str, dict[str, str]]] = {
    "theme": {
        "auto": "As the device",
        **{name: name.replace("-", " ").capitalize() for name in THEME_NAMES},
    },
    "motion": {
        "auto": "As the device",
        "off": "Never move",
    },
    "keys": {
        "on": "On",
        "off": "Off",
    },
}
"""The values of each setting, with their words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """The settings."""

    theme: str = "auto"
    motion: str = "auto"
    keys: str = "on"

    def __post_init__(self) -> None:
        """Check every value."""
        for name, value in asdict(self).items():
            if value not in CHOICES[name]:
                raise NotationError(f"{name} {value!r}: one of {', '.join(CHOICES[name])}")


def load_preferences(store: Store | None) -> Preferences:
    """Return the saved settings; those that cannot be read are the defaults."""
    saved: dict[str, Any] | None = None
    if store is not None:
        try:
            saved = load_setting(store, _SETTING)
        except BlackjackError:
            saved = None
    known = {one.name for one in fields(Preferences)}
    try:
        return Preferences(
            **{name: str(text) for name, text in (saved or {}).items() if name in known}
        )
    except NotationError:
        return Preferences()


def save_preferences(store: Store | None, preferences: Preferences) -> None:
    """Save the settings; without a store they are those of this run only."""
    if store is not None:
        save_setting(store, _SETTING, asdict(preferences))
