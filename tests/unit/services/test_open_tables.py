"""Open tables without a browser: moves take turns, names are found again, memory goes back."""

import asyncio
import os
import platform
from pathlib import Path

import pytest

from upcard.core.errors import BlackjackError
from upcard.rules.model import Rules
from upcard.services import UnavailableError, open_tables
from upcard.session.plan import PlayTerms, TablePlan
from upcard.store.database import open_store


def with_tables(play, store=None):
    """Run a scene at the open tables, without a coach; return what it returns."""

    async def run():
        tables = open_tables.OpenTables(store)
        tables.make_coach = lambda *_, **__: None
        async with tables.live():
            return await play(tables)

    return asyncio.run(run())


def test_a_hand_is_played_and_its_table_is_left():
    async def play(tables):
        plan = TablePlan(rules=Rules.parse("6D"), keeps=False)
        one = await tables.open(plan, PlayTerms(cards="T 9 8 T 5 5 5 5"))
        assert await tables.find(one.name) is one
        async with one.lock:
            await tables.run(one, lambda: one.place("10", {}))
            before = one.seat.version
            assert await tables.unfinished() == [(one.name, one.session.plan.title)]
            with pytest.raises(BlackjackError, match="split"):
                await tables.run(one, lambda: one.act("split"))
            assert one.seat.version == before
            await tables.run(one, lambda: one.act("stand"))
            assert one.session.net == -10
            left = await tables.leave(one)
        assert tables.find_left(one.name) is left
        with pytest.raises(UnavailableError) as caught:
            await tables.find(one.name)
        return caught.value.error

    assert with_tables(play) == "gone"


def test_a_move_that_waited_while_its_table_was_left_is_refused():
    """A bet was dealt at a seat that no address leads to."""

    async def play(tables):
        plan = TablePlan(rules=Rules.parse("6D"), keeps=False)
        one = await tables.open(plan, PlayTerms())

        async def leave():
            async with tables.hold(one):
                await asyncio.sleep(0.01)
                await tables.leave(one)

        async def bet():
            async with tables.hold(one):
                await tables.run(one, lambda: one.place("10", {}))

        return await asyncio.gather(leave(), bet(), return_exceptions=True), one.session.is_playing

    (left, refused), is_playing = with_tables(play)
    assert (left, refused.error, is_playing) == (None, "gone", False)


@pytest.mark.parametrize("name", ["s7", "7", "", "s", "s1.5"])
def test_a_table_that_never_was_is_not_found(tmp_path, name):
    async def play(tables):
        with pytest.raises(UnavailableError) as caught:
            await tables.find(name)
        return caught.value.error

    with open_store(tmp_path / "upcard.db") as store:
        assert with_tables(play, store) == "not-found"


def test_more_tables_than_fit_are_refused(monkeypatch):
    monkeypatch.setattr(open_tables, "MOST_SEATS", 1)

    async def play(tables):
        plan = TablePlan(rules=Rules.parse("6D"), keeps=False)
        await tables.open(plan, PlayTerms())
        with pytest.raises(UnavailableError) as caught:
            await tables.open(plan, PlayTerms())
        return caught.value.error

    assert with_tables(play) == "full"


def _resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


@pytest.mark.skipif(
    not (Path("/proc/self/statm").exists() and platform.libc_ver()[0] == "glibc"),
    reason="only glibc keeps free memory, and is asked to return it",
)
def test_memory_that_is_free_goes_back_to_the_system():
    """A server grew by 100 MB in 3,000 hands, and held the same as after the first ones."""
    kept = [bytes(60_000) for _ in range(2000)]
    full = _resident_bytes()
    del kept[:-1]  # the last one is above the gap, which stays without being asked
    assert full - _resident_bytes() < 60_000_000
    open_tables.give_back_memory()
    assert full - _resident_bytes() > 90_000_000


def test_memory_is_given_back_while_the_server_runs(monkeypatch):
    given = []
    monkeypatch.setattr(open_tables, "_TICK_SECONDS", 0.001)
    monkeypatch.setattr(open_tables, "give_back_memory", lambda: given.append(True))

    async def run():
        async with open_tables.OpenTables(None).live():
            for _ in range(1000):
                await asyncio.sleep(0.001)
                if given:
                    return

    asyncio.run(run())
    assert given
