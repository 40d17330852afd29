"""Rewards without luck: minus the exact cost of each answer, one by one and at many tables."""

import copy
import pickle
import random

import gymnasium
import numpy as np
import pytest
from random_play import ID, answer, make
from test_vector_under_random_rules import LAYOUTS, MODES, draw_supported
from vector_twins import Twins

import upcard
from upcard.core.cards import parse_cards
from upcard.core.errors import NoExactValueError, RulesError, UnsupportedRuleError
from upcard.env.exact_rewards import ExactRewards, replay
from upcard.env.learners import monte_carlo, q_learning
from upcard.env.observations import CODES, HIT, SPLIT
from upcard.env.oracle import ExactValues
from upcard.env.policy_charts import evaluate
from upcard.players.evaluation import value_answers
from upcard.players.question import read_question
from upcard.players.seen_cards import CardsSeen, compose

FRESH = "fresh-shoe regret"


def many(rules, tables, rewards="regret", **options):
    return gymnasium.make_vec(ID, num_envs=tables, rules=rules, rewards=rewards, **options)


def play_twins(seed, steps):
    """Compare the rewards that a key finds with those of the question itself, bit by bit."""
    rng = random.Random(seed)
    rules = draw_supported(seed)
    takes_ended = rules.natural_takes in ("original-and-busted", "busted-and-one")
    if takes_ended or rules.player_21 == "always-wins":
        rules = rules.replace(natural_takes="all")
    options = {"observation": rng.choice(LAYOUTS)}
    if rules.max_spots > 1:
        options["spots"] = 2
    if not rules.is_infinite and rules.deck_size == 52 and seed % 2:
        options["count"] = "red-7"
    Twins(rules, rng.choice(MODES), tables=12, seed=seed, rewards=FRESH, **options).play(steps)


@pytest.mark.slow
def test_many_tables_find_the_rewards_of_single_ones():
    play_twins(10, 30)  # INF, RSA, ES, two spots


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_many_tables_find_them_under_random_rules(seed):
    play_twins(seed, 150)


@pytest.mark.parametrize(
    ("rules", "spots", "steps"),
    [
        pytest.param("1D FSN4T RSA P22", 2, 400, marks=pytest.mark.slow),
        ("INF FD9-11 FSANY SP3", 1, 120),
    ],
)
def test_many_tables_tell_free_hands_from_paid_ones(rules, spots, steps):
    """Random answers split most pairs, and again."""
    Twins(rules, MODES[0], tables=12, seed=3, rewards=FRESH, spots=spots).play(steps)


def test_rules_without_values_after_a_split_are_refused_at_once():
    with pytest.raises(UnsupportedRuleError, match="busted-and-one"):
        make("6D BB1", rewards=FRESH)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("rules", ["INF H17 LS RSA", "1D DANY CSM"])
def test_rewards_of_many_tables_are_the_regrets_of_the_oracle(rules):
    """Where a split makes the oracle see other hands in a finite shoe, it is not compared."""
    rng, tables, compared = random.Random(1), 6, 0
    envs = many(rules, tables, autoreset_mode="Disabled")
    _, info = envs.reset(seed=5)
    singles = [ExactValues(make(rules)) for _ in range(tables)]
    for table, single in enumerate(singles):
        single.reset(seed=5 + table)
    for _ in range(150):
        actions = [answer(rng, mask) for mask in info["action_mask"]]
        _, rewards, over, _, info = envs.step(actions)
        for table, single in enumerate(singles):
            view = single.unwrapped.question.view
            *_, one = single.step(actions[table])
            if "INF" in rules or len(view.hands) == 1:
                assert rewards[table] == pytest.approx(-one["regret"], abs=1e-9)
                compared += 1
        if over.any():
            _, info = envs.reset(options={"reset_mask": over})
            for table in np.flatnonzero(over):
                singles[table].reset()
            info["action_mask"] = envs.action_masks()
    assert compared > 800


@pytest.mark.parametrize(
    ("rules", "options"),
    [("2D H17 LS", {}), ("6D CSM", {"spots": 2}), ("INF", {}), ("1D", {"episode": "shoe"})],
)
def test_the_rewards_of_one_table_are_the_regrets_of_the_oracle(rules, options):
    env, rng = ExactValues(make(rules, rewards="regret", **options)), random.Random(2)
    _, info = env.reset(seed=3)
    for _ in range(60):
        _, reward, is_over, _, info = env.step(answer(rng, info["action_mask"]))
        assert reward == -info["regret"]
        if is_over:
            _, info = env.reset()


def test_a_reward_is_paid_for_its_own_answer_and_the_round_still_has_its_nets():
    env = make("6D H17 LS", rewards="regret")
    env.reset(options={"cards": "T T 6 8 2 T"})
    solved = upcard.solve(upcard.Rules.parse("6D H17 LS"), "T6", "T").ev
    _, reward, is_over, _, info = env.step(HIT)
    assert reward == pytest.approx(solved["hit"] + 0.5)
    _, reward, is_over, _, info = env.step(0)
    assert (reward, is_over, info["hands"], info["credit"]) == (0.0, True, (0.0,), (0.0, 0.0))


def split_and_double(rows, masks, pairs):
    """Split some pairs, double 9 to 11, else hit below 17: poor play, and all of it in a chart."""
    totals, is_soft = rows[:, 0], rows[:, 1]
    doubles = (totals >= 9) & (totals <= 11) & (is_soft == 0) & (masks[:, 2] == 1)
    actions = np.where((totals < 17) & (masks[:, 1] == 1), 1, 0)
    actions[doubles] = 2
    actions[np.isin(rows[:, 3], pairs) & (masks[:, 3] == 1)] = 3
    return actions


def compare_sums(rules, pairs, rounds, tables):
    """Compare the mean cost of the first rounds at every table with what the chart loses."""
    envs = many(rules, tables, autoreset_mode="SameStep")
    rows, info = envs.reset(seed=1)
    sums, ended, every = np.zeros((tables, rounds + 1)), np.zeros(tables, int), np.arange(tables)
    while ended.min() < rounds:
        actions = split_and_double(rows, info["action_mask"], pairs)
        rows, rewards, over, _, info = envs.step(actions)
        sums[every, ended] -= rewards
        ended = np.minimum(ended + over, rounds)
    lost = sums[:, :rounds].ravel()

    def decide(row, mask):
        return int(split_and_double(row[None], mask[None], pairs)[0])

    found = evaluate(decide, rules)
    error = lost.std() / len(lost) ** 0.5
    assert error < 0.001
    assert found.best_ev - found.ev > 0.03
    assert abs(lost.mean() - (found.best_ev - found.ev)) < 4 * error


ANY, RIGHT = range(1, 11), (1, 8)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["INF H17 LS RSA", "INF S17 ENHC SP1"])
def test_the_costs_of_a_policy_add_up_to_what_it_loses(rules):
    """The performance difference lemma; nothing is approximate in an infinite deck."""
    compare_sums(rules, ANY, 40, 4096)


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "pairs"), [("6D H17 LS CSM SP1", ANY), ("6D H17 LS CSM", RIGHT)])
def test_the_costs_add_up_in_a_fresh_shoe_without_wrong_splits(rules, pairs):
    compare_sums(rules, pairs, 100, 4096)


def test_what_is_approximate_is_named():
    assert many("INF", 1).reward_notes == many("6D CSM SP1", 1).reward_notes == ()
    (again,) = make("2D", rewards="regret").reward_notes
    assert "split again whenever the rules allow it" in again
    assert make("2D SP2", rewards="regret").reward_notes == ()
    assert many("6D CSM", 1).reward_notes[:-1] == (again,)
    assert "only the card that it was split from" in many("6D CSM", 1).reward_notes[-1]
    assert "only the card" in many("6D CSM SP1", 1, spots=2).reward_notes[0]
    assert "earlier rounds" in many("6D", 1, FRESH).reward_notes[-1]
    limited, also_again = make("6D SPINF", rewards="regret").reward_notes
    assert ("to 8 hands" in limited, also_again) == (True, again)


@pytest.mark.slow
def test_what_split_hands_do_not_know_of_one_another_changes_little():
    """The figures of docs/rl.md, for a player of six decks who splits all pairs."""
    env, rng = ExactValues(make("6D H17 LS CSM", rewards=FRESH)), random.Random(4)
    _, info = env.reset(seed=1)
    changes, losses = [], []
    while len(losses) < 3000:
        asked, costs = env.unwrapped.question, np.nanmax(info["ev"]) - info["ev"]
        if asked.legal and asked.view.hand.is_split:
            rewards = env.unwrapped._exact.value(asked)
            changes.append(np.nanmax(np.abs(rewards + costs)))
            losses.append(costs[np.nanargmax(rewards)])
        action = SPLIT if info["action_mask"][SPLIT] else answer(rng, info["action_mask"])
        *_, is_over, _, info = env.step(action)
        if is_over:
            _, info = env.reset()
    wrong = np.array(losses) > 1e-9
    assert 0.004 < np.mean(changes) < 0.006
    assert 0.002 < wrong.mean() < 0.008
    assert np.mean(losses) < 0.0001


def test_a_copy_goes_on_with_the_same_rewards():
    envs = many("6D CSM", 16, autoreset_mode="SameStep")
    envs.reset(seed=1)
    envs.step(np.zeros(16, int))
    twins = [copy.deepcopy(envs), pickle.loads(pickle.dumps(envs)), envs]  # noqa: S301
    first, second, third = (one.step(np.zeros(16, int))[1].tolist() for one in twins)
    assert first == second == third
    assert min(first) < 0


def test_what_cannot_be_done_is_refused():
    with pytest.raises(RulesError, match=r"rewards='luck': one of net, regret, fresh-shoe regret"):
        make("6D", rewards="luck")
    with pytest.raises(RulesError, match=r"rewards='regret' takes one bet"):
        make("6D", rewards="regret", bets=(1, 2))
    with pytest.raises(UnsupportedRuleError, match=r"give rewards='fresh-shoe regret', or use vec"):
        many("6D", 2)
    with pytest.raises(UnsupportedRuleError, match="shows_upcard"):
        make("seven-hands shows_upcard=false", rewards="regret")
    with pytest.raises(TypeError, match="unexpected keyword argument 'rewards'"):
        gymnasium.make("upcard/SuttonBarto-v0", rewards="regret")


def test_an_answer_without_an_exact_value_is_refused_where_it_is_asked():
    env = make("INF(9/10) SPINF", rewards="regret")
    env.reset(options={"cards": "T 6 T T"})
    with pytest.raises(NoExactValueError, match=r"no value with T T \(20\) v 6: a value is inf"):
        env.step(0)


@pytest.mark.slow
def test_learners_by_steps_learn_from_exact_rewards_and_monte_carlo_refuses():
    tables = {"observation": "cell", "autoreset_mode": "SameStep"}
    values = q_learning(many("INF S17", 256, **tables), 40_000, seed=1)
    assert evaluate(values, "INF S17").regret < 0.003
    with pytest.raises(RulesError, match="monte_carlo learns from the credit"):
        monte_carlo(many("INF", 4, credit=True, **tables), 10)


@pytest.mark.parametrize(
    ("faces", "answers", "known"),
    [
        ("9T658T", (), "9 5 T 8 6"),  # before a swap, both hands are gone
        ("8686535", (), "8 8 6"),
        ("8686535", (SPLIT,), "8 5 8 6"),  # the card that it was split from is gone as well
        ("ATA8935T", (SPLIT,), "A 8 A T"),
        ("56T6225", (HIT,), "5 T 2 6"),
    ],
)
def test_the_fresh_shoe_is_that_without_the_hand_the_dealers_card_and_what_was_split_off(
    faces, answers, known
):
    words = {"A": "ENHC HSA", "9": "SWITCH NOINS SP1"}.get(faces[0], "")
    rules, spots = upcard.Rules.parse(f"1D {words}"), 2 if "SWITCH" in words else 1
    asked = replay(rules, spots, faces, answers)
    found = ExactRewards(rules, FRESH, spots).value(asked)
    cards = compose(rules, CardsSeen.of(parse_cards(known)), "")
    ev = value_answers(read_question(asked.view, asked.legal), cards, splits="CDZ-").ev
    best = max(ev.values())
    for action, value in ev.items():
        assert found[CODES[action]] == pytest.approx(value - best, abs=1e-12)
    less = compose(rules, CardsSeen.of(parse_cards(known)[:-2]), "")
    assert value_answers(read_question(asked.view, asked.legal), less, splits="CDZ-").ev != ev
