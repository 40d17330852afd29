"""The list of rounds marks mistakes, and reviews only those."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from screen_driver import drive, press, settle, text_of, wait_for

from upcard.rules.model import Rules
from upcard.session.coaching import TableCoach
from upcard.session.game_session import GameSession
from upcard.session.plan import TablePlan, title_of
from upcard.store.bankroll import buy_in
from upcard.store.database import open_store
from upcard.store.history import RoundSearch, read_rounds
from upcard.tui.app import ScreenOptions


def play_badly(path):
    """Play rounds by chance; return all of them and those with mistakes."""
    rng, rules = random.Random(5), Rules.parse("6D")
    with open_store(path) as store:
        buy_in(store, Fraction(1000))
        plan = TablePlan(rules=rules, title=title_of(rules))
        with GameSession.keep(store, plan, coach=TableCoach(rules)) as session:
            for _ in range(8):
                session.place(Fraction(1))
                while session.options:
                    asked = session.ask()
                    action = rng.choice(session.options)
                    session.judge(asked, session.coach.advise(asked), action)
                    session.act(action)
        numbers = [stored.id for stored in read_rounds(store)]
        return numbers, [
            stored.id for stored in read_rounds(store, RoundSearch(with_mistakes=True))
        ]


@pytest.mark.slow
def test_m_lists_only_the_rounds_with_mistakes_and_reviews_those(tmp_path):
    path = tmp_path / "upcard.db"
    numbers, wrong = play_badly(path)

    async def script(pilot, app):
        await press(pilot, "h")
        assert app.screen._listed == numbers[::-1]
        await press(pilot, "m")
        assert app.screen._listed == wrong[::-1]
        assert "with mistakes" in text_of(app)
        await press(pilot, "enter")
        await wait_for(pilot, lambda: getattr(app.screen, "replaying", None) is not None)
        await settle(pilot)
        assert f"Round {wrong[-1]} again" in text_of(app)
        assert "something else was better" in " ".join(text_of(app).split())
        assert len(app.screen._following) == len(wrong) - 1
        await press(pilot, "q", "M")
        assert app.screen._listed == numbers[::-1]

    drive(script, ScreenOptions(), path=path)
