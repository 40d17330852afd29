"""The report of a session: what was right, what mistakes cost, and which hands were worst."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest

from upcard.core.actions import Action
from upcard.rules.model import Rules
from upcard.session.coaching import TableCoach
from upcard.session.game_session import GameSession
from upcard.session.plan import TablePlan, title_of
from upcard.session.report import make_report, write_accuracy, write_worst
from upcard.session.review import find_source
from upcard.session.seat import Seat
from upcard.store.bankroll import buy_in
from upcard.store.database import open_store
from upcard.table.shoe import ScriptedShoe

S, H, D = Action.STAND, Action.HIT, Action.DOUBLE
RULES = Rules.parse("6D S17")
# Four rounds: 12 v 5 doubled, 20 v 9 stood on, 16 v 10 stood on, 18 v 5 hit.
ROUNDS = (("T 5 2 T 3 T", [D]), ("T 9 T 8", [S]), ("T T 6 8", [S]), ("T 5 8 T 9 T", [H]))


def answer(session, action):
    asked = session.ask()
    advice = session.coach.advise(asked)
    session.act(action)
    session.judge(asked, advice, action)


def practise(rounds=ROUNDS):
    plan = TablePlan(rules=RULES, title=title_of(RULES))
    shoe = ScriptedShoe(" ".join(cards for cards, _ in rounds))
    session = GameSession.practise(plan, chips=Fraction(500), shoe=shoe, coach=TableCoach(RULES))
    for _, actions in rounds:
        session.place(Fraction(10))
        for action in actions:
            answer(session, action)
    return session


def test_a_report_adds_up_decisions_and_what_mistakes_cost():
    report = make_report(Seat(practise()))
    assert (report.rounds, report.judged, report.right) == (4, 4, 1)
    assert report.accuracy == pytest.approx(0.25)
    assert report.cost_chips == pytest.approx(10 * report.cost_ev)
    assert len(report.with_mistakes) == 3
    costs = [one.cost for one in report.worst]
    assert costs == sorted(costs, reverse=True)
    assert write_accuracy(report).startswith(
        "1 of 4 decisions right (25%); 2 blunders, 1 slip cost "
    )


def test_the_worst_hands_of_practice_have_codes_that_replay():
    report = make_report(Seat(practise()))
    worst, *_ = write_worst(report)
    assert worst.sentence.startswith("You hit 18 v 5. Stand was better: a blunder, ")
    review = find_source(worst.name).review()
    (judgement,) = review.judged
    assert (judgement.chosen, judgement.chips) == (H, pytest.approx(report.worst[0].cost))


@pytest.mark.parametrize("order", list(permutations((0.5, 8.0, 2.0))))
def test_a_worst_hand_is_named_by_its_costliest_answer_whenever_that_came(order):
    (first, *_) = make_report(Seat(practise(ROUNDS[:1]))).with_mistakes
    (mistake,) = first.mistakes
    made = tuple(replace(mistake, cost=chips / 10, chips=chips) for chips in order)
    report = replace(
        make_report(Seat(practise(ROUNDS[:1]))), with_mistakes=(replace(first, mistakes=made),)
    )
    assert report.worst[0].dearest.chips == 8
    assert report.worst[0].cost == 10.5
    (worst,) = write_worst(report)
    assert worst.sentence.endswith("0.80 of a bet, 8 chips.")


def test_an_answer_taken_back_is_in_no_report():
    session = practise(ROUNDS[:1])
    session.undo()
    assert make_report(Seat(session)).judged == 0
    answer(session, S)
    report = make_report(Seat(session))
    assert (report.judged, report.right, report.with_mistakes) == (1, 1, ())
    assert write_accuracy(report) == "1 of 1 decisions right (100%): no mistake."


def test_a_verdict_that_comes_after_the_round_is_in_the_report():
    """The coach works in a thread: the last answer may be judged when the cards lie."""
    session = practise(ROUNDS[:0] or [])
    session.table.shoe = ScriptedShoe(ROUNDS[0][0] + " " + ROUNDS[1][0])
    session.place(Fraction(10))
    asked = session.ask()
    session.act(D)
    session.place(Fraction(10))
    session.judge(asked, session.coach.advise(asked), D)
    report = make_report(Seat(session))
    assert [one.dearest.chosen for one in report.with_mistakes] == [D]


def test_a_kept_round_is_found_by_its_number():
    with open_store() as store:
        buy_in(store, Fraction(500))
        plan = TablePlan(rules=RULES, title=title_of(RULES))
        with GameSession.keep(store, plan, coach=TableCoach(RULES)) as session:
            worst = play_badly(session)
        report = make_report(Seat(session))
        assert [one.stored for one in report.with_mistakes] == [worst]
        source = report.worst[0].find_source(store)
        assert source is not None
        assert source.stored.id == worst


def play_badly(session):
    """Play rounds until one had a mistake in it; return its number in the store."""
    for number in range(1, 60):
        session.place(Fraction(1))
        is_wrong = False
        while session.options:
            asked = session.ask()
            advice = session.coach.advise(asked)
            action = min(advice.ev, key=advice.ev.get)
            is_wrong |= not session.judge(asked, advice, action).is_right
            session.act(action)
        if is_wrong:
            return number
    raise AssertionError
