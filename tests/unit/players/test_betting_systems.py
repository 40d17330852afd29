"""Betting systems, fed with wins (W), losses (L) and pushes (P)."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from upcard import RulesError
from upcard.players.betting_systems import Cancellation, Flat, betting_names, make_betting

NETS = {"W": Fraction(1), "L": Fraction(-1), "P": Fraction(0)}


def bets(system, results):
    """Return the bet before each result, and the one after the last."""
    asked = []
    for letter in results:
        asked.append(system.next_bet())
        system.record(NETS[letter])
    return [*asked, system.next_bet()]


@pytest.mark.parametrize(
    ("name", "results", "expected"),
    [
        ("flat", "WLPLL", [1, 1, 1, 1, 1, 1]),
        ("martingale", "LLLWLW", [1, 2, 4, 8, 1, 2, 1]),
        ("martingale", "WLPPLW", [1, 1, 2, 2, 2, 4, 1]),
        ("1-3-2-6", "WWWWW", [1, 3, 2, 6, 1, 3]),
        ("1-3-2-6", "WLWWLW", [1, 3, 1, 3, 2, 1, 3]),
        ("1-3-2-6", "WPW", [1, 3, 3, 2]),
        ("fibonacci", "LLLLLLW", [1, 1, 2, 3, 5, 8, 13, 1]),
        ("fibonacci", "LLPLWL", [1, 1, 2, 2, 3, 1, 1]),
        ("cancellation", "WLLWP", [10, 10, 12, 14, 13, 13]),
        ("cancellation:1,2,3", "WWW", [4, 2, 4, 2]),
        ("cancellation:4", "LWW", [4, 8, 4, 4]),
        ("waiting:2", "LLLLWL", [1, 1, 1, 2, 4, 1, 1]),
        ("waiting:2", "LWLLLWL", [1, 1, 1, 1, 1, 2, 1, 1]),
        ("waiting:2", "LPLLPL", [1, 1, 1, 1, 2, 2, 4]),
        ("waiting", "LLLLL", [1, 1, 1, 1, 2, 4]),
    ],
)
def test_003_20_sequences(name, results, expected):
    assert bets(make_betting(name), results) == expected


def test_003_20_worked_example_of_cancellation():
    """Document 003: from 1 to 9, bets 10 win, 10 loss, 12 loss, 14 win, next bet 13."""
    system = Cancellation(line=range(1, 10))
    assert bets(system, "WLLW") == [10, 10, 12, 14, 13]
    assert system.line == [3, 4, 5, 6, 7, 8, 10]


@pytest.mark.parametrize(
    ("name", "results", "expected"),
    [
        ("martingale", "LLLLLWL", [5, 10, 20, 30, 30, 30, 5, 10]),
        ("1-3-2-6", "WWWW", [5, 15, 10, 30, 5]),
        ("fibonacci", "LLLLLW", [5, 5, 10, 15, 25, 30, 5]),
        ("cancellation:2,5", "LLW", [30, 30, 30, 30]),
        ("waiting:1", "LLLLLW", [5, 5, 10, 20, 30, 30, 5]),
    ],
)
def test_003_20_at_the_limit_the_limit_is_bet(name, results, expected):
    assert bets(make_betting(name, unit=5, limit=30), results) == expected


def test_cancellation_writes_down_the_bet_that_was_laid():
    system = Cancellation(5, 30, line=(2, 5))
    system.record(Fraction(-30))
    assert system.line == [2, 5, 6]


@pytest.mark.parametrize("name", [name for name in betting_names() if name != "random"])
def test_003_20_a_push_changes_nothing(name):
    system = make_betting(name)
    system.record(Fraction(-1))
    before = system.next_bet()
    system.record(Fraction(0))
    assert system.next_bet() == before


@pytest.mark.parametrize("net", ["1/2", "3/2", "4"])
def test_how_much_was_won_or_lost_does_not_matter(net):
    won, lost = make_betting("1-3-2-6"), make_betting("martingale")
    won.record(Fraction(net))
    lost.record(-Fraction(net))
    assert (won.next_bet(), lost.next_bet()) == (3, 2)


@pytest.mark.parametrize("name", betting_names())
def test_asking_again_changes_nothing(name):
    system = make_betting(name, rng=random.Random(1))
    assert len({system.next_bet() for _ in range(20)}) == 1


@pytest.mark.parametrize("name", betting_names())
def test_bets_stay_positive_and_within_the_limit(name):
    rng = random.Random(5)
    system = make_betting(name, unit="2.5", limit=40, rng=rng)
    for _ in range(500):
        assert Fraction(5, 2) <= system.next_bet() <= 40
        system.record(NETS[rng.choice("WLP")])


def test_random_bets_are_every_whole_number_of_units():
    system = make_betting("random:4", unit=5, rng=random.Random(2))
    drawn = set(bets(system, "WLP" * 50))
    assert drawn == {5, 10, 15, 20}


def test_random_bets_keep_the_limit():
    system = make_betting("random", unit=10, limit=35, rng=random.Random(2))
    assert set(bets(system, "L" * 100)) == {10, 20, 30}


def test_random_bets_repeat_with_a_seed():
    drawn = [bets(make_betting("random", rng=random.Random(9)), "L" * 10) for _ in range(2)]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("name", ["Martingale", " FLAT ", "Waiting: 3 ", "cancellation: 1, 2"])
def test_names_are_read_in_any_case(name):
    assert make_betting(name).next_bet() > 0


@pytest.mark.parametrize("name", ["", "martingal", "paroli:2", "flat 2"])
def test_unknown_names_are_refused_with_what_exists(name):
    with pytest.raises(RulesError) as error:
        make_betting(name)
    for known in betting_names():
        assert known in str(error.value)


@pytest.mark.parametrize(
    "name",
    [
        "waiting:",
        "waiting:0",
        "waiting:-1",
        "waiting:1.5",
        "waiting:x",
        "waiting:1,2",
        "random:0",
        "random:99999999999999999999",
        "cancellation:",
        "cancellation:1,,2",
        "cancellation:1,0",
        "flat:2",
        "martingale:",
    ],
)
def test_bad_numbers_are_refused(name):
    with pytest.raises(RulesError, match="betting system"):
        make_betting(name)


@pytest.mark.parametrize(
    "chips",
    [{"unit": 0}, {"unit": -5}, {"unit": "nan"}, {"unit": "x"}, {"limit": 0}, {"limit": "inf"}],
)
def test_bad_chips_are_refused(chips):
    with pytest.raises(RulesError, match="a bet of"):
        make_betting("martingale", **chips)


def test_a_unit_over_the_limit_is_refused():
    with pytest.raises(RulesError, match="a limit of 5 is under the unit of 10"):
        Flat(10, 5)
