"""The menu of the drills, its options, and where answers are kept."""

from __future__ import annotations

import json
import subprocess
import sys
import threading

import pytest
from textual.widgets import Input
from train_driving import drive, in_memory, opened

from upcard.answers.drill_report import NOT_BEGUN, find_prices, list_standings
from upcard.drills.catalogue import CATALOGUE, DRILL_NAMES, MISTAKE_PERIODS, OPTIONS, DrillOptions
from upcard.drills.drill import DrillError, DrillProgress, Record, Scheduler
from upcard.drills.drill_run import DrillMemory, DrillRun, price_of
from upcard.rules.model import Rules
from upcard.store.bankroll import save_object
from upcard.store.database import open_store
from upcard.store.files import StoreError
from upcard.tui.app import ScreenOptions, UpcardApp
from upcard.tui.pages import AnyKeyPage
from upcard.tui.train.menu import DrillMenu, OptionsPage

ABOUT_6D = "6D S17 PEEK DOA DAS SP4 NRSA LS 3:2"


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
def test_every_drill_is_there_with_what_it_is(size):
    async def scene():
        async with opened(None, size=size) as driver:
            shown = driver.text
            await driver.press("up")  # the last ones may be below the screen
            shown += driver.text
            for number, name in enumerate(DRILL_NAMES, start=1):
                assert f"{number}  {name}" in shown
                assert CATALOGUE[name].about in shown
            assert NOT_BEGUN in shown
            assert dict(driver.screen.setup.options.summary())["count"] in driver.text
            assert "i18+fab4" in driver.text

    drive(scene)


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("number", range(1, 9))
def test_a_number_opens_a_drill_and_leaving_it_tells_how_it_went(number):
    async def scene():
        async with opened(None) as driver:
            await driver.press(str(number))
            assert driver.screen.drill_name == DRILL_NAMES[number - 1]
            assert driver.screen.trainer.run.prompt is not None
            await driver.press("q")
            assert isinstance(driver.screen, AnyKeyPage)
            assert NOT_BEGUN in driver.words
            await driver.press("x")
            assert isinstance(driver.screen, DrillMenu)

    drive(scene)


def test_m_drills_only_mistakes_and_says_so_when_there_are_none():
    async def scene():
        async with opened(None) as driver:
            assert "only mistakes" in driver.text
            await driver.press("m")
            assert MISTAKE_PERIODS["ever"] in driver.words
            await driver.press("1")
            assert isinstance(driver.screen, AnyKeyPage)
            await driver.press("x", "M")
            assert MISTAKE_PERIODS["ever"] not in driver.words

    drive(scene)


@pytest.mark.slow
def test_arrows_enter_and_clicks_choose():
    async def scene():
        async with opened(None) as driver:
            await driver.press("down", "down", "up", "up", "up", "enter")
            assert driver.screen.drill_name == DRILL_NAMES[-1]
            await driver.press("q", "x")
            await driver.pilot.click("#drill-5")
            await driver.calm()
            assert driver.screen.drill_name == "true count"
            await driver.press("q", "x", "question_mark")
            assert isinstance(driver.screen, AnyKeyPage)
            await driver.press("x", "q")
            assert not driver.app.is_running

    drive(scene)


def test_how_far_one_is_and_what_mistakes_cost():
    memory = in_memory()
    options = DrillOptions(rules=Rules.parse("6D LS"))
    run = DrillRun(options.make("strategy"), memory, seed=1)
    for _ in range(10):
        run.ask()
        run.answer("stand" if "stand" in run.prompt.choices else run.prompt.choices[0])
    price = price_of(run.drill, run.progress)

    async def scene():
        async with opened(None, memory=memory) as driver:
            wrong = run.tally.asked - run.tally.right
            assert wrong == 10 - list_standings(options, memory)[0].right
            found = find_prices(options, memory, ["strategy"])
            row = list_standings(options, memory, found)[0]
            assert row.price.value == pytest.approx(price)
            assert f"{row.text}; {row.price.text}" in driver.words
            assert driver.text.count(NOT_BEGUN) >= 6

    drive(scene)


def test_the_price_is_the_weight_of_all_that_is_asked():
    """Classes asked alone cost together what they cost all at once."""
    memory = in_memory()
    rules = Rules.parse("6D LS")
    whole = DrillOptions(rules=rules).make("strategy")
    run = DrillRun(whole, memory, seed=1)
    for _ in range(20):
        run.ask()
        run.answer(run.prompt.choices[0])
    parts = [
        price_of(DrillOptions(rules=rules, classes=name).make("strategy"), run.progress)
        for name in ("hard", "soft", "pair", "surrender")
    ]
    assert price_of(whole, run.progress) == pytest.approx(sum(parts))
    weights = Scheduler(drill=whole, progress=run.progress).weights()
    assert price_of(whole, run.progress) == pytest.approx(100 * whole.share * sum(weights.values()))
    assert whole.share == pytest.approx(1, abs=0.02)
    countdown = DrillOptions(rules=rules).make("countdown")
    nothing = DrillProgress(drill=countdown.name, about=countdown.about)
    assert price_of(countdown, nothing) is None


@pytest.mark.slow
def test_options_are_changed_on_a_page():
    async def scene():
        async with opened(None) as driver:
            await driver.press("o")
            assert isinstance(driver.screen, OptionsPage)
            assert [one.id for one in driver.screen.query(Input)] == ["rules", *OPTIONS]
            field = driver.screen.query_one("#rules")
            field.value = "2D H17"
            driver.screen.query_one("#system").value = "zen"
            await driver.press("enter")
            assert "rules 2D H17" in driver.words
            changed = driver.screen.setup.options
            assert dict(changed.summary())["count"] in driver.words
            standing = list_standings(changed, driver.screen.setup.memory)[2]
            assert " ".join(standing.why_not.split()[:5]) in driver.words
            await driver.press("3")
            assert isinstance(driver.screen, AnyKeyPage)
            await driver.press("x", "5")
            assert driver.screen.trainer.run.drill.about == "zen 2D"

    drive(scene)


@pytest.mark.slow
def test_a_fault_in_the_options_is_told_and_changes_nothing():
    async def scene():
        async with opened(None) as driver:
            await driver.press("o")
            for name, text, fault in [
                ("rules", "6D FOO", "FOO"),
                ("group", "4", "from 1 to 3"),
                ("group", "two", "'two': write a whole number from 1 to 3"),
                ("classes", "hard,big", "No class of hands is called 'big'"),
            ]:
                field = driver.screen.query_one(f"#{name}")
                before, field.value = field.value, text
                await driver.press("enter")
                assert fault in driver.words
                field.value = before
            await driver.press("escape")
            assert f"rules {ABOUT_6D}" in driver.words

    drive(scene)


@pytest.mark.slow
def test_an_infinite_deck_has_no_drills_of_counting():
    async def scene():
        async with opened(None, rules="INF") as driver:
            options, memory = driver.screen.setup.options, driver.screen.setup.memory
            shut = [one.why_not for one in list_standings(options, memory) if one.why_not]
            assert len(shut) == 8
            assert all(why.split(":")[0] in driver.words for why in shut[:6])
            await driver.press("4")
            assert isinstance(driver.screen, AnyKeyPage)

    drive(scene)


@pytest.mark.slow
def test_what_a_drill_is_about_is_known_before_it_is_made():
    options = DrillOptions(rules=Rules.parse("2D LS"), group=2, classes="soft")
    for name in DRILL_NAMES:
        assert options.make(name).about == options.about(name)


@pytest.mark.slow
def test_no_solver_is_loaded_before_the_menu_is_seen():
    code = (
        "import sys; sys.path.insert(0, 'tests/tui/train')\n"
        "from train_driving import drive, opened\n"
        "async def scene():\n"
        "    async with opened(None) as driver:\n"
        "        print('numba' in sys.modules, 'numpy' in sys.modules)\n"
        "drive(scene)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_terminals_side_by_side_lose_no_answer(tmp_path):
    """Each has the file open by itself, as another process would."""
    path, each = tmp_path / "upcard.db", 25
    options = DrillOptions(rules=Rules.parse("6D"))
    faults = []
    open_store(path).close()

    def practise(seed):
        try:
            with open_store(path) as store:
                run = DrillRun(options.make("bet"), DrillMemory(store), seed=seed)
                for _ in range(each):
                    run.ask()
                    run.answer("1")
        except Exception as error:
            faults.append(error)
            raise

    threads = [threading.Thread(target=practise, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    with open_store(path) as store:
        progress = DrillMemory(store).load("bet", options.about("bet"))
    assert progress.answers == 3 * each
    assert sum(record.asked for record in progress.records.values()) == 3 * each


RECORD = {name: getattr(Record(), name) for name in Record.__slots__}


@pytest.mark.parametrize(
    "kept",
    [
        {"format": "upcard drill progress"},
        {"records": {"bet 1": {"right": 1.0}}},
        {"records": {"bet 1": RECORD | {"best_seconds": "fast"}}},
        {"format_version": 1},
        {"answers": "many"},
    ],
)
def test_what_cannot_be_read_is_refused_and_left(tmp_path, kept):
    with open_store(tmp_path / "upcard.db") as store:
        memory = DrillMemory(store)
        drill = DrillOptions(rules=Rules.parse("6D")).make("bet")
        run = DrillRun(drill, memory, seed=1)
        run.ask()
        run.answer("1")
        whole = json.loads(store.row("SELECT value FROM objects WHERE kind = 'drill'")[0])
        broken = kept if "format" in kept else whole | kept
        save_object(store, "drill", f"bet: {drill.about}", broken)
        with pytest.raises(DrillError, match=drill.about):
            memory.load("bet", drill.about)
        assert json.loads(store.row("SELECT value FROM objects WHERE kind = 'drill'")[0]) == broken


def test_a_store_for_practice_is_closed_with_the_program():
    app = UpcardApp(ScreenOptions(), None)
    store = app._practice
    app.close()
    with pytest.raises(StoreError, match="closed"):
        store.rows("SELECT 1")
