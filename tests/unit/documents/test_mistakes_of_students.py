"""Mistakes that people make with their first player are refused where they are made."""

import pytest

from upcard.core.errors import RulesError
from upcard.documents.lott import Game, Player
from upcard.rules.house import house
from upcard.table.shoe import ScriptedShoe


def test_a_refused_bet_leaves_the_game_ready_for_the_next_round():  # F24
    game = Game(house("lott"), Player(), ScriptedShoe("T 6 T 7 9"))
    with pytest.raises(RulesError):
        game.cycle(bet=0)
    assert str(game.cycle(bet=5).hands[0].outcome) == "bust"


def test_a_class_in_place_of_a_player_is_refused_with_what_to_write():  # F28
    with pytest.raises(TypeError, match=r"pass an instance, Player\(\)"):
        Game(house("lott"), Player)


def test_a_player_that_cannot_decide_is_refused():
    with pytest.raises(TypeError, match=r"has no method decide"):
        Game(house("lott"), "basic")


@pytest.mark.parametrize(
    ("written", "meant"), [("splitt", "split"), ("double", "double_down"), ("hits", "hit")]
)
def test_a_misspelled_offer_is_refused_when_the_class_is_made(written, meant):  # F28
    with pytest.raises(TypeError, match=rf"{written}\(\): did you mean {meant}\(\)"):
        type("Mine", (Player,), {written: lambda self, hand: True})


def test_methods_of_ones_own_are_allowed():
    class Mine(Player):
        def _hits(self, hand):
            return True

        def count(self, hand):
            return 0

        def reset(self):
            return None

    assert Mine().name == "Player"


@pytest.mark.parametrize("answer", ["maybe", None, 2, []])
def test_an_answer_other_than_true_or_false_is_refused(answer):  # F28
    class Mine(Player):
        def hit(self, hand):
            return answer

    game = Game(house("lott"), Mine(), ScriptedShoe("T 6 T 7 9"))
    with pytest.raises(TypeError, match=r"Mine\.hit\(\) returned .*: return True or False"):
        game.cycle()
