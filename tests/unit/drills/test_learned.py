"""What a learner knows: states of questions, the cost of mistakes, answers by day, the goal."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from upcard.answers.questions import QUESTIONS
from upcard.core.errors import NotationError
from upcard.drills.drill import DrillProgress
from upcard.drills.drill_run import DrillMemory, DrillRun, price_of, write_meaning
from upcard.drills.learned import (
    DayOfPlay,
    Known,
    LearningGoal,
    find_mastery,
    load_goal,
    read_goal,
    save_goal,
)
from upcard.drills.session_plan import READY
from upcard.drills.strategy_drills import StrategyDrill
from upcard.rules.model import Rules
from upcard.store import bankroll
from upcard.store.database import open_store
from upcard.strategy.chart import DEALER_LABELS

RULES = Rules.parse("INF")
TODAY = datetime.now(tz=UTC).astimezone().date()


@pytest.fixture
def store():
    with open_store() as found:
        yield found


@pytest.fixture(scope="module")
def drill():
    return StrategyDrill(RULES)


def answer(store, drill, item, *costs, day="2026-11-24"):
    """Save answers to an item; a cost of 0 is right."""

    def change(progress):
        for cost in costs:
            progress = progress.add(item, cost, repeat_after=4).on_day(day, cost)
        return progress

    DrillMemory(store).change("strategy", drill.about, change)


def test_without_an_answer_all_is_new_and_its_cost_a_guess(store, drill):
    found = find_mastery(store, RULES)
    assert set(found.states.values()) == {Known.NEW}
    assert found.shares[Known.NEW] == pytest.approx(1)
    assert found.cost == pytest.approx(found.cost_of_new)
    empty = DrillProgress(drill=drill.name, about=drill.about)
    assert found.cost == pytest.approx(price_of(drill, empty) / 100)
    assert found.days == {}


def test_right_answers_make_a_question_known_and_wrong_ones_weak(store, drill):
    answer(store, drill, "hard 16 v T", *[0] * 8)
    answer(store, drill, "hard 12 v 3", 0.1, 0.1, 0.1)
    answer(store, drill, "hard 12 v 2", 0, 0, 0.1, 0)
    found = find_mastery(store, RULES)
    known = {one: found.states[one] for one in ("hard 16 v T", "hard 12 v 3", "hard 12 v 2")}
    assert known == dict(zip(known, (Known.KNOWN, Known.WEAK, Known.LEARNING), strict=True))
    assert sum(found.shares.values()) == pytest.approx(1)
    assert found.days == {date(2026, 11, 24): DayOfPlay(15, 11, pytest.approx(0.4))}
    assert found.cost > found.cost_of_new


@pytest.mark.slow
def test_knowing_more_costs_less(store, drill):
    before = find_mastery(store, RULES).cost
    for item in drill.items():
        answer(store, drill, item.key, *[0] * 6)
    after = find_mastery(store, RULES)
    assert after.cost < 0.7 * before
    assert after.cost_of_new == 0


def test_answers_to_a_drill_are_counted_on_their_day(store, drill):
    run = DrillRun(drill, DrillMemory(store), seed=1)
    for _ in range(3):
        run.ask()
        run.answer(run.prompt.choices[0])
    (played,) = find_mastery(store, RULES).days.items()
    assert played == (TODAY, DayOfPlay(3, run.tally.right, pytest.approx(run.tally.cost)))


def test_days_survive_being_saved_and_progress_without_them_is_read(drill):
    progress = DrillProgress(drill=drill.name, about=drill.about).on_day("2026-11-25", 0.25)
    assert DrillProgress.from_json(progress.to_json()).days == {"2026-11-25": (1, 0, 0.25)}
    old = progress.to_json()
    del old["days"]
    assert DrillProgress.from_json(old).days == {}


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("0.1%", LearningGoal(0.001, None)),
        ("0.25 by 2099-12-24", LearningGoal(0.0025, date(2099, 12, 24))),
    ],
)
def test_a_goal_is_read_and_saved(store, text, goal):
    assert load_goal(store) is None
    assert read_goal(text) == goal
    save_goal(store, goal)
    assert load_goal(store) == goal


def test_a_day_of_the_week_is_the_next_one_or_today():
    days = {read_goal(f"0.1% by {TODAY + timedelta(days=n):%A}").by for n in range(7)}
    assert days == {TODAY + timedelta(days=n) for n in range(7)}
    assert read_goal(f"1% by {TODAY:%A}").days_left() == 0


@pytest.mark.parametrize(
    "text",
    ["", "soon", "0%", "-1%", "100%", "0.1% by someday", "0.1% by 2020-01-01", "nan by friday"],
)
def test_another_goal_is_refused(text):
    with pytest.raises(NotationError):
        read_goal(text)


def test_the_answer_has_the_map_the_days_and_the_goal(store, drill):
    answer(store, drill, "hard 16 v T", *[0] * 8)
    sheet = QUESTIONS["mastery"].ask(RULES, goal=LearningGoal(0.001, TODAY + timedelta(days=2)))
    rows = {row[0]: row for row in sheet.tables[0].rows}
    assert rows["16"][9] == "known"
    assert rows["16"][1] == "new"
    assert sheet.tables[1].rows == (("2026-11-24", 8, 1.0, 0.0),)
    assert "2 days left" in sheet.findings[-1]
    assert "Goal" in QUESTIONS["mastery"].ask(RULES).findings[-1]  # it was saved


def test_a_goal_is_saved_where_nothing_was_saved_before(drill):
    QUESTIONS["mastery"].ask(RULES, goal=LearningGoal(0.002, None))
    with open_store() as store:
        assert load_goal(store) == LearningGoal(0.002, None)


def test_the_map_of_a_house_that_shows_both_cards_has_their_columns(store):
    rules = Rules.parse("6D H17 D9 UP2 TALL BJW 1:1")
    maps = QUESTIONS["mastery"].ask(rules).tables
    columns = [one.name for table in maps[:2] for one in table.columns if one.name != "hand"]
    assert columns == list(DEALER_LABELS)
    first = {row[0]: row[1:] for row in maps[0].rows}
    assert first["16"] == ("new",) * 13


SPELLED = ("six-to-five", "6D H17 6:5")


def test_practice_of_equal_rules_is_one_however_they_are_written(store):
    """Saved by an earlier program, by the text of the rules; both rows are found and added up."""
    first, second = (Rules.parse(text) for text in SPELLED)
    assert first == second
    assert str(first) != str(second)
    days = (("2026-11-20", 0.5), ("2026-11-21", 0.0))
    for rules, (day, cost) in zip((first, second), days, strict=True):
        made = DrillProgress(drill="strategy", about=str(rules))
        for item in ("hard 16 v T", f"hard 12 v {3 if cost else 4}"):
            made = made.add(item, cost, repeat_after=5).on_day(day, cost)
        bankroll.save_object(store, "drill", f"strategy: {rules}", made.to_json())
    memory = DrillMemory(store)
    for rules in (first, second):
        found = memory.load("strategy", str(rules))
        assert found.about == str(rules)
        assert found.answers == 4
        assert set(found.records) == {"hard 16 v T", "hard 12 v 3", "hard 12 v 4"}
        both = found.record("hard 16 v T")
        assert (both.asked, both.errors, both.lost, both.last) == (2, 1, 0.5, 3)
        assert both.again_at is None  # the later answer was right
        assert dict(found.days) == {"2026-11-20": (2, 0, 1.0), "2026-11-21": (2, 2, 0.0)}

    def add_one(progress):
        return progress.add("hard 16 v T", 0.0, repeat_after=5)

    memory.change("strategy", str(second), add_one)
    for rules in (first, second):
        assert memory.load("strategy", str(rules)).answers == 5
    assert len(bankroll.list_objects(store, "drill")) == 1  # nothing is counted twice


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("six-to-five hi-lo i18", "6D H17 6:5 hi-lo i18"),
        ("six-to-five", "H17 6D 6:5"),
        ("6D", "6D S17"),
    ],
)
def test_the_subject_of_a_drill_is_known_by_its_meaning(one, other):
    assert write_meaning(one) == write_meaning(other)


@pytest.mark.parametrize("about", ["hi-lo 6D", "", "no rules at all", "six-to-five KO"])
def test_other_words_stay(about):
    assert write_meaning(about).endswith(about.split()[-1] if about else "")


def test_equal_rules_of_different_counts_are_apart():
    assert write_meaning("6D hi-lo i18") != write_meaning("6D zen i18")
    assert write_meaning("6D") != write_meaning("8D")


def test_a_session_is_found_by_the_meaning_of_its_rules(store):
    memory = DrillMemory(store)
    saved = {"seed": 7, "answers": []}
    bankroll.save_object(store, READY, "six-to-five hi-lo i18", saved)
    assert memory.load_session("6D H17 6:5 hi-lo i18") == (7, [])
