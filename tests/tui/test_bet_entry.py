"""The bet between hands."""

from fractions import Fraction

import pytest

from upcard.core.wager import Wager, read_wager
from upcard.session.betting import BetEntry

HUNDRED = Fraction(100)


def press(entry, keys, balance=HUNDRED, hands=1):
    for key in keys:
        if key in "+-":
            entry.change(1 if key == "+" else -1, balance=balance, hands=hands)
        else:
            assert entry.type(key)


def test_digits_and_a_point_are_typed_and_taken_exactly():
    entry = BetEntry(Wager(Fraction(10)))
    press(entry, ["1", "2", ".", "5"])
    assert entry.words == "12.5"
    assert entry.read() == (Fraction(25, 2), ())
    assert entry.words == "12.5"


def test_backspace_and_escape_forget():
    entry = BetEntry(Wager(Fraction(10)))
    press(entry, ["7", "7", "backspace"])
    assert entry.words == "7"
    assert entry.cancel()
    assert not entry.cancel()
    assert entry.read() == (10, ())


@pytest.mark.parametrize("typed", ["0", "00", "."])
def test_what_is_no_bet_is_refused_with_the_reason(typed):
    entry = BetEntry(Wager(Fraction(10)))
    press(entry, typed)
    assert "number over 0" in entry.read()
    assert entry.wager.main == 10


def test_plus_and_minus_go_by_the_first_bet_within_the_chips():
    entry = BetEntry(Wager(Fraction(10)))
    press(entry, ["+"] * 20, balance=Fraction(65), hands=2)
    assert entry.wager.main == 32
    press(entry, ["-"] * 20)
    assert entry.wager.main in {2, 10}


def test_other_keys_are_not_of_the_bet():
    assert not BetEntry(Wager(Fraction(10))).type("h")
    assert not BetEntry(Wager(Fraction(10))).type("backspace")


def test_side_bets_are_turned_to_one_by_one_and_0_is_none():
    entry = BetEntry(Wager(Fraction(10)), codes=("21+3", "pp"))
    assert (entry.turn(), entry.name) == ("", "21+3")
    press(entry, "2")
    assert entry.words == "10 21+3 2"
    assert (entry.turn(), entry.name) == ("", "pp")
    press(entry, "++")
    assert entry.read() == read_wager("10 21+3 2 pp 2")
    press(entry, "---")
    assert entry.words == "10 21+3 2"
    assert (entry.turn(), entry.name) == ("", "bet")
    entry.turn()
    press(entry, "0")
    assert entry.read() == read_wager("10")
    entry.accept(entry.read())
    assert (entry.name, entry.words) == ("bet", "10")


def test_what_is_no_side_bet_stays_to_be_corrected():
    entry = BetEntry(Wager(Fraction(10)), codes=("pp",))
    entry.turn()
    press(entry, ".")
    assert "number over 0" in entry.turn()
    assert (entry.name, entry.typed) == ("pp", ".")


def test_side_bets_go_first_where_the_chips_do_not_cover_all():
    entry = BetEntry(read_wager("10 pp 5"), codes=("pp",))
    assert entry.fit(Fraction(12), 1)
    assert entry.wager == read_wager("10")


@pytest.mark.parametrize("order", [["21+3", "pp"], ["pp", "21+3"], ["bust", "21+3", "pp"]])
def test_side_bets_are_in_the_order_of_the_house_whichever_was_typed_first(order):
    codes = ("21+3", "pp", "bust")
    entry = BetEntry(Wager(Fraction(10)), codes=codes)
    for code in order:
        while entry.turned_to != code:
            assert not entry.turn()
        press(entry, str(1 + codes.index(code)))
    assert entry.read() == read_wager(entry.words).in_order(codes)
    placed = [code for code in codes if code in order]
    assert [code for code, _ in entry.read().side] == placed
