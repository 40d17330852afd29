"""Rounds by count, and what bets by count come to."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from made_games import CHANCES, LEAST, MOST, NETS, UNIT, game_of, make_game, make_tally

from upcard.analysis.count_rows import most_added, read_rows
from upcard.analysis.figures import bet_by_count
from upcard.core.errors import AnalysisError
from upcard.rules.model import Rules
from upcard.simulation.tally import estimate_flat, estimate_ramp
from upcard.strategy.ramp import BetRamp

ROUNDS = 10_000_000


def test_a_row_has_the_moments_of_its_rounds():
    row = make_game().rows[-LEAST]
    assert (row.count, row.label) == (0, "0")
    nets = np.array(NETS) / UNIT
    assert row.ev == pytest.approx(-0.005, abs=1e-6)
    assert row.moments[1] == pytest.approx(float(nets**2 @ CHANCES), abs=0.01)
    assert row.variance == pytest.approx(row.moments[1] - row.ev**2)
    assert row.sd == pytest.approx(math.sqrt(row.variance))
    assert row.standard_error == pytest.approx(row.sd / math.sqrt(row.rounds))
    assert row.added == pytest.approx(0.105, abs=1e-4)


def test_the_rows_agree_with_those_of_the_tally():
    tally = make_tally()
    theirs = tally.by_count()
    game = read_rows(tally)
    assert [row.count for row in game.rows] == theirs.count.tolist()
    assert [row.rounds for row in game.rows] == theirs.rounds.tolist()
    assert [row.ev for row in game.rows] == pytest.approx(theirs.net_sum / theirs.rounds / UNIT)
    squares = theirs.square_sum / theirs.rounds / UNIT**2
    assert [row.moments[1] for row in game.rows] == pytest.approx(squares)


def test_the_ends_are_labelled_as_what_they_stand_for():
    labels = [row.label for row in make_game().rows]
    assert (labels[0], labels[1], labels[-1]) == (f"<= {LEAST}", str(LEAST + 1), f">= {MOST}")


def test_counts_that_never_came_up_at_the_ends_are_left_out():
    tally = make_tally()
    tally.rounds[:, :, :3] = 0
    tally.rounds[:, :, -2:] = 0
    game = read_rows(tally)
    assert (game.rows[0].label, game.rows[-1].label) == (str(LEAST + 3), str(MOST - 2))


def test_a_run_without_rounds_is_refused():
    tally = make_tally()
    tally.rounds[:] = 0
    with pytest.raises(AnalysisError, match="no round"):
        read_rows(tally)


def test_frequencies_count_rounds_that_the_run_sat_out():
    game = make_game(unseated=0.25)
    assert game.sits_out
    assert sum(map(game.frequency, game.rows)) == pytest.approx(1)
    assert game.played / game.seen == pytest.approx(0.75, abs=1e-4)


def test_the_error_of_a_frequency_counts_shoes():
    game = make_game(shoes=100)
    share = game.frequency(game.rows[10])
    assert game.frequency_error(game.rows[10]) == pytest.approx(
        math.sqrt(share * (1 - share) / 100)
    )


@pytest.mark.parametrize(
    ("text", "spots", "most"),
    [
        ("6D", 1, 7.5),
        ("6D SP1", 1, 1.5),
        ("6D", 2, 15.0),
        ("6D D3X", 1, 11.5),
        ("6D FSANY FD9-11", 1, 4.5),
        ("6D FSNT", 1, 7.5),
        ("6D FSNT NST", 1, 4.5),
    ],
)
def test_the_most_that_a_round_adds_follows_from_the_rules(text, spots, most):
    assert most_added(Rules.parse(text), spots) == most


def test_splits_without_end_add_without_end():
    assert most_added(Rules.parse("INF SPINF")) is None


def test_the_house_edge_is_that_of_all_rounds_dealt():
    tally = make_tally(unseated=0.25)
    tally.rounds[:, 0, 10:] = 0  # sat out at low counts only
    game = read_rows(tally)
    theirs = estimate_flat(tally, seats=(0, 1))
    assert (game.flat_ev, game.flat_error) == (theirs.ev, theirs.standard_error)
    assert game.flat_ev < estimate_flat(tally).ev


# Bets.


def test_flat_bets_are_what_the_run_itself_says():
    tally = make_tally()
    game = read_rows(tally)
    flat = bet_by_count(game, [1.0] * len(game.rows))
    theirs = estimate_flat(tally)
    assert flat.ev == pytest.approx(theirs.ev)
    assert flat.standard_error == pytest.approx(theirs.standard_error)
    assert (game.flat_ev, game.flat_error) == (theirs.ev, theirs.standard_error)


@pytest.mark.parametrize("unseated", [0.0, 0.25])
@pytest.mark.parametrize("spots", [1, 2])
def test_a_ramp_is_what_the_run_itself_says(unseated, spots):
    tally = make_tally(unseated=unseated, spots=spots)
    ramp = BetRamp(least=0, bets=(0, 1, 2, 4, 8))
    game = read_rows(tally)
    betting = bet_by_count(game, [float(ramp.bet(row.count)) for row in game.rows])
    theirs = estimate_ramp(tally, ramp)
    assert betting.ev == pytest.approx(theirs.ev)
    assert betting.standard_error == pytest.approx(theirs.standard_error)
    assert betting.sd == pytest.approx(theirs.standard_deviation)
    assert betting.rounds == theirs.rounds


def naive_rounds(tally, bet):
    """Every round one by one: its first bet and its net."""
    for seat in (0, 1):
        for row in range(tally.rounds.shape[2]):
            staked = bet(tally.least_count + row) if seat else 0.0
            for column, number in enumerate(tally.rounds[:, seat, row].sum(axis=0).tolist()):
                net = (tally.least_net + column) / tally.unit
                yield from [(staked, staked * net)] * number


def test_everything_agrees_with_a_list_of_all_rounds():
    """With as many shoes as rounds: then no two rounds are correlated."""
    plain = make_tally(20_000, unseated=0.2)
    tally = replace(plain, shoes=plain.seen)
    game = read_rows(tally)
    bets = [float(max(0, row.count)) for row in game.rows]
    betting = bet_by_count(game, bets)
    staked, won = map(np.array, zip(*naive_rounds(tally, lambda c: float(max(0, c))), strict=True))
    number = len(won)
    assert betting.rounds == number
    assert betting.ev == pytest.approx(won.mean())
    assert betting.variance == pytest.approx(won.var())
    squares = (won - won.mean()) ** 2
    covariance = np.cov(won, squares, bias=True) / number
    assert betting.covariance == pytest.approx(
        (covariance[0, 0], covariance[0, 1], covariance[1, 1])
    )
    assert betting.played.value == pytest.approx((staked > 0).mean())
    assert betting.average_bet.value == pytest.approx(staked[staked > 0].mean())
    assert betting.initial.value == pytest.approx(staked.mean())
    assert betting.ev_per_bet.value == pytest.approx(won.sum() / staked.sum())
    deviations = (won - betting.ev_per_bet.value * staked) / staked.mean()
    assert betting.ev_per_bet.standard_error == pytest.approx(deviations.std() / math.sqrt(number))


def test_errors_of_bets_count_shoes():
    game = make_game(rounds=1_000_000, shoes=400, unseated=0.2)
    bets = [float(max(0, row.count)) for row in game.rows]
    betting = bet_by_count(game, bets)
    shares = [row.rounds / game.seen for row in game.rows]
    pairs = list(zip(shares, bets, strict=True))
    mean = sum(share * bet for share, bet in pairs)
    spread = sum(share * bet**2 for share, bet in pairs) - mean**2
    assert betting.initial.standard_error == pytest.approx(math.sqrt(spread / 400))
    played = sum(share for share, bet in pairs if bet)
    assert betting.played.standard_error == pytest.approx(math.sqrt(played * (1 - played) / 400))
    average = mean / played
    uneven = sum(share * (bet - average) ** 2 for share, bet in pairs if bet)
    assert betting.average_bet.standard_error == pytest.approx(math.sqrt(uneven / 400) / played)


def test_the_error_of_the_variance_counts_shoes():
    """The mean squares by count, a shoe each, and the rest a round each."""
    game = make_game(rounds=1_000_000, shoes=400)
    bets = [1.0] * 11 + [4.0] * 10
    few, many = (
        bet_by_count(each, bets) for each in (game, make_game(rounds=1_000_000, shoes=10**12))
    )
    shares = [row.rounds / game.seen for row in game.rows]
    deviations = [
        bet**2 * row.moments[1] - 2 * few.ev * bet * row.ev + few.ev**2 - few.variance
        for row, bet in zip(game.rows, bets, strict=True)
    ]
    between = sum(share * each**2 for share, each in zip(shares, deviations, strict=True)) / 400
    assert few.covariance[2] - many.covariance[2] == pytest.approx(between, rel=1e-6)
    means = [bet * row.ev - few.ev for row, bet in zip(game.rows, bets, strict=True)]
    crossed = sum(
        share * one * two for share, one, two in zip(shares, means, deviations, strict=True)
    )
    assert few.covariance[1] - many.covariance[1] == pytest.approx(crossed / 400, rel=1e-6)
    assert few.covariance[0] == many.covariance[0]


def test_rounds_sat_out_hang_together_with_the_others():
    """One count in which 1 is won for sure, and as many rounds that were not played."""
    played = game_of([(500, 1.0, 1.0)], shoes=10)
    row = replace(played.rows[0], seen=1000, moments=(1.0, 1.0, 1.0, 1.0))
    betting = bet_by_count(replace(played, rows=(row,)), [4.0])
    assert (betting.ev, betting.variance) == (2, 4)
    # (net - 2)^2 is 4 in all rounds, and as nothing else varies within a count, all is by shoe.
    assert betting.covariance == pytest.approx((4 / 1000, 0, 0))
    low = bet_by_count(replace(played, rows=(replace(row, seen=2000),)), [4.0])
    assert (low.ev, low.variance) == (1, 3)
    # (net - 1)^2 is 9 in a quarter of the rounds and else 1: its variance is 12, its mean 3.
    assert low.covariance == pytest.approx((3 / 2000, 6 / 10, 12 / 10))


def test_action_counts_doubles_splits_and_insurance():
    game = make_game()
    betting = bet_by_count(game, [1.0] * len(game.rows))
    assert betting.action.value == pytest.approx(1.105, abs=1e-4)
    assert betting.ev_per_action.value == pytest.approx(betting.ev / betting.action.value)
    assert betting.ev_per_bet.value == pytest.approx(betting.ev)
    assert betting.action.standard_error is None


def test_the_error_of_the_action_is_an_upper_bound():
    """Rounds add 2 units with the chance 0.05: the true error is under the bound."""
    game = game_of([(10_000, -0.01, 1.3)], most_added=7.5)
    betting = bet_by_count(game, [1.0])
    true = math.sqrt((0.05 * 4 - 0.1**2) / 10_000)
    assert true < betting.action.standard_error < 3 * true


def test_bets_on_two_spots_are_reported_by_spot():
    game = make_game(spots=2)
    betting = bet_by_count(game, [3.0] * len(game.rows))
    assert betting.average_bet.value == pytest.approx(3)
    assert betting.initial.value == pytest.approx(6)
    assert betting.action.value == pytest.approx(6 + 3 * game.rows[-LEAST].added, abs=1e-3)
    assert betting.ev_per_bet.value == pytest.approx(game.flat_ev)
    assert betting.ev_per_action.value == pytest.approx(betting.ev / betting.action.value)


def test_money_scales_what_is_money_and_nothing_else():
    game = make_game()
    bets = [1.0] * 11 + [4.0] * 10
    one = bet_by_count(game, bets).scale(25)
    other = bet_by_count(game, [25 * bet for bet in bets])
    for name in ("ev", "variance", "sd", "standard_error"):
        assert getattr(one, name) == pytest.approx(getattr(other, name))
    assert one.covariance == pytest.approx(other.covariance)
    assert one.bets == other.bets
    for name in ("played", "average_bet", "initial", "action", "ev_per_bet", "ev_per_action"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert mine.value == pytest.approx(theirs.value)
        assert mine.standard_error == pytest.approx(theirs.standard_error)


def test_a_ramp_that_never_bets_is_refused():
    game = make_game()
    with pytest.raises(AnalysisError, match="never bets"):
        bet_by_count(game, [0.0] * len(game.rows))
