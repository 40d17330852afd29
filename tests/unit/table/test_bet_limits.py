"""Bets that a table takes and the chips cover."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard.core.wager import Wager
from upcard.table.bet_limits import find_shortage, fit_bet, fit_wager, round_bet, why_not_bet

ONE = Fraction(1)
HALF = Fraction(1, 2)
UNITS = st.sampled_from([HALF, ONE, Fraction(5), Fraction(25)])
CHIPS = st.integers(0, 4000).map(lambda quarters: Fraction(quarters, 4))


@given(bets=st.integers(1, 200), unit=UNITS, balance=CHIPS, hands=st.integers(1, 7))
def test_a_bet_that_is_offered_is_one_that_is_taken(bets, unit, balance, hands) -> None:
    """F6: nothing is offered that typing refuses."""
    offered = fit_bet(bets * unit, balance, hands=hands, unit=unit)
    if offered:
        assert not why_not_bet(Wager(offered), balance, hands=hands, unit=unit)
    else:
        assert find_shortage(balance, hands=hands, unit=unit) is not None


@given(unit=UNITS, balance=CHIPS, hands=st.integers(1, 7))
def test_what_is_brought_covers_the_smallest_bets(unit, balance, hands) -> None:
    """F5: there is always a way to continue."""
    shortage = find_shortage(balance, hands=hands, unit=unit)
    if shortage is None:
        assert balance >= unit * hands
        return
    assert shortage.brings % 100 == 0
    assert find_shortage(balance + shortage.brings, hands=hands, unit=unit) is None
    assert shortage.most_hands < hands
    assert shortage.most_hands * unit <= balance


def test_without_chips_nothing_is_missing_where_there_are_no_bets() -> None:
    assert find_shortage(None, hands=3, unit=ONE) is None
    assert fit_bet(Fraction(10), None, hands=3, unit=ONE) == 10


@pytest.mark.parametrize(
    ("balance", "hands", "words"),
    [
        ("0", 3, "You have no chips left."),
        ("0.1", 1, "Your balance of 0.1 does not cover the smallest bet, 1."),
        ("2", 3, "Not enough for 3 hands: you have 2, the smallest bet is 1."),
    ],
)
def test_a_shortage_says_what_is_missing(balance, hands, words) -> None:
    assert str(find_shortage(Fraction(balance), hands=hands, unit=ONE)) == words


@pytest.mark.parametrize(
    ("bet", "unit", "limit", "rounded"),
    [
        ("10", "1", None, "10"),
        ("10", "25", None, "25"),
        ("10", "3", None, "9"),
        ("2.5", "1", "7", "2"),
    ],
)
def test_a_bet_is_rounded_to_what_the_table_takes(bet, unit, limit, rounded) -> None:
    most = None if limit is None else Fraction(limit)
    assert round_bet(Fraction(bet), Fraction(unit), most) == Fraction(rounded)


@pytest.mark.parametrize("place", ["main", "first", "last"])
@pytest.mark.parametrize(
    ("chips", "words"),
    [
        (Fraction(0), "bets are over 0"),
        (Fraction(-5), "bets are over 0"),
        (Fraction(6), "bets are multiples of 5"),
        (Fraction(5, 2), "bets are multiples of 5"),
        (Fraction(105), "the table's limit is 100"),
        (Fraction(5), ""),
        (Fraction(100), ""),
    ],
)
def test_each_bet_of_a_hand_is_held_to_the_smallest_and_the_largest(place, chips, words) -> None:
    amounts = {"main": Fraction(10), "first": Fraction(15), "last": Fraction(20)} | {place: chips}
    wager = Wager(amounts["main"], (("pp", amounts["first"]), ("21+3", amounts["last"])))
    why = why_not_bet(wager, None, hands=1, unit=Fraction(5), limit=Fraction(100))
    assert words in why
    assert bool(why) is bool(words)


@given(bets=st.integers(1, 50), side=st.integers(0, 50), unit=UNITS, balance=CHIPS)
def test_where_chips_run_short_side_bets_go_before_the_main_bet_is_lower(
    bets, side, unit, balance
) -> None:
    placed = (("pp", side * unit),) if side else ()
    wager = Wager(bets * unit, placed)
    for hands in (1, 2, 3):
        fitted = fit_wager(wager, balance, hands=hands, unit=unit)
        assert fitted.total * hands <= balance
        if wager.total * hands <= balance:
            assert fitted == wager
        else:
            assert fitted.side == ()
            most = balance / hands // unit * unit
            assert fitted.main == min(wager.main, most)
