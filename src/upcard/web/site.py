"""State that all pages share while the server runs: rules, settings, the solver's desk."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

from starlette.requests import Request

from upcard.charts.palette import THEME_NAMES
from upcard.core.errors import NotationError
from upcard.rules.model import Rules
from upcard.session import choice
from upcard.store import bankroll, database
from upcard.web import gate
from upcard.web.door import Door
from upcard.web.drills.book import DrillBook
from upcard.web.solver_desk import SolverDesk
from upcard.web.table.book import TableBook, load_choices

if TYPE_CHECKING:
    from upcard.web.lab.desk import RunDesk

_SETTING: Final = "web"
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
    saved = load_choices(store, _SETTING)
    try:
        return Preferences(**{name: str(saved[name]) for name in CHOICES if name in saved})
    except NotationError:
        return Preferences()


def save_preferences(store: database.Store | None, preferences: Preferences) -> None:
    """Save the settings; without a store they are those of this run only."""
    if store is not None:
        bankroll.save_setting(store, _SETTING, asdict(preferences))


@dataclass(kw_only=True)
class Site:
    """The running server. `store` is None in practice, when nothing is saved."""

    door: Door
    store: database.Store | None = None
    rules: Rules = field(default_factory=Rules)
    """The rules of a page whose address names none."""
    follows_last_game: bool = False
    """Whether these are the rules of the table that was chosen last, here or on the screen."""
    traffic: gate.Traffic = field(default_factory=gate.Traffic)
    desk: SolverDesk = field(default_factory=SolverDesk)
    ramps: SolverDesk = field(default_factory=SolverDesk)
    """Computes bet ramps, so that a slider does not wait for an edge."""
    replays: SolverDesk = field(default_factory=lambda: SolverDesk(known=32))
    """Deals rounds: shoes of runs again, and paths of banks."""
    tables: TableBook = field(init=False)
    drills: DrillBook = field(init=False)
    preferences: Preferences = field(init=False)

    def __post_init__(self) -> None:
        self.tables = TableBook(self.store)
        self.drills = DrillBook(self.store)
        self.preferences = load_preferences(self.store)

    def follow_last_game(self) -> None:
        """Take the rules of the table that was chosen last, if they are to be taken."""
        if self.follows_last_game:
            self.rules = choice.load_last_plan(self.store).rules

    @cached_property
    def runs(self) -> RunDesk:
        """The queue of runs, made when it is first needed."""
        from upcard.web.lab.desk import RunDesk

        return RunDesk(self.store)

    def end_streams(self) -> None:
        """End what watches runs, which would hold up the end of the server."""
        if "runs" in self.__dict__:
            self.runs.is_closing = True

    def close_runs(self) -> None:
        """Stop the run that is being played, and save it."""
        if "runs" in self.__dict__:
            self.runs.close()


def site_of(request: Request) -> Site:
    """Return the site that a request is for."""
    site: Site = request.app.state.site
    return site
