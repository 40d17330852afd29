"""What is asked next: what costs most, and what was just wrong."""

from __future__ import annotations

import json
import random
from datetime import date, timedelta

import pytest

from upcard.drills.drill import (
    HALF_LIFE,
    REPEAT_AFTER,
    DrillError,
    DrillProgress,
    Feedback,
    Item,
    Prompt,
    Record,
    Scheduler,
)
from upcard.drills.strategy_drills import StrategyDrill
from upcard.rules.model import Rules


class Sums:
    """A drill with items of our own; 'right' is right, all else costs the item's cost."""

    name = "sums"
    about = "nothing"

    def __init__(self, *items):
        self._items = items

    def items(self):
        return self._items

    def ask(self, item, rng):
        return Prompt(item=item)

    def check(self, prompt, answer):
        if answer == "?":
            raise DrillError(answer)
        item = next(one for one in self._items if one.key == prompt.item)
        is_right = answer == "right"
        return Feedback(
            is_right=is_right,
            answer=answer,
            right="right",
            cost=0.0 if is_right else item.cost,
            reason="",
        )


EVEN = tuple(Item(key=key, frequency=0.25, cost=0.1) for key in "abcd")


def begin(drill):
    """Start a drill without any answers."""
    return Scheduler(drill=drill, progress=DrillProgress(drill=drill.name, about=drill.about))


def answered(scheduler, prompt, answer):
    """Return the scheduler after an answer."""
    feedback = scheduler.drill.check(prompt, answer)
    cost = 0.0 if feedback.is_right else feedback.cost
    progress = scheduler.progress.add(prompt.item, cost, repeat_after=REPEAT_AFTER)
    return Scheduler(drill=scheduler.drill, progress=progress)


def count_picks(scheduler, rounds=4000):
    rng = random.Random(1)
    picks = [scheduler.pick(rng).item for _ in range(rounds)]
    return {key: picks.count(key) / rounds for key in sorted(set(picks))}


def test_weight_is_frequency_times_error_rate_times_cost():
    item = Item(key="a", frequency=0.25, cost=0.1, prior=0.4)
    scheduler = begin(Sums(item))
    assert scheduler.weight(item) == pytest.approx(0.25 * 0.4 * 0.1)


def test_costly_items_are_asked_more_often():
    items = (
        Item(key="cheap", frequency=0.5, cost=0.01),
        Item(key="dear", frequency=0.5, cost=0.09),
    )
    picks = count_picks(begin(Sums(*items)))
    assert picks["dear"] == pytest.approx(0.9, abs=0.03)


def test_errors_make_an_item_heavier_and_right_answers_lighter():
    scheduler = begin(Sums(*EVEN))
    for item, answer in (("a", "wrong"), ("b", "right")):
        scheduler = answered(scheduler, Prompt(item=item), answer)
    weights = scheduler.weights()
    assert list(weights) == ["a", "c", "d", "b"]
    assert weights["a"] > weights["c"] == weights["d"] > weights["b"]


def test_a_mistake_is_asked_again_soon():
    scheduler = begin(Sums(*EVEN))
    scheduler = answered(scheduler, Prompt(item="a"), "wrong")
    asked = []
    rng = random.Random(2)
    for _ in range(REPEAT_AFTER):
        prompt = scheduler.pick(rng)
        asked.append(prompt.item)
        scheduler = answered(scheduler, prompt, "right")
    assert asked[-1] == "a"
    assert scheduler.progress.record("a").again_at is None


def test_an_item_rests_after_an_answer():
    scheduler = begin(Sums(*EVEN))
    scheduler = answered(scheduler, Prompt(item="a"), "right")
    assert "a" not in count_picks(scheduler, 300)


def test_an_answer_that_is_none_changes_nothing():
    scheduler = begin(Sums(*EVEN))
    with pytest.raises(DrillError):
        answered(scheduler, Prompt(item="a"), "?")
    assert scheduler.progress.answers == 0


def test_old_answers_fade():
    record = Record().add(1, 0.1, repeat_after=4)
    fresh, old = record.error_rate(1), record.error_rate(1 + HALF_LIFE)
    assert fresh == pytest.approx((1 + 1) / 3)
    assert old == pytest.approx((0.5 + 1) / 2.5)
    assert record.error_rate(100 * HALF_LIFE) == pytest.approx(0.5)


def test_the_cost_is_that_of_the_errors_made():
    item = EVEN[0]
    scheduler = begin(Sums(*EVEN))
    dear = DrillProgress(drill="sums", about="nothing").add("a", 0.9, repeat_after=4)
    heavier = Scheduler(drill=scheduler.drill, progress=dear)
    rate = dear.record("a").error_rate(1)
    assert heavier.weight(item) == pytest.approx(0.25 * rate * (0.1 + 0.9) / 2)


def test_a_learner_who_errs_in_one_cell_gets_it_asked():
    """Of a real drill: whoever stands on 16 v 7 again and again is asked just that."""
    drill = StrategyDrill(Rules.parse("6D"), ["hard"])
    scheduler = begin(drill)
    rng = random.Random(4)
    asked = []
    for _ in range(60):
        prompt = scheduler.pick(rng)
        asked.append(prompt.item)
        right = next(c for c in prompt.choices if drill.check(prompt, c).is_right)
        answer = "stand" if prompt.item == "hard 12 v T" else right
        scheduler = answered(scheduler, prompt, answer)
    assert asked.count("hard 12 v T") > 10
    assert next(iter(scheduler.weights())) == "hard 12 v T"


def test_progress_goes_to_json_and_back():
    scheduler = begin(Sums(*EVEN))
    for item, answer in zip("abcab", ("wrong", "right", "wrong", "right", "x"), strict=True):
        scheduler = answered(scheduler, Prompt(item=item), answer)
    text = json.dumps(scheduler.progress.to_json())
    again = DrillProgress.from_json(text)
    assert again == scheduler.progress
    assert Scheduler(drill=scheduler.drill, progress=again).weights() == scheduler.weights()


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": "upcard drill progress", "format_version": 9}', "nonsense"],
)
def test_damaged_or_newer_progress_is_refused(text):
    with pytest.raises(DrillError, match="progress"):
        DrillProgress.from_json(text)


def test_progress_in_another_drill_is_refused():
    about = "other rules"
    with pytest.raises(DrillError, match=about):
        Scheduler(drill=Sums(*EVEN), progress=DrillProgress(drill="sums", about=about))


def test_what_was_missed_comes_back_tomorrow_then_in_three_days_then_no_more():
    day, later = date(2026, 11, 30), timedelta(days=1)
    record = Record().space(day, is_wrong=True)
    assert (record.due, record.is_due("2026-11-30"), record.is_due("2026-12-01")) == (
        "2026-12-01",
        False,
        True,
    )
    assert record.space(day, is_wrong=False) == record  # right again on the same day
    held = record.space(day + later, is_wrong=False)
    assert (held.due, held.held) == ("2026-12-04", 1)
    assert held.space(date(2026, 12, 6), is_wrong=False) == Record(held=2)
    assert held.space(date(2026, 12, 6), is_wrong=True).due == "2026-12-07"
    assert Record().space(day, is_wrong=False) == Record()


def test_the_day_comes_before_the_weights():
    due = begin(Sums(*EVEN)).progress.with_record("c", Record(asked=1, due="2026-12-01", last=-9))
    drill = Sums(*EVEN)
    for day, always in (("2026-12-01", True), ("2026-12-02", True), ("2026-11-30", False)):
        scheduler = Scheduler(drill=drill, progress=due, day=day)
        keys = {scheduler.pick(random.Random(seed)).item for seed in range(40)}
        assert (keys == {"c"}) == always


def test_progress_without_days_of_repetition_can_be_read():
    progress = begin(Sums(*EVEN)).progress.add("a", 0.1, repeat_after=4)
    saved = progress.to_json()
    for name in ("due", "held"):
        del saved["records"]["a"][name]
    assert DrillProgress.from_json(saved) == progress
    del saved["records"]["a"]["lost"]
    with pytest.raises(DrillError):
        DrillProgress.from_json(saved)
