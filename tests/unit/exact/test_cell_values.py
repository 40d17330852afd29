"""Values of a chart's cells: those of its two-card hands, weighed by their chances."""

from __future__ import annotations

import pytest

import upcard
from upcard.exact.solve import cell_values
from upcard.strategy.chart import HAND_LABELS

ONE_DECK = upcard.Rules.parse("1D LS")


def test_a_pair_has_the_values_of_its_hand():
    values = cell_values(ONE_DECK)
    for up in ("6", "T", "A"):
        assert values["88", up] == pytest.approx(upcard.solve(ONE_DECK, "88", up).ev)


@pytest.mark.parametrize(("rules", "ups"), [("1D LS", "6TA"), ("1D ENHC LS", "TA"), ("1D ES", "A")])
def test_a_total_weighs_its_hands_by_chance_and_by_the_dealer_not_having_a_natural(rules, ups):
    one_deck = upcard.Rules.parse(rules)
    values = cell_values(one_deck)
    for up in ups:
        # Hard 16: T6 and 97, 88 is a pair.
        hands = [upcard.solve(one_deck, hand, up) for hand in ("T6", "97")]
        cards = {rank: 16 if rank == "T" else 4 for rank in "T697"}
        if up in cards:
            cards[up] -= 1
        ways = [cards["T"] * cards["6"], cards["9"] * cards["7"]]
        weights = [
            way * (1 - hand.natural_probability if hand.is_conditional else 1)
            for way, hand in zip(ways, hands, strict=True)
        ]
        expected = {
            action: sum(w * hand.ev[action] for w, hand in zip(weights, hands, strict=True))
            / sum(weights)
            for action in hands[0].ev
        }
        assert values["16", up] == pytest.approx(expected)


def test_every_cell_has_values_in_full_decks_and_on_an_infinite_deck():
    ups = ("A", *"23456789T")
    cells = {(label, up) for label in HAND_LABELS for up in ups}
    assert set(cell_values(ONE_DECK)) == cells
    assert set(cell_values(upcard.house("lott"))) == cells
    infinite = cell_values(upcard.house("mdp"))
    assert set(infinite) == cells
    assert infinite["16", "T"] == upcard.solve(upcard.house("mdp"), "T6", "T").ev


def test_hands_that_cannot_come_have_no_values():
    values = cell_values(ONE_DECK, shoe="1D less 9 9 9 9 8 8 8")
    assert not any(up == "9" for _, up in values)
    assert ("88", "5") not in values
    assert ("99", "5") not in values
    assert ("16", "5") in values
