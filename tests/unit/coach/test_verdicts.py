"""Verdicts as sentences, and reasons that speak of the answer that was given."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from upcard.analysis.grades import Grade, count_grades, grade_of
from upcard.coach.adviser import Coach, compose_fresh, pose
from upcard.coach.judgement import name_hand, write_bets
from upcard.coach.reasons import explain
from upcard.core.actions import Action
from upcard.core.cards import Card, parse_cards
from upcard.core.errors import RulesError
from upcard.rules.model import Rules

HANDS = ("T 2", "T 6", "8 8", "6 5", "A 7", "T T", "A A", "9 7", "T 9", "5 4", "2 2", "A 2")
RULES = ("6D LS", "1D H17 NDAS", "6D ENHC ES", "INF", "roanoke", "deshmukh", "lott")
NAMED = {
    Action.HIT: "hitting",
    Action.STAND: "standing",
    Action.DOUBLE: "doubling",
    Action.SPLIT: "splitting",
    Action.SURRENDER: "surrendering",
    Action.NO_SPLIT: "playing on",
    Action.NO_SURRENDER: "playing on",
}


def advise(text, hand, up):
    rules = Rules.parse(text)
    cards, upcard = parse_cards(hand), Card(up)
    question = pose(rules, cards, upcard)
    return Coach(rules).advise_on(question, compose_fresh(rules, cards, upcard))


@pytest.mark.parametrize(
    ("cost", "grade"),
    [
        (0.0, Grade.RIGHT),
        (0.00022, Grade.SLIP),
        (0.0099, Grade.SLIP),
        (0.01, Grade.MISTAKE),
        (0.0999, Grade.MISTAKE),
        (0.1, Grade.BLUNDER),
        (float("inf"), Grade.BLUNDER),
    ],
)
def test_an_answer_is_graded_by_its_cost(cost, grade):
    """Fault 26: 0.00022 of a bet had the same word, box and count as 0.45."""
    assert grade_of(cost) is grade


def test_wrong_answers_are_counted_by_their_grades():
    assert count_grades([]) == count_grades([0.0]) == ""
    assert count_grades([0.02]) == "1 mistake"
    assert count_grades([0.001, 0.5, 0, 0.03, 0.02, 0.7]) == "2 blunders, 2 mistakes, 1 slip"


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("text", RULES)
@pytest.mark.parametrize("up", ["2", "6", "T", "A"])
def test_a_reason_names_the_action_taken_and_agrees_with_the_verdict(text, up):
    """F13, for every answer to many hands: one number for one mistake, and it is the verdict's."""
    for hand in HANDS:
        try:
            advice = advise(text, hand, up)
        except RulesError:
            continue
        for chosen in advice.ev:
            judgement, why = advice.judge(chosen), explain(advice, chosen)
            if judgement.is_right:
                continue
            sentence = why.sentence
            assert NAMED[chosen] in sentence.lower(), sentence
            assert NAMED[judgement.best] in sentence.lower(), sentence
            assert "better by" not in sentence
            evs = [float(f.replace("−", "-")) for f in re.findall(r"([+−]\d+\.\d+)", sentence)]
            if evs:
                assert evs[1] - evs[0] == pytest.approx(judgement.cost, abs=2e-3), sentence
            losses = [float(found) for found in re.findall(r"loses (\d+\.\d+) of", sentence)]
            if losses and "half" in sentence:
                assert abs(losses[0] - 0.5) == pytest.approx(judgement.cost, abs=1e-3), sentence
            shares = re.findall(r"wins (\d+\.?\d*)% and loses (\d+\.?\d*)%", sentence)
            if len(shares) == 2:
                (mine, best) = ((float(won) - float(lost)) / 100 for won, lost in shares)
                mine *= 2 if chosen is Action.DOUBLE else 1
                best *= 2 if judgement.best is Action.DOUBLE else 1
                assert best - mine == pytest.approx(judgement.cost, abs=0.04), sentence


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("16", "16 v 10"),
        ("11", "11 v 10"),
        ("A7", "soft 18 v 10"),
        ("AT", "soft 21 v 10"),
        ("88", "8,8 v 10"),
        ("TT", "10,10 v 10"),
        ("AA", "A,A v 10"),
    ],
)
def test_hands_are_named_as_players_name_them(label, name):
    judgement = advise("6D", "T 6", "T").judge(Action.HIT)
    labelled = replace(judgement, label="soft 21" if label == "AT" else label)
    assert name_hand(labelled) == name


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (0.2136, "0.21 of a bet"),
        (0.0063, "0.0063 of a bet"),
        (0.00002, "0.000020 of a bet"),
        (1.5, "1.50 bets"),
    ],
)
def test_a_near_tie_keeps_the_digits_that_count(cost, text):
    assert write_bets(cost) == text
