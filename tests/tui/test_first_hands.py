"""The led first hands on the screen: from the primer, by their keys, left and resumed."""

from __future__ import annotations

import pytest
from screen_driver import drive, press, text_of

from upcard.tui.app import ScreenOptions


@pytest.mark.slow
def test_the_primer_leads_to_the_first_hands_which_are_left_and_resumed():
    seen = []

    async def script(pilot, app):
        await press(pilot, "b", "enter")
        seen.append(text_of(app))
        await press(pilot, "enter", "s")
        seen.append(text_of(app))
        await press(pilot, "h", "s", "q", "escape", "b", "enter")
        seen.append(text_of(app))

    drive(script)
    assert "Step 1 of 7: Bet" in seen[0]
    assert "Step 2 of 7: Hit" in seen[1]
    assert "Cannot stand" in seen[1]
    assert "Step 4 of 7: Bust" in seen[2]


def test_the_command_opens_them_and_the_coach_is_led_too():
    seen = []

    async def script(pilot, app):
        await press(pilot, "enter", "c")
        seen.append(text_of(app))

    drive(script, ScreenOptions(first_hands=True))
    assert "Step 2 of 7" in seen[0]
    assert "the steps say when the coach speaks" in seen[0]
