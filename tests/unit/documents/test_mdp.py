"""`policy(p)` as a value; its tables and figures are in tests/conformance."""

import json
import math
from fractions import Fraction

import pytest

from upcard import NotationError
from upcard.documents.mdp import policy
from upcard.strategy.chart import HAND_LABELS, Strategy


def test_a_policy_is_a_sequence_of_33_rows_of_ten_letters():
    found = policy("4/13")
    assert len(found) == 33
    assert [label for label, _ in found] == list(HAND_LABELS)
    assert all(len(letters) == 10 and set(letters) <= set("HSDP") for _, letters in found)
    assert found[11] == ("16", "SSSSSHHHHH")
    assert found[-1] == ("AA", "PPPPPPPPPH")
    assert found[:2] == (("5", "H" * 10), ("6", "H" * 10))
    assert ("19", "S" * 10) in found


def test_its_text_is_document_002_s():
    lines = str(policy("4/13")).split("\n")
    assert lines[4] == "9\tH D D D D H H H H H"
    assert len(lines) == 34
    assert lines[-1] == ""


def test_its_text_is_read_as_a_chart():
    chart = Strategy.parse(str(policy("0.2")))
    assert chart.cell("AA", 4) == "P"
    assert chart.cell("11", 4) == "Dh"


@pytest.mark.parametrize("p", ["0.3", "3/10", 0.3, Fraction(3, 10), " .3 ", "30e-2", "+0.30"])
def test_a_probability_is_written_in_many_ways(p):
    assert policy(p).p == Fraction(3, 10)
    assert policy(p) == policy("0.3")


@pytest.mark.parametrize(("p", "share"), [(0, 0), (1, 1), ("1.", 1), (0.5, Fraction(1, 2))])
def test_the_ends_are_probabilities_too(p, share):
    assert policy(p).p == share


@pytest.mark.parametrize(
    "p",
    [
        "-0.1", "1.0001", 2, -1, "nan", "inf", "-inf", math.nan, math.inf, "ten", "", " ", "1/0",
        "4/13/2", "0,3", "30%", True, None, "0x1", "1_0/20", "1e999999999", "1e-999999999",
        "9" * 5000, "٣/10",
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_what_is_possible(p):
    with pytest.raises(NotationError, match=r"write a probability from 0 to 1.*\(4/13\)") as caught:
        policy(p)
    assert len(str(caught.value)) < 150


def test_values_are_by_letter_and_only_of_what_is_legal():
    found = policy("4/13")
    assert found.values("16", "10") == pytest.approx(
        {"H": -0.575224, "S": -0.575782, "D": -1.150449}, abs=1e-6
    )
    assert set(found.values("88", "A")) == {"H", "S", "D", "P"}


def test_a_row_or_column_that_is_not_there_is_refused():
    with pytest.raises(NotationError, match="no row is called '20'"):
        policy("0.3").values("20", "10")
    with pytest.raises(NotationError, match="unknown card 'U'"):
        policy("0.3").values("19", "U")


def test_a_ten_may_be_written_as_on_the_command_line():
    found = policy("0.3")
    assert found.values("tt", "T") == found.values("1010", "10") == found.values("TT", 10)


@pytest.mark.parametrize("p", ["4/13", "1/2", "0", "1"])
def test_it_goes_into_json_without_infinity(p):
    found = policy(p)
    data = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert data["p"] == p
    assert [row["hand"] for row in data["rows"]] == list(HAND_LABELS)
    assert ["".join(row["actions"]) for row in data["rows"]] == [letters for _, letters in found]
    tens = data["rows"][-2]["values"]
    assert tens[4]["S"] == found.values("1010", "6")["S"]
    assert (data["ev"] == "infinite") is (p == "1/2")
    assert (tens[4]["P"] == "infinite") is (p in ("1/2", "1"))


def test_close_to_one_half_values_are_huge_and_finite():
    share = Fraction(1, 2) - Fraction(1, 10**30)
    assert 1e20 < policy(share).ev < math.inf
    assert policy(Fraction(1, 2)).ev == math.inf


@pytest.mark.parametrize("p", ["0", "1/1000000", "0.999999", "1"])
def test_no_cell_is_undefined_at_the_ends(p):
    found = policy(p)
    for label in HAND_LABELS:
        for upcard in ("2", "10", "A"):
            assert not any(math.isnan(ev) for ev in found.values(label, upcard).values())
    assert not math.isnan(found.ev)
