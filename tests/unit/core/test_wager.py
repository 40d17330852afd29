"""Wagers: typed, written, in JSON and in records, always the same bets."""

import random
from fractions import Fraction

import pytest

from upcard.core.errors import NotationError, RulesError
from upcard.core.numbers import format_chips
from upcard.core.wager import Wager, read_record, read_wager, type_wager, write_record

CODES = ("21+3", "pp", "bust")


def random_wager(rng):
    placed = [code for code in CODES if rng.random() < 0.5]
    amounts = [Fraction(rng.randint(1, 400), rng.choice((1, 2, 4))) for _ in range(1 + len(placed))]
    return Wager(amounts[0], tuple(zip(placed, amounts[1:], strict=True)))


def test_a_wager_is_read_back_in_each_of_its_forms():
    rng = random.Random("wagers")
    for _ in range(300):
        wager = random_wager(rng)
        assert type_wager(str(wager), CODES) == wager
        assert read_wager(str(wager)) == wager
        side = {code: format_chips(chips) for code, chips in wager.side}
        assert read_wager({"bet": format_chips(wager.main), "side": side}) == wager
        assert read_record(write_record(wager)) == wager
        assert wager.total == wager.main + sum(chips for _, chips in wager.side)


@pytest.mark.parametrize("bet", [10, "10", "10.0", Fraction(10), {"bet": "10"}, {"bet": 10}])
def test_a_main_bet_alone_is_chips(bet):
    assert read_wager(bet) == (10, ())
    assert str(read_wager(bet)) == write_record(read_wager(bet)) == "10"


def test_side_bets_take_the_order_of_the_house_and_none_is_no_bet():
    wager = read_wager("10 PP 1 21+3 2 bust 0")
    assert wager.side == (("pp", 1), ("21+3", 2))
    assert wager.in_order(CODES).side == (("21+3", 2), ("pp", 1))
    assert type_wager('{"bet": "10", "side": {"pp": "1.5"}}', CODES).on("pp") == Fraction(3, 2)


@pytest.mark.parametrize(
    "bet",
    [
        *("", "x", "10 pp", "10 pp x", "0", "-1", "1e13", "10 pp 1 PP 2", "10 pp -1", "nan"),
        *(None, [10], True, {"side": {}}, {"bet": 1, "tip": 2}, {"bet": 1, "side": [1]}),
        Wager(Fraction(0)),
    ],
)
def test_nonsense_is_refused(bet):
    with pytest.raises(RulesError):
        read_wager(bet)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("10 foo 2", "side bet 'foo': this house has 21\\+3, pp, bust"),
        ("10 pp", "write the bet, then each side bet and its chips, such as 10 21\\+3 2"),
        ("10 pp 0.00001", "side bet pp '0.00001'"),
        ("10 pp 1 pp 1", "placed twice"),
        ('{"bet": 10', "not JSON"),
        ("", "bet ''"),
    ],
)
def test_what_is_typed_wrong_says_what_is_possible(text, words):
    with pytest.raises(NotationError, match=words):
        type_wager(text, CODES)


@pytest.mark.parametrize("text", ["x", "10;pp", "10;=2", "10;pp=x", ""])
def test_a_damaged_record_is_none(text):
    assert read_record(text) is None
