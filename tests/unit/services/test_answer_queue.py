"""Answers that take long: each question once, old ones dropped, slow ones awaited later."""

import asyncio
import time
from threading import Event, current_thread

import pytest

import upcard
from upcard.cache.entry import SavedQuestion
from upcard.cache.exact import expected_value
from upcard.cache.recall import recall
from upcard.core import long_work
from upcard.exact import solve as value_games
from upcard.services import UnavailableError, answer_queue
from upcard.services.answer_queue import AnswerQueue


def with_queue(play):
    """Run a scene with a queue whose thread is held until `free` is set."""

    async def run():
        queue, free = AnswerQueue(), Event()
        held = asyncio.create_task(queue.ask("held", lambda: free.wait(10)))
        await asyncio.sleep(0)
        try:
            await play(queue, free)
        finally:
            free.set()
            await held
            queue.close()

    asyncio.run(run())


def test_a_question_is_computed_once_however_often_it_is_asked():
    asked = []

    async def play(queue, free):
        asking = [queue.ask("q", lambda: asked.append(1) or 7) for _ in range(5)]
        tasks = [asyncio.create_task(one) for one in asking]
        await asyncio.sleep(0)
        free.set()
        assert await asyncio.gather(*tasks) == [7] * 5
        assert await queue.ask("q", lambda: 8) == 7

    with_queue(play)
    assert asked == [1]


def test_a_newer_question_of_a_page_takes_the_place_of_one_that_has_not_begun():
    asked = []

    async def play(queue, free):
        first = asyncio.create_task(queue.ask("a", lambda: asked.append("a"), part="page edge"))
        await asyncio.sleep(0)
        newer = asyncio.create_task(queue.ask("b", lambda: 2, part="page edge"))
        await asyncio.sleep(0)
        free.set()
        with pytest.raises(UnavailableError, match="newer question"):
            await first
        assert await newer == 2

    with_queue(play)
    assert asked == []


def test_a_question_that_two_pages_wait_for_is_not_dropped_for_one_of_them():
    async def play(queue, free):
        mine = asyncio.create_task(queue.ask("a", lambda: 1, part="mine"))
        yours = asyncio.create_task(queue.ask("a", lambda: 1, part="yours"))
        await asyncio.sleep(0)
        newer = asyncio.create_task(queue.ask("b", lambda: 2, part="mine"))
        await asyncio.sleep(0)
        free.set()
        assert await asyncio.gather(mine, yours, newer) == [1, 1, 2]

    with_queue(play)


def test_a_slow_answer_is_known_later():
    async def play(queue, free):
        assert await queue.ask("slow", lambda: 3, patience=0) is None
        free.set()
        assert await queue.ask("slow", lambda: 4) == 3

    with_queue(play)


@pytest.mark.parametrize("error", [None, TimeoutError("its own")])
def test_an_answer_that_comes_as_patience_ends_is_given(monkeypatch, error):
    wait = asyncio.wait

    async def wait_too_long(waiting, **_):
        await wait(waiting)
        return set(), waiting  # as if patience had ended just before

    def compute():
        if error is not None:
            raise error
        return 5

    monkeypatch.setattr(asyncio, "wait", wait_too_long)

    async def play():
        queue = AnswerQueue()
        if error is None:
            assert await queue.ask("q", compute, patience=0.01) == 5
        else:
            with pytest.raises(TimeoutError, match="its own"):
                await queue.ask("q", compute, patience=0.01)
        queue.close()

    asyncio.run(play())


def test_an_error_reaches_all_who_asked_and_is_not_remembered():
    async def play(queue, free):
        free.set()
        with pytest.raises(ZeroDivisionError):
            await queue.ask("q", lambda: 1 // 0)
        assert await queue.ask("q", lambda: 5) == 5

    with_queue(play)


def test_too_many_questions_are_refused_with_a_sentence():
    async def play(queue, free):
        tasks = [asyncio.create_task(queue.ask(n, lambda: 1)) for n in range(31)]
        await asyncio.sleep(0)
        with pytest.raises(UnavailableError) as caught:
            await queue.ask("one more", lambda: 1)
        assert caught.value.error == "busy"
        free.set()
        await asyncio.gather(*tasks)

    with_queue(play)


def test_the_answer_that_was_asked_for_longest_ago_is_forgotten_first():
    async def play():
        queue = AnswerQueue(known=2)
        for key in ("a", "b", "a", "c"):
            await queue.ask(key, lambda key=key: key)
        again = [await queue.ask(key, lambda: "computed") for key in ("a", "c", "b")]
        queue.close()
        assert again == ["a", "c", "computed"]

    asyncio.run(play())


def test_a_saved_value_waits_for_neither_other_questions_nor_the_solver(saved_values):
    rules = upcard.Rules.parse("INF D9 7:5")

    def find():
        return expected_value(rules)

    async def play(queue, free):
        queue.is_loaded = False
        assert await queue.ask("edge", find, patience=0, may_be_saved=True) is None
        queue.is_loaded = True
        assert await queue.ask("edge", find, patience=0, may_be_saved=True) is None
        free.set()
        ev = await queue.ask("edge", find)
        queue.is_loaded = False
        free.clear()
        held = asyncio.create_task(queue.ask("held again", lambda: free.wait(10)))
        await asyncio.sleep(0)
        assert await queue.ask("again", find, patience=0, may_be_saved=True) == ev
        assert await queue.ask("again", lambda: pytest.fail("computed")) == ev
        free.set()
        await held

    with_queue(play)


@pytest.mark.parametrize("may_be_saved", [True, False])
def test_a_question_that_may_be_saved_is_computed_beside_the_event_loop(saved_values, may_be_saved):
    threads = []

    def compute():
        threads.append(current_thread().name)
        return 1

    def find():
        return recall(SavedQuestion("game", upcard.Rules(), ("here",), int, compute))

    async def play(queue, free):
        free.set()
        assert await queue.ask("q", find, may_be_saved=may_be_saved) == 1

    with_queue(play)
    assert threads == ["solver"]


class Endless:
    """Work that ends only if it is abandoned, and says when it has begun and ended."""

    def __init__(self):
        self.begun, self.ended = Event(), Event()

    def __call__(self):
        self.begun.set()
        try:
            while True:
                long_work.check()
                time.sleep(0.001)
        finally:
            self.ended.set()


async def until(event):
    assert await asyncio.to_thread(event.wait, 30)


def play_alone(play):
    async def run():
        queue = AnswerQueue()
        try:
            await play(queue)
        finally:
            queue.close()

    asyncio.run(run())


def client(page=""):
    """Return who asks, and an event that is set when they go."""
    gone = asyncio.Event()
    return answer_queue.Asker(page, gone.wait), gone


async def ask_as(who, queue, *question, **options):
    with answer_queue.asking(who):
        return await queue.ask(*question, **options)


def test_a_question_whose_client_has_gone_ends_and_the_next_one_is_answered():
    async def play(queue):
        work, (who, gone) = Endless(), client()
        asked = asyncio.create_task(ask_as(who, queue, "long", work))
        await until(work.begun)
        gone.set()
        with pytest.raises(UnavailableError, match="has been left"):
            await asked
        assert await queue.ask("another", lambda: 7) == 7
        assert work.ended.is_set()
        # The same question is computed again, not taken for the one that was left.
        assert await queue.ask("long", lambda: 8) == 8

    play_alone(play)


def test_a_question_that_another_client_waits_for_goes_on():
    async def play(queue):
        free, (who, gone) = Event(), client("mine")
        mine = asyncio.create_task(ask_as(who, queue, "long", lambda: free.wait(30) and 5))
        yours = asyncio.create_task(ask_as(client("yours")[0], queue, "long", lambda: 6))
        await asyncio.sleep(0.01)
        gone.set()
        with pytest.raises(UnavailableError, match="has been left"):
            await mine
        free.set()
        assert await yours == 5

    play_alone(play)


def test_what_a_page_asked_for_before_ends_when_it_is_left():
    """The worth of every switch asks for several games, and waits for one of them."""

    async def play(queue):
        work, (who, gone) = Endless(), client("page")
        assert await ask_as(who, queue, "first", work, patience=0) is None
        later = asyncio.create_task(ask_as(who, queue, "second", lambda: 1))
        await until(work.begun)
        gone.set()
        with pytest.raises(UnavailableError, match="has been left"):
            await later
        assert await queue.ask("a hand", lambda: 7) == 7
        assert work.ended.is_set()

    play_alone(play)


def test_a_newer_question_of_a_page_ends_one_that_has_begun():
    async def play(queue):
        work = Endless()
        first = asyncio.create_task(queue.ask("a", work, part="page edge"))
        await until(work.begun)
        newer = asyncio.create_task(queue.ask("b", lambda: 2, part="page edge"))
        with pytest.raises(UnavailableError, match="newer question"):
            await first
        assert await newer == 2
        assert work.ended.is_set()

    play_alone(play)


@pytest.mark.parametrize(
    ("pages", "errors"),
    [
        (("mine", "mine"), ["replaced", ""]),
        (("mine", "yours", "mine"), ["replaced", "", ""]),
        (("", ""), ["", ""]),
    ],
)
def test_a_part_is_one_of_its_page_and_none_without_a_page(pages, errors):
    async def ask(queue, page, answer):
        try:
            who, _ = client(page)
            assert await ask_as(who, queue, answer, lambda: answer, part="edge") == answer
        except UnavailableError as error:
            return error.error
        return ""

    async def play(queue, free):
        asked = [asyncio.create_task(ask(queue, page, n)) for n, page in enumerate(pages)]
        await asyncio.sleep(0.01)
        free.set()
        assert await asyncio.gather(*asked) == errors

    with_queue(play)


def test_what_nobody_waits_for_ends_once_somebody_waits_behind_it(monkeypatch):
    monkeypatch.setattr(answer_queue, "GRACE_SECONDS", 0.01)

    async def play(queue):
        work = Endless()
        assert await queue.ask("left", work, patience=0) is None
        await until(work.begun)
        assert await queue.ask("another", lambda: 7) == 7
        assert work.ended.is_set()

    play_alone(play)


def test_what_nobody_waits_for_goes_on_while_the_solver_is_free():
    async def play(queue):
        free = Event()
        assert await queue.ask("slow", lambda: free.wait(30) and 3, patience=0) is None
        free.set()
        assert await queue.ask("slow", lambda: 4) == 3

    play_alone(play)


@pytest.mark.parametrize(
    "compute",
    [
        lambda: value_games.solve_game("switch"),
        lambda: value_games.solve_game("6D"),
        lambda: value_games.solve_game("INF"),
        lambda: value_games.expected_value("1D", splits="full"),
        lambda: upcard.simulate("6D", rounds=10_000_000, seed=1, workers=1),
        lambda: upcard.indices("6D", count="hi-lo", rounds=10_000_000, seed=1),
        lambda: upcard.compare_games(["6D", "8D"], count="hi-lo", spread=8, bankroll=400),
    ],
    ids=["switch", "finite", "infinite", "full memory", "run", "indices", "compare"],
)
def test_long_work_ends_at_its_first_check_once_it_is_abandoned(compute, monkeypatch):
    monkeypatch.setenv("UPCARD_CACHE", "off")
    stop = Event()
    stop.set()
    with long_work.until(stop), pytest.raises(long_work.AbandonedError):
        compute()
