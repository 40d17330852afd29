"""CSV that upcard writes: no text of other people is run, and every reader takes it."""

from __future__ import annotations

import csv
import io
import random
from fractions import Fraction

import pytest

from upcard.core import figure

EVIL = (
    *(
        "=1+1.py",
        "+1+1",
        "-2+3",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "=",
        "-x",
        "+cmd|' /C calc'!A0",
    ),
    *(
        "\uff1d1+1",
        "\uff0d1-1",
        "\uff0b1",
        "\uff20x",
        "'=1",
        "''=1",
        "-1-1",
        "+1e5x",
        "-@",
        "-1/2/3",
        "=1,2",
        "-\n",
    ),
)
PLAIN = (
    "ann.py",
    "",
    "1",
    "-1",
    "+1.5",
    "-10/3",
    "-2.5%",
    "1e-05",
    "-1e-05",
    "-",
    "'ann'",
    "T 6",
    "a=b",
    "nan",
)


@pytest.mark.parametrize("text", EVIL)
def test_a_text_that_a_spreadsheet_would_run_is_a_text_there(text):
    [[cell, other]] = csv.reader(io.StringIO(figure.write_csv([[text, "x"]]), newline=""))
    assert (cell, other) == (f"'{text}", "x")
    assert figure.read_csv(figure.write_csv([[text, "x"]])) == [[text, "x"]]


@pytest.mark.parametrize("text", PLAIN)
def test_numbers_and_other_texts_stay_as_they_are(text):
    assert list(csv.reader([figure.write_csv([[text, "x"]])])) == [[text, "x"]]
    assert figure.read_csv(figure.write_csv([[text, "x"]])) == [[text, "x"]]


def test_values_that_are_no_texts_stay_numbers():
    row = (-1, -1.5, Fraction(-10, 3), Fraction(-5, 2), -0.00001, None, True)
    assert figure.write_csv([row]) == "-1,-1.5,-10/3,-2.5,-1e-05,,True\n"


def test_any_text_comes_back_as_it_was():
    rng = random.Random(4311)
    rows = [
        ["".join(rng.choices("'=+-@\t\r\n\"1.,;a/", k=rng.randrange(6))) for _ in range(4)]
        for _ in range(3000)
    ]
    assert figure.read_csv(figure.write_csv(rows)) == rows


def test_headings_are_texts_too():
    table = figure.make_table("t", [figure.text("=1+1")], [("@x",)])
    assert table.to_csv() == "'=1+1\n'@x\n"


def test_several_tables_are_one_with_every_column():
    one = figure.make_table("Ann", [figure.text("a"), figure.number("n")], [("x", 1)])
    two = figure.make_table("Bob", [figure.text("b"), figure.number("n")], [("y", 2), ("z", None)])
    joined = figure.join_tables([one, two])
    assert list(csv.reader(joined.to_csv().splitlines())) == [
        ["table", "a", "n", "b"],
        ["Ann", "x", "1", ""],
        ["Bob", "", "2", "y"],
        ["Bob", "", "", "z"],
    ]
