import pickle
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import upcard.env
from upcard.core.errors import NotationError, RulesError, UnsupportedRuleError
from upcard.env.masks import MaskInObservation
from upcard.env.observations import LAYOUTS

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
    sys.modules.pop("upcard.env")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        import upcard.env as _  # noqa: F401


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
        ({"rules": "INF", "episode": "shoe"}, UnsupportedRuleError, "never run out"),
        ({"rules": "INF", "composition": True}, UnsupportedRuleError, "never run out"),
        ({"rules": "INF", "count": "hi-lo"}, UnsupportedRuleError, "never run out"),
        ({"count": "hi-low"}, RulesError, "no counting system is called 'hi-low'"),
        ({"rules": "lott", "observation": "cell"}, UnsupportedRuleError, "simulator"),
        ({"observation": "cell", "count": "hi-lo"}, RulesError, "no room for count"),
    ],
)
def test_an_option_without_meaning_is_refused(options, error, message):
    with pytest.raises(error, match=message.replace("(", r"\(")):
        gymnasium.make(IDS[0], **options)


def test_an_impossible_p_is_refused():
    with pytest.raises(NotationError, match="a probability from 0 to 1"):
        gymnasium.make(IDS[1], p="1.5")


def test_a_mask_in_the_observation_has_the_keys_of_the_library():
    keys = ("observations", "action_mask")
    env = MaskInObservation(gymnasium.make(IDS[0], illegal="stand"), keys)
    observation, info = env.reset(options={"cards": "8 6 8 5 5 T"})
    assert tuple(observation) == keys
    assert observation["action_mask"].tolist() == info["action_mask"].tolist() == [1, 1, 1, 1, 0, 0]
    assert observation in env.observation_space
    assert env.step(1)[0] in env.observation_space
