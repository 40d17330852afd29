import numpy as np
import pytest
from random_play import make

import upcard
from upcard.core.errors import RulesError
from upcard.env.observations import CELLS
from upcard.env.policy_charts import chart_of, chart_policy, evaluate, score_policy
from upcard.simulation.lower import ACTION_CODES, find_cells


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize(
    "text", ["INF S17 LS", "lott", "6D H17 LS", "6D ENHC ES", "2D OBO LS NDAS", "1D D10 RSA HSA"]
)
def test_the_chart_of_a_chart_is_the_chart(text):
    env = make(text)
    best = upcard.basic_strategy(env.rules)
    assert chart_of(chart_policy(best, env), env) == best


def test_an_array_of_values_by_cell_has_a_chart():
    rules = upcard.Rules.parse("INF H17 LS")
    best = upcard.basic_strategy(rules)
    values = np.zeros((CELLS, 6))
    for cell in find_cells(rules):
        options = best.options(**cell.hand)
        for place, action in enumerate(options):
            values[cell.number, ACTION_CODES.get(action, 0)] = max(
                values[cell.number, ACTION_CODES.get(action, 0)], 10 - place
            )
    assert chart_of(values, rules) == best


def test_a_chart_that_takes_insurance_is_recognised():
    env = make("INF")
    cells = upcard.basic_strategy(env.rules).cells
    insured = upcard.Strategy(cells=cells, takes_insurance=True)
    assert chart_of(chart_policy(insured, env), env) == insured


def test_a_policy_reads_the_observation_of_its_environment():
    env = make("6D", observation="sutton-barto", bets=(1, 2))
    chart = chart_of(lambda seen, mask: int(seen[0] < 17 and mask[1]), env)
    assert chart.cell("16", 10) == "H"
    assert chart.cell("17", 10) == "S"


def test_an_array_of_another_shape_is_refused():
    with pytest.raises(RulesError, match=r"a policy of shape \(3, 2\)"):
        chart_of(np.zeros((3, 2)), "6D")


@pytest.mark.slow
def test_an_evaluation_states_the_exact_ev_of_the_chart_and_what_its_cells_lose():
    rules = upcard.Rules.parse("6D H17 LS")
    best = upcard.basic_strategy(rules)
    cells = [list(row) for row in best.cells]
    cells[7][0] = "S"  # 12 v 2
    wrong = upcard.Strategy(cells=tuple(map(tuple, cells)))
    env = make(rules)
    found = evaluate(chart_policy(wrong, env), env)
    assert found.chart == wrong
    assert found.ev == upcard.expected_value(rules, strategy=wrong)
    [cell] = found.costliest
    assert (cell.hand, cell.upcard, cell.cell, cell.better) == ("12", "2", "S", "H")
    assert cell.cost == pytest.approx(found.regret)
    assert found.best_ev == upcard.expected_value(rules)
    assert found.played is None


def unexplained(found):
    """Return the measured regret less that of the chart."""
    return found.played.regret - (found.best_ev - found.ev)


@pytest.mark.slow
def test_what_no_chart_explains_is_measured_over_rounds():
    env = make("INF S17 SP1", observation="cards")
    best = chart_policy(upcard.basic_strategy(env.rules), env)

    def stands_with_three_cards(observation, mask):
        return 0 if observation[4] == 0 else best(observation, mask)

    found = evaluate(stands_with_three_cards, env, rounds=4000, seed=1)
    assert found.regret == pytest.approx(0, abs=1e-12)
    assert found.costliest is None
    assert found.played.unlike["two cards"] == 0
    assert found.played.unlike["more cards"] > 0.1
    assert unexplained(found) > 4 * found.played.standard_error
    exact = evaluate(best, env, rounds=2000, seed=1)
    assert abs(unexplained(exact)) < 4 * max(exact.played.standard_error, 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["6D H17 LS CSM", "INF S17 DAS"])
def test_the_mean_reward_of_the_best_chart_is_its_exact_ev(text):
    env = make(text)
    best = upcard.basic_strategy(env.rules)
    decide, rewards = chart_policy(best, env), np.zeros(25_000)
    observation, info = env.reset(seed=6)
    for number in range(len(rewards)):
        is_over = False
        while not is_over:
            action = decide(observation, info["action_mask"])
            observation, rewards[number], is_over, _, info = env.step(action)
        observation, info = env.reset()
    error = rewards.std() / len(rewards) ** 0.5
    assert abs(rewards.mean() - upcard.expected_value(env.rules, strategy=best)) < 4 * error


@pytest.mark.parametrize(
    ("rules", "long"), [("2D LS", False), pytest.param("lott", True, marks=pytest.mark.slow)]
)
def test_a_policy_has_the_score_of_the_player_that_it_is(rules, long):
    env = make(rules)
    chart = upcard.basic_strategy("2D H17")
    found = score_policy(chart_policy(chart, env), env, long=long)
    assert found.answers == upcard.score_player(env.rules, chart, long=long).answers
    assert found.regret_per_100 > 0


def test_an_array_of_values_by_cell_has_a_score():
    """The values of no cell are known: it always stands."""
    stands = {one.id: "stand" for one in upcard.bench_questions("INF")}
    score = upcard.score_player("INF", stands)
    assert score_policy(np.zeros((CELLS, 6)), "INF").regret_per_100 == score.regret_per_100
