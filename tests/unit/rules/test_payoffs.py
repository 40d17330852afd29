"""The payoff table, written by hand for every pair of results."""

from fractions import Fraction

import pytest

from upcard.core.actions import Outcome
from upcard.rules.model import Rules
from upcard.rules.payoffs import (
    DEALER_RESULTS,
    HAND_RESULTS,
    TOTALS,
    DealerEnd,
    Special,
    dealer_result,
    payoffs_of,
)

HALF = Fraction(1, 2)


def expected(rules, hand, dealer):
    """Return outcome and net per unit, said once more and in other words."""
    pays = rules.natural_pays
    if hand == Special.LIVING_BUST and rules.busts_live and dealer == DealerEnd.BUST:
        return Outcome.WIN, 1
    if hand in (Special.BUST, Special.LIVING_BUST):
        return Outcome.BUST, -1
    if hand == Special.WON:
        return Outcome.WIN, 1
    if hand == Special.CHARLIE:
        return Outcome.WIN, rules.charlie_pays
    if hand == Special.EVEN_MONEY:
        return Outcome.NATURAL, 1
    natural = dealer == DealerEnd.NATURAL
    if hand == Special.SURRENDERED:
        is_late = rules.surrender in ("late", "any-cards")
        loses = natural and is_late and rules.hole_card != "peek"
        return (Outcome.LOSE, -1) if loses else (Outcome.SURRENDER, -HALF)
    if hand in (Special.NATURAL, Special.SUITED_NATURAL):
        if hand == Special.SUITED_NATURAL and rules.suited_natural_pays is not None:
            pays = rules.suited_natural_pays
        tie = rules.natural_tie
        if natural and tie != "win":
            return (Outcome.PUSH, 0) if tie == "push" else (Outcome.LOSE, -1)
        return Outcome.NATURAL, pays
    if natural:
        ties = rules.natural_ties_21 and hand == 21
        return (Outcome.PUSH, 0) if ties else (Outcome.LOSE, -1)
    if dealer == DealerEnd.TWENTY_TWO and rules.pushes_22:
        return Outcome.PUSH, 0
    if dealer in (DealerEnd.BUST, DealerEnd.TWENTY_TWO) or hand > dealer:
        return Outcome.WIN, 1
    loses_tie = rules.dealer_wins_ties is not None and 17 <= hand <= rules.dealer_wins_ties
    return (Outcome.PUSH, 0) if hand == dealer and not loses_tie else (Outcome.LOSE, -1)


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules.parse("6D 6:5"),
        Rules.parse("6D natural_ties_21=true"),
        Rules.parse("6D ENHC LS"),
        Rules.parse("6D ENHC ES"),
        Rules.parse("6D LS"),
        Rules.parse("6D ENHC LSX"),
        Rules.parse("6D ENHC ES10"),
        Rules.parse("6D T17"),
        Rules.parse("6D T17-19 BJW"),
        Rules.parse("6D TALL BJL BJS(2:1)"),
        Rules.parse("6D BJS(2:1) BJW W21"),
        Rules.parse("6D 5CC(2:1)"),
        Rules.parse("6D P22"),
        Rules.parse("6D ZOMBIE"),
        Rules.parse("6D ZOMBIE P22 RD2"),
    ],
    ids=str,
)
def test_every_pair_of_results_pays_as_it_should(rules):
    table = payoffs_of(rules)
    assert (len(table.rows), len(table.rows[0])) == (len(HAND_RESULTS), len(DEALER_RESULTS))
    for hand in HAND_RESULTS:
        for dealer in DEALER_RESULTS:
            found = table.rows[hand][dealer]
            assert (found.outcome, found.net(Fraction(1), Fraction(1))) == expected(
                rules, hand, dealer
            ), (hand, dealer)
    assert table.splits_22 == (rules.pushes_22 or rules.busts_live)


def test_a_win_pays_on_one_amount_and_a_loss_takes_the_other():
    table = payoffs_of(Rules())
    free = Fraction(0), Fraction(10)
    assert table.rows[20][18].net(*free) == 10
    assert table.rows[18][20].net(*free) == 0
    assert table.rows[Special.NATURAL][18].net(Fraction(4), Fraction(10)) == 15
    assert table.rows[Special.SURRENDERED][18].net(Fraction(4), Fraction(10)) == -2


def test_the_results_of_a_dealer_are_told_apart():
    assert dealer_result(21, has_natural=True) == DealerEnd.NATURAL
    assert dealer_result(21, has_natural=False) == 21
    assert dealer_result(22, has_natural=False) == DealerEnd.TWENTY_TWO
    assert {dealer_result(over, has_natural=False) for over in (23, 24, 26)} == {DealerEnd.BUST}


def test_a_table_that_tells_22_from_other_busts_is_noticed():
    table = payoffs_of(Rules())
    rows = [list(row) for row in table.rows]
    rows[17][DealerEnd.TWENTY_TWO] = rows[17][17]
    assert table._replace(rows=tuple(map(tuple, rows))).splits_22
    assert list(TOTALS)[-1] == 21


def test_a_living_bust_wins_against_more_than_22_only():
    rules = Rules.parse("6D ZOMBIE")
    table = payoffs_of(rules)
    assert table.splits_22
    for dealer in DEALER_RESULTS:
        found = table.rows[Special.LIVING_BUST][dealer]
        ends = found.outcome, found.net(Fraction(1), Fraction(1))
        assert ends == expected(rules, Special.LIVING_BUST, dealer)
