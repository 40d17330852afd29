"""The questions of a round in the coach's queue: asked, judged, and cancelled."""

from __future__ import annotations

import threading
from fractions import Fraction

import pytest

from upcard import Action, Rules
from upcard.coach import adviser
from upcard.core.errors import NoExactValueError
from upcard.players.seen_cards import Knowledge
from upcard.session.coaching import CoachQueue, TableCoach, Worker
from upcard.session.game_session import GameSession
from upcard.session.plan import TablePlan
from upcard.table.shoe import ScriptedShoe

RULES = Rules.parse("6D")
COACH = adviser.Coach


def open_session(cards: str, *, has_coach: bool = True) -> GameSession:
    plan = TablePlan(rules=RULES, title="T")
    coach = TableCoach(RULES) if has_coach else None
    shoe = ScriptedShoe(cards)
    session = GameSession.practise(plan, chips=Fraction(100), shoe=shoe, coach=coach)
    session.place(Fraction(10))
    return session


def test_an_answer_is_judged_once_its_advice_is_in():
    session = open_session("T T 6 7 4 5 9")
    queue = CoachQueue(session)
    queue.ask()
    session.act(Action.STAND)
    queue.note(Action.STAND)
    (verdict,) = queue.judge()
    assert (verdict.is_mistake, verdict.situation) == (True, "hard 16 v T")
    assert verdict.text.startswith("You stood on 16 v 10. Hit was better: a slip, 0.0063")
    assert queue.verdicts == [verdict]
    assert not queue.is_thinking
    assert queue.judge() == []


def test_the_coach_is_heard_in_the_worker_and_collected_in_the_game():
    session, heard = open_session("T T 6 7 4 5 9"), threading.Event()
    queue = CoachQueue(session, heard=heard.set)
    queue.ask()
    assert heard.wait(60)
    assert queue.advice is None
    assert queue.is_thinking
    queue.collect()
    assert queue.advice.best is Action.HIT
    assert not queue.is_thinking


def test_a_desk_keeps_its_coach_until_they_go_by_other_cards(monkeypatch):
    made = []

    def make(rules, **cards):
        made.append(cards)
        return COACH(rules, **cards)

    monkeypatch.setattr(adviser, "Coach", make)
    session = open_session("T T 6 7 4 5 9")
    coach = session.coach
    for knows in (Knowledge.FRESH, Knowledge.FRESH, Knowledge.SEEN, Knowledge.SEEN):
        coach.knows = knows
        assert coach.advise(session.ask()).best is Action.HIT
    assert made == [{"cards": Knowledge.FRESH}, {"cards": Knowledge.SEEN}]


def test_a_question_that_no_longer_matters_is_never_worked_out(monkeypatch):
    worker, is_free, asked = Worker("busy"), threading.Event(), []
    monkeypatch.setattr(TableCoach, "advise", lambda _, question: asked.append(question))
    worker.submit(lambda: is_free.wait(60))
    queue = CoachQueue(open_session("T T 6 7 4 5 9"), worker=worker)
    queue.ask()
    queue.ask()  # once more, as the coach goes by other cards now
    queue.take_back()
    queue.ask()
    is_free.set()
    worker.submit(lambda: None).result(60)
    assert len(asked) == 1


def test_a_table_without_a_coach_has_no_value():
    queue = CoachQueue(open_session("T T 6 7 4 5 9", has_coach=False))
    queue.ask()
    queue.note(Action.STAND)
    assert queue.judge() == []
    with pytest.raises(NoExactValueError, match="no coach at this table"):
        queue.advise()


def test_a_coach_asked_only_on_request_judges_nothing():
    session = open_session("T T 6 7 4 5 9")
    queue = CoachQueue(session, is_eager=False)
    queue.ask()
    assert queue.advise().best is Action.HIT
    session.act(Action.STAND)
    queue.note(Action.STAND)
    assert queue.judge() == []
