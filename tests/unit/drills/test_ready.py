"""A session as in a casino: the plan is right, errors have their price, and it can be resumed."""

from __future__ import annotations

import copy
import dataclasses
import math
import random
import re
from fractions import Fraction

import pytest

from upcard.analysis.figures import risk_of_ruin
from upcard.answers.drill_question import write_question
from upcard.answers.drill_report import report_drill
from upcard.coach.adviser import advise_opening
from upcard.core.actions import Action
from upcard.core.errors import BlackjackError
from upcard.core.fields import FieldClashError
from upcard.drills.catalogue import DrillOptions
from upcard.drills.drill import DrillError
from upcard.drills.drill_run import DrillMemory, DrillSetup
from upcard.drills.ready import Session
from upcard.drills.ready_report import report_ready
from upcard.drills.session_plan import ROUNDS, Asked, name_session
from upcard.drills.trainer import DrillStep, DrillTrainer
from upcard.exact.solve import expected_value
from upcard.rules.model import Rules
from upcard.store.database import open_in_memory
from upcard.strategy.count_system import load_system
from upcard.strategy.deviations import load_deviations
from upcard.strategy.ramp import parse_ramp

OPTIONS = DrillOptions(rules=Rules.parse("6D LS"), ramp="1-12", bankroll="20000")


@pytest.fixture(scope="module")
def drill():
    return OPTIONS.make("ready")


@pytest.fixture
def memory():
    store = open_in_memory()
    yield DrillMemory(store)
    store.close()


def begin(drill, seed=7):
    return Session(drill, seed)


def play(session, choose):
    """Play a session to its end; `choose` gets it and returns an answer."""
    while not session.is_over:
        session.answer(choose(session))
    return report_ready(session)


def choose_badly(session):
    """Answer at random, but in one unit."""
    prompt = session.prompt()
    rng = random.Random(f"{session.rounds} {len(session.judgements)}")
    return rng.choice(prompt.choices) if prompt.choices else "1"


@pytest.mark.slow
def test_who_plays_without_an_error_is_ready_and_loses_nothing(drill):
    report = play(begin(drill), lambda session: session.best)
    assert (report.rounds, report.errors_per_hour, report.errors_error) == (ROUNDS, 0, 0)
    assert report.net_per_hour == report.win_per_hour > 0
    assert report.is_ready
    assert report.why == "You are ready at a bankroll of 20,000."
    assert report.practise == ()
    assert [part.wrong + part.close + part.late for part in report.parts] == [0] * 5
    assert {part.asked for part in report.parts} == set(Asked) - {Asked.TALK}
    betting = drill.betting
    bank = risk_of_ruin(ev=betting.ev, variance=betting.variance, bankroll=2000.0)
    assert report.risk_of_ruin == report.risk_without_errors == bank
    assert report.win_per_hour == pytest.approx(betting.ev * 10 * 100)


@pytest.mark.slow
def test_a_careless_player_is_not_ready_and_learns_what_it_costs(drill):
    session = begin(drill)
    report = play(session, choose_badly)
    assert not report.is_ready
    assert report.why.endswith("your errors cost more than the plan wins.")
    lost = math.fsum(one.cost for one in session.judgements)
    assert report.errors_per_hour == pytest.approx(lost / ROUNDS * 1000)
    by_part = math.fsum(part.cost_per_hour for part in report.parts)
    assert by_part == pytest.approx(report.errors_per_hour)
    assert report.risk_of_ruin == 1 > report.risk_without_errors
    assert report.practise[0] == "running count: upcard train running-count"
    assert report.lines[-1] == report.why


def test_a_small_bank_is_not_enough_even_for_the_plan():
    options = dataclasses.replace(OPTIONS, bankroll="1000")
    report = play(begin(options.make("ready")), lambda session: session.best)
    assert "even without an error the risk of ruin is" in report.why


def test_a_play_costs_its_ev_at_the_bet(drill):
    """At the first hand of a fresh shoe the price is nearly the coach's, times the bet."""
    costs = []
    for bet in ("1", "3"):
        session = begin(drill, seed=2)
        session.answer(bet)
        prompt, best = session.prompt(), Action(session.best)
        wrong = Action(next(one for one in prompt.choices if one != best))
        advice = advise_opening(drill.rules, prompt.cards, prompt.upcard)
        session.answer(str(wrong))
        costs.append(session.judgements[-1].cost)
    assert costs[0] == pytest.approx(advice.costs[wrong] - advice.costs[best], abs=0.01)
    assert 0.05 < costs[0] == pytest.approx(costs[1] / 3)


def test_the_plan_wins_what_the_exact_solver_and_the_ramp_say(drill):
    """One unit at every count is the exact value of the chart, but for the index plays."""
    exact = expected_value(drill.rules, strategy=drill.strategy)
    assert exact < drill.game.flat_ev < exact + 0.003
    rows = drill.game.rows
    seen = sum(row.seen for row in rows)
    ev = math.fsum(float(drill.ramp.bet(row.count)) * row.ev * row.seen for row in rows) / seen
    assert drill.betting.ev == pytest.approx(ev)


def test_a_bet_costs_certainty_equivalent(drill):
    price = drill.price_bet
    assert price(5, Fraction(12), Fraction(12)) == 0
    assert price(5, Fraction(1), Fraction(12)) > price(5, Fraction(6), Fraction(12)) > 0
    assert price(-4, Fraction(12), Fraction(1)) > 0
    assert price(3, Fraction(400), Fraction(8)) > 0  # a good count, and far too much


def test_an_estimate_half_a_deck_off_makes_a_close_call(drill):
    """A bet by the count of half a deck more or less costs nothing."""
    session = begin(drill)
    found = 0
    while not session.is_over:
        prompt, player = session.prompt(), session.player
        if prompt.item == Asked.BET:
            near = {drill.ramp.bet(count) for count in player.near_bet_counts()}
            other = sorted(near - {player.next_bet()})
            if other:
                running, left = player.betting, player.cards_left
                counts = {drill.system.convert(running, left + off) for off in (-26, 26)}
                assert near <= {drill.ramp.bet(count) for count in counts} | {player.next_bet()}
                feedback = session.answer(str(other[0]))
                assert (feedback.grade, feedback.cost) == ("close", 0)
                found += 1
                continue
        session.answer(session.best)
    report = report_ready(session)
    assert found > 3
    assert next(part for part in report.parts if part.asked == "bet").close == found
    assert report.is_ready


def test_the_dealer_talks_after_every_round_with_numbers_near_the_count(memory, drill):
    talking = copy.copy(drill)
    talking.talks, talking.about = True, f"{drill.about} talk"
    assert talking.about == dataclasses.replace(OPTIONS, talk="yes").about("ready")
    session, talks = begin(talking), 0
    while session.rounds < 30:
        prompt = session.prompt()
        if prompt.item == Asked.TALK:
            numbers = list(map(int, re.findall(r"\d+", prompt.words)))
            running, (right,) = abs(session.player.running), prompt.right
            assert any(abs(number - running) <= 9 for number in numbers)
            assert right in {numbers[0] + numbers[1], numbers[-2] + numbers[-1]}
            assert write_question(prompt, drill.rules) == prompt.words
            talks += 1
        feedback = session.answer("1000" if prompt.item == Asked.TALK else session.best)
        session.save(feedback, memory)
    again = begin(talking, seed=1)
    again.resume(memory)
    assert again.judgements == session.judgements
    report = report_ready(session)
    first = report.parts[0]
    assert (first.asked, first.wrong, report.errors_per_hour) == ("talk", talks, 0)
    assert talks == 29


@pytest.fixture
def sit_down(memory, drill, monkeypatch):
    """Return how one sits down: with a drill that is prepared already."""
    monkeypatch.setattr(DrillOptions, "make", lambda *_: drill)

    def begin_at_trainer(seed):
        setup = DrillSetup(options=OPTIONS, memory=memory, seed=seed)
        return DrillTrainer("ready", setup, goes_on_at_once=False)

    return begin_at_trainer


def test_a_session_left_is_resumed_where_it_was(sit_down):
    trainer = sit_down(1)
    for _ in range(60):
        trainer.answer(choose_badly(trainer.run.hand))
        assert trainer.step is DrillStep.ASKING
        assert trainer.verdict is None
    trainer.end()
    first = report_drill(trainer).ready
    again = sit_down(2)
    assert again.run.hand.judgements == trainer.run.hand.judgements
    assert again.prompt == trainer.run.hand.prompt()
    assert again.run.hand.player.running == trainer.run.hand.player.running
    assert report_drill(again).ready == first
    trainer.run.ask()
    again.answer(again.run.hand.best)
    with pytest.raises(DrillError, match="another terminal"):
        trainer.run.answer(trainer.run.hand.best)


def test_every_part_of_a_plan_makes_it_another_session():
    """A session is saved under its name, and resumed by it."""
    rules, system = Rules.parse("6D LS"), load_system("hi-lo")
    plan = {"rules": rules, "system": system, "deviations": load_deviations("i18", system)}
    plan |= {"ramp": parse_ramp("1-12", system, decks=6), "talks": False}
    others = {
        "rules": [Rules.parse("6D"), Rules.parse("2D LS")],
        "system": [load_system("ko"), load_system("hi-opt-1")],
        "deviations": [load_deviations("fab4", system), load_deviations("i18+fab4", system)],
        "ramp": [parse_ramp(text, system, decks=6) for text in ("1-8", "2-12")],
        "talks": [True],
    }
    changed = [plan | {part: one} for part, every in others.items() for one in every]
    names = [
        name_session(*map(one.get, ("rules", "system", "deviations", "ramp")), talks=one["talks"])
        for one in (plan, *changed)
    ]
    assert len(set(names)) == len(names)


@pytest.mark.slow
def test_a_whole_session_ends_with_its_report_and_the_next_one_is_new(sit_down):
    trainer = sit_down(1)
    while trainer.step is DrillStep.ASKING:
        trainer.answer(trainer.run.hand.best)
    assert trainer.step is DrillStep.JUDGED
    trainer.go_on()
    report = report_drill(trainer)
    assert report.ready.is_ready
    assert report.lines[1:-1] == report.ready.lines
    assert report.mistakes == ()
    assert sit_down(2).run.hand.rounds == 0


@pytest.mark.parametrize(
    ("rules", "options", "words"),
    [
        ("INF", {}, "INF"),
        ("6D CSM", {}, "shuffled before every round"),
        ("6D", {"ramp": "0:0 2:4"}, "every round needs a bet"),
        ("6D", {"system": "ko"}, "indices"),
        ("6D", {"mistakes": "ever"}, "asks what comes"),
    ],
)
def test_what_no_session_can_be_is_refused_by_name(rules, options, words):
    found = DrillOptions(rules=Rules.parse(rules), **options)
    assert words in (found.why_not("ready") or "")


def test_a_bankroll_is_an_amount():
    with pytest.raises(BlackjackError, match="bankroll 'much'"):
        DrillOptions(rules=Rules.parse("6D"), bankroll="much")
    with pytest.raises(FieldClashError, match="questions 5"):
        OPTIONS.check("ready", questions=5)


def test_no_answer_is_read_that_is_not_one(drill):
    session = begin(drill)
    for text in ("0", "-1", "stand", "99999"):
        with pytest.raises(DrillError):
            session.answer(text)
    session.answer("1")
    with pytest.raises(DrillError):
        session.answer("1")
    assert Action(session.best)
