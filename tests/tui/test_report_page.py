"""Leaving a table shows how the session went, and its mistakes can be reviewed from there."""

from __future__ import annotations

from fractions import Fraction

import pytest
from screen_driver import drive, flat, plan_for, press, settle, wait_for

from upcard.tui.app import ScreenOptions
from upcard.tui.pages import ReportPage

# 12 v 5 doubled, then 20 v 9 stood on, then 16 v 10 hit and 20 stood on.
CARDS = "T 5 2 T 3 T  T 9 T 8  T T 6 8 4"
KEYS = ("enter", "d", "enter", "s", "enter", "h", "s")


def leave(script, *, keys=KEYS):
    async def run(pilot, app):
        await press(pilot, *keys)
        await settle(pilot)
        await press(pilot, "q")
        await script(pilot, app)

    opening = ScreenOptions(plan=plan_for("6D"), cards=CARDS, chips=Fraction(100), coach="silent")
    return drive(run, opening)


@pytest.mark.slow
def test_leaving_shows_accuracy_cost_and_the_worst_hands():
    async def script(pilot, app):
        assert isinstance(app.screen, ReportPage)
        text = flat(app)
        assert "3 rounds, net " in text
        assert "3 of 4 decisions right (75%); 1 blunder cost 0.21 of a bet, 2.14 chips." in text
        assert "You doubled 12 v 5. Stand was better" in text
        assert "R reviews your mistakes" in text

    leave(script)


@pytest.mark.slow
def test_one_key_passes_the_report():
    async def script(pilot, app):
        await press(pilot, "escape")
        await wait_for(pilot, lambda: app.farewell and not app.is_running)

    app = leave(script)
    assert "after 3 rounds" in app.farewell[0]


def test_a_table_left_before_a_round_has_no_report():
    async def script(pilot, app):
        await wait_for(pilot, lambda: not app.is_running)

    leave(script, keys=())


@pytest.mark.slow
def test_r_reviews_the_mistakes_and_asks_them_again_first():
    async def script(pilot, app):
        await press(pilot, "r")
        await wait_for(pilot, lambda: getattr(app.screen, "replaying", None) is not None)
        await settle(pilot)
        assert "You chose double, and something else was better. Your move?" in flat(app)
        assert "★" not in flat(app)
        await press(pilot, "d")
        assert "That is what you did." in flat(app)
        await press(pilot, "h")
        assert "Hit costs 0.025 of a bet." in flat(app)
        await press(pilot, "s")
        assert "Stand is right." in flat(app)
        assert "★stand" in flat(app)
        await press(pilot, "m")
        assert "That was the last mistake." in flat(app)
        await press(pilot, "q")
        assert isinstance(app.screen, ReportPage)

    leave(script)


@pytest.mark.slow
def test_the_review_goes_on_to_the_mistakes_of_later_rounds():
    async def script(pilot, app):
        await press(pilot, "r")
        await wait_for(pilot, lambda: getattr(app.screen, "replaying", None) is not None)
        await settle(pilot)
        await press(pilot, "space")
        assert "Stand was better: a blunder, 0.21 of a bet, 2.14 chips." in flat(app)
        await press(pilot, "m")
        await wait_for(pilot, lambda: app.screen.replaying is not None)
        await settle(pilot)
        assert "You chose stand, and something else was better." in flat(app)

    leave(script, keys=("enter", "d", "enter", "s", "enter", "s"))
