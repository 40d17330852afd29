"""State that all pages share while the server runs: rules, settings, the solver's desk."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from functools import cached_property
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, TypeVar

from starlette.requests import Request

from upcard.cache.recall import peek
from upcard.charts.palette import THEME_NAMES
from upcard.core.errors import NotationError
from upcard.rules.model import Rules
from upcard.session import choice, coaching
from upcard.store import bankroll, database
from upcard.web import gate, reading
from upcard.web.door import Door
from upcard.web.drills.book import DrillBook
from upcard.web.table.book import TableBook, load_choices

if TYPE_CHECKING:
    from upcard.web.lab.desk import RunDesk

Result = TypeVar("Result")

_SETTING: Final = "web"
CHOICES: Final[dict[str, dict[str, str]]] = {
    "theme": {
        "auto": "As the device",
        **{name: name.replace("-", " ").capitalize() for name in THEME_NAMES},
    },
    "motion": {"auto": "As the device", "off": "Never move"},
    "keys": {"on": "On", "off": "Off"},
}
"""The values of each setting, with their words."""
_MOST_KNOWN: Final = 512
_MOST_WAITING: Final = 32


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


@dataclass(slots=True)
class _Work:
    """One computation, and the requests that wait for it."""

    future: Future[Any]
    waiting: int = 0


class SolverDesk:
    """Computes in a thread, and remembers the last answers.

    A question that is computed already is not computed twice. A question of a `topic`, such as one
    part of one open page, replaces an earlier one that has not begun and that only this page needs.
    """

    def __init__(self, *, known: int = _MOST_KNOWN) -> None:
        """Remember the last `known` answers."""
        self._most_known = known
        self._worker = coaching.Worker("solver")
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._running: dict[Hashable, _Work] = {}
        self._topics: dict[str, _Work] = {}
        self.is_loaded = True
        """False while a question would begin with the loading of the solver."""

    async def ask(
        self,
        key: Hashable,
        compute: Callable[[], Result],
        *,
        topic: str = "",
        patience: float | None = None,
        may_be_saved: bool = False,
    ) -> Result | None:
        """Return the answer; None if it takes longer than `patience` seconds.

        A question without patience is not begun before the solver is loaded. One that
        `may_be_saved`, whose `compute` asks `upcard.cache.exact` and nothing else, waits for
        neither the solver nor other questions if its values are saved.
        """
        if key in self._known:
            self._known.move_to_end(key)
            found: Result = self._known[key]
            return found
        if may_be_saved and key not in self._running:
            saved = peek(compute)
            if saved is not None:
                self._remember(key, saved)
                return saved
        if patience == 0 and not self.is_loaded:
            return None
        work = self._running.get(key) or self._begin(key, compute)
        if topic:
            self._replace(topic, work)
        work.waiting += 1
        try:
            # Shielded: another request may wait for the same answer.
            future = asyncio.wrap_future(work.future)
            return await asyncio.wait_for(asyncio.shield(future), patience)
        except TimeoutError:
            # It may have ended at the same moment, or raised this error of its own.
            return future.result() if future.done() and not future.cancelled() else None
        except asyncio.CancelledError:
            if not work.future.cancelled():
                raise
            words = "A newer question took the place of this one."
            raise reading.RefusedError(HTTPStatus.CONFLICT, "replaced", words) from None
        finally:
            work.waiting -= 1

    def close(self) -> None:
        """Drop the computations that wait; the present one does not delay the program's end."""
        for work in self._running.values():
            work.future.cancel()

    def _begin(self, key: Hashable, compute: Callable[[], Result]) -> _Work:
        if len(self._running) >= _MOST_WAITING:
            words = f"{_MOST_WAITING} questions wait for an answer; ask again in a moment."
            raise reading.RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, "busy", words)
        work = _Work(self._worker.submit(compute))
        self._running[key] = work
        loop = asyncio.get_running_loop()

        def finish(_: Future[Any]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._finish, key, work)

        work.future.add_done_callback(finish)
        return work

    def _finish(self, key: Hashable, work: _Work) -> None:
        self._running.pop(key, None)
        for topic in [topic for topic, last in self._topics.items() if last is work]:
            del self._topics[topic]
        if work.future.cancelled() or work.future.exception() is not None:
            return
        self._remember(key, work.future.result())

    def forget(self) -> None:
        """Forget the answers that are known, which a setting has changed."""
        self._known.clear()

    def _remember(self, key: Hashable, answer: object) -> None:
        self._known[key] = answer
        if len(self._known) > self._most_known:
            self._known.popitem(last=False)

    def _replace(self, topic: str, work: _Work) -> None:
        before = self._topics.get(topic)
        self._topics[topic] = work
        if before is not None and before is not work and before.waiting <= 1:
            before.future.cancel()  # does nothing once it has begun


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
