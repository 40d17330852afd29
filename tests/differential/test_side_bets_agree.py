"""Side bets: the simulator's loop, the table and the exact values are three; they must agree."""

import pytest

from upcard.rules.model import Rules
from upcard.rules.side_bet_files import shipped_side_bets
from upcard.simulation import run_rounds
from upcard.simulation.run import simulate

PLACED = [bet for bet in shipped_side_bets() if not bet.after]
BY_CODE = {bet.code: bet for bet in PLACED}
GROUPS = [list(BY_CODE.values())[start : start + 6] for start in range(0, len(BY_CODE), 6)]
TWENTY = [bet for bet in PLACED if bet.game in ("", "6D")][:20]
_MOST_Z = 4.5


def with_bets(rules, bets):
    return Rules.parse(rules).replace(side_bets=bets)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["6D", "2D H17 ENHC", "6D48 H17", "INF", "2D OBO LS CSM"])
@pytest.mark.parametrize("bets", GROUPS, ids=lambda bets: "+".join(bet.code for bet in bets))
def test_the_table_settles_the_side_bets_of_simulated_shoes(rules, bets):
    run = simulate(with_bets(rules, bets), rounds=6_000, seed=7, workers=1)
    for shoe in range(3):
        replayed = run_rounds.replay_shoe(run.job, 0, shoe, rounds=run.rounds)
        assert len(replayed) > 5


@pytest.mark.slow
@pytest.mark.parametrize("bet", TWENTY, ids=lambda bet: bet.name)
def test_a_simulated_mean_meets_the_exact_value(bet):
    rules = with_bets("6D H17 CSM", [bet])
    (found,) = simulate(rules, rounds=1_000_000, seed=11, workers=1).side
    exact = bet.value(None, rules)
    z = (found.placed.ev - exact.ev) / found.placed.standard_error
    assert abs(z) < _MOST_Z
    share = (exact.hit * (1 - exact.hit) / found.placed.rounds) ** 0.5
    assert abs(found.hit - exact.hit) < _MOST_Z * share
    assert found.placed.standard_deviation == pytest.approx(exact.standard_deviation, rel=0.25)


@pytest.mark.slow
def test_variances_do_not_add_where_main_and_side_go_together():
    run = simulate("6D +BUST(2/2/4/12/50/250)", rounds=200_000, seed=3, workers=1)
    (bust,) = run.side
    assert bust.correlation == pytest.approx(0.4, abs=0.06)
    document = run.document()
    apart = (run.flat.standard_deviation**2 + bust.placed.standard_deviation**2) ** 0.5
    assert document["joint"]["standard_deviation"] > 1.1 * apart


@pytest.mark.slow
def test_the_main_game_has_the_same_integers_with_and_without_side_bets():
    plain = simulate("6D", rounds=100_000, seed=5, workers=1)
    with_side = simulate("6D +21+3(9) +PP(25/12/6)", rounds=100_000, seed=5, workers=1)
    assert (plain.tally.rounds == with_side.tally.rounds).all()
    assert plain.tally.cards == with_side.tally.cards
