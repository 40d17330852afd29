"""Drills of one key an answer: what is asked, what a key does, and what is said."""

from __future__ import annotations

import re
import threading

import pytest
from marks import slow_except
from train_driving import Clock, drive, in_memory, opened

from upcard.analysis.grades import grade_of
from upcard.answers.drill_question import answer_drill, write_seconds
from upcard.answers.drill_report import PREPARING, list_expected, score_drill
from upcard.charts.palette import THEME_NAMES
from upcard.coach.adviser import advise_opening
from upcard.core.actions import Action
from upcard.drills.catalogue import CATALOGUE, DrillOptions
from upcard.drills.drill_run import DrillEnding
from upcard.drills.trainer import DrillStep
from upcard.rules.model import Rules
from upcard.session.table_view import KEYS
from upcard.tui.appearance import Appearance
from upcard.tui.pages import AnyKeyPage
from upcard.tui.train.screen import ProgressPanel


def advise(driver):
    return advise_opening(Rules.parse("6D LS"), driver.prompt.cards, driver.prompt.upcard)


def read_whole(at):
    """Read the count from words such as `hi-lo −2`."""
    return int(at.split()[-1].replace("−", "-"))


def best_key(driver):
    return KEYS[advise(driver).best]


def wrong_key(driver):
    """The key of the dearest mistake."""
    costs = advise(driver).costs
    return KEYS[max(costs, key=costs.get)]


@pytest.mark.slow
def test_a_right_answer_brings_the_next_question_at_once():
    async def scene():
        async with opened("strategy") as driver:
            for asked in range(1, 8):
                before = driver.prompt
                await driver.press(best_key(driver))
                assert driver.run.tally.asked == driver.run.tally.right == asked
                assert driver.screen.step is DrillStep.ASKING
                assert driver.prompt is not before
                assert driver.part("verdict") == driver.verdict.text

    drive(scene)


@pytest.mark.slow
def test_the_panel_counts_the_next_question_at_once(monkeypatch):
    monkeypatch.setattr(ProgressPanel, "set_interval", lambda *_: None)  # not by the second

    async def scene():
        async with opened("strategy", size=(140, 45)) as driver:
            await driver.press(best_key(driver))
            assert re.search(r"question +2\b", driver.text)
            await driver.press(wrong_key(driver), "enter")
            assert re.search(r"question +3\b", driver.text)

    drive(scene)


def test_a_mistake_stays_with_its_cost_its_reason_and_all_values():
    async def scene():
        async with opened("strategy") as driver:
            advice = advise(driver)
            key = wrong_key(driver)
            await driver.press(key)
            chosen = next(action for action in advice.ev if KEYS[action] == key)
            assert driver.screen.step is DrillStep.JUDGED
            verdict = driver.verdict
            assert (verdict.answer, verdict.right) == (chosen, advice.best)
            assert verdict.grade == grade_of(advice.costs[chosen])
            assert driver.part("verdict") == verdict.text
            assert driver.part("reason") == verdict.reason
            values = driver.part("values")
            assert [one.action for one in verdict.answers] == sorted(
                advice.ev, key=advice.costs.get
            )
            for one in verdict.answers:
                assert f"{one.action} {one.short}" in values
                assert one.ev == pytest.approx(advice.ev[one.action])
            assert driver.run.tally.cost == pytest.approx(advice.costs[chosen])
            await driver.press("x")
            assert driver.screen.step is DrillStep.ASKING
            assert driver.run.questions == 2
            assert not driver.screen.query_one("#drill-verdict").display

    drive(scene)


def test_a_tall_screen_has_a_line_for_each_value_and_marks_the_answer():
    async def scene():
        async with opened("strategy", size=(140, 45)) as driver:
            choices = driver.prompt.choices
            await driver.press(wrong_key(driver))
            lines = driver.part("values").splitlines()
            assert sorted(line.split()[0] for line in lines[1:]) == sorted(choices)
            chosen = driver.verdict.answer
            assert [line.split()[0] for line in lines if line.endswith("your answer")] == [chosen]

    drive(scene)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
@pytest.mark.parametrize("drill", ["strategy", "deviations", "hands"])
def test_nothing_is_cut_off(drill, size):
    async def scene():
        async with opened(drill, size=size) as driver:
            for _ in range(8):
                await driver.press(KEYS[Action(driver.prompt.choices[-1])])
                stage = driver.screen.query_one("#drill-stage")
                assert stage.max_scroll_y == 0, driver.text
                if driver.screen.step is DrillStep.JUDGED:
                    await driver.press("space")

    drive(scene)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("p", "P: cannot split .*: it is not a pair\\."),
        ("n", "N: it declines an offer, and nothing is offered here\\."),
        ("i", "I: cannot take insurance .*: insurance is not being offered\\."),
        ("x", "X is not an answer here: H hit, S stand, D double, R surrender\\."),
    ],
)
def test_a_key_that_is_no_answer_says_why(key, said):
    async def scene():
        async with opened("strategy", classes="hard") as driver:
            before = driver.prompt
            await driver.press(key)
            assert re.fullmatch(said, driver.part("notice"))
            assert (driver.prompt, driver.run.tally.asked) == (before, 0)
            await driver.press(best_key(driver))
            assert not driver.screen.query_one("#drill-notice").display

    drive(scene)


def test_the_foot_has_the_legal_answers_and_can_be_clicked():
    async def scene():
        async with opened("strategy", classes="pair") as driver:
            for choice in driver.prompt.choices:
                assert f"{KEYS[Action(choice)].upper()}  {choice}" in driver.part("foot")
            best = str(advise(driver).best)
            await driver.click("foot", best)
            assert (driver.run.tally.asked, driver.run.tally.right) == (1, 1)

    drive(scene)


def test_an_offer_is_answered_by_its_own_keys():
    """In the house lott a split is an offer by itself: P takes it, N declines."""

    async def scene():
        async with opened("strategy", rules="lott", classes="pair") as driver:
            assert driver.prompt.choices in (("split", "no split"), ("surrender", "no surrender"))
            assert "offered" in driver.part("ask")
            await driver.press("h")
            assert "H: cannot hit" in driver.part("notice")
            await driver.press("n")
            assert driver.run.tally.asked == 1

    drive(scene)


def test_it_can_stop_after_right_answers_too():
    async def scene():
        async with opened("strategy") as driver:
            await driver.press("a", best_key(driver))
            assert driver.screen.step is DrillStep.JUDGED
            assert "pause: always" in driver.part("foot")
            await driver.press("space", "a")
            await driver.press(best_key(driver))
            assert driver.screen.step is DrillStep.ASKING

    drive(scene)


@pytest.mark.slow
def test_every_answer_is_kept_before_the_next_question():
    memory = in_memory()

    async def scene():
        async with opened("strategy", memory=memory) as driver:
            for asked in range(1, 6):
                await driver.press(wrong_key(driver))
                kept = memory.load("strategy", driver.run.drill.about)
                assert kept.answers == asked
                assert kept == driver.run.progress
                await driver.press("space")

    drive(scene)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("key", ["q", "escape", "ctrl+c", "ctrl+q"])
def test_leaving_gives_the_summary(key):
    async def scene():
        async with opened("strategy") as driver:
            await driver.press(best_key(driver), key)
            return driver.app.ended

    ended = drive(scene)
    assert ended.fault is None
    assert len(ended.summary) == 6


def test_keys_wait_while_it_is_prepared_and_one_can_leave(monkeypatch):
    free = threading.Event()
    make = DrillOptions.make

    def make_slowly(self, name):
        free.wait(20)
        return make(self, name)

    monkeypatch.setattr(DrillOptions, "make", make_slowly)

    async def stay():
        async with opened("strategy", calm=False) as driver:
            await driver.pilot.press("h", "s")
            assert driver.screen.step is DrillStep.PREPARING
            assert driver.part("notice") == PREPARING
            free.set()
            await driver.calm()
            assert driver.screen.step is DrillStep.ASKING
            assert driver.run.tally.asked == 0

    async def leave():
        free.clear()
        async with opened("strategy", calm=False) as driver:
            await driver.pilot.press("q")
            await driver.pilot.pause()
            ended = driver.app.ended
            free.set()
            return ended

    drive(stay)
    assert drive(leave).summary == ()


def test_a_drill_that_cannot_be_ends_with_the_reason():
    async def scene():
        async with opened("strategy", rules="6D", classes="surrender") as driver:
            return driver.app.ended

    fault = drive(scene).fault
    assert (fault.count("surrender"), fault.count("6D")) == (1, 1)


def test_it_ends_after_so_many_questions():
    async def scene():
        async with opened("strategy", questions=2) as driver:
            await driver.press(best_key(driver))
            assert driver.screen.step is DrillStep.ASKING
            await driver.press(best_key(driver))
            assert driver.part("notice") == score_drill(driver.screen.trainer).ending != ""
            await driver.press("space")
            assert driver.app.ended is not None
            return driver.app.ended

    assert len(drive(scene).summary) == 6


def test_it_ends_with_the_answer_due_when_the_time_is_up():
    clock = Clock()

    async def scene():
        async with opened("strategy", minutes=2, clock=clock) as driver:
            assert f"{write_seconds(120)} left" in driver.words
            await driver.press(best_key(driver))
            clock.now += 121
            await driver.press(best_key(driver))
            assert driver.screen.trainer.ending is DrillEnding.TIME
            assert driver.part("notice") == score_drill(driver.screen.trainer).ending
            assert driver.run.per_minute == pytest.approx(120 / 121)
            await driver.press("space")
            return driver.app.ended

    assert any(line.startswith(write_seconds(121)) for line in drive(scene).summary)


def test_the_panel_says_why_what_comes_comes():
    """Share of the questions = weight of all weights; weight = frequency x error rate x cost."""

    async def scene():
        async with opened("strategy", size=(140, 45)) as driver:
            await driver.press(wrong_key(driver))
            item = driver.run.last_item
            expected = list_expected(driver.run, 5)
            assert expected[0].item == item
            assert expected[0].is_due
            for one in expected:
                assert {one.name in driver.words, one.share_text in driver.words} == {True}
                assert one.text in driver.words

    drive(scene)


def test_help_opens_and_any_key_closes_it():
    async def scene():
        async with opened("strategy") as driver:
            await driver.press("question_mark")
            assert isinstance(driver.screen, AnyKeyPage)
            assert CATALOGUE["strategy"].explanation.partition(".")[0] in driver.words
            await driver.press("h")
            assert not isinstance(driver.screen, AnyKeyPage)
            assert driver.run.tally.asked == 0

    drive(scene)


@pytest.mark.slow
def test_a_deviation_shows_its_count_and_is_judged_by_its_index():
    async def scene():
        async with opened("deviations") as driver:
            for _ in range(6):
                prompt, drill = driver.prompt, driver.run.drill
                at = answer_drill(driver.screen.trainer).at
                assert (at in driver.part("ask"), prompt.count) == (True, read_whole(at))
                right = drill.check(prompt, prompt.choices[0]).right
                await driver.press(KEYS[Action(right)])
            assert driver.run.tally.right == 6

    drive(scene)


def test_a_hand_that_the_house_pays_by_its_suits_is_asked_without_suits():
    import random

    from upcard.drills.hand_prompts import dress_prompt
    from upcard.drills.strategy_drills import StrategyDrill

    rules, rng = Rules.parse("spanish-21"), random.Random(5)
    drill = StrategyDrill(rules)
    bare = set()
    for item in drill.items():
        cards, dealer = dress_prompt(drill.ask(item.key, rng), rules)
        assert all(card.suit for card in dealer)
        if not all(card.suit for card in cards):
            bare.add(tuple(sorted(card.rank for card in cards)))
            assert not any(card.suit for card in cards)
    assert bare == {(6, 7), (6, 8), (7, 8), (7, 7)}


def test_cards_are_dressed_the_same_way_every_time_and_none_twice_in_a_deck():
    import random

    from upcard.drills.hand_prompts import dress_prompt
    from upcard.drills.strategy_drills import StrategyDrill

    rules = Rules.parse("1D")
    drill = StrategyDrill(rules)
    rng = random.Random(5)
    for item in drill.items():
        prompt = drill.ask(item.key, rng)
        cards, dealer = dress_prompt(prompt, rules)
        assert (cards, dealer) == dress_prompt(prompt, rules)
        shown = [*cards, *dealer]
        assert len(set(shown)) == 3
        assert [card.rank for card in shown] == [
            card.rank for card in (*prompt.cards, prompt.upcard)
        ]


@pytest.mark.parametrize("theme", slow_except(THEME_NAMES[:1], THEME_NAMES))
def test_every_theme_draws_it(theme):
    async def scene():
        async with opened("strategy", look=Appearance(theme=theme)) as driver:
            await driver.press(wrong_key(driver))
            assert driver.app.theme == theme
            assert driver.part("verdict") == driver.verdict.text

    drive(scene)


@pytest.mark.parametrize("sound", [False, True])
def test_with_sound_the_bell_rings_where_an_answer_is_wrong(monkeypatch, sound):
    async def scene():
        async with opened("bet", sound=sound) as driver:
            rung = []
            monkeypatch.setattr(driver.app, "bell", lambda: rung.append(1))
            await driver.press("9", "9", "9", "enter")
            return rung

    assert drive(scene) == [1] * sound
