"""Keys that all drills have in common."""

from __future__ import annotations

import pytest
from train_driving import drive, opened

from upcard.drills.trainer import DrillStep


@pytest.mark.parametrize("drill", [None, "strategy", "countdown", "true count"])
def test_a_key_that_means_nothing_says_so(drill):  # F8
    async def scene():
        async with opened(drill) as driver:
            await driver.press("f5")
            assert driver.part("notice").startswith("F5 ")
            await driver.press("down" if drill is None else "ctrl+g")
            assert "F5 " not in driver.words

    drive(scene)


def test_capital_letters_answer_and_leave():  # F7
    async def scene():
        async with opened("strategy") as driver:
            await driver.press("A")
            assert "pause: always" not in driver.part("foot")
            await driver.press("S")
            assert driver.screen.step is DrillStep.JUDGED
            await driver.press("Q")
            assert not driver.app.is_running

    drive(scene)
