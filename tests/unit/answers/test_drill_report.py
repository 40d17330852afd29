"""Sentences of the drills: questions, verdicts, times, hands, standings and reports."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import pytest

from upcard.answers.drill_question import answer_drill, write_seconds
from upcard.answers.drill_report import (
    find_begun,
    find_prices,
    judge_answer,
    list_expected,
    list_standings,
    report_drill,
    score_drill,
    write_feedback,
    write_standing,
    write_total,
)
from upcard.drills.catalogue import DRILL_NAMES, DrillOptions
from upcard.drills.counting_drills import CountdownPrompt, CountingKind
from upcard.drills.drill import DrillProgress, Feedback, Item, Record, Scheduler
from upcard.drills.strategy_drills import HandDrill
from upcard.drills.trainer import Answered, DrillStep
from upcard.rules.model import Rules
from upcard.store.records import today

SIX = Rules.parse("6D")
COUNT = {"unit": "counts off", "reason": ""}
COUNTDOWN = CountdownPrompt(
    item="countdown 1", system="hi-lo", start=Fraction(-4), right=(Fraction(-1),)
)
EV = {"reason": "", "answer": "hit", "right": "stand"}


@pytest.mark.parametrize(
    ("feedback", "sentence"),
    [
        ({"is_right": True, "answer": "-2", "right": "-2", "cost": 0.0} | COUNT, "−2 is right."),
        (
            {"is_right": False, "answer": "3", "right": "2.5 or 2", "cost": 0.5} | COUNT,
            "2.5 or 2, not 3: 0.5 counts off.",
        ),
        (
            {"is_right": False, "answer": "-3", "right": "-4", "cost": 1.0} | COUNT,
            "−4, not −3: 1 count off.",
        ),
        ({"is_right": False, "cost": 0.12} | EV, "Stand, not hit: a blunder, 0.12 of a bet."),
        ({"is_right": False, "cost": 0.00001} | EV, "Stand, not hit: a slip, next to nothing."),
        ({"is_right": False, "cost": 0.0} | EV, "Stand, not hit: a slip, next to nothing."),
    ],
)
def test_a_verdict_says_what_was_right_and_what_the_answer_cost(feedback, sentence):
    assert write_feedback(Feedback(**feedback)) == sentence


@pytest.mark.parametrize(
    ("write", "text"),
    [
        (lambda: write_total(1, "decks off"), "1 deck off"),
        (lambda: write_total(2.5, "units off"), "2.5 units off"),
        (lambda: write_total(0.01234, "EV"), "0.0123 bets, 0.12 at 10 a hand"),
        (lambda: write_seconds(59.94), "59.9 s"),
        (lambda: write_seconds(90), "1 min 30 s"),
    ],
)
def test_costs_and_times_have_their_units(write, text):
    assert write() == text


@pytest.mark.parametrize(
    ("seconds", "best", "is_best", "after"),
    [
        (None, 9.0, False, ""),
        (30.0, None, False, "It took 30.0 s."),
        (30.0, None, True, "It took 30.0 s: your best."),
        (30.0, 40.0, True, "It took 30.0 s: your best."),
        (40.0, 25.5, False, "It took 40.0 s; your best is 25.5 s."),
    ],
)
def test_a_time_is_compared_with_the_best(seconds, best, is_best, after):
    answered = Answered(
        prompt=COUNTDOWN,
        feedback=Feedback(is_right=True, answer="1", right="1", cost=0.0, **COUNT),
        seconds=seconds,
        best_seconds=best,
        is_best=is_best,
        hand=None,
        is_hand_over=False,
    )
    verdict = judge_answer(answered, SIX)
    assert (verdict.after, verdict.question) == (after, "Hi-lo: count 0 cards of one deck from −4")
    assert (verdict.answers, verdict.hand, verdict.seconds) == ((), None, seconds)


def test_a_hand_goes_on_or_ends_with_its_mistakes(begin):
    trainer = begin("hands", classes="hard")
    texts = []
    while trainer.step is DrillStep.ASKING:
        played = trainer.run.hand
        worst = min(played.advice().ev, key=played.advice().ev.get)
        verdict = judge_answer(trainer.answer(str(worst)), Rules.parse("INF"))
        texts.append((verdict.after, verdict.hand))
        if not answer_drill(trainer).is_over:
            trainer.go_on()
    *others, (last, end) = texts
    sentence = "The hand continues."
    assert all(one == (sentence, None) for one in others)
    assert last == end.text
    net = end.net
    result = "even" if not net else f"{'won' if net > 0 else 'lost'} {abs(float(net)):g} bet"
    assert end.text.startswith(f"The hand is over: {result}")
    assert f" for {end.cost:.4f} of a bet." in end.text
    assert (end.outcomes, end.dealer) == (
        tuple(str(one) for one, _ in played.state.results),
        played.state.shown_dealer_cards,
    )


def test_a_question_of_surrender_does_not_read_as_advice(memory):
    """Fault 28: `Comes most often: surrender 12 v T`."""

    class Run:
        name = about = "x"
        is_session = False
        progress = DrillProgress(drill="x", about="x")

        def items(self):
            names = {"surrender 12 v T": "12 v T: surrender?", "hard 12 v T": "", "bet -1": ""}
            return tuple(
                Item(key=key, name=name, frequency=0.005, cost=0.1, prior=0.1)
                for key, name in names.items()
            )

        def scheduler(self):
            return Scheduler(drill=self, progress=self.progress)

        @property
        def drill(self):
            return self

    names = [one.name for one in list_expected(Run(), 3)]
    assert names == ["12 v T: surrender?", "hard 12 v T", "bet −1"]
    assert {one.text for one in list_expected(Run(), 3)} == {"0.5% × 10% × 0.1"}
    assert len(list_expected(Run(), 2)) == 2


def test_standings_and_prices_say_how_far_one_is(memory, begin):
    options = DrillOptions(rules=Rules.parse("INF"))
    first = {one.name: one for one in list_standings(options, memory)}
    assert list(first) == list(DRILL_NAMES)
    shut = {"deviations", "side bet count", "ready", *CountingKind}
    assert {name for name, one in first.items() if one.why_not} == shut
    assert all(one.why_not.endswith(".") for one in first.values() if one.why_not)
    assert {one.text for one in first.values()} == {"not started", ""}
    assert find_begun(options, memory) == []
    trainer = begin("strategy")
    choices = {one: trainer.run.drill.check(trainer.prompt, one) for one in trainer.prompt.choices}
    trainer.answer(next(one for one, feedback in choices.items() if not feedback.is_right))
    prices = find_prices(options, memory, find_begun(options, memory))
    now = list_standings(options, memory)[0]
    text = "1 answer, 100% wrong"
    assert (now.asked, now.right, now.text, now.has_price, now.price) == (1, 0, text, True, None)
    priced = list_standings(options, memory, prices)[0]
    unit = "bets lost in 100 hands"
    assert priced.price.text == f"{priced.price.value:.2f} {unit}"


def test_a_report_says_how_it_went(begin):
    trainer = begin("bet", "1D", questions=2)
    right = str(trainer.prompt.right[0])
    assert report_drill(trainer).lines[1:] == REPORTS["nothing"]
    assert judge_answer(trainer.answer(right), SIX).is_right
    trainer.go_on()
    wrong = str(trainer.prompt.right[0] + 1)
    verdict = judge_answer(trainer.answer(wrong), SIX)
    score, report = score_drill(trainer), report_drill(trainer)
    assert (score.ending, score.text, score.wrong) == ENDED
    assert (report.asked, report.right, report.share, report.cost) == (2, 1, "50%", 1.0)
    assert report.mistakes == (verdict,)
    assert [line for line in report.lines if line in REPORTS["wrong"]] == list(REPORTS["wrong"])
    titles = ["Question", "Right", "Streak", "Cost", "Answers ever"]
    assert [one.title for one in report.figures] == titles
    assert [one.text for one in report.figures] == FIGURES


ENDED = ("That was the last one.", "1 right, 1 mistake", "1 mistake")
FIGURES = ["2 of 2", "1 of 2 (50%)", "0, best 1", "1 unit off", "2, 50% wrong"]
REPORTS = {
    "nothing": ("Nothing was answered this time.", "In all: not started."),
    "wrong": (
        "2 answers, 1 right (50%), the longest streak 1.",
        "0.0 s.",
        "Wrong answers cost 1 unit off: 1 mistake.",
        "In all: 2 answers, 50% wrong.",
    ),
}


def test_time_that_is_up_ends_it(begin):
    clock = [0.0]
    trainer = begin("bet", "1D", minutes=1, clock=lambda: clock[0])
    clock[0] = 61.0
    trainer.answer("1")
    score, sentence = score_drill(trainer), "The time is up."
    assert (score.ending, score.seconds) == (sentence, 61.0)
    assert {one.title: one.text for one in score.figures}["Time"] == "0.0 s left"
    assert {one.title: one.text for one in score.figures}["Pace"] == "1 a minute"


def test_a_hand_is_named_with_its_total():
    drill = HandDrill(Rules.parse("INF"), ["pair"])
    prompt = drill.ask("pair 88 v T", random.Random(1))
    feedback = drill.check(prompt, "stand")
    answered = Answered(
        prompt=prompt,
        feedback=feedback,
        seconds=None,
        best_seconds=None,
        is_best=False,
        hand=None,
        is_hand_over=False,
    )
    verdict = judge_answer(answered, Rules.parse("INF"))
    name = "8 8 (hard 16) against 10"
    assert (verdict.question, verdict.item) == (name, "pair 88 v T")
    assert verdict.names_hand
    assert verdict.text.startswith("You stood on 8,8 v 10.")
    assert verdict.answers[0].action == verdict.right
    assert verdict.values.startswith(f"{verdict.right} {verdict.answers[0].short}, ")
    assert verdict.cost == pytest.approx(
        next(one.cost for one in verdict.answers if one.action == "stand")
    )


def test_the_clock_of_a_drill_stops_when_it_ends(begin):
    """A report that was read again said another time."""
    clock = [0.0]
    trainer = begin("bet", "1D", clock=lambda: clock[0])
    trainer.answer("1")
    clock[0] = 30.0
    trainer.end()
    lines = report_drill(trainer).lines
    clock[0] = 90.0
    assert report_drill(trainer).lines == lines
    assert trainer.run.seconds == 30.0


def test_a_standing_counts_what_comes_back_today():
    records = {
        "a": Record(asked=2, errors=1, due=today().isoformat()),
        "b": Record(asked=2, due=(today() + timedelta(days=1)).isoformat()),
    }
    standing = DrillProgress(drill="strategy", about="6D", records=records)
    assert write_standing(standing) == "4 answers, 25% wrong, 1 to repeat today"
    assert write_standing(replace(standing, drill="ready")) == "4 answers, 25% wrong"
