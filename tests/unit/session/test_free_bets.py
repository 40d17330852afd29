"""Free bets, ties that the dealer wins and a dealer's 22 in words."""

import pytest

from upcard import Action, Rules, Table
from upcard.coach.adviser import Coach
from upcard.coach.reasons import explain
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


@pytest.mark.parametrize(
    ("rules", "cards", "answer", "verdict", "reason"),
    [
        (
            "FSNT P22",
            "8 7 8 T T 9 T",
            Action.STAND,
            "You stood on a free 17 v 7. Hit was better: a mistake, 0.034 of a bet, 0.34 chips.",
            "Standing wins 19% (the dealer busts 26%); hitting wins 23% (the next card busts 69%).",
        ),
        (
            "FSNT FD9-11",
            "8 6 8 T T 3 T",
            Action.HIT,
            "You hit a free 11 v 6. Double was better: a blunder, 0.63 of a bet, 6.33 chips.",
            "Hitting is worth +0.633 of a bet, doubling +1.266.",
        ),
    ],
)
def test_the_coach_judges_a_free_hand_by_what_it_wins(rules, cards, answer, verdict, reason):
    table, _, _ = play(rules, cards, Action.SPLIT, Action.STAND)
    advice = Coach(table.rules).advise(table.view(), table.legal_actions())
    assert "the house has paid for this hand: a loss costs nothing" in advice.assumptions
    assert advice.question.key.startswith("free hard 1")
    assert str(advice.judge(answer)) == verdict
    assert str(explain(advice, answer)) == reason


def test_the_hand_that_the_player_pays_for_is_judged_as_any():
    table, _, _ = play("FSNT P22", "8 7 8 T 9 T T", Action.SPLIT)
    advice = Coach(table.rules).advise(table.view(), table.legal_actions())
    assert advice.best is Action.STAND
    assert str(advice.judge(Action.STAND)) == "You stood on 17 v 7. That was right."


def test_splits_that_depend_on_the_order_of_turns_are_refused_by_name():
    table, _, _ = play("FSNT turn_order=round-robin", "8 6 8 T 3 T T")
    advice = Coach(table.rules).advise(table.view(), table.legal_actions())
    assert "turn_order=round-robin" in advice.missing[Action.SPLIT]
    assert advice.ev.keys() == {Action.HIT, Action.STAND, Action.DOUBLE}
