"""What the start screen asks: the finder, question by question, and the money of an edge."""

from __future__ import annotations

import pytest
from screen_driver import drive, press, settle, text_of, wait_for

from upcard.rules.model import Rules
from upcard.store.money import load_pace


@pytest.mark.slow
def test_the_game_that_is_found_is_taken_to_the_start_screen():
    seen = []

    async def script(pilot, app):
        await press(pilot, "f")
        seen.append(text_of(app))
        # Las Vegas, 8 decks, hits, 6:5, no surrender
        for steps in (4, 5, 2, 2, 2):
            await press(pilot, *["down"] * steps, "enter")
        await wait_for(pilot, lambda: "Your game is" in text_of(app))
        seen.append(text_of(app))
        await press(pilot, "enter")
        await settle(pilot)
        seen.append(app.screen.choice.rules)

    drive(script)
    assert "Place of the table" in seen[0]
    assert "not known" in seen[0]
    assert "six-to-five" in seen[1]
    assert seen[2] == Rules.parse("six-to-five 8D")


def test_escape_leaves_the_questions_and_changes_nothing():
    async def script(pilot, app):
        before = app.screen.choice
        await press(pilot, "f", "down", "enter", "escape")
        assert app.is_at_start
        assert app.screen.choice == before

    drive(script)


def test_the_money_of_every_edge_is_set_on_the_start_screen():
    seen = []

    async def script(pilot, app):
        await press(pilot, "m", "ctrl+u", *"0 70", "enter")
        seen.append(text_of(app))
        await press(pilot, "ctrl+u", *"25 80", "enter")
        await wait_for(pilot, lambda: "25 a hand" in text_of(app))

    drive(script)
    assert "write a number over 0" in seen[0]
    assert load_pace().bet == 25
