"""Drills of side bets: questions with the exact values, judged by distance."""

import random

import pytest

from upcard.core.errors import UnsupportedRuleError
from upcard.drills.drill import DrillError
from upcard.drills.side_bet_drills import SideBetDrill, SideBetKind
from upcard.rules.model import Rules
from upcard.rules.side_bet_files import load_side_bet


def ask(kind, name, rules="6D"):
    drill = SideBetDrill(Rules.parse(rules), kind=kind)
    return drill, drill.ask(f"{kind} {name}", random.Random(0))


@pytest.mark.parametrize(
    ("answer", "is_right"), [("24.7", True), ("25%", True), ("20", True), ("10", False)]
)
def test_a_cost_is_right_if_it_is_near(answer, is_right):
    drill, prompt = ask(SideBetKind.COST, "lucky-ladies-a")
    feedback = drill.check(prompt, answer)
    assert (feedback.is_right, feedback.right) == (is_right, "24.71%")
    assert (feedback.cost > 0) is not is_right


def test_the_count_from_which_a_bet_pays_is_that_of_the_bet():
    drill, prompt = ask(SideBetKind.COUNT, "over-13")
    begins = load_side_bet("over-13").count(None, "6D").begins
    assert drill.check(prompt, f"{begins:.1f}").is_right
    assert not drill.check(prompt, f"{begins + 3:.1f}").is_right
    assert "A" in prompt.tags


def test_items_are_bets_that_cost_something_the_dearest_with_most_weight():
    drill = SideBetDrill(Rules(), kind=SideBetKind.COST)
    costs = {item.key: item.cost for item in drill.items()}
    assert all(cost > 0 for cost in costs.values())
    assert costs["side bet cost lucky-ladies-a"] > costs["side bet cost 21+3-flat"]
    assert "side bet cost royal-match-2" not in costs, "the player has the edge"
    assert sum(item.frequency for item in drill.items()) == pytest.approx(1)


def test_a_bet_for_one_game_is_asked_in_that_game():
    _, prompt = ask(SideBetKind.COST, "match-the-dealer-2d")
    assert prompt.game == "2D"


def test_nonsense_is_refused():
    drill, prompt = ask(SideBetKind.COST, "over-13")
    with pytest.raises(DrillError, match="write a number"):
        drill.check(prompt, "much")
    with pytest.raises(DrillError, match="no item"):
        drill.ask("side bet cost nope", random.Random(0))
    with pytest.raises(UnsupportedRuleError, match="INF"):
        SideBetDrill(Rules.parse("INF"), kind=SideBetKind.COUNT)
