"""An edge that is saved is on the first frame; another one is computed in the background."""

from concurrent.futures import Future

import pytest

from upcard.cache.exact import expected_value
from upcard.rules.model import Rules
from upcard.tui.background import Edges


class Thread:
    """A background that does its work when asked to, the first job first."""

    def __init__(self):
        self.jobs = []

    def submit(self, work, done):
        future = Future()
        self.jobs.append((future, work, done))
        return future

    @property
    def waiting(self):
        return [job for job in self.jobs if not job[0].cancelled()]

    def begin(self):
        self.waiting[0][0].set_running_or_notify_cancel()

    def run(self):
        for job in self.waiting:
            _, work, done = job
            done(work())
            self.jobs.remove(job)


@pytest.mark.parametrize("is_off", [False, True])
def test_a_saved_edge_is_known_at_once_and_asks_for_nothing(saved_values, monkeypatch, is_off):
    rules, other = Rules.parse("INF D9 7:5"), Rules.parse("INF D9 7:5 H17")
    ev = expected_value(rules)
    if is_off:
        monkeypatch.setenv("UPCARD_CACHE", "off")
    thread, drawn = Thread(), []
    edges = Edges(thread, lambda: drawn.append(True))
    assert (edges.find(rules) is None) is is_off
    assert edges.find(other) is None
    edges.want(rules)
    assert len(thread.waiting) == is_off
    edges.want(other)
    assert len(thread.waiting) == 1
    thread.run()
    assert edges.find(other) is not None
    if not is_off:
        assert edges.find(rules).ev == ev
    assert drawn == [True]


def test_the_edge_before_a_hasty_change_comes_after_that_of_the_new_rules(monkeypatch):
    monkeypatch.setenv("UPCARD_CACHE", "off")
    before, after = Rules.parse("INF D9 7:5"), Rules.parse("INF D9 7:5 H17")
    thread, drawn = Thread(), []
    edges = Edges(
        thread, lambda: drawn.append([edges.find(one) is None for one in (before, after)])
    )
    edges.want(before)
    edges.want(after, before)
    thread.run()
    assert drawn == [[True, False], [False, False]]
    edges.want(after, before)
    assert thread.waiting == []


def test_an_edge_that_is_being_worked_out_is_not_asked_for_again(monkeypatch):
    monkeypatch.setenv("UPCARD_CACHE", "off")
    rules, other = Rules.parse("INF D9 7:5"), Rules.parse("INF D9 7:5 H17")
    thread = Thread()
    edges = Edges(thread, lambda: None)
    edges.want(rules)
    thread.begin()
    edges.want(other)
    edges.want(rules, other)
    assert len(thread.waiting) == 2
