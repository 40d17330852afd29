"""Advice on doubled hands, on suits that a bonus asks for, and where busted hands live."""

import pytest

import upcard
from upcard.coach.adviser import Coach, compose_fresh, pose
from upcard.coach.reasons import explain
from upcard.core.actions import Action
from upcard.core.cards import parse_cards
from upcard.players.question import HandClass, read_question

RULES = upcard.Rules.parse("spanish-21 H17 RD3")


def advise(cards, answers, rules=RULES):
    """Play a scripted round and return the advice on the question then."""
    table = upcard.Table(rules, cards)
    table.start()
    for answer in answers.split():
        table.act(answer)
    return Coach(table.rules).advise(table.view(), table.legal_actions())


@pytest.mark.parametrize(("answers", "cards"), [("double", 3), ("double double", 4)])
def test_a_doubled_hand_is_worth_what_the_solver_says(answers, cards):
    advice = advise("5 9 6 T 2 A 3 8", answers)
    doubles = len(answers.split())
    hand = " ".join(["5", "6", "2", "A"][:cards])
    found = upcard.solve(RULES, hand, "9", doubles=doubles)
    assert advice.question.hand_class is HandClass.DOUBLED
    assert advice.ev == pytest.approx(found.ev, abs=1e-12)
    assert advice.best is Action.SURRENDER
    assert advice.ev[Action.SURRENDER] == -(2 ** (doubles - 1))


def test_the_last_double_leaves_no_other():
    assert Action.DOUBLE not in advise("5 9 6 T 2 A A 8 8", "double double double").ev


def test_reason_for_a_rescue_is_in_bets():
    reason = str(explain(advise("5 9 6 T 2 A 3 8", "double")))
    assert reason == "Standing loses 1.081 of a bet on average, surrendering 1.000."


@pytest.mark.parametrize(
    ("cards", "best"),
    [("7S 4 8S T 2 2 2", Action.HIT), ("7H 4 8H T 2 2 2", Action.STAND)],
)
def test_suits_of_the_own_hand_decide(cards, best):
    assert advise(cards, "", upcard.Rules.parse("spanish-21")).best is best


def test_a_split_hand_has_no_bonus_for_sevens_against_a_seven():
    rules = upcard.Rules.parse("spanish-21 BON(usual/777v7=10000:1)")
    hand = parse_cards("7S 7S")
    values = []
    for split_rank in (0, 7):
        question = pose(rules, hand, parse_cards("7H")[0], split_rank=split_rank)
        cards = compose_fresh(rules, hand, question.upcard)
        values.append(Coach(rules).advise_on(question, cards).ev[Action.HIT])
    assert values[0] > 50 > values[1]


def test_questions_tell_how_often_the_hand_has_doubled():
    table = upcard.Table(RULES, "5 9 6 T 2 A 3 8")
    table.start()
    table.act("double")
    assert read_question(table.view(), table.legal_actions()).doubles == 1


ZOMBIE = upcard.Rules.parse("zombie")
WITHOUT = ZOMBIE.replace(busts_live=False)


@pytest.mark.parametrize(
    ("cards", "answers"),
    [("T 9 7 6 T T", ""), ("T A 7 6 T T", "no-insurance"), ("8 T 8 6 9 8 T T T", "split")],
)
def test_a_hand_that_lives_when_it_is_bust_is_hit(cards, answers):
    advice, other = (advise(cards, answers, rules) for rules in (ZOMBIE, WITHOUT))
    assert (advice.best, other.best) == (Action.HIT, Action.STAND)
    assert advice.ev[Action.HIT] - other.ev[Action.HIT] > 0.1
    assert advice.ev[Action.STAND] == other.ev[Action.STAND]


def test_against_a_6_busted_hands_are_lost():
    advice, other = (advise("T 6 6 T T T", "", rules) for rules in (ZOMBIE, WITHOUT))
    assert advice.ev == other.ev


def test_living_busts_are_worth_what_the_solver_says():
    advice = advise("T 9 7 6 T T", "", ZOMBIE)
    assert advice.ev == pytest.approx(upcard.solve(ZOMBIE, "T 7", "9").ev, abs=1e-12)
    assert str(explain(advice)) == (
        "Standing wins 17% and loses 65% (the dealer busts 23%); hitting wins 30% and loses 63%"
        " (the next card busts 69%): hit is better by 0.15 of a bet."
    )
