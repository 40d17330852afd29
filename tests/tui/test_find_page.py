"""The finder on the screen: it asks its questions one by one, and takes the game that is found."""

from __future__ import annotations

from screen_driver import drive, press, settle, text_of, wait_for

from upcard.rules.model import Rules


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
