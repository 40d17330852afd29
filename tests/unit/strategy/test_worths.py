"""What two cards are worth to a chart, and the swaps that follow."""

from fractions import Fraction

import pytest
from random_jobs import SENSIBLE

from upcard.core.actions import Action
from upcard.core.errors import NotationError
from upcard.strategy.chart import WORTH_LABELS, Strategy

TEXT = str(SENSIBLE) + "\n".join(
    "\t".join((label, *(str(100 * row - column) for column in range(10))))
    for row, label in enumerate(WORTH_LABELS)
)
CHART = Strategy.parse(TEXT)


def test_a_text_keeps_them():
    assert str(CHART) == TEXT + "\n"
    assert Strategy.parse(TEXT.upper().replace("DH", "Dh")) == CHART
    assert CHART != SENSIBLE
    assert "w" not in str(SENSIBLE)


def test_two_cards_have_a_worth_in_either_order():
    assert CHART.worth((1, 2), 2) == CHART.worth((2, 1), 2) == 100
    assert CHART.worth((10, 1), 3) == 899
    assert CHART.worth((10, 1), 3, natural_pays=Fraction(3, 2)) == 15000
    assert SENSIBLE.worth((10, 1), 3, natural_pays=Fraction(3, 2)) == 0


def test_cards_are_swapped_where_both_hands_are_worth_more():
    rising = {(2, 2): "w22", (3, 3): "w33", (2, 3): "w23"}
    two, three, mixed = (WORTH_LABELS.index(label) for label in rising.values())
    assert two + three > 2 * mixed
    assert CHART.answer_swap((2, 3), (3, 2), 5, Fraction(1)) is Action.SWITCH
    assert CHART.answer_swap((2, 2), (3, 3), 5, Fraction(1)) is Action.NO_SWITCH
    assert CHART.answer_swap((2, 3), (2, 3), 5, Fraction(1)) is Action.NO_SWITCH


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TEXT.rpartition("\n")[0], "row wTT is missing"),
        (TEXT + "\t7", "row wTT has 11 cells, not 10"),
        (TEXT.rpartition("\t")[0] + "\t1.5", "row wTT: cell '1.5': a worth is a whole number"),
    ],
)
def test_faults_are_named(text, message):
    with pytest.raises(NotationError, match=message):
        Strategy.parse(text)


def test_rows_that_are_given_are_counted():
    with pytest.raises(NotationError, match="1 rows of worths: a chart has 55"):
        Strategy(cells=SENSIBLE.cells, worths=((0,) * 10,))
