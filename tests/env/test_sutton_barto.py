"""`upcard/SuttonBarto-v0` against Gymnasium's own environment, and against its exact optimum."""

import gymnasium
import numpy as np
import pytest
from classic_exact import optimum
from gymnasium.vector import AutoresetMode

import upcard.env  # noqa: F401 (registers the environments)
from upcard.core.errors import IllegalActionError, RulesError, UnsupportedRuleError
from upcard.env.classic_vector import SuttonBartoVectorEnv, _require_the_same_game
from upcard.kernels.sutton_barto_tables import draw_below, read_stream

ID = "upcard/SuttonBarto-v0"
FLAGS = ({}, {"sab": False}, {"sab": False, "natural": True})
MODES = tuple(AutoresetMode)
TABLES = 40
CASES = [(flags, mode, 20_000) for flags in FLAGS for mode in MODES]


def make_tables(name, mode, how="sync", **flags):
    options = {"vector_kwargs": {"autoreset_mode": mode}} if how == "sync" else {}
    if how != "sync":
        flags["autoreset_mode"] = mode
    return gymnasium.make_vec(name, num_envs=TABLES, vectorization_mode=how, **options, **flags)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("flags", "mode", "steps"), [({}, MODES[1], 800), *CASES])
def test_it_is_gymnasiums_blackjack_bit_for_bit_by_seed(flags, mode, steps):
    """Both our own environment on each table, and the compiled tables."""
    theirs, ours, native = (
        make_tables("Blackjack-v1", mode, **flags),
        make_tables(ID, mode, **flags),
        make_tables(ID, mode, "vector_entry_point", **flags),
    )
    first = theirs.reset(seed=7)[0]
    assert same(first, ours.reset(seed=7)[0])
    assert same(first, native.reset(seed=7)[0])
    rng = np.random.default_rng(0)
    for _ in range(steps // TABLES):
        actions = rng.integers(0, 2, TABLES)
        one = theirs.step(actions)
        for others in (ours, native):
            two = others.step(actions)
            assert same(one[0], two[0])
            assert all(np.array_equal(a, b) for a, b in zip(one[1:4], two[1:4], strict=True))
            assert one[4].keys() == two[4].keys()
            if "final_obs" in two[4]:
                known = two[4]["_final_obs"]
                assert np.array_equal(known, one[4]["_final_obs"])
                for table in np.flatnonzero(known):
                    assert tuple(one[4]["final_obs"][table]) == tuple(two[4]["final_obs"][table])
        if mode is AutoresetMode.DISABLED and one[2].any():
            one, *others = (
                envs.reset(options={"reset_mask": one[2].copy()}) for envs in (theirs, ours, native)
            )
            assert all(same(one[0], two[0]) for two in others)


def same(one, two):
    return all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_its_pictures_get_the_suits_and_faces_that_gymnasiums_get():
    theirs, ours = gymnasium.make("Blackjack-v1"), gymnasium.make("upcard/SuttonBarto-v0")
    for seed in range(40):
        shown = []
        for env in (theirs, ours):
            env.reset(seed=seed)
            bare = env.unwrapped
            shown.append(bare.dealer_top_card_value_str + bare.dealer_top_card_suit)
        assert shown[0] == shown[1]


def test_its_generator_is_where_gymnasiums_is_whoever_draws_from_it():
    envs = [gymnasium.make(name).unwrapped for name in ("Blackjack-v1", ID)]
    for seed in range(3):
        for env in envs:
            env.reset(seed=seed)
        shared = [env.np_random for env in envs] if seed else None
        for number in range(60):
            one, two = ([*env.step(number % 2), env.reset()] for env in envs)
            assert one == two
            if number in (7, 31):
                drawn = [env.np_random.random() for env in envs]
                assert drawn[0] == drawn[1]
            if shared is not None:
                assert shared[0].random() == shared[1].random()
    for env in envs:
        env.np_random = np.random.Generator(np.random.PCG64(4))
    assert envs[0].reset() == envs[1].reset()
    assert envs[0].np_random_seed == envs[1].np_random_seed == -1


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


# --- the compiled tables ---


def test_a_draw_that_numpy_rejects_is_rejected():
    """Half-words for which the draw of one of 13 is repeated: one in 500 million."""
    with np.errstate(over="ignore"):
        for half in (0, 330_382_100, 2**32 - 1):
            generator = np.random.Generator(np.random.PCG64(1))
            state = generator.bit_generator.state | {"has_uint32": 1, "uinteger": half}
            generator.bit_generator.state = state
            stream = np.array(read_stream(generator), np.uint64)
            drawn = [int(draw_below(stream, 0, np.uint64(size))) for size in (13, 13, 4, 3)]
            assert drawn == [generator.integers(size) for size in (13, 13, 4, 3)]


def test_a_generator_that_is_not_numpys_default_is_refused():
    with pytest.raises(ValueError, match="only PCG64"):
        read_stream(np.random.Generator(np.random.Philox(1)))


def test_an_installed_gymnasium_that_deals_other_cards_is_refused(monkeypatch):
    _require_the_same_game.cache_clear()
    monkeypatch.setattr("gymnasium.envs.toy_text.blackjack.deck", [*range(1, 10), 10, 10, 9, 10])
    with pytest.raises(UnsupportedRuleError, match="deals other cards"):
        SuttonBartoVectorEnv(2)
    _require_the_same_game.cache_clear()


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
    observation, _ = envs.reset(seed=3)
    rewards = []
    for _ in range(1000):
        observation, reward, is_over, _, _ = envs.step(policy[observation])
        rewards.append(reward[is_over])
    rewards = np.concatenate(rewards)
    error = rewards.std() / len(rewards) ** 0.5
    assert abs(rewards.mean() - ev) < 4 * error
