"""Bet ramps: how their texts are read for a system, and what they bet."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upcard import NotationError, RulesError
from upcard.strategy.count_system import load_system
from upcard.strategy.ramp import BetRamp, parse_ramp

HI_LO, KO, ZEN = (load_system(name) for name in ("hi-lo", "ko", "zen"))


def bets(text, counts, system=HI_LO, decks=6):
    ramp = parse_ramp(text, system, decks=decks)
    return [ramp.bet(count) for count in counts]


def test_a_spread_rises_in_proportion_to_four_counts_of_hi_lo_above_one():
    assert bets("1-8", range(-3, 8)) == [1, 1, 1, 1, 1, 2, 4, 6, 8, 8, 8]
    assert bets("1-12", range(1, 7)) == [1, 3, 6, 9, 12, 12]
    assert bets("1-5", range(1, 6)) == [1, 1, 3, 4, 5]
    assert bets(" 2 - 6 ", range(1, 6)) == [2, 2, 3, 5, 6]
    assert bets("1-1", range(-9, 9)) == [1] * 18


def test_a_list_begins_below_the_first_count_of_the_ramp():
    assert bets("1,1,2,4,8", range(-2, 7)) == [1, 1, 1, 1, 2, 4, 8, 8, 8]
    assert bets("0, 1/2, 2.5", range(-1, 4)) == [0, 0, Fraction(1, 2), Fraction(5, 2), 2.5]
    assert bets("3", (-9, 0, 9)) == [3, 3, 3]


def test_a_system_of_larger_counts_takes_longer_steps():
    assert bets("1-8", range(1, 12), ZEN) == [1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 8]
    assert bets("1,1,2,4,8", range(9), ZEN) == [1, 1, 1, 1, 2, 2, 4, 4, 8]


def test_an_unbalanced_count_begins_at_its_key_count_for_the_decks():
    assert bets("1-8", (-5, -4, -1, 2, 5, 8), KO, 6) == [1, 1, 2, 4, 6, 8]
    assert bets("1-8", (2, 3, 4, 5, 6, 7), KO, 1) == [1, 2, 4, 6, 8, 8]
    assert bets("1,1,2", (-5, -4, -2, -1), KO, 6) == [1, 1, 1, 2]


def test_pairs_and_files_name_the_counts_themselves(tmp_path):
    expected = [0, 1, 1, 5, 5]
    assert bets("-1:0 0:1 2:5", range(-1, 4)) == expected
    assert bets("-1:0, +0:1, 2:5", range(-1, 4), KO) == expected
    file = tmp_path / "ramp.txt"
    file.write_text("# my ramp\n-1 0\n0 1  # the unit\n\n2 5\n", encoding="utf-8")
    assert bets(str(file), range(-1, 4), ZEN) == expected


RAMPS = st.builds(
    BetRamp,
    least=st.integers(-30, 30),
    bets=st.lists(st.fractions(0, 20, max_denominator=4), min_size=1, max_size=12)
    .filter(any)
    .map(tuple),
)


@pytest.mark.slow
@given(RAMPS, st.sampled_from([HI_LO, KO, ZEN]))
def test_a_ramp_is_read_back_as_it_is_written_whatever_the_system(ramp, system):
    assert parse_ramp(str(ramp), system, decks=2) == ramp


@pytest.mark.slow
@given(RAMPS, st.integers(-60, 60))
def test_ramps_are_equal_if_they_bet_the_same(ramp, count):
    padded = BetRamp(
        least=ramp.least - 2, bets=(ramp.bets[0], ramp.bets[0], *ramp.bets, ramp.bets[-1])
    )
    assert padded == ramp
    assert padded.bet(count) == ramp.bet(count)


def test_the_spread_is_that_of_the_rounds_played():
    assert parse_ramp("0,1,2,8", HI_LO, decks=6).spread == 8


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("8-1", "the larger bet comes second, as in 1-8"),
        ("one", "write a spread such as 1-8"),
        ("", "write a spread such as 1-8"),
        ("1,,2", "write a spread such as 1-8"),
        ("0,0", "never bets"),
        ("0-0", "never bets"),
        ("1,2000000", "0 to 1000000"),
        ("1:2 1:3", "counts go up, and 1 follows 1"),
        ("1:2 x:3", "'x 3' is not a count and a bet"),
        ("1:-2", "0 to 1000000"),
        ("1:2:3", "'1 2 3' is not a count and a bet"),
        ("none.txt", "cannot read the ramp 'none.txt': No such file"),
    ],
)
def test_faulty_ramps_are_refused(text, fault):
    with pytest.raises(RulesError, match=fault):
        parse_ramp(text, HI_LO, decks=6)


def test_a_faulty_file_lists_every_line(tmp_path):
    file = tmp_path / "ramp.txt"
    file.write_text("1 1\n1 2\nhigh 4\n5\n", encoding="utf-8")
    with pytest.raises(NotationError) as caught:
        parse_ramp(str(file), HI_LO, decks=6)
    assert [fault.split(": ")[1] for fault in caught.value.faults] == ["line 2", "line 3", "line 4"]
    file.write_text("# nothing\n", encoding="utf-8")
    with pytest.raises(NotationError, match="no line has a count and a bet"):
        parse_ramp(str(file), HI_LO, decks=6)


@pytest.mark.parametrize(
    "changes", [{"bets": ()}, {"least": 0.5}, {"bets": (-1,)}, {"bets": ("x",)}]
)
def test_a_ramp_checks_what_it_is_made_of(changes):
    with pytest.raises(RulesError):
        BetRamp(**{"least": 0, "bets": (Fraction(1),), **changes})


@pytest.mark.parametrize(
    "text", ["0:0 1:1 3:5; pp 1; 21+3 2 from 2, 3 from 4", "-2:1 0:0 2:3; pp 1 from -5, 2 from 1"]
)
def test_side_bets_are_placed_at_their_counts_in_rounds_that_are_played(text):
    ramp = parse_ramp(text, HI_LO, decks=6, side=("pp", "21+3"))
    for count in range(-8, 9):
        steps = {
            one.code: [bet for start, bet in one.steps if start is None or count >= start]
            for one in ramp.side
        }
        wanted = tuple((code, bets[-1]) for code, bets in steps.items() if bets)
        assert ramp.side_bets(count) == (wanted if ramp.bet(count) else ())
        assert ramp.wager(count).total == ramp.bet(count) + sum(
            bet for _, bet in ramp.side_bets(count)
        )
    low, high = ramp.ends
    for beyond in range(1, 5):
        assert ramp.wager(low - beyond) == ramp.wager(low)
        assert ramp.wager(high + beyond) == ramp.wager(high)
