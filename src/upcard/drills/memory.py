"""The saved answers to drills: each is saved at once, from several terminals in turn."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from upcard.drills.catalogue import DEVIATIONS
from upcard.drills.drill import Drill, DrillError
from upcard.drills.progress import NOT_OBSERVED, DrillProgress, Observed
from upcard.store.files import Lock, StoreError
from upcard.store.learning import load_drill, read_decisions, save_drill
from upcard.store.schema import now, write_moment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from upcard.store.database import Store

Time = TypeVar("Time")
LOCK_NAME: Final = "drills.lock"
_PATIENCE_SECONDS: Final = 5.0
_PAUSE_SECONDS: Final = 0.005
NEWEST: Final = 20
"""Number of newest decisions of each situation at the table that count: habits change."""
_BEST: Final = "best_seconds"
_WRONG: Final = "wrong_at"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """The saved data of a drill: the progress, and some times of its items."""

    progress: DrillProgress
    best_seconds: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    """The best time of each timed item."""
    wrong_at: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """When each item was last answered wrong."""

    def with_time(self, item: str, seconds: float) -> Kept:
        """Return the data with a time, if it is the best of its item."""
        if seconds >= self.best_seconds.get(item, float("inf")):
            return self
        return replace(self, best_seconds=MappingProxyType({**self.best_seconds, item: seconds}))

    def with_mistake(self, item: str) -> Kept:
        """Return the data with a wrong answer to an item, made now."""
        return replace(self, wrong_at=MappingProxyType({**self.wrong_at, item: now()}))


class DrillMemory:
    """Loads and saves drills in a store; by name and by subject."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def load(self, name: str, about: str) -> Kept:
        """Return the saved data of a drill, empty if it was never begun.

        Raises: DrillError if it cannot be read; as the store does.
        """
        found = load_drill(self._store, _key(name, about))
        if found is None:
            return Kept(progress=DrillProgress(drill=name, about=about))
        try:
            return Kept(
                progress=DrillProgress.from_json(found),
                best_seconds=_read_times(found, _BEST, float),
                wrong_at=_read_times(found, _WRONG, str),
            )
        except DrillError as error:
            raise DrillError(
                f"the saved drill of {name} about {about!r} cannot be read: {error}"
            ) from None

    def change(self, name: str, about: str, change: Callable[[Kept], Kept]) -> Kept:
        """Change the saved data, and return the result; another terminal's answers stay.

        Raises: as `load` does; StoreError if another process holds the lock.
        """
        with self._alone():
            kept = change(self.load(name, about))
            document = kept.progress.to_json() | {
                _BEST: dict(kept.best_seconds),
                _WRONG: dict(kept.wrong_at),
            }
            save_drill(self._store, _key(name, about), document)
        return kept

    def find_mistakes(self, drill: Drill, since: datetime) -> frozenset[str]:
        """Return the items answered wrong after a time, at the table or in the drill.

        Raises: as `load` and `observe` do.
        """
        moment = write_moment(since)
        kept = self.load(drill.name, drill.about)
        drilled = {item for item, at in kept.wrong_at.items() if at >= moment}
        seen = self.observe(drill, since=moment).items()
        wrong = drilled | {item for item, observed in seen if observed.wrong}
        return frozenset(wrong & {item.key for item in drill.items()})

    def observe(self, drill: Drill, *, since: str = "") -> dict[str, Observed]:
        """Return the decisions at the table that belong to the items of a drill.

        They are read from the judged rounds of the drill's rules each time, so that none counts
        twice; the answers to the drill are separate. Drills of counting have none.

        Raises: StoreDamagedError.
        """
        rules = getattr(drill, "rules", None)
        if rules is None or drill.name == DEVIATIONS:
            return {}
        keys = {item.key for item in drill.items()}
        found: dict[str, Observed] = {}
        for situation, made in read_decisions(
            self._store, rules, newest=NEWEST, since=since
        ).items():
            # Drills ask a hand whose surrender is close in a class of its own.
            surrender = f"surrender {situation.split(' ', 1)[-1]}"
            key = next((key for key in (situation, surrender) if key in keys), None)
            if key is not None:
                asked, wrong, lost = found.get(key, NOT_OBSERVED)
                found[key] = Observed(asked + made.asked, wrong + made.wrong, lost + made.lost)
        return found

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Prevent other processes from changing a drill between its reading and its writing."""
        folder = self._store.folder
        lock = Lock(None if folder is None else folder / LOCK_NAME)
        end = time.monotonic() + _PATIENCE_SECONDS
        while not lock.take():
            if time.monotonic() > end:
                raise StoreError(
                    f"another process has held {LOCK_NAME} for {_PATIENCE_SECONDS:.0f} s"
                )
            time.sleep(_PAUSE_SECONDS)
        try:
            yield
        finally:
            lock.release()


def _key(name: str, about: str) -> str:
    return f"{name}: {about}"


def _read_times(
    found: dict[str, Any], name: str, read: Callable[[Any], Time]
) -> Mapping[str, Time]:
    """Read a time of each item, which is not part of the progress."""
    times = found.get(name, {})
    try:
        return MappingProxyType({str(item): read(time) for item, time in times.items()})
    except (AttributeError, TypeError, ValueError):
        raise DrillError(f"{name} are no times: {times!r}") from None
