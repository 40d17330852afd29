"""`OpenTables`: tables by name, whose moves run in threads, at each table one at a time."""

from __future__ import annotations

import asyncio
import ctypes
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

from upcard.core.errors import BlackjackError
from upcard.core.numbers import digits_of
from upcard.services import UnavailableError, not_found
from upcard.session import coaching
from upcard.session.coaching import COACH_SETTING, TableCoach, read_coach, write_coach
from upcard.session.plan import PlayTerms, TablePlan
from upcard.store.bankroll import list_open_sessions, load_choices, save_setting

if TYPE_CHECKING:
    from upcard.services.open_seat import OpenSeat
    from upcard.session import report
    from upcard.session.seat import LeftHand, Seat
    from upcard.store.database import Store
    from upcard.table.shoe import Shoe

    Result = TypeVar("Result")

MOST_SEATS: Final = 128
IDLE_SECONDS: Final = 30 * 60
LEAVING_SECONDS: Final = 1.0
"""Wait for the coach to judge the last answers when a table is left, or all tables are."""
_TICK_SECONDS: Final = 60
_MOVES: Final = 2
"""Threads for moves; each waits for the disk."""
_COACHES: Final = 2
_MOST_LEFT: Final = 64


class OpenTables:
    """All open tables by name: `s42` is the saved session 42, `p-...` a practice table."""

    def __init__(self, store: Store | None) -> None:
        """Keep tables in `store`; without one there is only practice."""
        self._store = store
        self._seats: dict[str, OpenSeat] = {}
        self._left: OrderedDict[str, report.LeftTable] = OrderedDict()
        self._opening = asyncio.Lock()
        self._moves = ThreadPoolExecutor(_MOVES, "moves")
        self._workers = tuple(
            coaching.Worker(f"coach {number}") for number in range(1, _COACHES + 1)
        )
        self.voice, self.knows = read_coach(load_choices(store, COACH_SETTING))
        self.make_coach: Callable[..., TableCoach | None] = TableCoach
        self.make_shoe: Callable[[TablePlan], Shoe] | None = None
        """Makes the shoes of practice; None shuffles them."""

    # ---- sitting down

    async def open(self, plan: TablePlan, terms: PlayTerms) -> OpenSeat:
        """Sit down at a new table with what its form says of chips and cards."""
        async with self._opening:
            return await self._open(lambda loop: self._sit_down(loop, plan, terms))

    async def open_first_hands(self) -> OpenSeat:
        """Sit down for the led first hands, where they were left."""
        async with self._opening:
            return await self._open(self._lead)

    async def find(self, name: str) -> OpenSeat:
        """Return an open table, or sit down again at a saved one whose hand is unfinished."""
        if name in self._seats:
            return self._seats[name]
        async with self._opening:
            if name in self._seats:
                return self._seats[name]
            if name.startswith("p-"):
                raise _gone("This practice table is gone: it ended with the server or was left.")
            store, number = self._store, digits_of(name[1:])
            if store is None or name[:1] != "s" or number is None:
                raise not_found(f"There is no table {name[:20]!r}.")
            return await self._open(lambda loop: self._resume(loop, store, number))

    def find_left(self, name: str) -> report.LeftTable | None:
        """Return how a table stood when it was left; None if it was not."""
        return None if name in self._seats else self._left.get(name)

    async def unfinished(self) -> list[tuple[str, str]]:
        """Return the tables to continue with, each with its name and its title."""
        found = [
            (name, one.session.plan.title)
            for name, one in list(self._seats.items())  # a thread may add one meanwhile
            if one.session.is_playing
        ]
        if self._store is None:
            return found
        for hand in await asyncio.to_thread(_find_left, self._store):
            name = f"s{hand.found.session.id}"
            if name not in self._seats:
                with suppress(BlackjackError):
                    found.append((name, hand.plan.title))
        return found

    # ---- moves

    async def run(self, one: OpenSeat, work: Callable[[], Result], *, syncs: bool = True) -> Result:
        """Do the work of a move in a thread. Hold the seat's lock meanwhile.

        Its changes reach the disk together at the end; unless it `syncs`, at the end of the next.
        """

        def take_turn() -> Result:
            with one.turn:  # a request that was cancelled leaves its work behind
                return self._save_together(work, syncs=syncs)

        return await asyncio.get_running_loop().run_in_executor(self._moves, take_turn)

    @asynccontextmanager
    async def hold(self, one: OpenSeat) -> AsyncIterator[None]:
        """Hold the lock of a seat. Raises: UnavailableError if it was left meanwhile."""
        async with one.lock:
            if self._seats.get(one.name) is not one:
                raise _gone("This table was left in another window.")
            yield

    async def wait_for_coach(self, one: OpenSeat, seconds: float, *, is_held: bool = False) -> None:
        """Wait for the coach, for at most `seconds`, and judge what they have worked out.

        `is_held` says that the caller holds the seat's lock.
        """
        end = time.monotonic() + seconds
        while True:
            one.news.clear()
            async with nullcontext() if is_held else self.hold(one):
                await self.run(one, one.collect)
            left = end - time.monotonic()
            if not one.coaching.is_thinking or left <= 0:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(one.news.wait(), left)

    async def leave(self, one: OpenSeat, patience: float = LEAVING_SECONDS) -> report.LeftTable:
        """Leave a table; return how it stands. Hold its lock."""
        name = one.name
        left = await self.run(one, lambda: one.leave(patience))
        self._seats.pop(name, None)
        self._left[name] = left
        if len(self._left) > _MOST_LEFT:
            self._left.popitem(last=False)
        return left

    def save_coach(self) -> None:
        """Save when the coach speaks and what they go by."""
        save_setting(self._store, COACH_SETTING, write_coach(self.voice, self.knows))

    @asynccontextmanager
    async def live(self) -> AsyncIterator[None]:
        """Close idle tables and return free memory while the program runs; in the end close all."""
        ticking = asyncio.create_task(self._tick())
        try:
            yield
        finally:
            ticking.cancel()
            seats = list(self._seats.values())
            for one in seats:
                with suppress(BlackjackError):
                    async with one.lock:
                        await self.leave(one, LEAVING_SECONDS / len(seats))
            self._moves.shutdown(wait=True)

    async def close_idle(self) -> None:
        """Close the tables at which nothing has happened for half an hour; hands are saved."""
        end = time.monotonic() - IDLE_SECONDS
        for one in list(self._seats.values()):
            if one.touched < end and not one.lock.locked():
                with suppress(BlackjackError):
                    async with one.lock:
                        await self.leave(one)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            await self.close_idle()
            await asyncio.to_thread(give_back_memory)

    async def _open(self, sit: Callable[[asyncio.AbstractEventLoop], OpenSeat]) -> OpenSeat:
        if len(self._seats) >= MOST_SEATS:
            words = f"{MOST_SEATS} tables are open, as many as fit. Leave one, then sit down here."
            raise UnavailableError("full", words)
        # Charts of the company can take seconds, so moves do not wait for this thread.
        work = partial(sit, asyncio.get_running_loop())
        return await asyncio.to_thread(self._save_together, work)

    # ---- in a thread

    def _save_together(self, work: Callable[[], Result], *, syncs: bool = True) -> Result:
        """Do some work, with one wait for the disk."""
        if self._store is None:
            return work()
        with self._store.delaying_sync():
            try:
                return work()
            finally:
                if syncs:
                    self._store.sync()

    def _sit_down(
        self, loop: asyncio.AbstractEventLoop, plan: TablePlan, terms: PlayTerms
    ) -> OpenSeat:
        from upcard.session.seat import open_seat
        from upcard.session.table_view import tell_brought

        coach = self.make_coach(plan.rules, knows=self.knows)
        shoe = self.make_shoe(plan) if self.make_shoe else None
        seat = open_seat(plan, self._store, coach, terms, shoe=shoe, queue=self._find_queue())
        return self._add(loop, seat, tell_brought(seat.brought))

    def _lead(self, loop: asyncio.AbstractEventLoop) -> OpenSeat:
        from upcard.session.first_hand import open_first_hands

        seat = open_first_hands(self._store, self.make_coach, queue=self._find_queue())
        return self._add(loop, seat)

    def _resume(self, loop: asyncio.AbstractEventLoop, store: Store, number: int) -> OpenSeat:
        left = next((one for one in _find_left(store) if one.found.session.id == number), None)
        if left is None:
            if store.row("SELECT 1 FROM sessions WHERE id = ?", number) is None:
                raise not_found(f"There is no table 's{number}'.")
            if store.row("SELECT 1 FROM open_rounds WHERE session_id = ?", number) is not None:
                raise _gone("This hand is being played in another terminal.")
            raise _gone("This table was left, and no hand of it is unfinished.")
        seat = left.resume(store, knows=self.knows, queue=self._find_queue())
        return self._add(loop, seat, "Your hand is as you left it.")

    def _find_queue(self) -> Callable[..., coaching.CoachQueue]:
        """Return what makes the questions of the next table to a coach; coaches take turns."""
        worker = self._workers[len(self._seats) % len(self._workers)]
        return partial(coaching.CoachQueue, worker=worker)

    def _add(self, loop: asyncio.AbstractEventLoop, seat: Seat, note: str = "") -> OpenSeat:
        from upcard.services.open_seat import OpenSeat

        table = seat.session.kept
        name = f"p-{secrets.token_urlsafe(6)}" if table is None else f"s{table.session.id}"
        news = asyncio.Event()

        def hear() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(news.set)

        seat.coaching.heard = hear
        one = OpenSeat(name, seat, news, note=note)
        self._seats[name] = one
        self._left.pop(name, None)
        return one


def _find_left(store: Store) -> list[LeftHand]:
    """Find the unfinished hands; what reads them is loaded if there are any."""
    if not list_open_sessions(store):
        return []
    from upcard.session.seat import find_left_hands

    return list(find_left_hands(store))


def give_back_memory() -> None:
    """Return free memory to the system, where the C library keeps it (glibc of Linux).

    The coach's solver takes and frees arrays of many sizes in threads. The library keeps the gaps
    between what stays, so that the server seems to grow with every hand, though it holds the same.
    Source: malloc_trim(3).
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def _gone(words: str) -> UnavailableError:
    return UnavailableError("gone", words)
