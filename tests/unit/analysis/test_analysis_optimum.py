"""The best ramp is the best: held against every ramp there is, and against plain searching."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from made_games import game_of, make_game

from upcard.analysis.figures import bet_by_count, certainty_equivalent, score
from upcard.analysis.ramp_plan import best_bets, best_chips, best_chips_from, best_first, pool
from upcard.core.errors import AnalysisError

rows = st.lists(
    st.tuples(st.integers(1, 1000), st.floats(-0.03, 0.06), st.floats(0.8, 2.0)),
    min_size=1,
    max_size=4,
)


def round_of(game, bets):
    """Mean and variance of a round, by the definition."""
    mean = sum(row.rounds * bet * row.ev for row, bet in zip(game.rows, bets, strict=True))
    square = sum(
        row.rounds * bet**2 * row.moments[1] for row, bet in zip(game.rows, bets, strict=True)
    )
    return mean / game.seen, square / game.seen - (mean / game.seen) ** 2


def score_of(game, bets):
    ev, variance = round_of(game, bets)
    return score(ev=ev, variance=variance)


def worth_of(game, bets, bankroll, kelly):
    ev, variance = round_of(game, bets)
    return certainty_equivalent(ev=ev, variance=variance, bankroll=bankroll, kelly=kelly, rounds=1)


def test_a_round_is_what_betting_makes_of_it():
    game = make_game()
    bets = [1.0] * 11 + [4.0] * 10
    betting = bet_by_count(game, bets)
    assert round_of(game, bets) == pytest.approx((betting.ev, betting.variance))


def every_ramp(number, leasts, spread):
    """Every whole-chip ramp that never falls, with its least bet among `leasts`."""
    for least in leasts:
        most = math.floor(spread * least + 1e-9)
        for bets in itertools.combinations_with_replacement(range(least, most + 1), number):
            yield [float(bet) for bet in bets]


# In any amounts.


def test_a_bet_is_rounded_to_the_nearest_thousandth():
    """The count between those at the bounds gets k e / m, with the k of these two."""
    numbers = [(500, -0.02, 1.3), (300, 0.01, 1.3), (210, 0.05, 1.3)]
    k = (500 * 1.3 + 64 * 210 * 1.3) / (500 * -0.02 + 8 * 210 * 0.05)
    assert 1.8835 < k * 0.01 / 1.3 < 1.884
    assert best_bets(game_of(numbers), 8) == [1, 1.884, 8]


@given(rows, st.floats(1, 15))
def test_no_ramp_on_a_fine_grid_beats_the_best(numbers, spread):
    game = game_of(numbers)
    grid = [1 + (spread - 1) * step / 8 for step in range(9)]
    others = [
        score_of(game, bets)
        for bets in itertools.combinations_with_replacement(grid, len(game.rows))
    ]
    try:
        best = best_bets(game, spread)
    except AnalysisError:
        assert max(others) == 0
        return
    assert all(1 <= bet <= spread + 5e-4 for bet in best)
    assert best == sorted(best)
    assert score_of(game, best) >= max(others) * (1 - 1e-5)


@given(
    st.lists(
        st.tuples(st.integers(1, 1000), st.floats(-0.03, 0.06), st.floats(0.8, 2.0)),
        min_size=2,
        max_size=6,
    ),
    st.floats(1, 15),
    st.integers(1, 4),
)
def test_no_ramp_with_as_few_different_bets_beats_the_best(numbers, spread, levels):
    game = game_of(numbers)
    grid = [1 + (spread - 1) * step / 8 for step in range(9)]
    others = [
        score_of(game, bets)
        for bets in itertools.combinations_with_replacement(grid, len(game.rows))
        if len(set(bets)) <= levels
    ]
    try:
        best = best_bets(game, spread, levels=levels)
    except AnalysisError:
        assert max(others) == 0
        return
    assert len(set(best)) <= levels
    assert best == sorted(best)
    assert score_of(game, best) >= max(others) * (1 - 1e-5)


def test_few_bets_in_chips_share_them_as_in_any_amounts():
    game = make_game()
    bets = best_chips(game, 12, bankroll=20_000, kelly=1, levels=2)
    assert len(set(bets)) == 2
    fewer = worth_of(game, bets, 20_000, 1)
    assert 0 < fewer < worth_of(game, best_chips(game, 12, bankroll=20_000, kelly=1), 20_000, 1)
    assert len(set(best_chips_from(game, 12, least=5, levels=2))) == 2


def test_too_few_bets_to_win_are_refused_with_their_number():
    game = game_of([(1000, -0.02, 1.3), (10, 0.05, 1.3)])
    with pytest.raises(AnalysisError, match=r"\(with at most 1 bet\)"):
        best_bets(game, 100, levels=1)


def golden(function, low, high):
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(200):
        one, two = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, two) if function(one) > function(two) else (one, high)
    return (low + high) / 2


@pytest.mark.parametrize(
    ("spread", "first"), [(spread, first) for spread in (3, 8, 12, 100) for first in (0, 8, 12)]
)
def test_golden_section_on_the_unit_finds_the_same(spread, first):
    """The bets of a unit: edge / mean square in units of it, between the bounds."""
    game = make_game(slope=0.008)

    def bets_of(unit):
        return [0.0] * first + [
            min(max(row.moments[0] / row.moments[1] / unit, 1.0), spread)
            for row in game.rows[first:]
        ]

    log = golden(lambda power: score_of(game, bets_of(10**power)), -6, 0)
    best = best_bets(game, spread, first=first)
    assert score_of(game, best) == pytest.approx(score_of(game, bets_of(10**log)), rel=1e-6)
    if min(best[first:]) < max(best[first:]) / spread * 1.0001:  # else any size is as good
        assert best == pytest.approx(bets_of(10**log), rel=2e-3)


@pytest.mark.parametrize("spread", [8, 12, 100])
def test_where_every_size_is_as_good_the_least_bet_is_a_unit(spread):
    """Played from +2 on, no bet is bound, and only the proportions count."""
    assert min(best_bets(make_game(slope=0.008), spread, first=12)[12:]) == 1


def test_climbing_count_by_count_finds_nothing_better():
    game = make_game(slope=0.006)
    best = best_bets(game, 12)
    top = score_of(game, best)
    for place, bet in enumerate(best):
        for factor in (0.9, 0.99, 1.01, 1.1):
            other = list(best)
            other[place] = min(max(bet * factor, 1.0), 12.0)
            assert score_of(game, other) <= top * (1 + 1e-6)


def test_counts_out_of_order_share_a_bet():
    game = game_of([(1000, -0.01, 1.3), (100, 0.03, 1.3), (10, -0.02, 1.3), (50, 0.05, 1.3)])
    assert [block.rows for block in pool(game)] == [1, 2, 1]
    best = best_bets(game, 10)
    assert best[1] == best[2]


def test_a_count_that_never_came_up_bets_as_its_neighbour():
    game = game_of([(1000, -0.01, 1.3), (100, 0.03, 1.3), (0, 0.0, 0.0), (50, 0.05, 1.3)])
    best = best_bets(game, 10)
    assert best == sorted(best)
    assert best[2] in (best[1], best[3])


def test_a_game_that_no_spread_beats_is_refused():
    with pytest.raises(AnalysisError, match=r"no ramp with a spread of 1-2 wins.*--wong"):
        best_bets(game_of([(1000, -0.02, 1.3), (10, 0.01, 1.3)]), 2)
    with pytest.raises(AnalysisError, match="no count that is played wins"):
        best_bets(game_of([(1000, -0.02, 1.3)]), 2)


def test_playing_only_where_it_pays_beats_every_other_entry():
    game = make_game()
    first = best_first(game, lambda start: best_bets(game, 8, first=start))
    scores = {}
    for start in range(len(game.rows)):
        try:
            scores[start] = score_of(game, best_bets(game, 8, first=start))
        except AnalysisError:
            continue
    assert first == max(scores, key=scores.get)
    assert game.rows[first].count == 2


# In whole chips.


@settings(max_examples=60)
@example([(31, 0.009, 1.3), (32, 0.01, 1.3), (11, 0.036, 1.3)], 2, 6.0)
@example([(4, 0.019, 1.3), (35, 0.02, 1.3), (34, 0.057, 1.3)], 3, 6.0)
@given(rows, st.integers(1, 5), st.floats(1, 4))
def test_no_whole_chip_ramp_from_a_least_bet_beats_the_best(numbers, least, spread):
    game = game_of(numbers)
    others = max(score_of(game, bets) for bets in every_ramp(len(game.rows), [least], spread))
    try:
        best = best_chips_from(game, spread, least=least)
    except AnalysisError:
        assert others == 0
        return
    assert all(bet == int(bet) and least <= bet <= spread * least + 1e-6 for bet in best)
    assert score_of(game, best) == pytest.approx(others, rel=1e-9)


@pytest.mark.slow
@settings(max_examples=60)
@example([(12, 0.016, 1.3), (44, 0.05, 1.3)], 115.4, 1.0, 4.0)
@example([(3, 0.0, 1.3), (10, 0.039, 1.3), (5, -0.001, 1.3)], 140.6, 1.0, 2.0)
@given(rows, st.floats(20, 150), st.floats(0.2, 1.0), st.floats(1, 4))
def test_no_whole_chip_ramp_is_worth_more_than_the_best(numbers, bankroll, kelly, spread):
    game = game_of(numbers)
    others = max(
        worth_of(game, bets, bankroll, kelly)
        for bets in every_ramp(len(game.rows), range(1, 9), spread)
    )
    try:
        best = best_chips(game, spread, bankroll=bankroll, kelly=kelly)
    except AnalysisError:
        assert others <= 1e-12
        return
    assert worth_of(game, best, bankroll, kelly) >= others - 1e-12
    assert all(bet == int(bet) and bet >= 1 for bet in best)
    assert max(best) <= spread * min(best) + 1e-6


@pytest.mark.parametrize("bankroll", [500, 2000, 20_000])
@pytest.mark.parametrize("first", [0, 11])
def test_small_chips_come_to_the_best_ramp_in_any_amounts(bankroll, first):
    """With chips of nearly nothing the two answers are one: same SCORE, risk as asked."""
    game = make_game(slope=0.008)
    exact = best_bets(game, 12, first=first)
    chips = best_chips(game, 12, bankroll=bankroll * 100, kelly=0.7, first=first)
    assert score_of(game, chips) == pytest.approx(score_of(game, exact), rel=1e-4)
    betting = bet_by_count(game, chips)
    log_risk = -2 * betting.ev * bankroll * 100 / betting.variance
    assert log_risk == pytest.approx(-2 / 0.7, rel=0.02)


def test_chips_too_large_for_the_bank_are_refused():
    with pytest.raises(AnalysisError, match="certainty equivalent is negative"):
        best_chips(make_game(), 12, bankroll=20, kelly=1)


def test_chips_too_small_to_make_a_difference_are_refused():
    with pytest.raises(AnalysisError, match="larger chip"):
        best_chips_from(make_game(), 12, least=10**7)
    with pytest.raises(AnalysisError, match="larger chip"):
        best_chips(make_game(slope=0.008), 12, bankroll=10**9, kelly=1)
