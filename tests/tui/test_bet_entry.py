"""The bet between hands."""

from fractions import Fraction

import pytest

from upcard.session.betting import BetEntry

HUNDRED = Fraction(100)


def press(entry, keys, balance=HUNDRED, hands=1):
    for key in keys:
        if key in "+-":
            entry.change(1 if key == "+" else -1, balance=balance, hands=hands)
        else:
            assert entry.type(key)


def test_digits_and_a_point_are_typed_and_taken_exactly():
    entry = BetEntry(Fraction(10))
    press(entry, ["1", "2", ".", "5"])
    assert entry.words == "12.5"
    assert entry.read() == Fraction(25, 2)
    assert entry.words == "12.5"


def test_backspace_and_escape_forget():
    entry = BetEntry(Fraction(10))
    press(entry, ["7", "7", "backspace"])
    assert entry.words == "7"
    assert entry.cancel()
    assert not entry.cancel()
    assert entry.read() == 10


@pytest.mark.parametrize("typed", ["0", "00", "."])
def test_what_is_no_bet_is_refused_with_the_reason(typed):
    entry = BetEntry(Fraction(10))
    press(entry, typed)
    assert "number over 0" in entry.read()
    assert entry.bet == 10


def test_plus_and_minus_go_by_the_first_bet_within_the_chips():
    entry = BetEntry(Fraction(10))
    press(entry, ["+"] * 20, balance=Fraction(65), hands=2)
    assert entry.bet == 32
    press(entry, ["-"] * 20)
    assert entry.bet in {2, 10}


def test_other_keys_are_not_of_the_bet():
    assert not BetEntry(Fraction(10)).type("h")
    assert not BetEntry(Fraction(10)).type("backspace")
