"""Sessions: how long they last, how high they get, what they add up to."""

from __future__ import annotations

import math
import random
import statistics
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import upcard
from upcard import RulesError, Table
from upcard.players.betting_systems import betting_names, make_betting
from upcard.players.play_rounds import play_rounds
from upcard.simulation import betting_sessions as module
from upcard.simulation.betting_sessions import (
    BettingSession,
    Sample,
    SessionPlan,
    describe_sample,
    find_quantile,
    play_sessions,
    summarize_sessions,
)
from upcard.simulation.registry import make_player
from upcard.table import ScriptedShoe, make_shoe

WIN, LOSS, PUSH = "T 9 T 8", "T 8 T 9", "T 8 T 8"
DOUBLED = "6 5 7 T T"  # 11 against 7: the simple player doubles and wins with 21
LOTT = upcard.house("lott")
SIX = upcard.Rules.parse("6D")


def plan(**changes):
    return SessionPlan(**{"rules": SIX, "player": "mimic", "seed": 1, **changes})


def play_cards(monkeypatch, *rounds, **changes):
    monkeypatch.setattr(module, "make_shoe", lambda _rules, _rng: ScriptedShoe(" ".join(rounds)))
    changes = {"rules": LOTT, "player": "lott", "rounds": len(rounds), **changes}
    return next(play_sessions(plan(**changes), sessions=1))


def made_up(number, *, final, bets, ruined=False, rounds=10):
    return BettingSession(
        number=number,
        rounds=rounds,
        stake=Fraction(100),
        peak=Fraction(100 + number),
        final=Fraction(final),
        is_ruined=ruined,
        largest_bet=Fraction(number),
        initial_bets=Fraction(bets),
        total_action=Fraction(bets + 1),
        losing_streak=number,
        path=None,
    )


def test_a_martingale_that_cannot_cover_its_next_bet_is_ruined(monkeypatch):
    session = play_cards(monkeypatch, LOSS, LOSS, WIN, betting="martingale", stake=Fraction(4))
    assert session.is_ruined
    assert (session.rounds, session.final, session.net) == (2, 1, -3)
    assert list(session.path) == [3, 1]
    assert (session.largest_bet, session.initial_bets, session.losing_streak) == (2, 3, 2)


def test_a_session_that_plays_its_last_round_is_not_ruined(monkeypatch):
    session = play_cards(monkeypatch, LOSS, LOSS, betting="martingale", stake=Fraction(3))
    assert not session.is_ruined
    assert (session.rounds, session.final) == (2, 0)


def test_the_peak_is_the_most_after_a_round_as_in_the_document(monkeypatch):
    assert play_cards(monkeypatch, LOSS, WIN, LOSS).peak == 100
    assert play_cards(monkeypatch, LOSS, LOSS).peak == 99
    assert play_cards(monkeypatch, WIN, WIN, LOSS).peak == 102


def test_a_push_neither_ends_a_losing_streak_nor_lengthens_it(monkeypatch):
    assert play_cards(monkeypatch, LOSS, PUSH, LOSS).losing_streak == 2
    assert play_cards(monkeypatch, LOSS, WIN, LOSS).losing_streak == 1
    assert play_cards(monkeypatch, PUSH, WIN).losing_streak == 0


def test_a_double_counts_in_the_action_and_not_in_the_initial_bets(monkeypatch):
    session = play_cards(monkeypatch, DOUBLED, WIN, player="lott-simple")
    assert (session.initial_bets, session.total_action, session.net) == (2, 3, 3)


def test_paths_can_be_left_out():
    kept, left_out = (next(play_sessions(plan(), keep_paths=keep)) for keep in (True, False))
    assert left_out.path is None
    assert len(kept.path) == kept.rounds
    assert kept.final == left_out.final


def test_a_session_is_what_playing_its_rounds_gives():
    given_plan = plan(betting="fibonacci", player="lott-simple", rounds=60, limit=Fraction(20))
    session = list(play_sessions(given_plan, sessions=3))[2]
    table = Table(SIX, make_shoe(SIX, random.Random("1 session 3 shoe")))
    played = list(
        play_rounds(
            table,
            make_player("lott-simple", SIX),
            betting=make_betting("fibonacci", limit=20),
            rounds=60,
            bankroll=100,
        )
    )
    assert list(session.path) == [float(item.bankroll) for item in played]
    assert session.initial_bets == sum(item.bet for item in played)
    assert session.total_action == sum(
        hand.bet for item in played for hand in item.result.hands
    )  # the simple player takes no insurance


def test_a_seed_gives_the_same_sessions_however_many_are_played():
    three = list(play_sessions(plan(player="computer:0.5,17,0.5"), sessions=3))
    assert three[:2] == list(play_sessions(plan(player="computer:0.5,17,0.5"), sessions=2))
    other = list(play_sessions(plan(player="computer:0.5,17,0.5", seed=2), sessions=3))
    assert [item.path for item in three] != [item.path for item in other]


def test_a_players_random_numbers_start_again_with_every_session():
    chancy = {"player": "computer:0.5,17,0.5", "rounds": 40}
    short = list(play_sessions(plan(**chancy, stake=Fraction(5)), sessions=8))
    long = list(play_sessions(plan(**chancy, stake=Fraction(500)), sessions=8))
    assert any(item.is_ruined for item in short[:-1])
    for one, other in zip(short, long, strict=True):
        assert [chips + 495 for chips in one.path] == list(other.path)[: one.rounds]


def test_all_betting_systems_are_dealt_the_same_cards():
    def signs(betting):
        steps = plan(betting=betting, stake=Fraction(10**6), rounds=50)
        chips = [10**6, *next(play_sessions(steps)).path]
        return [(after > before) - (after < before) for before, after in zip(chips, chips[1:])]  # noqa: RUF007, B905

    assert signs("flat") == signs("martingale") == signs("random:7") == signs("cancellation")


@settings(max_examples=30, deadline=None)
@given(
    betting=st.sampled_from(sorted(betting_names())),
    seed=st.integers(0, 10**6),
    stake=st.integers(1, 60),
    unit=st.sampled_from([Fraction(1, 2), Fraction(1)]),
)
def test_the_books_of_a_session_balance(betting, seed, stake, unit):
    steps = plan(
        betting=betting, seed=seed, stake=Fraction(stake), unit=unit, limit=Fraction(8), rounds=30
    )
    for session in play_sessions(steps, sessions=2):
        assert session.final >= 0
        assert session.is_ruined == (session.rounds < 30)
        assert session.largest_bet <= 8
        assert session.total_action >= session.initial_bets >= session.rounds * unit
        if session.rounds:
            assert session.path[-1] == session.final
            assert max(session.path) == session.peak
        else:
            assert session.final == session.peak == stake


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rules": upcard.house("roanoke")}, "no bets in roanoke"),
        ({"rounds": 0}, "0 rounds"),
        ({"seed": -1}, "seed -1: a seed is a whole number"),
        ({"stake": Fraction(1, 2)}, r"0\.5 chips does not cover one bet of 1"),
        ({"betting": "martingal"}, "martingal.*one of"),
        ({"limit": Fraction(1, 2)}, "under the unit"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused_at_once(changes, words):
    with pytest.raises(RulesError, match=words):
        plan(**changes)


def test_an_unknown_player_or_no_sessions_are_refused_before_the_first():
    with pytest.raises(RulesError, match="nobody"):
        play_sessions(plan(player="nobody"))
    with pytest.raises(RulesError, match="0 sessions"):
        play_sessions(plan(), sessions=0)


def test_sessions_that_cover_no_first_bet_have_no_summary():
    found = list(play_sessions(plan(betting="cancellation", stake=Fraction(5)), sessions=2))
    assert [(item.rounds, item.is_ruined, item.peak) for item in found] == [(0, True, 5)] * 2
    with pytest.raises(RulesError, match="first bet"):
        summarize_sessions(found)
    with pytest.raises(RulesError, match="no session"):
        summarize_sessions([])


def test_mean_and_deviation_are_those_of_the_document():
    """Document 003's book, chapter on statistics: mean 9.0, sample standard deviation 3.317."""
    sample = describe_sample([10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5])
    assert sample.mean == 9
    assert round(sample.deviation, 3) == 3.317
    assert sample.standard_error == pytest.approx(sample.deviation / math.sqrt(11))


@pytest.mark.slow
@given(st.lists(st.fractions(0, 1000), min_size=2, max_size=30))
def test_samples_and_quantiles_are_those_of_the_standard_library(numbers):
    sample = describe_sample(numbers)
    assert sample.mean == pytest.approx(float(statistics.mean(numbers)))
    assert sample.deviation == pytest.approx(float(statistics.stdev(numbers)), abs=1e-9)
    twentieths = statistics.quantiles(numbers, n=20, method="inclusive")
    ordered = sorted(numbers)
    for part, expected in enumerate(twentieths, 1):
        assert find_quantile(ordered, part / 20) == pytest.approx(float(expected), abs=1e-6)


def test_a_single_number_has_no_deviation_and_no_error():
    assert describe_sample([5]) == Sample(1, 5.0, None)
    assert describe_sample([5]).standard_error is None
    summary = summarize_sessions([made_up(1, final=90, bets=20)])
    assert (summary.ev, summary.standard_error) == (-0.5, None)


def test_a_summary_adds_up_its_sessions():
    summary = summarize_sessions(
        [
            made_up(1, final=110, bets=20),
            made_up(2, final=70, bets=60, ruined=True, rounds=4),
            made_up(3, final=105, bets=10),
        ]
    )
    assert (summary.rounds, summary.length.mean) == (24, 8)
    assert summary.ruined.mean == pytest.approx(1 / 3)
    assert summary.peak.mean == 102
    assert (summary.net.mean, summary.final.mean) == (-5, 95)
    assert (summary.longest_losing_streak, summary.largest_bet) == (3, 3)
    assert (summary.initial_bets, summary.total_action) == (90, 93)
    assert summary.ev == pytest.approx(-15 / 90)
    assert summary.final_quantiles == pytest.approx((73.5, 87.5, 105, 107.5, 109.5))


@pytest.mark.slow
def test_the_error_of_the_ev_is_the_spread_of_series_played_again():
    rng = random.Random(3)

    def play_series():
        found = []
        for number in range(40):
            bets = rng.randint(10, 200)
            net = sum(rng.choice((-1, -1, -1, 1)) for _ in range(bets))
            found.append(made_up(number + 1, final=100 + net, bets=bets))
        return summarize_sessions(found)

    series = [play_series() for _ in range(300)]
    spread = statistics.stdev(found.ev for found in series)
    # 300 series give the spread to 4%, which is its own standard error.
    assert statistics.mean(found.standard_error for found in series) == pytest.approx(
        spread, rel=0.15
    )


@pytest.mark.slow
def test_no_betting_system_changes_what_a_bet_is_worth():
    """Where rounds are independent and the chips suffice, the EV is the exact one of the chart.

    Each system is dealt the cards of the flat bets, and wins their net times its bet in every
    round: 250 sessions of each are enough to see that what a bet is worth is not its own.
    """
    rules = upcard.Rules.parse("INF")
    exact = upcard.expected_value(rules, strategy=upcard.basic_strategy(rules))
    flat = None
    for betting in ("flat", "martingale", "1-3-2-6", "cancellation"):
        steps = plan(
            rules=rules,
            player="basic",
            betting=betting,
            rounds=50,
            stake=Fraction(10**6),
            limit=Fraction(16),
        )
        played = list(play_sessions(steps, sessions=250))
        found = summarize_sessions(played)
        assert abs(found.ev - exact) < 4 * found.standard_error
        assert found.ruined.mean == 0
        nets = np.array([np.diff(session.path, prepend=10**6) for session in played])
        flat = nets if flat is None else flat
        bets = np.divide(nets, flat, out=np.ones_like(nets), where=flat != 0)
        assert np.isin(bets, range(1, 17)).all()
        assert (nets[flat == 0] == 0).all()
        assert found.initial_bets >= bets.sum()
