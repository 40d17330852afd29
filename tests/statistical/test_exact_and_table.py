"""The table, played by a chart with shuffled cards, meets the exact value of that chart.

Forty thousand rounds show an error of 2% of a bet, in how a shuffled shoe is dealt or a side rule
settled. Smaller ones are for `tests/differential`, which walks the table card by card; and houses
played here no more are those of `test_table_engine`.
"""

import random

import pytest

from upcard import Rules, basic_strategy, expected_value, house
from upcard.players.bots import ChartPlayer
from upcard.table import Table, make_shoe

ROUNDS = 40_000


def simulate(rules, strategy, rounds, seed):
    """Return the mean net of a round and its standard error."""
    table = Table(rules, make_shoe(rules, random.Random(seed)))
    player = ChartPlayer(strategy)
    total = squares = 0.0
    for _ in range(rounds):
        state = table.start()
        while not state.is_over:
            state = table.act(player.decide(table.view(), state.legal))
        net = float(state.net)
        total += net
        squares += net * net
    mean = total / rounds
    return mean, ((squares / rounds - mean * mean) / rounds) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        # Exact values are of the first round after a shuffle: CSM.
        *("european CSM", "helsinki CSM", "single-deck CSM", "6D CSM"),
        *("zombie CSM", "mdp CSM", "roanoke CSM", "seven-hands CSM"),
        "lott CSM",
        *("2D OBO RSA HSA CSM", "1D ENHC LS DANY CSM", "1D ES D9 SP2 CSM"),
        "2D CSM split_naturals=always RSA HSA double_split_aces=true",
        "1D CSM ENHC natural_ties_21=true 6:5",
        "2D CSM split_by=rank SPINF hole_card=no-peek",
        *("1D48 H17 CSM", "1D48 CSM split_by=rank hole_card=no-peek"),
        *("double-exposure CSM", "1D UP2 LS CSM"),
    ],
)
def test_a_chart_at_the_table_meets_its_exact_value(rules):
    rules = Rules.parse(rules)
    strategy = basic_strategy(rules)
    exact = expected_value(rules, strategy=strategy)
    mean, error = simulate(rules, strategy, ROUNDS, seed=2026)
    assert abs(mean - exact) < 4 * error, f"{mean} +- {error}, exactly {exact}"


@pytest.mark.slow
def test_document_000s_game_meets_its_exact_value():
    """The best play of the non-standard solver, at the table."""
    from upcard.exact.nonstandard import NonstandardSolver
    from upcard.rules.deck import full_shoe

    rules = house("deshmukh")
    solver = NonstandardSolver(rules, full_shoe(1).counts)
    values = {upcard: solver.against(upcard) for upcard in range(1, 11)}
    table = Table(rules, make_shoe(rules, random.Random(7)))
    total = squares = 0
    for _ in range(ROUNDS):
        state = table.start()
        while not state.is_over:
            hand = solver.find(tuple(card.rank for card in state.hands[0].cards))
            found = values[state.upcard.rank][hand]
            state = table.act(max(found, key=found.get))
        total += int(state.net)
        squares += int(state.net) ** 2
    mean = total / ROUNDS
    error = ((squares / ROUNDS - mean * mean) / ROUNDS) ** 0.5
    assert abs(mean - expected_value(rules)) < 4 * error
