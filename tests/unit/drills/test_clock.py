"""The clock of a question: late is a class of its own, and the time shortens while one holds."""

from __future__ import annotations

import pytest

from upcard.answers.drill_report import judge_answer, report_drill
from upcard.drills.catalogue import DrillOptions
from upcard.drills.drill import REPEAT_AFTER
from upcard.drills.drill_run import DrillMemory, DrillSetup
from upcard.drills.trainer import DrillTrainer
from upcard.rules.model import Rules
from upcard.store.database import open_in_memory


class Clock:
    """A clock that stands still until it is set."""

    now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def sit_down():
    """Return how a drill is begun, with its clock; stores are closed at the end."""
    stores = []

    def begin(name, **options):
        stores.append(open_in_memory())
        rules = Rules.parse("INF" if name == "hands" else "1D")
        time = Clock()
        setup = DrillSetup(
            options=DrillOptions(rules=rules, **options),
            memory=DrillMemory(stores[-1]),
            seed=1,
            clock=time,
        )
        return DrillTrainer(name, setup, goes_on_at_once=False), time

    yield begin
    for store in stores:
        store.close()


def answer(trainer, time, *, after, is_right=True):
    """Answer a number after some seconds, and continue."""
    trainer.start_clock()
    time.now += after
    (right, *_) = trainer.prompt.right
    found = trainer.answer(str(right if is_right else right + 9)).feedback
    trainer.go_on()
    return found


def test_a_late_answer_is_neither_right_nor_wrong_and_comes_again(sit_down):
    trainer, time = sit_down("bet", clock="5")
    item = trainer.prompt.item
    trainer.start_clock()
    time.now += 4
    trainer.start_clock()
    assert trainer.seconds_left == 1
    time.now += 1
    answered = trainer.answer("anything")
    verdict = judge_answer(answered, trainer.setup.options.rules)
    assert (verdict.grade, verdict.cost, verdict.cost_text) == ("late", 0, "")
    assert verdict.text == f"Late: {answered.feedback.right} was the answer."
    record = trainer.run.progress.record(item)
    assert (record.asked, record.errors, record.again_at) == (0, 0, REPEAT_AFTER)
    assert trainer.run.progress.days == {}
    trainer.go_on()
    answer(trainer, time, after=4, is_right=False)
    report = report_drill(trainer)
    assert report.grades == {"late": 1, "mistake": 1}
    assert report.text == "0 right, 1 late, 1 mistake"
    assert [one.grade for one in report.mistakes] == ["mistake"]
    assert "2 answers, 0 right (0%), 1 late, the longest streak 0." in report.lines


def test_the_best_answer_is_played_in_a_hand_when_the_time_is_up(sit_down):
    trainer, time = sit_down("hands", clock="3", classes="hard")
    best = trainer.run.hand.advice().best
    trainer.start_clock()
    time.now += 3
    answered = trainer.answer("")
    assert answered.feedback.right == str(best)
    assert [one.chosen for one in trainer.run.hand.judgements] == [best]
    assert trainer.run.hand.cost == 0


def test_without_a_clock_nothing_is_late(sit_down):
    trainer, time = sit_down("bet")
    assert trainer.limit is None
    assert answer(trainer, time, after=10_000).is_right
    trainer.start_clock()
    assert trainer.seconds_left is None


def test_a_rising_clock_gives_less_time_while_one_holds(sit_down):
    trainer, time = sit_down("bet", clock="rising")
    limits = []
    for number in range(50):
        limits.append(trainer.limit)
        answer(trainer, time, after=1, is_right=number % 10 < (8 if number < 30 else 5))
    assert limits == [8] * 10 + [5] * 10 + [3] * 20 + [5] * 10


@pytest.mark.parametrize("sound", [False, True])
def test_with_sound_a_bell_rings_for_late_and_wrong_answers(sit_down, sound):
    trainer, time = sit_down("bet", clock="5", sound=sound)
    rung = []
    for after, is_right in ((1, True), (1, False), (6, True)):
        answer(trainer, time, after=after, is_right=is_right)
        rung.append(trainer.rings(trainer.answered[-1]))
    assert rung == [False, sound, sound]
