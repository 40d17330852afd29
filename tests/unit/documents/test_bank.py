"""Chips of a session: read, written, booked, taken back."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard import Action, NotationError, Rules, Table
from upcard.core.number_texts import read_chips
from upcard.core.numbers import format_chips, signed
from upcard.players.play_rounds import Bank
from upcard.table import ScriptedShoe


@pytest.mark.parametrize(
    ("text", "amount"),
    [("10", Fraction(10)), ("2.5", Fraction(5, 2)), (".25", Fraction(1, 4)), ("07", Fraction(7))],
)
def test_chips_are_read_exactly(text, amount) -> None:
    assert read_chips(text) == amount


@pytest.mark.parametrize(
    "text", ["", "0", "0.0", "-1", "1e3", "nan", "1/2", "1000000000", "1.23456", "٣", "1 0"]
)
def test_what_is_no_amount_is_refused(text) -> None:
    with pytest.raises(NotationError, match="over 0 and under a billion"):
        read_chips(text)


@given(st.integers(1, 10**12))
def test_what_is_written_is_read_again(units) -> None:
    amount = Fraction(units, 10**4)
    if amount < 10**9:
        assert read_chips(format_chips(amount)) == amount


def test_amounts_are_written_exactly() -> None:
    amounts = (Fraction(5, 2), Fraction(-5, 2), Fraction(10, 3), Fraction(0))
    assert [format_chips(amount) for amount in amounts] == ["2.5", "-2.5", "10/3", "0"]
    assert [signed(amount) for amount in amounts] == ["+2.5", "−2.5", "+10/3", "0"]


@pytest.mark.slow
@given(st.lists(st.fractions(-50, 50, max_denominator=4)))
def test_the_balance_is_what_was_brought_and_the_nets(nets) -> None:
    bank = Bank(balance=Fraction(100))
    for net in nets:
        bank.settle(net)
    assert bank.balance == 100 + sum(nets)
    assert (bank.net, bank.rounds) == (sum(nets), len(nets))
    assert bank.wins + bank.losses + bank.ties == len(nets)


@given(st.fractions(-50, 50, max_denominator=4))
def test_a_round_taken_back_leaves_no_trace(net) -> None:
    bank, before = Bank(balance=Fraction(100)), Bank(balance=Fraction(100))
    bank.settle(net)
    assert bank != before
    bank.undo(net)
    assert bank == before


def test_a_house_without_bets_keeps_the_score() -> None:
    bank = Bank(balance=None)
    bank.settle(Fraction(1))
    bank.settle(Fraction(-1))
    assert bank.standing == "Won 1, lost 1, tied 0"
    assert bank.summarize("round") == "Won 1, lost 1, tied 0 after 2 rounds."
    assert not bank.is_broke


def test_a_refusal_of_what_the_chips_do_not_cover_counts_the_persons_spots_only() -> None:
    table = Table(Rules.parse("6D"), ScriptedShoe("8 9 6 8 9 T"))
    table.start([10, 80])
    bank = Bank(balance=Fraction(15))
    refusal = bank.refuse_uncovered(table.view(), Action.DOUBLE, (Action.STAND,), (0,))
    assert refusal.without_legal == "cannot double: it takes 10 more chips and you have 5 left"
    assert str(refusal) == f"{refusal.without_legal}. Legal: stand"
