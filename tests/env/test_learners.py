import gymnasium
import numpy as np
import pytest

import upcard.env  # noqa: F401 (registers the environments)
from upcard.core.errors import RulesError
from upcard.env import learners
from upcard.env.learners import expected_sarsa, monte_carlo, q_learning, sarsa
from upcard.env.policy_charts import evaluate

LEARNERS = (monte_carlo, q_learning, sarsa, expected_sarsa)
OPTIONS = {"observation": "cell", "autoreset_mode": "SameStep", "credit": True}


def open_tables(tables=64, rules="INF SP1 ND NOINS", **options):
    settings = {**OPTIONS, **options}
    return gymnasium.make_vec("upcard/Blackjack-v1", num_envs=tables, rules=rules, **settings)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("learner", LEARNERS)
def test_the_same_seed_learns_the_same_values_of_many_tables(learner):
    first, second, other = (learner(open_tables(), 2000, seed=seed) for seed in (2, 2, 3))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)
    assert np.isfinite(first).all()


def test_exploring_draws_every_legal_action_and_no_other():
    mask = np.array([[1, 0, 1, 0, 0, 1], [0, 1, 0, 0, 0, 0]] * 300, np.int8)
    drawn = learners._any_of(mask, np.random.default_rng(1))
    assert set(drawn[::2]) == {0, 2, 5}
    assert set(drawn[1::2]) == {1}


@pytest.mark.parametrize(
    "options", [{"observation": "hand"}, {"autoreset_mode": "NextStep"}, {"bets": (1, 2)}]
)
def test_tables_of_another_kind_are_refused(options):
    with pytest.raises(RulesError, match="a learner needs observation"):
        q_learning(open_tables(**options), 10)


def test_monte_carlo_needs_the_credit_of_many_tables():
    with pytest.raises(RulesError, match="credit=True"):
        monte_carlo(open_tables(credit=False), 10)


@pytest.mark.slow
@pytest.mark.parametrize("learner", LEARNERS[1:])
def test_learners_by_steps_come_near_the_best_chart(learner):
    found = evaluate(learner(open_tables(1024), 1_000_000, seed=1), "INF SP1 ND NOINS")
    assert 0 <= found.regret < 0.01


@pytest.mark.slow
def test_basic_strategy_is_learned_from_random_play():
    """Within 0.25% of a bet; 16 million rounds are twice as many as this needs.

    One seed: a fault in the rewards shows exactly, in test_exact_rewards.py.
    """
    rules = "6D H17 LS CSM"
    values = monte_carlo(open_tables(4096, rules, copy=False), 8_000_000, seed=1)
    assert 0 <= evaluate(values, rules).regret < 0.0025
