"""Drills answered by a number: what is typed, the tray, and cards shown one after another."""

from __future__ import annotations

import pytest
from train_driving import Clock, drive, in_memory, opened

from upcard.answers.drill_question import answer_drill, write_question
from upcard.drills.trainer import DrillStep
from upcard.rules.model import Rules
from upcard.strategy.count_system import RunningCount, load_system
from upcard.tui.appearance import Appearance
from upcard.tui.train.questions import WIDTH, choose_rows, draw_tray

NAMES = {"-": "minus", ".": "full_stop", "/": "slash", "+": "plus"}


def keys(number):
    return [NAMES.get(letter, letter) for letter in str(number)]


def right(driver):
    return driver.prompt.right[0]


async def turn_all(driver):
    while driver.screen.trainer.place is not None:
        await driver.press("space")


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("drill", ["true count", "bet", "deck estimation"])
def test_numbers_are_typed_and_entered(drill):
    async def scene():
        async with opened(drill) as driver:
            for asked in range(1, 4):
                await driver.press(*keys(right(driver)), "enter")
                assert (driver.run.tally.asked, driver.run.tally.right) == (asked, asked)
            wrong = right(driver) + 2
            await driver.press(*keys(wrong), "enter")
            assert driver.screen.step is DrillStep.JUDGED
            assert driver.part("verdict") == driver.verdict.text
            await driver.press("space")
            assert driver.screen.step is DrillStep.ASKING

    drive(scene)


@pytest.mark.slow
def test_what_is_typed_is_seen_and_taken_back():
    async def scene():
        async with opened("true count") as driver:
            await driver.press("minus", "1", "2", "backspace", "comma", "5")
            assert "-1.5" in driver.part("entry")
            await driver.press("x")
            assert "'x'" in driver.part("notice")
            await driver.press(*["9"] * 9)
            assert "Backspace" in driver.part("notice")
            assert driver.screen.typed == "-1.59999"
            await driver.press(*["backspace"] * 10, "enter")
            assert "Enter answers" in driver.part("notice")
            await driver.press("minus", "minus", "enter")
            assert "'--'" in driver.part("notice")
            assert driver.run.tally.asked == 0

    drive(scene)


def test_digits_can_be_clicked():
    async def scene():
        async with opened("bet") as driver:
            await driver.click("pad", " 1 ")
            await driver.click("pad", " 0 ")
            await driver.click("pad", " . ")
            assert driver.screen.typed == "10."
            await driver.click("foot", "takes")
            assert driver.screen.typed == "10"
            await driver.click("foot", "answers")
            assert driver.run.tally.asked == 1

    drive(scene)


@pytest.mark.parametrize("decks", ["1D", "2D", "6D", "8D", "6D48"])
@pytest.mark.parametrize("rows", [8, 12, 24])
def test_the_tray_is_as_high_as_its_cards(decks, rows):
    """Full lines and one of eighths: the height is right to a sixteenth of a line.

    F25: the lines were ruled, about half a deck each, and the deck had half the tray's width.
    """
    look, shoe = Appearance(), Rules.parse(decks).full_shoe
    for discards in range(0, shoe.size + 1, 5):
        lines = draw_tray(discards, shoe, look, rows=rows)
        assert len(lines) == rows + 1
        fills = [line.plain[1] for line in lines[:-1]]
        height = sum(" ▁▂▃▄▅▆▇█".index(one) for one in fills)
        assert height / 8 == pytest.approx(discards / shoe.size * rows, abs=1 / 16 + 1e-9)
        deck = [line.plain[WIDTH + 8] for line in lines[:-1]]
        high = sum(" ▁▂▃▄▅▆▇█".index(one) for one in deck)
        assert high / 8 == pytest.approx(rows / shoe.decks, abs=1 / 16 + 1e-9)


def test_the_deck_beside_the_tray_is_as_wide_as_the_tray():
    """F25."""
    for look in (Appearance(), Appearance(ascii_only=True)):
        bottom = draw_tray(300, Rules.parse("6D").full_shoe, look, rows=11)[-2].plain
        tray, deck = bottom[1 : WIDTH + 1], bottom[-WIDTH:]
        assert len(set(tray)) == len(set(deck)) == 1
        assert tray == deck


def test_lines_are_no_measure_of_decks():
    """F25: the scale changes from pile to pile, so that lines cannot be counted for decks."""
    scales = {choose_rows(discards, 12) for discards in range(26, 280, 7)}
    assert scales == {8, 9, 10, 11, 12}
    assert choose_rows(130, 8) == 8


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("group", [3, 2, 1])
def test_a_countdown_shows_every_group_in_turn(group):
    async def scene():
        async with opened("countdown", group=group, system="ko") as driver:
            prompt = driver.prompt
            assert {len(one) for one in prompt.groups[:-1]} == {group}
            shown = []
            await driver.press("space")
            while driver.screen.trainer.place is not None:
                shown.append(prompt.groups[driver.screen.trainer.place])
                assert f"{len(shown)} of {len(prompt.groups)}" in driver.part("entry")
                await driver.press("space")
            assert tuple(shown) == prompt.groups
            count = RunningCount(load_system("ko"), 1)
            for card in prompt.cards:
                count.see(card)
            await driver.press(*keys(count.running), "enter")
            assert driver.run.tally.right == 1

    drive(scene)


@pytest.mark.slow
def test_the_time_taken_and_the_best_are_told_and_kept():
    clock, memory = Clock(), in_memory()

    async def scene():
        async with opened("countdown", group=3, clock=clock, memory=memory) as driver:
            for seconds, best in [(30, None), (25.5, 30), (40, 25.5)]:
                clock.now += 1000  # before the first card no time is taken
                await driver.press("space")
                await turn_all(driver)
                clock.now += seconds
                await driver.press(*keys(right(driver)), "enter")
                answered = driver.screen.trainer.answered[-1]
                assert (answered.seconds, answered.best_seconds) == (seconds, best)
                assert answered.is_best == (best is None or seconds < best)
                assert driver.verdict.after in driver.part("reason")
            await driver.press("space")
            await turn_all(driver)
            clock.now += 1
            await driver.press(*keys(right(driver) + 1), "enter")
            assert driver.screen.trainer.answered[-1].best_seconds == 25.5

    drive(scene)
    progress = memory.load("countdown", "hi-lo 6D")
    assert progress.record("countdown 3").best_seconds == 25.5


@pytest.mark.slow
def test_a_timer_turns_the_cards_and_its_pace_can_be_changed():
    async def scene():
        async with opened("countdown", group=3) as driver:
            await driver.press("t")
            assert "1.0 s" in driver.part("entry")
            await driver.press(*["plus"] * 20)
            assert "0.2 s" in driver.part("entry")
            assert driver.screen.trainer.place == -1
            await driver.press("space")
            at = driver.screen.trainer.place
            for _ in range(200):
                if driver.screen.trainer.place != at:
                    break
                await driver.pilot.pause(0.05)
            assert driver.screen.trainer.place != at
            await driver.press("t")
            assert "Space turns" in driver.part("entry")
            stopped = driver.screen.trainer.place
            await driver.pilot.pause(0.5)
            assert driver.screen.trainer.place == stopped
            await driver.press("minus")
            assert "0.3 s" in driver.part("entry")
            await driver.press("x")
            assert "'x'" in driver.part("notice")

    drive(scene)


def test_a_running_count_goes_on_from_the_count_told():
    async def scene():
        async with opened("running count", rules="2D") as driver:
            prompt = driver.prompt
            assert driver.part("ask").endswith(answer_drill(driver.screen.trainer).text[1:])
            assert prompt.groups
            await driver.press("enter")
            await turn_all(driver)
            await driver.press(*keys(right(driver)), "enter")
            assert driver.run.tally.right == 1
            assert driver.part("reason").endswith(driver.verdict.after)
            assert driver.screen.trainer.answered[-1].best_seconds is None

    drive(scene)


def test_true_counts_can_be_answered_from_what_is_shown():
    """Two decimals of the decks left lead to the same answer as the cards themselves."""
    import math
    import random
    import re
    from fractions import Fraction

    from upcard.drills.catalogue import make_drill

    system = load_system("hi-lo")
    rules = Rules.parse("6D")
    drill = make_drill("true count", rules, system=system)
    rng = random.Random(4)
    for item in drill.items():
        for _ in range(40):
            prompt = drill.ask(item.key, rng)
            shown = Fraction(re.search(r"\(([\d.]+) decks\)", write_question(prompt, rules))[1])
            assert math.floor(prompt.running / shown) == prompt.right[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "drill", ["strategy", "hands", "deviations", "countdown", "true count", "deck estimation", None]
)
def test_ascii_is_seven_bits(drill):
    async def scene():
        async with opened(drill, look=Appearance(ascii_only=True), rules="6D LS") as driver:
            texts = [driver.text]
            for key in ("question_mark", "space", "space", "d", "1", "enter", "q"):
                await driver.press(key)
                texts.append(driver.text)
            return texts

    for text in drive(scene):
        assert text.isascii(), [one for one in text if not one.isascii()]


def test_the_screen_counts_down_and_closes_a_late_question():
    async def scene():
        clock = Clock()
        async with opened("bet", limit="5", clock=clock) as driver:
            clock.now += 2.5
            driver.screen._watch_clock()
            assert driver.part("top").startswith("bet  3 s  ")
            await driver.press("1")
            clock.now += 2.5
            driver.screen._watch_clock()
            await driver.calm()
            assert driver.screen.step is DrillStep.JUDGED
            assert driver.verdict.grade == "late"
            assert driver.part("verdict") == driver.verdict.text
            await driver.press("space")
            assert driver.screen.typed == ""
            assert driver.screen.trainer.seconds_left == 5

    drive(scene)
