"""Advice on swapping the second cards of two hands, from a fresh shoe and from the cards seen."""

import pytest

import upcard
from upcard.coach.adviser import Coach
from upcard.coach.judgement import write_verdict
from upcard.coach.reasons import explain
from upcard.core.actions import Action
from upcard.core.errors import UnsupportedRuleError
from upcard.players.question import HandClass, read_question
from upcard.players.seen_cards import Knowledge, SeenCards
from upcard.rules.model import Rules
from upcard.table.rounds import Table
from upcard.table.shoe import ScriptedShoe

RULES = Rules.parse("6D H17 1:1 NOINS P22 SWITCH")
CARDS = "T 5 6 6 T T 9 5"


def open_table(cards=CARDS, coach=None):
    table = Table(RULES, ScriptedShoe(cards))
    seen = SeenCards(RULES)
    table.listeners.append(seen.hear)
    table.start([10, 10])
    coach = coach or Coach(RULES)
    return table, lambda: coach.advise(table.view(), table.legal_actions(), seen.look())


def best_of(hand, up, other, **options):
    """Return the best value of a hand on six decks less another's cards."""
    rules = RULES.replace(switch=False)
    value = upcard.solve(rules, hand, up, shoe=f"6D less {other}", **options)
    return max(value.ev.values())


def test_both_pairings_have_the_values_of_their_hands():
    _, advise = open_table()
    advice = advise()
    assert advice.ev == {
        Action.SWITCH: pytest.approx(best_of("T T", "6", "5 6") + best_of("5 6", "6", "T T")),
        Action.NO_SWITCH: pytest.approx(best_of("T 6", "6", "5 T") + best_of("5 T", "6", "T 6")),
    }
    assert advice.best is Action.SWITCH
    assert advice.question.hand_class is HandClass.SWITCH
    assert str(advice.question) == "T 6 and 5 T v 6"
    assert "both hands together, for a bet on one of them" in advice.assumptions


def test_keeping_is_worth_what_the_two_hands_are_worth_afterwards():
    table, advise = open_table()
    kept = advise().ev[Action.NO_SWITCH]
    table.act("keep")
    first = max(advise().ev.values())
    table.act("stand")
    assert kept == pytest.approx(first + max(advise().ev.values()))


def test_a_natural_is_kept_as_one_and_swapped_as_21():
    _, advise = open_table("A 5 6 T T 9 6")
    ev = advise().ev
    assert ev[Action.NO_SWITCH] == pytest.approx(1 + best_of("5 T", "6", "A T"))


def test_the_cards_seen_are_those_of_both_hands():
    _, advise = open_table(coach=Coach(RULES, cards=Knowledge.SEEN))
    assert advise().ev == pytest.approx(open_table()[1]().ev)


def test_the_verdict_and_the_reason_name_the_switch():
    _, advise = open_table()
    advice = advise()
    verdict = write_verdict(advice.judge(Action.NO_SWITCH))
    assert verdict.startswith(
        "You did not switch T6 and 5T v 6. Switch was better: a blunder, 1.51 bets"
    )
    assert explain(advice).sentence.startswith("Keeping both hands is worth −0.424 of a bet")


def test_a_question_after_the_switch_is_about_one_hand():
    table, _ = open_table()
    table.act("switch")
    question = read_question(table.view(), table.legal_actions())
    assert (question.other, question.hand_class) == ((), HandClass.PAIR)


def test_rules_that_the_solver_of_the_game_refuses_have_no_coach():
    with pytest.raises(UnsupportedRuleError, match="switch solver cannot honour split_by=rank"):
        Coach(RULES.replace(split_by="rank"))
