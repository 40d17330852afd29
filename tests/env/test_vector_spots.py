"""Several spots at each of many tables in compiled code, beside single tables."""

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from test_vector_under_random_rules import draw_supported
from vector_twins import ID, Twins

import upcard
from upcard.env.learners import monte_carlo
from upcard.env.policy_charts import evaluate
from upcard.simulation.job import Job
from upcard.simulation.lower import lower

pytestmark = pytest.mark.slow  # they compile a loop of their own
MODES = tuple(AutoresetMode)
GAMES = [
    ("6D OBO ES RSA HSA", {"spots": 2, "observation": "cards"}),
    ("6D S17 DAS LS", {"spots": 3}),
    ("6D H17 ENHC ES SP8 CSM", {"spots": 3, "observation": "dict", "bets": (0, 1, "2.5")}),
    ("INF 6:5 DANY", {"spots": 2, "observation": "cell", "illegal": "stand"}),
    ("8D D10", {"spots": 7, "observation": "sutton-barto"}),
    ("INF ES", {"spots": 7, "observation": "cards"}),
    ("4D PEN60", {"spots": 2, "composition": True, "observation": "dict"}),
]
COUNTED = {"spots": 2, "count": "hi-lo", "composition": True, "observation": "cards"}


@pytest.mark.parametrize(("rules", "options"), GAMES)
@pytest.mark.parametrize("mode", MODES)
def test_many_tables_of_several_spots_are_the_single_ones_array_for_array(rules, options, mode):
    assert Twins(rules, mode, threads=2, **options).play(250) > 30


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("extra", [{"bets": (1, 4), "episode": "shoe"}, {"bets": (0, 2)}])
def test_counts_and_bets_at_several_spots_are_those_of_the_single_tables(extra, mode):
    assert Twins("4D ES HSA RSA PEN60", mode, **COUNTED, **extra).play(300) >= 10


@pytest.mark.parametrize("seed", range(30))
def test_several_spots_are_single_tables_under_random_rules(seed):
    rules = draw_supported(seed)
    if rules.decks is not None:
        rules = rules.replace(decks=max(rules.decks, 4))
    spots = min(2 + seed % 2, rules.max_spots)
    options = {"spots": spots, "observation": "cards", "bets": (0, 1) if seed % 3 else (1,)}
    assert Twins(rules, MODES[seed % 3], tables=6, seed=seed, **options).play(150) > 10


@pytest.mark.parametrize("text", ["6D H17 LS CSM", "INF"])
def test_the_best_charts_mean_reward_at_three_spots_is_three_times_its_exact_value(text):
    rules = upcard.Rules.parse(text)
    chart = upcard.basic_strategy(rules)
    choice = lower(Job(rules=rules, strategy=chart, seed=1)).game.choice
    answers = np.where(choice <= 4, choice, 0).astype(np.int64)
    env = gymnasium.make_vec(
        ID, 4096, rules=rules, spots=3, observation="cell", autoreset_mode="SameStep"
    )
    cells, _ = env.reset(seed=6)
    rounds = total = squares = 0.0
    while rounds < 1_000_000:
        cells, rewards, over, _, _ = env.step(answers[cells])
        rounds += over.sum()
        total += rewards.sum()
        squares += rewards @ rewards
    mean = total / rounds
    error = ((squares / rounds - mean * mean) / rounds) ** 0.5
    assert abs(mean - 3 * upcard.expected_value(rules, strategy=chart)) < 4 * error


def test_a_batch_learner_learns_from_the_credit_of_every_spot():
    rules = upcard.Rules.parse("6D H17 LS CSM")
    envs = gymnasium.make_vec(
        *(ID, 512), rules=rules, spots=3, observation="cell", autoreset_mode="SameStep", credit=True
    )
    assert 0 < evaluate(monte_carlo(envs, rounds=60_000, seed=1), rules).regret < 0.04
