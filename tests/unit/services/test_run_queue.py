"""The queue of runs without a browser: one at a time, files that another queue finds."""

import threading

import pytest

from upcard.answers.shared_fields import RunTerms
from upcard.core.errors import RulesError
from upcard.rules.model import Rules
from upcard.services import UnavailableError
from upcard.services.run_queue import MOST_WAITING, RunQueue, Status, describe_ready, place_ramp
from upcard.store.database import open_store


def make(**terms):
    return RunTerms(**{"seed": 7, "rounds": 1000, **terms}).make_run(Rules.parse("6D"))


@pytest.fixture
def queue(tmp_path):
    with open_store(tmp_path / "upcard.db") as store:
        found = RunQueue(store)
        yield found
        found.close()


def test_a_run_is_played_listed_and_deleted(queue):
    run = make()
    name = queue.start(run)
    queue.wait(name)
    assert run.rounds == 0  # the queue plays its own copy
    look = queue.look(name)
    assert (look.status, look.file.tally.seen, look.file.job) == (Status.DONE, 1000, run.job)
    (row,) = queue.list_runs()
    assert (row.name, row.rounds, row.is_readable, row.about) == (name, 1000, True, "bets flat")
    queue.delete(name)
    with pytest.raises(UnavailableError) as caught:
        queue.look(name)
    assert (caught.value.error, queue.list_runs()) == ("not-found", [])


def test_what_is_played_is_not_deleted_and_the_queue_has_an_end(queue):
    blocked = threading.Event()
    queue._pool.submit(blocked.wait)
    try:
        names = [queue.start(make()) for _ in range(MOST_WAITING + 1)]
        errors = []
        for refused in (lambda: queue.delete(names[0]), lambda: queue.start(make())):
            with pytest.raises(UnavailableError) as caught:
                refused()
            errors.append(caught.value.error)
        assert errors == ["running", "queue-full"]
        for name in names:
            queue.stop(name)
        assert {queue.look(name).status for name in names} == {Status.STOPPED}
    finally:
        blocked.set()


def test_the_bets_of_a_ready_run_are_said_and_need_a_count():
    run = make()
    assert len(describe_ready(run)) == 2
    with pytest.raises(RulesError, match="count"):
        place_ramp(run, "1-8")
