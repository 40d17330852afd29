"""`upcard/SuttonBarto-v0`: its law beside Gymnasium's, its means beside exact values."""

import gymnasium
import numpy as np
import pytest
from classic_exact import optimum, value_of
from gymnasium.vector import AutoresetMode

import upcard.env  # noqa: F401 (registers the environments)
from upcard.core.errors import IllegalActionError, RulesError
from upcard.env.sutton_barto import SuttonBartoVectorEnv, _draw_ahead, _start

ID = "upcard/SuttonBarto-v0"
FLAGS = ({}, {"sab": False}, {"sab": False, "natural": True})
MODES = tuple(AutoresetMode)
TABLES = 40
CASES = [(flags, mode, 20_000) for flags in FLAGS for mode in MODES]


def make_tables(how, mode, **flags):
    if how == "sync":
        options = {"vector_kwargs": {"autoreset_mode": mode}}
    else:
        options = {"autoreset_mode": mode}
    return gymnasium.make_vec(ID, num_envs=TABLES, vectorization_mode=how, **options, **flags)


@pytest.mark.fast_cases(3)
@pytest.mark.parametrize(
    ("flags", "mode", "steps"),
    [*((flags, mode, 4000) for flags, mode in zip(FLAGS, MODES, strict=True)), *CASES],
)
def test_many_tables_are_single_ones_array_for_array(flags, mode, steps):
    """The compiled loop beside plain Python: table `i` has the cards of seed `s + i`."""
    singles, native = (make_tables(how, mode, **flags) for how in ("sync", "vector_entry_point"))
    assert singles.observation_space == native.observation_space
    assert singles.action_space == native.action_space
    assert same(singles.reset(seed=7)[0], native.reset(seed=7)[0])
    rng = np.random.default_rng(0)
    for _ in range(steps // TABLES):
        actions = rng.integers(0, 2, TABLES)
        one, two = singles.step(actions), native.step(actions)
        assert same(one[0], two[0])
        assert all(np.array_equal(a, b) for a, b in zip(one[1:4], two[1:4], strict=True))
        assert one[4].keys() == two[4].keys()
        if "final_obs" in two[4]:
            known = two[4]["_final_obs"]
            assert np.array_equal(known, one[4]["_final_obs"])
            for table in np.flatnonzero(known):
                assert tuple(one[4]["final_obs"][table]) == tuple(two[4]["final_obs"][table])
        if mode is AutoresetMode.DISABLED and one[2].any():
            again = [
                envs.reset(options={"reset_mask": one[2].copy()})[0] for envs in (singles, native)
            ]
            assert same(*again)


def same(one, two):
    return all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


class Script:
    """A generator whose choices are the values of scripted cards."""

    def __init__(self, cards):
        self.values = [min(card // 4 + 1, 10) for card in cards]

    def choice(self, among):
        if isinstance(among[0], str):
            return among[0]  # what a picture shows
        return self.values.pop(0)


@pytest.mark.parametrize("flags", [*FLAGS, {"natural": True}])
def test_its_law_is_gymnasiums_card_for_card(flags):
    """Both are dealt the same scripted cards, with aces and tens twice as often as they come."""
    theirs = gymnasium.make("Blackjack-v1", **flags).unwrapped
    ours = gymnasium.make(ID, **flags).unwrapped
    ours.reset(seed=0)
    rng = np.random.default_rng(1)
    rewards = set()
    for _ in range(2500):
        cards = rng.choice([*range(52), *range(4), *range(36, 52)], 30).tolist()
        theirs.np_random = Script(cards)
        ours._ahead[:] = cards[::-1]
        assert theirs.reset() == ours.reset()
        is_over = False
        while not is_over:
            action = int(rng.integers(2))
            one, two = theirs.step(action), ours.step(action)
            assert one == two
            is_over = one[2]
        rewards.add(two[1])
    assert rewards == {-1.0, 0.0, 1.0} | ({1.5} if flags == FLAGS[2] else set())


def stick_on(least):
    """Return a policy as an array by what is seen, and as a function."""
    policy = np.zeros((32, 11, 2), np.int64)
    policy[:least] = 1
    return policy, lambda seen: int(seen[0] < least)


def play(envs, policy, steps):
    """Return the rewards of the rounds that ended in some steps of many tables."""
    seen, _ = envs.reset(seed=3)
    rewards = []
    for _ in range(steps):
        seen, reward, is_over, _, _ = envs.step(policy[seen])
        rewards.append(reward[is_over])
    return np.concatenate(rewards)


def assert_mean(rewards, ev):
    assert abs(rewards.mean() - ev) < 4 * rewards.std() / len(rewards) ** 0.5


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("least", [17, 20])
def test_the_mean_reward_of_a_policy_is_its_exact_value(flags, least):
    """Two million rounds: the standard error is 0.0007."""
    envs = SuttonBartoVectorEnv(4096, autoreset_mode="SameStep", **{"sab": True, **flags})
    policy, decide = stick_on(least)
    assert_mean(play(envs, policy, 900), value_of(decide, **flags))


@pytest.mark.slow
@pytest.mark.parametrize("flags", FLAGS[::-1])
def test_the_mean_reward_of_gymnasiums_own_is_that_value_too(flags):
    envs = gymnasium.make_vec("Blackjack-v1", 32, "sync", **flags)
    policy, decide = stick_on(17)
    assert_mean(play(envs, policy, 1200), value_of(decide, **flags))


def test_all_cards_of_a_deck_are_equally_likely_and_the_picture_shows_the_upcard():
    stream, cards = np.zeros(4, np.uint64), np.empty(52 * 2000, np.uint8)
    with np.errstate(over="ignore"):
        _start(stream, 5)
        _draw_ahead(stream, cards)
    counts = np.bincount(cards, minlength=52)
    assert len(counts) == 52
    assert ((counts - 2000) ** 2 / 2000).sum() < 100  # chi-square of 51: 1 in 20,000 is above
    env, shown = gymnasium.make(ID).unwrapped, set()
    for number in range(600):
        (_, upcard, _), _ = env.reset(seed=None if number else 1)
        name = env.dealer_top_card_value_str
        assert upcard == min("A23456789TJQK".index(name) + 1, 10)
        shown.add(name + env.dealer_top_card_suit)
    assert len(shown) == 52


def test_what_is_no_action_is_refused_with_the_same_words_at_one_table_and_at_many():
    env, envs = gymnasium.make(ID).unwrapped, SuttonBartoVectorEnv(2)
    env.reset(seed=1)
    envs.reset(seed=1)
    for action in (2, -1, 0.0, None, True, 2**70, np.array([0, 1])):
        with pytest.raises(IllegalActionError, match=": 0 sticks, 1 hits") as one:
            env.step(action)
        with pytest.raises(IllegalActionError) as many:
            envs.step([0, action])
        assert str(many.value) == f"table 1: {one.value}"
    assert env.step(np.uint16(0))[2]
    env.reset()
    assert env.step(np.array([0]))[2]
    assert envs.step([np.array([0]), 0])[2].all()


# --- many tables ---


def test_compiled_tables_take_a_list_of_seeds_and_continue_their_streams():
    seeds = [5, None, 9]
    one, two = (SuttonBartoVectorEnv(3), SuttonBartoVectorEnv(3))
    assert same(one.reset(seed=seeds)[0][0][[0, 2]], two.reset(seed=[5, 1, 9])[0][0][[0, 2]])
    later = one.reset()[0], two.reset()[0]
    assert all(np.array_equal(a[[0, 2]], b[[0, 2]]) for a, b in zip(*later, strict=True))


def test_compiled_tables_refuse_what_they_cannot_take():
    envs = SuttonBartoVectorEnv(2, autoreset_mode="Disabled")
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step([0, 0])
    with pytest.raises(RulesError, match="table 1 was never dealt"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    for options in ({"reset_mask": [True, True]}, {"reset_mask": np.zeros(2, bool)}, {"cards": 1}):
        with pytest.raises(RulesError):
            envs.reset(options=options)
    with pytest.raises(RulesError, match="3 seeds: 2 tables"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(RulesError, match="num_envs=0: a whole number from 1 to"):
        SuttonBartoVectorEnv(0)
    before = envs.reset(seed=1)[0]
    for actions in ([0], [0.0, 1.0], [[0, 1]], [0, 2], [-1, 0]):
        with pytest.raises(IllegalActionError):
            envs.step(actions)
    over = envs.step([1, 0])[2]
    with pytest.raises(IllegalActionError, match=f"table {over.argmax()}: the round is over"):
        envs.step([0, 0])
    assert same(SuttonBartoVectorEnv(2).reset(seed=1)[0], before)


# --- the optimum, by a dynamic programme that shares nothing with upcard ---


@pytest.mark.parametrize(
    ("sab", "natural", "ev"),
    [(True, False, -0.043113), (False, False, -0.046556), (False, True, -0.025729)],
)
def test_the_optimum_is_the_one_that_the_tutorial_states(sab, natural, ev):
    assert optimum(sab=sab, natural=natural)[0] == pytest.approx(ev, abs=5e-7)


def test_the_best_policy_reaches_the_optimum():
    ev, best = optimum(sab=True, natural=False)
    policy = np.zeros((32, 11, 2), np.int64)
    for hand, action in best.items():
        policy[hand] = action
    envs = SuttonBartoVectorEnv(4096, sab=True, autoreset_mode="SameStep")
    assert_mean(play(envs, policy, 1000), ev)
