"""Free bets, ties that the dealer wins and a dealer's 22 in words."""

import pytest

from upcard import Action, Rules, Table
from upcard.coach.adviser import compose_fresh
from upcard.coach.evaluation import value_question
from upcard.coach.question import read_question
from upcard.core.errors import NoExactValueError
from upcard.session.narration import Narrator
from upcard.session.table_view import say_free, view_hands
from upcard.table.shoe import ScriptedShoe


def play(rules, cards, *answers):
    """Return the table and what is said of its round."""
    table = Table(Rules.parse(rules), ScriptedShoe(cards))
    narrator, said = Narrator(table.rules), []
    table.listeners.append(lambda event: said.append(narrator.hear(event).text))
    table.start([10])
    for answer in answers:
        table.act(answer)
    return table, narrator, said


def test_which_answers_the_house_pays_for_is_said():
    table, _, _ = play("FSNT FD9-11", "8 6 8 T 3 9")
    assert say_free(table.view(), table.legal_actions()) == "Splitting is free."
    table.act(Action.SPLIT)
    assert say_free(table.view(), table.legal_actions()) == "Doubling is free."
    table, _, _ = play("FSANY FD9-11", "5 6 5 T")
    assert say_free(table.view(), table.legal_actions()) == "Doubling and splitting are free."
    table, _, _ = play("FSNT FD9-11", "T 6 T T")
    assert not say_free(table.view(), table.legal_actions())


def test_hands_are_labelled_with_what_is_paid_and_what_is_free():
    answers = (Action.SPLIT, Action.DOUBLE, Action.STAND)
    table, narrator, said = play("FSNT FD9-11", "8 6 8 T 3 T T 5", *answers)
    first, second = view_hands(narrator.board, ["you"])
    assert (first.bet, first.paid, first.free) == ("10 + 10 free", "10", "10 free")
    assert (second.bet, second.paid, second.free) == ("10 free", "", "10 free")
    assert table.state.net == 0
    assert said[-3:] == [
        "Hand 1 pushes, 21 against 21.",
        "Hand 2 loses a free bet, 18 against 21.",
        "The round is over, net 0.",
    ]


@pytest.mark.parametrize(
    ("rules", "cards", "words"),
    [
        ("T17", "T T 7 7", "You lose 10, 17 against 17, and the dealer wins ties."),
        ("P22", "T 6 9 T 6", "You push, the dealer has 22."),
        ("6D", "T 6 9 T 6", "You win 10, the dealer is bust."),
    ],
)
def test_results_say_the_rule_that_decided(rules, cards, words):
    _, _, said = play(rules, cards, Action.STAND)
    assert words in said


def test_the_coach_says_that_it_does_not_value_a_hand_that_the_house_paid_for():
    table, _, _ = play("FSNT", "8 6 8 T T 3 T", Action.SPLIT, Action.STAND)
    question = read_question(table.view(), table.legal_actions())
    cards = compose_fresh(table.rules, question.cards, question.upcard)
    with pytest.raises(NoExactValueError, match="no exact value after a free split"):
        value_question(question, cards, splits="CDZ-")
