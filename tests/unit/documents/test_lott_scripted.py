"""Known answers and known hands."""

from __future__ import annotations

import pytest

import upcard
from upcard import Action, IllegalActionError, NotationError, OutOfDecisionsError, RulesError
from upcard.core.hands import AceRule
from upcard.documents.lott import Game, ScriptedPlayer, make_hand
from upcard.table import ScriptedShoe

LOTT = upcard.house("lott")


def play(cards, *answers, rules=LOTT):
    player = ScriptedPlayer(answers)
    return Game(rules, player, ScriptedShoe(cards)).cycle(), player


def test_answers_are_given_in_order():
    result, player = play("2 3 6 T 4 T T", "hit", "double")
    assert result.hands[0].total == 19
    assert result.hands[0].bet == 2
    assert player.unasked == ()


def test_answers_may_be_words_in_any_case_or_actions():
    assert play("T 6 T 7 3", "HIT", Action.STAND)[0].hands[0].total == 19


def test_an_unknown_word_is_refused_at_once():
    with pytest.raises(IllegalActionError, match="unknown action 'hti'"):
        ScriptedPlayer(["hti"])


def test_running_out_of_answers_names_the_hand_and_what_is_legal():
    with pytest.raises(OutOfDecisionsError, match=r"about T 2 3 \(15\).*1 answers.*hit, stand"):
        play("T 2 T 7 3", "hit")


def test_an_illegal_answer_is_refused_by_the_table():
    with pytest.raises(IllegalActionError, match="cannot surrender"):
        play("T 6 T 7", "surrender")


def test_an_offer_of_its_own_is_turned_down_by_any_other_answer():
    result, player = play("9 9 7 T", "stand")
    assert len(result.hands) == 1
    assert player.unasked == ()


def test_an_offer_of_its_own_may_be_turned_down_in_its_own_words():
    assert len(play("9 9 7 T", "no split", "stand")[0].hands) == 1


def test_answers_that_were_not_asked_for_are_left():
    assert play("A K 9 8", "stand")[1].unasked == (Action.STAND,)


@pytest.mark.parametrize(
    ("cards", "total", "is_soft", "status"),
    [
        ("", 0, False, "playing"),
        ("T 6", 16, False, "playing"),
        ("A 6", 17, True, "playing"),
        ("A K", 21, True, "natural"),
        ("7 7 7", 21, False, "twenty-one"),
        ("T 6 T", 26, False, "bust"),
    ],
)
def test_made_hands_are_what_the_table_would_deal(cards, total, is_soft, status):
    hand = make_hand(cards, bet="2.5")
    assert (hand.total, hand.is_soft, hand.status) == (total, is_soft, status)
    assert hand.bet * 2 == 5


def test_made_hands_follow_the_ace_rule():
    assert make_hand("3 A 2 6", ace_rule=AceRule.ONE_SOFTENED).total == 12
    assert make_hand("3 A 2 6 A", ace_rule=AceRule.ONE_SOFTENED).total == 23


@pytest.mark.parametrize(("cards", "error"), [("T X", NotationError), ("T 6 T 2", NotationError)])
def test_impossible_hands_are_refused(cards, error):
    with pytest.raises(error):
        make_hand(cards)


def test_hands_without_a_bet_are_refused():
    with pytest.raises(RulesError):
        make_hand("T 6", bet=0)
