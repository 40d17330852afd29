"""State that all pages share while the server runs: the opening rules, the settings, the solver."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from upcard.rules.model import Rules
from upcard.web.drill_book import DrillBook
from upcard.web.preferences import Preferences, load_preferences
from upcard.web.solving import SolverDesk
from upcard.web.tables import TableBook
from upcard.web.traffic import Traffic

if TYPE_CHECKING:
    from starlette.requests import Request

    from upcard.store.database import Store
    from upcard.web.door import Door
    from upcard.web.runs import RunDesk


@dataclass(kw_only=True)
class Site:
    """The running server. `store` is None in practice, when nothing is saved."""

    door: Door
    store: Store | None = None
    rules: Rules = field(default_factory=Rules)
    """The rules of a page whose address names none."""
    traffic: Traffic = field(default_factory=Traffic)
    desk: SolverDesk = field(default_factory=SolverDesk)
    ramps: SolverDesk = field(default_factory=SolverDesk)
    """Computes bet ramps, so that a slider does not wait for an edge."""
    replays: SolverDesk = field(default_factory=lambda: SolverDesk(known=32))
    """Deals rounds: shoes of runs again, and paths of banks."""
    tables: TableBook = field(init=False)
    drills: DrillBook = field(init=False)
    preferences: Preferences = field(init=False)

    def __post_init__(self) -> None:
        """Load the settings, and lay out the tables and the drills."""
        self.tables = TableBook(self.store)
        self.drills = DrillBook(self.store)
        self.preferences = load_preferences(self.store)

    @cached_property
    def runs(self) -> RunDesk:
        """The queue of runs, made when it is first needed."""
        from upcard.web.runs import RunDesk

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
