"""State that all pages share while the server runs: the services, its door, its settings."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Final

from starlette.requests import Request

from upcard.charts.palette import THEME_NAMES
from upcard.core.errors import NotationError
from upcard.services.workbench import Workbench
from upcard.store import bankroll, database
from upcard.web import gate
from upcard.web.door import Door

SETTING: Final = "web"
PRACTICE: Final = (
    "This is practice: nothing is saved, so there is no history. Start `upcard web` without"
    " --practice to see the rounds that you have saved."
)
CHOICES: Final[dict[str, dict[str, str]]] = {
    "theme": {
        "auto": "As the device",
        **{name: name.replace("-", " ").capitalize() for name in THEME_NAMES},
    },
    "motion": {"auto": "As the device", "off": "Never move"},
    "keys": {"on": "On", "off": "Off"},
}
"""The values of each setting, with their words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences:
    """The settings."""

    theme: str = "auto"
    motion: str = "auto"
    keys: str = "on"

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if value not in CHOICES[name]:
                raise NotationError(f"{name} {value!r}: one of {', '.join(CHOICES[name])}")


def load_preferences(store: database.Store | None) -> Preferences:
    """Return the saved settings; those that cannot be read are the defaults."""
    saved = bankroll.load_choices(store, SETTING)
    try:
        return Preferences(**{name: str(saved[name]) for name in CHOICES if name in saved})
    except NotationError:
        return Preferences()


@dataclass(kw_only=True)
class Site(Workbench):
    """The running server."""

    door: Door
    traffic: gate.Traffic = field(default_factory=gate.Traffic)
    preferences: Preferences = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.preferences = load_preferences(self.store)


def site_of(request: Request) -> Site:
    """Return the site that a request is for."""
    site: Site = request.app.state.site
    return site
