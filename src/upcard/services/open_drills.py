"""`OpenDrills`: drills by name, each prepared and judged in threads beside an event loop."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, TypeVar

from upcard.core.errors import BlackjackError, as_sentence
from upcard.store.database import Store, open_in_memory

if TYPE_CHECKING:
    from upcard.drills.drill_run import DrillMemory, DrillTerms
    from upcard.drills.trainer import DrillTrainer

    Result = TypeVar("Result")

_MOST_OPEN: Final = 64


class RunningDrill:
    """A drill with the version of what is shown: each change counts it up."""

    def __init__(self, name: str, terms: DrillTerms, drills: OpenDrills) -> None:
        self.id = f"{slug_of(name)}-{secrets.token_hex(4)}"
        self.name = name
        self.terms = terms
        self.version = 1
        self.fault = ""
        """Why the drill cannot continue; empty if it can."""
        self.lock = asyncio.Lock()
        self._drills = drills
        self._made = asyncio.get_running_loop().run_in_executor(drills.pool, self._prepare)
        # Else asyncio complains about the fault of a drill that is never shown again.
        self._made.add_done_callback(lambda made: made.cancelled() or made.exception())

    async def trainer(self, patience: float | None) -> DrillTrainer | None:
        """Return the trainer; None if preparing takes longer than `patience` seconds, or failed."""
        try:
            return await asyncio.wait_for(asyncio.shield(self._made), patience)
        except TimeoutError:
            return None
        except BlackjackError as error:
            self.fault = as_sentence(str(error))
            return None

    async def change(self, version: str, make: Callable[[DrillTrainer], object]) -> bool:
        """Make a change if `version` is the present one; say whether it was."""
        # Shielded: a request that is given up must not leave a change without its version.
        return await asyncio.shield(asyncio.ensure_future(self._change(version, make)))

    async def _change(self, version: str, make: Callable[[DrillTrainer], object]) -> bool:
        from upcard.drills.trainer import DrillStep

        async with self.lock:
            trainer = await self.trainer(None)
            if trainer is None or version != str(self.version):
                return False
            try:
                await self._drills.work(partial(make, trainer))
            except BlackjackError as error:
                if trainer.run.prompt is not None or trainer.step is not DrillStep.ASKING:
                    raise
                self.fault = as_sentence(str(error))  # judged, but not saved
                trainer.end()
            self.version += 1
            if trainer.step is DrillStep.ASKING and trainer.prompt.choices:
                asyncio.get_running_loop().run_in_executor(self._drills.pool, trainer.run.warm)
            return True

    def _prepare(self) -> DrillTrainer:
        from upcard.drills.trainer import DrillTrainer

        setup = self.terms.make_setup(self.name, self._drills.memory)
        return DrillTrainer(self.name, setup, goes_on_at_once=self.terms.pause != "always")


class OpenDrills:
    """The open drills, the newest of them; without a store progress is that of this run only."""

    def __init__(self, store: Store | None) -> None:
        self._store = store
        self._open: OrderedDict[str, RunningDrill] = OrderedDict()

    @cached_property
    def pool(self) -> ThreadPoolExecutor:
        """The threads that prepare, judge and save."""
        return ThreadPoolExecutor(2, "drills")

    @cached_property
    def memory(self) -> DrillMemory:
        """The saved answers."""
        from upcard.drills.drill_run import DrillMemory

        return DrillMemory(self._store or self._practice)

    @cached_property
    def _practice(self) -> Store:
        return open_in_memory()

    def open(self, name: str, terms: DrillTerms) -> RunningDrill:
        """Begin a drill; the least recently used one is given up if there are too many."""
        drill = RunningDrill(name, terms, self)
        self._open[drill.id] = drill
        while len(self._open) > _MOST_OPEN:
            self._open.popitem(last=False)
        return drill

    def find(self, drill_id: str) -> RunningDrill | None:
        """Return an open drill; None if there is none of this id."""
        drill = self._open.get(drill_id)
        if drill is not None:
            self._open.move_to_end(drill_id)
        return drill

    async def work(self, compute: Callable[[], Result]) -> Result:
        """Compute something beside the loop."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, compute)

    def close(self) -> None:
        """End when the present work is done."""
        if "pool" in self.__dict__:
            self.pool.shutdown(cancel_futures=True)
        if "_practice" in self.__dict__:
            self._practice.close()


def slug_of(name: str) -> str:
    """Return the name of a drill as an address has it: `running-count`."""
    return name.replace(" ", "-")
