"""`Workbench`: all services of a program that is open, on one store, and how they end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from upcard.rules.model import Rules
from upcard.services.answer_queue import AnswerQueue
from upcard.services.open_drills import OpenDrills
from upcard.services.open_tables import OpenTables
from upcard.session import choice
from upcard.store.database import Store

if TYPE_CHECKING:
    from upcard.services.run_queue import RunQueue


@dataclass(kw_only=True)
class Workbench:
    """The services. `store` is None in practice, when nothing is saved."""

    store: Store | None = None
    rules: Rules = field(default_factory=Rules)
    """The rules of a question that names none."""
    follows_last_game: bool = False
    """Whether these are the rules of the table that was chosen last, here or elsewhere."""
    solver: AnswerQueue = field(default_factory=AnswerQueue)
    ramps: AnswerQueue = field(default_factory=AnswerQueue)
    """Computes bet ramps, so that a slider does not wait for an edge."""
    replays: AnswerQueue = field(default_factory=lambda: AnswerQueue(known=32))
    """Deals rounds: shoes of runs again, and paths of banks."""
    tables: OpenTables = field(init=False)
    drills: OpenDrills = field(init=False)

    def __post_init__(self) -> None:
        self.tables = OpenTables(self.store)
        self.drills = OpenDrills(self.store)

    def follow_last_game(self) -> None:
        """Take the rules of the table that was chosen last, if they are to be taken."""
        if self.follows_last_game:
            self.rules = choice.load_last_plan(self.store).rules

    @cached_property
    def runs(self) -> RunQueue:
        """The queue of runs, made when it is first needed."""
        from upcard.services.run_queue import RunQueue

        return RunQueue(self.store)

    @asynccontextmanager
    async def live(self) -> AsyncIterator[None]:
        """Serve in this event loop; in the end close everything, the store last."""
        async with self.tables.live():
            yield
        self.solver.close()
        self.drills.close()
        self.ramps.close()
        self.replays.close()
        self.close_runs()
        if self.store is not None:
            self.store.close()

    def end_streams(self) -> None:
        """End what watches runs, which would hold up the end of the program."""
        if "runs" in self.__dict__:
            self.runs.is_closing = True

    def close_runs(self) -> None:
        """Stop the run that is being played, and save it."""
        if "runs" in self.__dict__:
            self.runs.close()
