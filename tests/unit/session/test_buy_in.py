"""Chips to sit down with."""

from __future__ import annotations

from fractions import Fraction

import pytest

from campaign.books import check_books
from upcard import Rules
from upcard.fair.fair_shoe import FairShoe
from upcard.store.bankroll import bankroll_of, buy_in, deposit, free_chips_of, has_bought_in
from upcard.store.database import open_in_memory
from upcard.store.kept_table import KeptTable


@pytest.fixture
def store():
    with open_in_memory() as opened:
        yield opened
        check_books(opened)


def test_a_hundred_are_brought_at_first(store) -> None:
    assert not has_bought_in(store)
    assert buy_in(store) == 100
    assert bankroll_of(store) == 100
    assert has_bought_in(store)


def test_what_there_is_goes_on(store) -> None:
    deposit(store, 37)
    assert buy_in(store) == 0
    assert bankroll_of(store) == 37


@pytest.mark.parametrize(("wanted", "brought"), [(50, 13), (37, 0), (20, -17), ("2.5", "-34.5")])
def test_the_difference_is_brought_or_taken_home(store, wanted, brought) -> None:
    deposit(store, 37)
    assert buy_in(store, Fraction(wanted)) == Fraction(brought)
    assert bankroll_of(store) == Fraction(wanted)


def test_who_lost_all_brings_a_hundred_again(store) -> None:
    deposit(store, 5)
    deposit(store, -5)
    assert buy_in(store) == 100


def test_chips_on_another_table_stay_there(store) -> None:
    deposit(store, 100)
    rules = Rules.parse("INF")
    table = KeptTable.sit_down(store, rules, shoe=FairShoe(rules, seeds=lambda: b"3" * 32))
    assert not table.start([40]).is_over
    assert buy_in(store, Fraction(10)) == -50
    assert free_chips_of(store) == 10
    assert bankroll_of(store) == 50
