"""Numbers in text from outside: exact, or refused at once (S3-2, S4.2, S4.5)."""

import random
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard.core.actions import Action
from upcard.core.cards import Card
from upcard.core.errors import RulesError
from upcard.core.numbers import (
    LONGEST_NUMBER,
    exact_number,
    read_letters,
    read_seed,
    to_json,
    whole_number,
    write_letters,
)


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("10", 10),
        ("-3", -3),
        ("+3", 3),
        ("2.50", Fraction(5, 2)),
        (".5", Fraction(1, 2)),
        ("5.", 5),
        ("4/13", Fraction(4, 13)),
        (" 1 ", 1),
        ("1e3", 1000),
        ("25E-2", Fraction(1, 4)),
        ("9" * LONGEST_NUMBER, 10**LONGEST_NUMBER - 1),
        (7, 7),
        (0.1, Fraction(1, 10)),
        (1e-7, Fraction(1, 10**7)),
        (Fraction(2, 3), Fraction(2, 3)),
        (Decimal("0.25"), Fraction(1, 4)),
    ],
)
def test_a_number_is_read_exactly(written, number):
    assert exact_number(written) == number


@pytest.mark.parametrize(
    "written",
    [
        *(
            "",
            " ",
            "ten",
            "nan",
            "inf",
            "-Infinity",
            "1/0",
            "0/0",
            "1_000",
            "1,5",
            "--1",
            "1e",
            "e5",
        ),
        *("1e999999999", "1e-999999999", "1e101", "9" * 5000, "1/" + "9" * 5000, "0." + "9" * 5000),
        *(
            "٣",
            "\uff16",
            "½",
            "²",
            "0x10",
            "1 2",
            "1/ 2",
            "1/2/3",
            "1.5/2",
            "1e5/2",
            "1\x002",
            "\ud800",
        ),
        *(True, False, None, [], (1,), b"1", 1j, float("nan"), float("inf"), Decimal("NaN")),
        *(10**5000, Fraction(1, 10**5000), Decimal("1e999999"), object()),
    ],
    ids=lambda written: ascii(written)[:20] if isinstance(written, str) else type(written).__name__,
)
def test_what_is_not_a_number_is_refused_at_once(written):
    assert exact_number(written) is None


@pytest.mark.parametrize(
    ("written", "number"),
    [("0", 0), ("-12", -12), ("+7", 7), (" 5 ", 5), ("007", 7), ("9" * 18, 10**18 - 1)],
)
def test_a_whole_number_is_read(written, number):
    assert whole_number(written) == number


@pytest.mark.parametrize(
    "written",
    ["", "1.0", "1e3", "9" * 19, "9" * 5000, "٣", "²", "1_0", "0x1", "1/1", "\x00", "- 1"],
)
def test_what_is_not_a_whole_number_is_refused(written):
    assert whole_number(written) is None


@pytest.mark.parametrize("seed", [-1, 2**64, 2**70, 1.0, True, "1", None, [1], np.array([1])])
def test_a_seed_outside_the_range_is_refused(seed):
    with pytest.raises(RulesError, match="a seed is a whole number from 0 to 18446744073709551615"):
        read_seed(seed)


@pytest.mark.parametrize("number", [np.int64(3), np.uint8(3), np.float64(3)])
def test_numpys_numbers_are_numbers(number):
    assert exact_number(number) == 3
    assert type(exact_number(number).numerator) is int


def test_numpys_integers_are_seeds():
    assert read_seed(np.uint64(2**64 - 1)) == 2**64 - 1
    assert type(read_seed(np.int64(5))) is int


def test_any_text_is_a_small_number_or_refused():
    """Seeded fuzz: never an exception, never a number that takes long to write."""
    rng = random.Random(20)
    pieces = [*"0123456789+-./eE_ ,:", "1e9", "99999", "nan", "inf", "٣", "\x00", "\udc80", "e-99"]
    for _ in range(20_000):
        text = "".join(rng.choice(pieces) for _ in range(rng.randint(0, 12)))
        number = exact_number(text)
        if number is not None:
            assert len(str(number)) <= 3 * LONGEST_NUMBER
            assert number == Fraction(text)
        whole = whole_number(text)
        assert whole is None or whole == number == int(text)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(10), "10"),
        (Fraction(-5, 2), "-2.5"),
        (Fraction(1, 3), "1/3"),
        (2.5, 2.5),
        (float("-inf"), "-infinite"),
        ({1: (Card("8H"), None, True)}, {"1": ["8H", None, True]}),
        (Action.HIT, "hit"),
    ],
)
def test_json_has_fractions_as_exact_text_and_floats_as_numbers(value, written):
    assert to_json(value) == written
    assert type(to_json(value)) is type(written)


def test_what_json_cannot_hold_is_refused():
    with pytest.raises(TypeError, match="JSON has no set"):
        to_json({1})


@dataclass(frozen=True)
class Inner:
    seed: int
    share: Fraction
    hidden: int = field(default=0, metadata={"json": False})

    def twice(self):
        return 2 * self.seed


@dataclass(frozen=True)
class Outer:
    one: Inner | None
    is_counted: bool
    json_keys = """
        key=one.seed twice=one.twice share=one.share.__float__ one
        counted=is_counted?is_counted
    """


@dataclass(frozen=True)
class Written:
    text: str
    json_keys = str


def test_a_dataclass_is_its_fields_or_what_its_class_lists():
    inner = Inner(7, Fraction(1, 2))
    known = {"key": 7, "twice": 14, "share": 0.5, "one": {"seed": 7, "share": "0.5"}}
    assert to_json(Outer(inner, is_counted=False)) == known
    assert [*to_json(Outer(inner, is_counted=True))] == [*known, "counted"]
    assert set(to_json(Outer(None, is_counted=False)).values()) == {None}
    assert to_json([Written("x")]) == ["Written(text='x')"]


@given(st.binary(max_size=50))
def test_bytes_are_read_back_from_their_letters(data):
    assert read_letters(write_letters(data)) == data


@given(
    st.text(max_size=20)
    | st.text("AQgw_-+/= \n", max_size=8)  # what Python's own decoder skips, in some places
)
def test_letters_are_those_that_were_written_or_refused(text):
    data = read_letters(text)
    assert data is None or write_letters(data) == text
