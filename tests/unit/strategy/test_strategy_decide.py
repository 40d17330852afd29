"""What a chart answers at the table, where its first choice is not legal too."""

import pytest

from upcard import Action, IllegalActionError
from upcard.strategy.chart import HAND_LABELS, Strategy

PLAY = (Action.HIT, Action.STAND)
ANY = (*PLAY, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)


def strategy(*, insurance=False, **rows):
    """Return a chart in which every hand stands but those in `rows` (written `h16="Rh"`)."""
    rows = {label.removeprefix("h"): cell for label, cell in rows.items()}
    cells = tuple((rows.get(label, "S"),) * 10 for label in HAND_LABELS)
    return Strategy(cells=cells, takes_insurance=insurance)


def decide(chart, total, legal=PLAY, *, is_soft=False, pair_rank=0, upcard=6):
    return chart.decide(
        total=total, is_soft=is_soft, pair_rank=pair_rank, upcard=upcard, legal=legal
    )


@pytest.mark.parametrize(
    ("cell", "legal", "expected"),
    [
        ("H", ANY, Action.HIT),
        ("H", (Action.STAND, Action.SPLIT), Action.STAND),
        ("S", ANY, Action.STAND),
        ("Dh", ANY, Action.DOUBLE),
        ("Dh", PLAY, Action.HIT),
        ("Dh", (Action.STAND,), Action.STAND),
        ("Ds", ANY, Action.DOUBLE),
        ("Ds", PLAY, Action.STAND),
        ("Rh", ANY, Action.SURRENDER),
        ("Rh", PLAY, Action.HIT),
        ("Rs", ANY, Action.SURRENDER),
        ("Rs", PLAY, Action.STAND),
    ],
)
def test_a_cell_falls_back_to_its_small_letter(cell, legal, expected):
    assert decide(strategy(h16=cell), 16, legal) is expected
    assert decide(strategy(A7=cell), 18, legal, is_soft=True) is expected
    assert decide(strategy(h88=cell), 16, legal, pair_rank=8) is expected


@pytest.mark.parametrize(
    ("rank", "total", "is_soft", "rows", "expected"),
    [
        (2, 4, False, {"h5": "Dh"}, Action.DOUBLE),
        (3, 6, False, {"h6": "H"}, Action.HIT),
        (8, 16, False, {"h16": "Rh"}, Action.SURRENDER),
        (10, 20, False, {}, Action.STAND),
        (1, 12, True, {"h12": "S"}, Action.HIT),
    ],
)
@pytest.mark.parametrize("cell", ["P", "Rp"])
def test_a_pair_that_cannot_be_split_is_played_as_its_total(
    rank, total, *, is_soft, rows, expected, cell
):
    label = {1: "AA"}.get(rank, f"h{rank}{rank}")
    chart = strategy(**rows, **{label: cell})
    legal = (*PLAY, Action.DOUBLE, *([Action.SURRENDER] if cell == "P" else []))
    if cell == "Rp" and expected is Action.SURRENDER:
        expected = Action.HIT
    decision = decide(chart, total, legal, is_soft=is_soft, pair_rank=rank)
    assert decision is expected


def test_a_pair_is_split_or_surrendered_first():
    assert decide(strategy(h88="P"), 16, ANY, pair_rank=8) is Action.SPLIT
    assert decide(strategy(h88="Rp"), 16, ANY, pair_rank=8) is Action.SURRENDER
    assert decide(strategy(h88="Rp"), 16, (*PLAY, Action.SPLIT), pair_rank=8) is Action.SPLIT
    assert decide(strategy(h88="P", h16="H"), 16, ANY) is Action.HIT  # pair_rank=0: no pair


@pytest.mark.parametrize(
    ("total", "is_soft", "expected"),
    [
        (4, False, Action.DOUBLE),
        (12, True, Action.HIT),
        (13, True, Action.HIT),
        (20, True, Action.DOUBLE),
        (21, True, Action.STAND),
        (20, False, Action.STAND),
        (21, False, Action.STAND),
    ],
)
def test_totals_without_a_row_are_known(total, is_soft, expected):
    chart = strategy(h5="Dh", h19="H", A2="H", A9="Ds", h1010="P", AA="P")
    assert decide(chart, total, ANY, is_soft=is_soft) is expected


def test_the_column_is_the_upcard_s():
    cells = [("S",) * 10] * len(HAND_LABELS)
    cells[HAND_LABELS.index("12")] = ("H", "H", "S", "S", "S", "H", "H", "H", "H", "Dh")
    chart = Strategy(cells=tuple(cells))
    decisions = [decide(chart, 12, ANY, upcard=up) for up in range(1, 11)]
    hit, stand = Action.HIT, Action.STAND
    assert decisions == [Action.DOUBLE, hit, hit, stand, stand, stand, hit, hit, hit, hit]


@pytest.mark.parametrize(
    ("cell", "surrenders", "splits"),
    [("P", False, True), ("Rp", True, True), ("Rh", True, False), ("H", False, False)],
)
def test_offers_of_their_own_are_answered_as_the_cell_says(cell, surrenders, splits):
    chart = strategy(h88=cell, h16="Rh")
    surrender = (Action.SURRENDER, Action.NO_SURRENDER)
    split = (Action.SPLIT, Action.NO_SPLIT)
    assert decide(chart, 16, surrender, pair_rank=8) is surrender[not surrenders]
    assert decide(chart, 16, split, pair_rank=8) is split[not splits]


@pytest.mark.parametrize(
    "legal",
    [(Action.INSURANCE, Action.NO_INSURANCE), (Action.EVEN_MONEY, Action.NO_EVEN_MONEY)],
)
def test_insurance_and_even_money_are_taken_only_if_the_chart_says_so(legal):
    assert decide(strategy(), 16, legal) is legal[1]
    assert decide(strategy(insurance=True), 16, legal) is legal[0]


def test_a_question_that_no_chart_can_answer_is_refused():
    with pytest.raises(IllegalActionError, match=r"no answer for soft 18 v 6.*Legal: nothing"):
        decide(strategy(), 18, (), is_soft=True)
