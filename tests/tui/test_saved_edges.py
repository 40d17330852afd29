"""An edge that is saved is on the first frame; another one is computed in the background."""

import pytest

from upcard.cache.exact import expected_value
from upcard.rules.model import Rules
from upcard.tui.background import Edges


class Thread:
    """A background that does its work when asked to."""

    def __init__(self):
        self.jobs = []

    def submit(self, work, done):
        self.jobs.append((work, done))
        return self

    def cancel(self):
        self.jobs.pop()

    def run(self):
        work, done = self.jobs.pop()
        done(work())


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
    assert len(thread.jobs) == is_off
    edges.want(other)
    assert len(thread.jobs) == 1
    thread.run()
    assert edges.find(other) is not None
    if not is_off:
        assert edges.find(rules).ev == ev
    assert drawn == [True]
