"""Values come back from their saved form bit for bit, and nothing else is accepted."""

import json
import math
import random
import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest

import upcard
from upcard.cache.entry import (
    MalformedError,
    SavedQuestion,
    SavedRefusal,
    read_content,
    read_value,
    write_content,
    write_value,
)
from upcard.core.actions import Action
from upcard.core.errors import EmptyShoeError, NoExactValueError, UnsupportedRuleError
from upcard.exact.solver_results import CellCost, GameValue
from upcard.rules.model import Rules

RULES = Rules.parse("2D H17")
GAME = GameValue(
    ev=-0.1,
    insurance_ev=0.0,
    by_upcard={"A": -0.3, "2": 5e-324},
    rules=RULES,
    shoe="2D",
    splits="CDZ-",
    notes=("One.", "Zwei ♠."),
    seconds=0.25,
)


def save_and_read(value, of, rules=RULES):
    written = json.loads(json.dumps(write_value(value, of), allow_nan=False))
    return read_value(written, of, rules)


def bits(number):
    return struct.pack("<d", number)


def test_any_float_comes_back_bit_for_bit():
    rng = random.Random(3)
    odd = [0.0, -0.0, 1.0, -1.0, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, math.inf, -math.inf]
    drawn = [struct.unpack("<d", rng.randbytes(8))[0] for _ in range(2000)]
    for number in [*odd, *(one for one in drawn if not math.isnan(one))]:
        read = save_and_read(number, float)
        assert type(read) is float
        assert bits(read) == bits(number)


def test_results_come_back_equal_with_the_rules_of_who_asks():
    named = replace(RULES, name="mine")
    assert save_and_read(GAME, GameValue) == GAME
    assert save_and_read(GAME, GameValue, named).rules.name == "mine"
    cells = {("16", "T"): {Action.HIT: -0.5, Action.STAND: -math.inf}}
    assert save_and_read(cells, dict[tuple[str, str], dict[Action, float]]) == cells
    costs = (CellCost(hand="16", upcard="T", cell="S", better="H", cost=1e-5),)
    assert save_and_read(costs, tuple[CellCost, ...]) == costs
    assert save_and_read(None, float | None) is None
    assert save_and_read(1.0, float | None) == 1.0


def test_what_would_not_be_read_back_is_not_written():
    with pytest.raises(MalformedError):
        write_value(math.nan, float)
    with pytest.raises(TypeError, match="no type is known"):
        write_value([1], list[int])


QUESTION = SavedQuestion("game", RULES, (), GameValue, lambda: GAME)
FIELDS = write_value(GAME, GameValue)
MALFORMED = {
    "nothing": "",
    "no object": "[]",
    "no value": "{}",
    "no fields": '{"value": 3}',
    "a field too few": json.dumps({"value": FIELDS[1:]}),
    "a number as text": json.dumps({"value": ["0.1", *FIELDS[1:]]}),
    "a whole number": json.dumps({"value": [1, *FIELDS[1:]]}),
    "true": json.dumps({"value": [True, *FIELDS[1:]]}),
    "NaN": json.dumps({"value": [math.nan, *FIELDS[1:]]}),
    "an unknown error": '{"refusal": ["SystemExit", "1"]}',
    "an error with numbers": '{"refusal": ["EmptyShoeError", 1]}',
    "an error without its words": '{"refusal": ["UnsupportedRuleError", "x"]}',
    "deep": '{"value": ' + "[" * 60 + "]" * 60 + "}",
    "a pickle": "cos\nsystem\n(S'true'\ntR.",
}


@pytest.mark.parametrize("content", MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_value_is_refused(content):
    with pytest.raises(MalformedError):
        read_content(QUESTION, content)


@pytest.mark.parametrize(
    "error",
    [
        UnsupportedRuleError("finite-deck solver", "SPINF", "no limit"),
        EmptyShoeError("no card is left"),
        NoExactValueError("16 v T: unknown"),
    ],
)
def test_a_refusal_comes_back_as_the_same_error(error):
    read = read_content(QUESTION, write_content(QUESTION, SavedRefusal(error)))
    assert type(read.error) is type(error)
    assert str(read.error) == str(error)
    assert vars(read.error) == vars(error)


def test_nothing_that_runs_code_reads_a_saved_value():
    sources = Path(upcard.__file__).parent.joinpath("cache").glob("*.py")
    text = "\n".join(source.read_text(encoding="utf-8") for source in sources)
    imported = re.findall(r"^\s*(?:from|import) (\w+)", text, re.MULTILINE)
    assert not {"pickle", "marshal", "shelve", "dill"} & set(imported)
    assert not re.findall(r"\b(eval|exec|__import__|import_module|getattr_static)\(", text)
