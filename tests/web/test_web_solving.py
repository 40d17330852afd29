"""The solver's desk: each question once, old ones dropped, slow ones awaited later."""

import asyncio
from threading import Event, current_thread

import pytest

import upcard
from upcard.cache.entry import SavedQuestion
from upcard.cache.exact import expected_value
from upcard.cache.recall import recall
from upcard.web.reading import RefusedError
from upcard.web.site import SolverDesk


def with_desk(play):
    """Run a scene with a desk whose thread is held until `free` is set."""

    async def run():
        desk, free = SolverDesk(), Event()
        held = asyncio.create_task(desk.ask("held", lambda: free.wait(10)))
        await asyncio.sleep(0)
        try:
            await play(desk, free)
        finally:
            free.set()
            await held
            desk.close()

    asyncio.run(run())


def test_a_question_is_computed_once_however_often_it_is_asked():
    asked = []

    async def play(desk, free):
        tasks = [asyncio.create_task(desk.ask("q", lambda: asked.append(1) or 7)) for _ in range(5)]
        await asyncio.sleep(0)
        free.set()
        assert await asyncio.gather(*tasks) == [7] * 5
        assert await desk.ask("q", lambda: 8) == 7

    with_desk(play)
    assert asked == [1]


def test_a_newer_question_of_a_page_takes_the_place_of_one_that_has_not_begun():
    asked = []

    async def play(desk, free):
        first = asyncio.create_task(desk.ask("a", lambda: asked.append("a"), topic="page edge"))
        await asyncio.sleep(0)
        newer = asyncio.create_task(desk.ask("b", lambda: 2, topic="page edge"))
        await asyncio.sleep(0)
        free.set()
        with pytest.raises(RefusedError, match="newer question"):
            await first
        assert await newer == 2

    with_desk(play)
    assert asked == []


def test_a_question_that_two_pages_wait_for_is_not_dropped_for_one_of_them():
    async def play(desk, free):
        mine = asyncio.create_task(desk.ask("a", lambda: 1, topic="mine"))
        yours = asyncio.create_task(desk.ask("a", lambda: 1, topic="yours"))
        await asyncio.sleep(0)
        newer = asyncio.create_task(desk.ask("b", lambda: 2, topic="mine"))
        await asyncio.sleep(0)
        free.set()
        assert await asyncio.gather(mine, yours, newer) == [1, 1, 2]

    with_desk(play)


def test_a_slow_answer_is_known_later():
    async def play(desk, free):
        assert await desk.ask("slow", lambda: 3, patience=0) is None
        free.set()
        assert await desk.ask("slow", lambda: 4) == 3

    with_desk(play)


@pytest.mark.parametrize("error", [None, TimeoutError("its own")])
def test_an_answer_that_comes_as_patience_ends_is_given(monkeypatch, error):
    async def wait_too_long(waiting, _):
        await asyncio.wait([waiting])
        raise TimeoutError

    def compute():
        if error is not None:
            raise error
        return 5

    monkeypatch.setattr(asyncio, "wait_for", wait_too_long)

    async def play():
        desk = SolverDesk()
        if error is None:
            assert await desk.ask("q", compute, patience=0.01) == 5
        else:
            with pytest.raises(TimeoutError, match="its own"):
                await desk.ask("q", compute, patience=0.01)
        desk.close()

    asyncio.run(play())


def test_an_error_reaches_all_who_asked_and_is_not_remembered():
    async def play(desk, free):
        free.set()
        with pytest.raises(ZeroDivisionError):
            await desk.ask("q", lambda: 1 // 0)
        assert await desk.ask("q", lambda: 5) == 5

    with_desk(play)


def test_too_many_questions_are_refused_with_a_sentence():
    async def play(desk, free):
        tasks = [asyncio.create_task(desk.ask(n, lambda: 1)) for n in range(31)]
        await asyncio.sleep(0)
        with pytest.raises(RefusedError) as caught:
            await desk.ask("one more", lambda: 1)
        assert caught.value.status == 503
        free.set()
        await asyncio.gather(*tasks)

    with_desk(play)


def test_the_answer_that_was_asked_for_longest_ago_is_forgotten_first():
    async def play():
        desk = SolverDesk(known=2)
        for key in ("a", "b", "a", "c"):
            await desk.ask(key, lambda key=key: key)
        again = [await desk.ask(key, lambda: "computed") for key in ("a", "c", "b")]
        desk.close()
        assert again == ["a", "c", "computed"]

    asyncio.run(play())


def test_a_saved_value_waits_for_neither_other_questions_nor_the_solver(saved_values):
    rules = upcard.Rules.parse("INF D9 7:5")

    def find():
        return expected_value(rules)

    async def play(desk, free):
        desk.is_loaded = False
        assert await desk.ask("edge", find, patience=0, may_be_saved=True) is None
        desk.is_loaded = True
        assert await desk.ask("edge", find, patience=0, may_be_saved=True) is None
        free.set()
        ev = await desk.ask("edge", find)
        desk.is_loaded = False
        free.clear()
        held = asyncio.create_task(desk.ask("held again", lambda: free.wait(10)))
        await asyncio.sleep(0)
        assert await desk.ask("again", find, patience=0, may_be_saved=True) == ev
        assert await desk.ask("again", lambda: pytest.fail("computed")) == ev
        free.set()
        await held

    with_desk(play)


@pytest.mark.parametrize("may_be_saved", [True, False])
def test_a_question_that_may_be_saved_is_computed_beside_the_event_loop(saved_values, may_be_saved):
    threads = []

    def compute():
        threads.append(current_thread().name)
        return 1

    def find():
        return recall(SavedQuestion("game", upcard.Rules(), ("here",), int, compute))

    async def play(desk, free):
        free.set()
        assert await desk.ask("q", find, may_be_saved=may_be_saved) == 1

    with_desk(play)
    assert threads == ["solver"]
