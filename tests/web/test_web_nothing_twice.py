"""Two tabs, repeated requests, restarts: nothing is played twice, and chips and store agree."""

import os
import random
import signal
import sqlite3
from contextlib import closing
from fractions import Fraction
from tempfile import mkdtemp

import httpx2
import pytest
from chromium import serve
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from table_client import TableClient, run_site

from upcard.store.bankroll import bankroll_of
from upcard.store.database import open_store

pytestmark = pytest.mark.slow


class Tabs(RuleBasedStateMachine):
    """One saved table in two tabs, each with the version that it saw last."""

    def __init__(self):
        super().__init__()
        self.path = f"{mkdtemp()}/upcard.db"
        self.open()
        first = TableClient(self.client, rules="INF", keep="saved", bet="1")
        self.tabs = [first, TableClient(self.client, first.path)]
        self.rounds = 0

    def open(self):
        self.store = open_store(self.path)
        self.running = run_site(store=self.store)
        self.client = self.running.__enter__()

    def teardown(self):
        self.running.__exit__(None, None, None)

    @property
    def saved(self):
        rounds = self.store.row("SELECT count(*) FROM rounds")[0]
        answers = self.store.row("SELECT actions FROM open_rounds")
        return rounds, answers

    def send(self, tab, move, **form):
        """Send a move; an old version must change nothing, a present one is made once."""
        player = self.tabs[tab]
        sent = player.view["version"]
        now = TableClient(self.client, player.path).view["version"]
        before = self.saved
        answer = player.post(move, **form)
        if sent != now:
            assert answer.status_code == 409
            assert self.saved == before
        again = player.post(move, **form)
        if answer.status_code == 200 and answer.json()["version"] != sent:
            assert again.status_code == 409
        player.view = again.json() if again.status_code == 409 else answer.json()
        if "session" not in player.view:
            player.look()

    @rule(tab=st.sampled_from([0, 1]), choice=st.integers(0, 9))
    def play(self, tab, choice):
        player = self.tabs[tab]
        if player.asked:
            options = list(player.asked)
            self.send(tab, "act", do=options[choice % len(options)])
        elif player.view["between"]["shortage"]:
            self.send(tab, "chips")
        else:
            self.send(tab, "bet", bet="1")

    @rule(tab=st.sampled_from([0, 1]))
    def look(self, tab):
        self.tabs[tab].look()

    @rule(tab=st.sampled_from([0, 1]), hands=st.integers(1, 3))
    def change_hands(self, tab, hands):
        self.send(tab, "hands", hands=str(hands))

    @rule()
    def restart(self):
        # No precondition: the shuffle is secret, so Hypothesis may not choose rules by the cards.
        if not (self.tabs[0].look() and self.tabs[0].asked):
            return
        before = self.tabs[0].view
        self.running.__exit__(None, None, None)
        self.open()
        for tab in self.tabs:
            tab.client = self.client
        resumed = TableClient(self.client, self.tabs[0].path)
        assert resumed.view["version"] == before["version"]
        for name in ("dealer", "hands", "asked", "balance", "on_table"):
            assert resumed.session[name] == before["session"][name]

    @invariant()
    def chips_are_those_of_the_store(self):
        shown = TableClient(self.client, self.tabs[0].path).session
        total = Fraction(shown["balance"]) + Fraction(shown["on_table"])
        assert total == bankroll_of(self.store)


TestTabs = Tabs.TestCase
TestTabs.settings = settings(max_examples=12, stateful_step_count=25, deadline=None)


@pytest.mark.parametrize("seed", range(2))
def test_a_server_that_is_killed_after_any_step_shows_the_same_hand_again(seed, tmp_path):
    rng = random.Random(f"kill {seed}")
    path, steps, before = "", 0, None
    while steps < 12:
        with serve(tmp_path, "--port", "0") as (link, server):
            origin, _, key = link.partition("/open?key=")
            headers = {"Authorization": f"Bearer {key}"}
            with httpx2.Client(base_url=origin, headers=headers) as client:
                if path:
                    player = TableClient(client, path)
                    for name in ("dealer", "hands", "asked", "balance"):
                        assert player.session[name] == before["session"][name]
                    assert player.view["version"] == before["version"]
                else:
                    player = TableClient(client, keep="saved", bet="1")
                player.play(rng)
                steps += 1
                before, path = player.view, player.path if player.asked else ""
                lost = player.post("act", v=before["version"] - 1, do="stand")
                assert lost.status_code == 409
                os.kill(server.pid, signal.SIGKILL)
                server.wait()
    with closing(sqlite3.connect(tmp_path / "upcard.db")) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
