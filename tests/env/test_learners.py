import gymnasium
import numpy as np
import pytest
from random_play import make

import upcard
from upcard.core.errors import RulesError
from upcard.env.learners import ValueTable, expected_sarsa, monte_carlo, q_learning, sarsa
from upcard.env.policy_charts import evaluate

LEARNERS = (monte_carlo, q_learning, sarsa, expected_sarsa)


def test_a_table_of_values_takes_the_best_legal_action():
    table = ValueTable(3)
    table.learn(7, 1, 2.0)
    table.learn(7, 2, 5.0)
    assert table(7, np.array([1, 1, 1], np.int8)) == 2
    assert table(7, np.array([1, 1, 0], np.int8)) == 1
    assert table(8, np.array([0, 1, 1], np.int8)) == 1


def test_later_goals_weigh_more_than_their_share():
    table = ValueTable(1)
    for goal in (0.0, 0.0, 1.0):
        table.learn("hand", 0, goal)
    assert table.values("hand")[0] == pytest.approx(3**-0.85)


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_same_seed_learns_the_same_values(learner):
    first, second = (learner(make("6D CSM", observation="cell"), 60, seed=2) for _ in range(2))
    assert first.rows.keys() == second.rows.keys()
    for key in first.rows:
        assert np.array_equal(first.values(key), second.values(key))


def test_monte_carlo_needs_the_credit_of_the_answers():
    class Silent(gymnasium.Wrapper):
        def step(self, action):
            *step, info = self.env.step(action)
            return *step, {key: info[key] for key in ("action_mask",)}

    with pytest.raises(RulesError, match="reports no credit"):
        monte_carlo(Silent(make("INF")), 5)


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_comes_near_the_best_chart_from_nothing(learner):
    """A game without splits and doubles; one who never hits loses far more."""
    env = make("INF SP1 ND NOINS", observation="cell")
    found = evaluate(learner(env, 25_000, seed=1), env)
    assert 0 <= found.regret < 0.05
    never = upcard.Strategy(cells=(("S",) * 10,) * 33)
    assert upcard.expected_value(env.rules, strategy=never) < found.ev - 0.05
