"""Fields of questions: whatever their reader raises is a refusal that says what is possible."""

from __future__ import annotations

import ast
import datetime as dt
import enum
import json
import math
import re
from decimal import Decimal
from fractions import Fraction
from inspect import Parameter
from ipaddress import ip_address
from pathlib import Path
from uuid import UUID

import pytest

from upcard.core.errors import BlackjackError, NotationError
from upcard.core.fields import AskedField, Field

HELP = "Hands to deal, such as 8."


class Letter(enum.Enum):
    A = "a"
    B = "b b"


class Count(enum.IntEnum):
    ONE = 1
    TWO = 2


class Word(enum.StrEnum):
    HIT = enum.auto()
    STAND = enum.auto()


class Mark(enum.Flag):
    LOW = 1
    HIGH = 2


READERS = {
    "int": (int, "8", 8),
    "float": (float, "2.5", 2.5),
    "complex": (complex, "1j", 1j),
    "bool": (bool, "no", False),
    "Fraction": (Fraction, "10/3", Fraction(10, 3)),
    "Decimal": (Decimal, "1.5", Decimal("1.5")),
    "Enum": (Letter, "b b", Letter.B),
    "Enum by name": (Letter, "A", Letter.A),
    "IntEnum": (Count, "2", Count.TWO),
    "StrEnum": (Word, "Stand", Word.STAND),
    "Flag": (Mark, "low", Mark.LOW),
    "date": (dt.date.fromisoformat, "2026-11-27", dt.date(2026, 11, 27)),
    "time": (dt.time.fromisoformat, "12:00", dt.time(12)),
    "UUID": (UUID, "0" * 32, UUID(int=0)),
    "address": (ip_address, "::1", ip_address("::1")),
    "JSON": (json.loads, "[1]", [1]),
    "literal": (ast.literal_eval, "{1}", {1}),
    "pattern": (re.compile, "a", re.compile("a")),
    "of a table": ({"x": 1}.__getitem__, "x", 1),
    "of a list": (lambda text: "abc"[int(text)], "1", "b"),
    "file": (lambda text: Path(text).stat().st_mode and text, "/", "/"),
    "attribute": (lambda text: getattr(math, text), "pi", math.pi),
    "words": (lambda text: dict([text.split("=")]), "a=1", {"a": "1"}),
    "assertion": (lambda text: int(text) if text.isdigit() else 1 / 0, "7", 7),
}
NONSENSE = ("nope", "9" * 5000 + "x", "1/0", "(", "\ud800", "💥", "\0")


@pytest.mark.parametrize("name", READERS)
def test_every_reader_reads_and_refuses_with_what_is_possible(name):
    """`Field(int, ...)` ended in a traceback: only errors of our own were caught."""
    read, text, value = READERS[name]
    field = AskedField(name="hands", field=Field(read, HELP), default=None)
    assert field.read(text) == value
    assert field.read("") is None
    refused = 0
    for nonsense in NONSENSE:
        try:
            field.read(nonsense)
        except BlackjackError as error:
            refused += 1
            message = str(error)
            assert "Hands to deal, such as 8" in message
            assert "'" in message
            assert "\n" not in message
            assert len(message) < 900
    assert refused


@pytest.mark.parametrize(
    ("read", "text", "words"),
    [
        (int, "x", "'x' is not a whole number. Hands to deal, such as 8."),
        (int, "2.5", "'2.5' is not a whole number."),
        (float, "x", "'x' is not a number."),
        (float, "nan", "'nan' is not a number."),
        (float, "inf", "'inf' is not a number."),
        (Fraction, "1/0", "'1/0' is not a number or a fraction."),
        (Decimal, "x", "'x' is not a number."),
        (bool, "perhaps", "'perhaps': choose one of yes, no."),
        (Letter, "c", "'c': choose one of a, b b."),
        (Count, "3", "'3': choose one of 1, 2."),
        (Word, "split", "'split': choose one of hit, stand."),
        (Mark, "none", "'none': choose one of low, high."),
    ],
)
def test_built_in_types_and_enumerations_say_what_is_possible(read, text, words):
    with pytest.raises(NotationError) as refused:
        Field(read, HELP).read(text)
    assert words in str(refused.value)


@pytest.mark.parametrize("error", [NotationError("own words"), KeyboardInterrupt(), SystemExit(2)])
def test_an_error_of_our_own_and_an_end_of_the_program_stay_as_they_are(error):
    def fail(text):
        raise error

    with pytest.raises(type(error)) as raised:
        Field(fail, HELP).read("8")
    assert raised.value is error


def test_a_field_without_a_default_is_asked_for():
    field = AskedField(name="hands", field=Field(int, HELP), default=Parameter.empty)
    with pytest.raises(NotationError, match=r"hands is empty\. Hands to deal, such as 8\."):
        field.read("")


def test_a_text_of_separators_alone_is_the_default():
    """It was no value at all: a drill of no hands, which failed once it was begun."""
    field = AskedField(name="hands", field=Field(int, HELP, many=",;"), default=None)
    assert field.read(" , ;") is None
    assert field.read("1,; 2") == (1, 2)


@pytest.mark.parametrize(
    ("text", "value"), [("yes", True), ("none", None), ("1,2", ("1", "2")), ("2500.5", 2500.5)]
)
def test_what_is_written_is_read_again(text, value):
    read = {"yes": True, "none": None, "2500.5": 2500.5}
    more = {"many": ","} if isinstance(value, tuple) else {}
    field = Field(lambda word: read.get(word, word), HELP, **more)
    asked = AskedField(name="hands", field=field, default="else")
    assert asked.write(value) == text
    assert asked.read(text) == value
    assert asked.write("else") == ""
