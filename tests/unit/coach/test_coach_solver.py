"""The coach equals the exact solver for every starting hand and upcard of five rule sets."""

from __future__ import annotations

import pytest

import upcard
from upcard.coach.adviser import Coach
from upcard.core.actions import Action
from upcard.core.cards import RANKS, rank_name
from upcard.exact.composition import TWO_CARD_HANDS
from upcard.exact.finite import FiniteSolver
from upcard.rules.model import Rules
from upcard.rules.settings import HoleCard, Surrender
from upcard.table import ScriptedShoe, Table

FIVE = (
    "6D S17 LS",
    "1D H17 D10 NDAS",
    "8D S17 ENHC D9",
    "2D H17 ES RSA",
    "4D S17 OBO DANY HSA SP3 6:5 CSM",
)


def seat(rules, ranks, upcard):
    """Deal a hand and an upcard; the hole card makes no natural. Insurance is declined."""
    hole = "7" if rank_name(upcard) in "AT" else "6"
    holes = hole if rules.hole_card is not HoleCard.NONE else ""
    first, second = map(rank_name, ranks)
    up = rank_name(upcard)
    table = Table(rules, ScriptedShoe(" ".join([first, up, second, *holes, *"5" * 9])))
    table.start([10])
    while Action.NO_INSURANCE in table.legal_actions():
        table.act(Action.NO_INSURANCE)
    return table


def solve_all(rules):
    """Value every starting hand by one solver, as `upcard.solve` finishes its values."""
    solver = FiniteSolver(rules, rules.full_shoe.counts)
    return {
        (ranks, up): solver.values(ranks, up, pair=ranks[0] if ranks[0] == ranks[1] else 0)
        for up in RANKS
        for ranks in TWO_CARD_HANDS
    }


@pytest.mark.slow
@pytest.mark.parametrize("text", FIVE)
def test_every_starting_hand_is_worth_what_the_solver_says(text):
    rules = Rules.parse(text)
    expected = solve_all(rules)
    coach = Coach(rules)
    asked = 0
    for up in RANKS:
        for ranks in TWO_CARD_HANDS:
            table = seat(rules, ranks, up)
            legal = table.legal_actions()
            if not legal or Action.EVEN_MONEY in legal:
                continue
            wanted = expected[ranks, up]
            if Action.NO_SURRENDER in legal:
                others = [ev for action, ev in wanted.items() if action is not Action.SURRENDER]
                wanted = {
                    Action.SURRENDER: wanted[Action.SURRENDER],
                    Action.NO_SURRENDER: max(others),
                }
            elif rules.surrender is Surrender.EARLY and rank_name(up) in "AT":
                pytest.fail("early surrender is offered by itself before the peek")
            advice = coach.advise(table.view(), legal)
            assert set(advice.ev) == set(legal)
            assert advice.ev == pytest.approx(wanted, abs=1e-12)
            assert wanted[advice.best] == pytest.approx(max(wanted.values()), abs=1e-9)
            assert all(advice.judge(action).cost >= 0 for action in legal)
            asked += 1
    assert asked == 540


@pytest.mark.parametrize("text", FIVE)
@pytest.mark.parametrize(("hand", "upcard_"), [("88", "T"), ("A7", "3"), ("T6", "9"), ("AA", "A")])
def test_the_public_solver_says_the_same(text, hand, upcard_):
    rules = Rules.parse(text)
    ranks = tuple({"A": 1, "T": 10}.get(card) or int(card) for card in hand)
    up = {"A": 1, "T": 10}.get(upcard_) or int(upcard_)
    table = seat(rules, ranks, up)
    legal = table.legal_actions()
    advice = Coach(rules).advise(table.view(), legal)
    value = upcard.solve(rules, hand, upcard_)
    for action in legal:
        if action is not Action.NO_SURRENDER:
            assert advice.ev[action] == pytest.approx(value.ev[action], abs=1e-12)


@pytest.mark.parametrize("text", ["INF", "INF H17 ES", "INF ENHC LS NDAS", "mdp"])
def test_an_infinite_deck_has_the_values_of_its_solver(text):
    rules = Rules.parse(text)
    coach = Coach(rules)
    for hand, up in (("88", "6"), ("A7", "3"), ("T6", "9"), ("853", "T"), ("A24", "6")):
        cards = [*hand]
        script = [cards[0], up, cards[1], "5", *cards[2:], *"5555555"]
        if rules.name == "mdp":
            script = [cards[0], cards[1], up, "5", *cards[2:], *"5555555"]
        if rules.hole_card is HoleCard.NONE:
            script = [cards[0], up, cards[1], *cards[2:], *"5555555"]
        table = Table(rules, ScriptedShoe(script))
        table.start()
        while declines := [action for action in table.legal_actions() if action.declines]:
            table.act(declines[0])
        for _ in cards[2:]:
            table.act(Action.HIT)
        legal = table.legal_actions()
        advice = coach.advise(table.view(), legal)
        value = upcard.solve(rules, " ".join(cards), up)
        is_before_look = rules.surrender is Surrender.EARLY and up in "AT"
        if is_before_look:
            continue  # `solve` gives values before the look there; the table is past it
        for action in legal:
            assert advice.ev[action] == pytest.approx(value.ev[action], abs=1e-12)
