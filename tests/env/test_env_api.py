import copy
import importlib
import pickle
import re
import subprocess
import sys
import warnings
from functools import partial

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import upcard.env
from upcard.core.errors import (
    IllegalActionError,
    NotationError,
    RulesError,
    UnsupportedRuleError,
)
from upcard.env.observations import LAYOUTS
from upcard.env.oracle import ExactValues

IDS = ("upcard/Blackjack-v1", "upcard/BlackJackP-v0", "upcard/SuttonBarto-v0")


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_environment_passes_gymnasiums_check_with_every_observation(layout, capsys):
    env = gymnasium.make(IDS[0], observation=layout, illegal="stand").unwrapped
    check_env(env)


def test_document_002_passes_gymnasiums_check(capsys):
    check_env(gymnasium.make(IDS[1], p="0.3", illegal="stand").unwrapped)


def test_counts_composition_bets_and_shoes_pass_gymnasiums_check(capsys):
    options = {"count": "hi-lo", "composition": True, "bets": (0, 1, 8), "episode": "shoe"}
    check_env(gymnasium.make(IDS[0], illegal="stand", **options).unwrapped)


def test_sutton_and_bartos_game_passes_gymnasiums_check():
    check_env(gymnasium.make(IDS[2]).unwrapped, skip_render_check=True)  # its pictures need pygame


def test_the_ids_can_be_made_from_the_name_of_the_module():
    env = gymnasium.make("upcard.env:upcard/Blackjack-v1", rules="6D H17 LS")
    assert env.unwrapped.rules == upcard.Rules.parse("6D H17 LS")
    assert env.get_wrapper_attr("action_masks")().tolist() == [1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("mode", ["sync", pytest.param("async", marks=pytest.mark.slow)])
def test_make_vec_makes_several_tables(mode):
    envs = gymnasium.make_vec(IDS[0], num_envs=3, vectorization_mode=mode, rules="european")
    observations, info = envs.reset(seed=5)
    masks = info["action_mask"]
    assert observations.shape == (3, 8)
    assert masks.shape == (3, 6)
    alone = [gymnasium.make(IDS[0], rules="european").reset(seed=5 + k)[0] for k in range(3)]
    assert np.array_equal(observations, alone)
    for _ in range(6):
        *_, info = envs.step(np.zeros(3, np.int64))
    assert info["action_mask"].dtype == np.int8
    envs.close()


def test_a_spec_survives_pickling_and_makes_the_same_environment():
    spec = gymnasium.make(IDS[0], rules="2D LS", observation="cell").spec
    again = gymnasium.make(pickle.loads(pickle.dumps(spec)))  # noqa: S301 (our own)
    assert again.unwrapped.rules == upcard.Rules.parse("2D LS")
    assert gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(spec.to_json()))


def test_importing_upcard_loads_neither_gymnasium_nor_numpy():
    code = "import sys, upcard; print([n for n in ('gymnasium', 'numpy') if n in sys.modules])"
    assert run(code) == (0, "[]\n", "")


def test_without_gymnasium_the_import_names_the_extra():
    code = "import sys; sys.modules['gymnasium'] = None; import upcard.env"
    exit_code, _, error = run(code)
    assert exit_code == 1
    last = error.strip().splitlines()[-1]
    assert last == 'ImportError: upcard.env needs Gymnasium: pip install "upcard[rl]"'


def test_importing_the_package_twice_registers_without_a_warning():
    for name in IDS:
        assert name in gymnasium.registry
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # A module of the same name would hide the first one's modules from tests after this one.
        importlib.reload(upcard.env)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"observation": "cards2"}, RulesError, "one of hand, cards, cell, dict, sutton-barto"),
        ({"episode": "day"}, RulesError, "episode='day': one of round, shoe"),
        ({"illegal": "hit"}, RulesError, "illegal='hit': one of raise, stand"),
        ({"rules": "6D XX"}, NotationError, "XX"),
        ({"bets": ()}, RulesError, "give a sequence of bets"),
        ({"bets": (1, 1)}, RulesError, "two of them are equal"),
        ({"bets": (0,)}, RulesError, "0 sits out"),
        ({"bets": (-1, 1)}, RulesError, "a bet of -1"),
        ({"bets": 5}, RulesError, "bets=5: give a sequence of bets"),
        ({"bets": [[]]}, RulesError, "a bet of []: write a number of chips"),
        ({"bets": (1, True)}, RulesError, "a bet of True: write a number of chips"),
        ({"spots": 1.5}, RulesError, "spots=1.5: the rules take 1 to 7"),
        ({"spots": True}, RulesError, "spots=True: the rules take 1 to 7"),
        ({"rules": "INF", "episode": "shoe"}, UnsupportedRuleError, "never run out"),
        ({"rules": "INF", "composition": True}, UnsupportedRuleError, "never run out"),
        ({"rules": "INF", "count": "hi-lo"}, UnsupportedRuleError, "never run out"),
        ({"count": "hi-low"}, RulesError, "no counting system is called 'hi-low'"),
        ({"rules": "lott", "observation": "cell"}, UnsupportedRuleError, "simulator"),
        ({"observation": "cell", "count": "hi-lo"}, RulesError, "no room for count"),
    ],
)
def test_an_option_without_meaning_is_refused(options, error, message):
    for make in (gymnasium.make, partial(gymnasium.make_vec, num_envs=2)):
        with pytest.raises(error, match=re.escape(message)):
            make(IDS[0], **options)


def test_an_impossible_p_is_refused():
    with pytest.raises(NotationError, match="a probability from 0 to 1"):
        gymnasium.make(IDS[1], p="1.5")


# --- seeds and actions: one rule at one table and at many ---


@pytest.mark.parametrize("name", [IDS[0], IDS[2]])
@pytest.mark.parametrize("seed", [-1, 2**64, 2**70, 1.5, True, "1", np.array(5), {}, [1, 2, 3]])
def test_a_seed_outside_the_range_is_refused_with_the_same_words_everywhere(name, seed):
    words = []
    for env in (gymnasium.make(name).unwrapped, gymnasium.make_vec(name, num_envs=2)):
        env.reset(seed=1)
        if isinstance(seed, list) and words:
            seed = [1, [1, 2, 3]]  # many tables take a list
        with pytest.raises(RulesError) as refused:
            env.reset(seed=seed)
        words.append(str(refused.value).removeprefix("table 1: "))
        env.step(0 if len(words) == 1 else [0, 0])  # nothing has changed
    assert words[0] == words[1]
    assert words[0].endswith(": a seed is a whole number from 0 to 18446744073709551615")


@pytest.mark.parametrize("name", [IDS[0], IDS[2]])
def test_the_largest_seed_and_numpys_integers_are_seeds(name):
    env, envs = gymnasium.make(name).unwrapped, gymnasium.make_vec(name, num_envs=2)
    for seed in (0, 2**64 - 1, np.int64(7), np.uint64(2**63)):
        alone = env.reset(seed=seed)[0]
        many = envs.reset(seed=[seed, None])[0]
        first = [part[0] for part in many] if isinstance(many, tuple) else many[0]
        assert np.array_equal(alone, first)
    with pytest.raises(RulesError, match=f"table 1: seed {2**64}"):
        envs.reset(seed=2**64 - 1)
    envs.reset(seed=np.arange(2))


@pytest.mark.parametrize("action", [
    *(np.array([1]), np.array(1), np.array([[1]]), np.int64(1), np.uint8(1)),
])  # fmt: skip
def test_an_array_of_one_whole_number_is_an_action(action):
    env, envs = gymnasium.make(IDS[0]).unwrapped, gymnasium.make_vec(IDS[0], num_envs=1)
    sync = gymnasium.make_vec(IDS[0], num_envs=1, vectorization_mode="sync")
    first, *_ = [one.reset(seed=1)[0] for one in (env, envs, sync)]
    seen = [env.step(action)[0], envs.step([action])[0][0], sync.step([action])[0][0]]
    assert seen[0][0] > first[0]
    assert np.array_equal(seen[0], seen[1])
    assert np.array_equal(seen[0], seen[2])


def test_the_actions_of_many_tables_may_stand_in_a_column():
    envs = gymnasium.make_vec(IDS[0], num_envs=3, illegal="stand")
    envs.reset(seed=2)
    column = envs.step(np.array([[1], [0], [1]]))[0]
    envs.reset(seed=2)
    assert np.array_equal(column, envs.step([1, 0, 1])[0])


NO_ACTIONS = (
    *(-1, 8, 2**70, 1.0, 2 + 0j, True, np.True_, "1", None, {}),
    *(np.array([1, 2]), np.array([1.0]), np.array([True]), np.array([])),
)


@pytest.mark.parametrize("bets", [(1,), (1, 2)])
def test_what_is_no_action_is_refused_with_the_same_words_everywhere(bets):
    env = gymnasium.make(IDS[0], bets=bets).unwrapped
    envs = gymnasium.make_vec(IDS[0], num_envs=2, bets=bets)
    sync = gymnasium.make_vec(IDS[0], num_envs=2, bets=bets, vectorization_mode="sync")
    for one in (env, envs, sync):
        one.reset(seed=1)
    for action in (*NO_ACTIONS, 0) if len(bets) > 1 else NO_ACTIONS:
        with pytest.raises(IllegalActionError) as alone:
            env.step(action)
        with pytest.raises(IllegalActionError) as native:
            envs.step([action, envs.action_masks()[1].argmax()])
        with pytest.raises(IllegalActionError) as one_by_one:
            sync.step([action, 0])
        assert str(native.value) == f"table 0: {alone.value}"
        assert str(one_by_one.value) == str(alone.value)


@pytest.mark.parametrize("action", [2 + 0j, np.array([1, 2]), None, 1.0, 9])
def test_what_is_no_action_can_stand_in_for_0_everywhere(action):
    options = {"illegal": "stand", "rules": "INF"}
    env, envs = gymnasium.make(IDS[0], **options), gymnasium.make_vec(IDS[0], 2, **options)
    env.reset(seed=3)
    envs.reset(seed=3)
    observation, reward, _, _, info = env.step(action)
    observations, rewards, *_, infos = envs.step([action, 0])
    assert info["illegal"] is True
    assert infos["illegal"].tolist() == [True, False]
    assert np.array_equal(observation, observations[0])
    assert reward == rewards[0]


# --- copies ---


def play_on(env, rng, steps):
    """Step with random legal actions; return all that is reported."""
    reports = []
    single = not hasattr(env, "num_envs")
    for _ in range(steps):
        if env.spec.id == IDS[2]:
            masks = np.ones((getattr(env, "num_envs", 1), 2))
        else:
            masks = np.atleast_2d((env.unwrapped if single else env).action_masks())
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        reports.append(env.step(actions[0] if single else actions))
        if single and reports[-1][2]:
            reports.append(env.reset())
    return reports


def pickle_again(env):
    return pickle.loads(pickle.dumps(env))  # noqa: S301 (our own)


COPIED = [
    *((IDS[0], {"observation": layout, "rules": "2D ES"}) for layout in LAYOUTS),
    (IDS[0], {"observation": "cell", "rules": "INF"}),
    # The loop of many tables has a variant for these, which takes 7 s to compile.
    *(
        pytest.param(IDS[0], options, marks=pytest.mark.slow)
        for options in (
            {"count": "hi-lo", "composition": True, "bets": (0, 1, 8), "episode": "shoe"},
            {"spots": 3, "observation": "cards", "illegal": "stand"},
        )
    ),
    (IDS[1], {"p": "0.3"}),
    (IDS[2], {}),
]


@pytest.mark.parametrize("copier", [copy.deepcopy, pickle_again])
@pytest.mark.parametrize("steps", [0, 7])
@pytest.mark.parametrize(("name", "options"), COPIED)
def test_a_copy_goes_on_as_the_original_does(name, options, steps, copier):
    makers = [gymnasium.make]
    if name != IDS[1]:
        makers.append(partial(gymnasium.make_vec, num_envs=3))
    if name == IDS[0] and options.get("observation") == "cell":
        makers.append(lambda *given, **more: ExactValues(gymnasium.make(*given, **more)))
        makers.append(partial(gymnasium.make_vec, num_envs=3, threads=2, copy=False))
    for make in makers:
        env = make(name, **options)
        env.reset(seed=4)
        play_on(env, np.random.default_rng(3), steps)
        twin = copier(env)
        kept = copy.deepcopy(play_on(env, np.random.default_rng(5), 9))
        np.testing.assert_equal(play_on(twin, np.random.default_rng(5), 9), kept)
