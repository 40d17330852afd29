"""Thousands of tables on the simulator's loop: `tests/differential` has random rules too."""

import sys
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from vector_twins import ID, Twins

import upcard
from upcard.core.errors import IllegalActionError, RulesError, UnsupportedRuleError
from upcard.env.kernels import tables as kernel_tables
from upcard.simulation.job import Job
from upcard.simulation.kernels import loop_codes
from upcard.simulation.lower import lower, lower_asked

MODES = tuple(AutoresetMode)
FLAT = [
    ("6D S17 DAS LS", {}),
    ("1D 6:5 SP8 ES", {"bets": (0, 1, "2.5", 3), "illegal": "stand"}),
    ("6D H17 LS CSM", {"observation": "cards"}),
    ("INF DANY", {"observation": "dict"}),
    ("6D ENHC ES", {"observation": "cell"}),
    ("8D OBO D10 RSA HSA", {"observation": "sutton-barto"}),
    ("2D PEN90", {"composition": True, "observation": "dict"}),
]
EVERYTHING = {"observation": "cards", "composition": True}
COUNTED = [
    ("2D ES HSA RSA", {**EVERYTHING, "count": "hi-lo", "bets": (1, 4), "episode": "shoe"}),
    ("1D PEN90", {"observation": "dict", "composition": True, "count": "red-7"}),
    ("6D", {"count": "hi-lo", "episode": "shoe", "illegal": "stand"}),
    ("2D ENHC", {"count": "hi-lo"}),
    ("1D CSM", {"count": "ko", "bets": (0, 2), "episode": "shoe", "observation": "cards"}),
]


def make(tables=4, **options):
    return gymnasium.make_vec(ID, tables, **options)


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize(("rules", "options"), FLAT)
@pytest.mark.parametrize("mode", MODES)
def test_many_tables_are_the_single_ones_array_for_array(rules, options, mode):
    assert Twins(rules, mode, **options).play(60) > 10


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "options"), COUNTED)
@pytest.mark.parametrize("mode", MODES)
def test_counts_shoes_and_bets_are_those_of_the_single_tables(rules, options, mode):
    assert Twins(rules, mode, **options).play(150) >= 10


@pytest.mark.parametrize("episode", ["round", "shoe"])
def test_a_shoe_ends_where_that_of_a_single_table_does(episode):
    """Also where the last card before the cut card is the last one of a round."""
    twins = Twins("1D PEN50", episode=episode)
    at_the_cut = 0
    for _ in range(60):
        twins.step()
        dealt = [env.unwrapped.table.shoe.position for env in twins.singles.envs]
        at_the_cut += int((np.array(dealt)[twins.over] == 26).sum())
    assert at_the_cut


def test_the_decks_left_are_those_of_a_shoe_that_took_its_discards_back():
    """The cards of the last round are out; `write_counts` is plain Python here."""
    tables = make(1, rules="1D", count="hi-lo").unwrapped._tables
    paused, rows = tables.paused, np.zeros(tables.terms.columns, np.float32)
    for begin, position, left in ((40, 51, 1), (40, 52, 0), (40, 55, 37)):
        paused.fields[[loop_codes.BEGIN, loop_codes.POSITION]] = begin, position
        kernel_tables.write_counts(
            *(tables.game, paused, tables.terms, np.zeros(1, np.int64), 0, 1, rows, 8)
        )
        assert rows[9] == np.float32(left / 52)


def test_the_unseen_cards_are_those_of_a_shoe_that_took_its_discards_back():
    tables = make(1, rules="1D", composition=True).unwrapped._tables
    paused, terms, game = tables.paused, tables.terms, tables.game

    def look(position, aces):
        paused.fields[[loop_codes.BEGIN, loop_codes.POSITION]] = 40, position
        terms.seen[0] = aces
        rows = np.zeros(10, np.float32)
        kernel_tables.write_composition(game, paused, terms, 0, rows, 0)
        return rows[0]

    assert look(51, 3) < look(51, 0)
    assert look(55, 3) == look(55, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "options"), FLAT)
@pytest.mark.parametrize("mode", MODES)
def test_many_tables_are_the_single_ones_over_hundreds_of_steps(rules, options, mode):
    assert Twins(rules, mode, seed=1, threads=2, **options).play(500) > 250


def play_arrays(tables, threads, steps, **options):
    """Play the same answers by seed at some tables; return what the first seven report."""
    env = make(tables, threads=threads, observation="cards", credit=True, **options)
    observed, info = env.reset(seed=5)
    seen = [observed[:7], info["action_mask"][:7]]
    for number in range(steps):
        last = np.array([np.flatnonzero(mask).max() for mask in info["action_mask"]])
        takes_last = (np.arange(tables) + number) % 3 == 0
        observed, rewards, over, _, info = env.step(np.where(takes_last, last, 0))
        seen += [observed[:7], rewards[:7], over[:7], info["action_mask"][:7]]
        if over[:7].any():
            seen.append(np.where(over[:7], info["credit"][:7, 0], 0.0))
    env.close()
    return seen


def test_a_table_does_not_depend_on_its_neighbours_or_on_threads():
    alone, few, many = (
        play_arrays(number, threads, 12, rules="6D LS")
        for number, threads in ((7, 1), (7, 2), (4096, 2))
    )
    for one, two, three in zip(alone, few, many, strict=True):
        assert np.array_equal(one, two)
        assert np.array_equal(one, three)
    single = play_arrays(1, 1, 1, rules="6D LS")
    assert all(np.array_equal(one[:1], first) for one, first in zip(alone, single, strict=False))


def test_rounds_do_not_depend_on_the_number_of_cards_that_are_ready(monkeypatch):
    rules, steps = "2D ES", 60
    envs = [make(64, rules=rules)]
    monkeypatch.setattr(
        sys.modules["upcard.env.vector"],
        "lower_asked",
        lambda *given, **options: lower_asked(*given, **options)._replace(shuffled_ahead=6),
    )
    envs.append(make(64, rules=rules))
    (observed, info), (few, info_of_few) = [env.reset(seed=5) for env in envs]
    rng = np.random.default_rng(5)
    for _ in range(steps):
        assert np.array_equal(observed, few)
        assert np.array_equal(info["action_mask"], info_of_few["action_mask"])
        actions = rng.random(info["action_mask"].shape) * info["action_mask"]
        (observed, *ends, info), (few, *ends_of_few, info_of_few) = [
            env.step(actions.argmax(axis=1)) for env in envs
        ]
        assert all(map(np.array_equal, ends, ends_of_few))


def test_a_reset_of_some_tables_touches_no_other():
    env, other = make(), make()
    for one in (env, other):
        one.reset(seed=3)
        one.step(np.array([np.flatnonzero(mask)[-1] for mask in one.action_masks()]))
    before = {name: array.copy() for name, array in env._tables.paused._asdict().items()
              if isinstance(array, np.ndarray) and name not in ("todo", "tables", "nothing")
              and len(array) % 4 == 0 and name != "sits_out"}  # fmt: skip
    mask = np.array([False, True, False, False])
    _, info = env.reset(options={"reset_mask": mask})
    mask[0] = True  # the caller's array, which may be used again
    assert info["_action_mask"].tolist() == [False, True, False, False]
    assert not info["action_mask"][[0, 2, 3]].any()
    for name, array in before.items():
        kept = [0, 2, 3]
        after = getattr(env._tables.paused, name)
        assert np.array_equal(after.reshape(4, -1)[kept], array.reshape(4, -1)[kept])
    answers = np.array([np.flatnonzero(mask)[0] for mask in env.action_masks()])
    mine, theirs = env.step(answers), other.step(answers * (np.arange(4) != 1))
    assert np.array_equal(mine[0][[0, 2, 3]], theirs[0][[0, 2, 3]])


@pytest.mark.parametrize("options", [
    {}, pytest.param({"composition": True, "count": "hi-lo"}, marks=pytest.mark.slow),
])  # fmt: skip
def test_no_observation_depends_on_a_card_that_is_not_shown(options):
    """Two worlds: another hole card and another order of the shoe."""
    env = make(64, observation="cards", rules="2D ES", **options)
    rng = np.random.default_rng(4)
    env.reset(seed=8)
    vector = env._tables
    compared = 0
    for _ in range(12):
        masks = env.action_masks()
        observed, *_ = env.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in masks]))
        kept = vector.paused.cards.copy()
        fields = vector.paused.fields.reshape(64, -1)
        for table in range(64):
            row = fields[table]
            if row[loop_codes.STATUS] != loop_codes.ASKED:
                continue
            cards = vector.paused.cards.reshape(64, -1)[table]
            hidden = [*range(row[loop_codes.POSITION], 104)]
            hidden.append(row[loop_codes.BEGIN] + vector.game.hole_at)
            cards[hidden] = rng.permutation(cards[hidden])
            compared += 1
        result = vector._make_result()
        kernel_tables.observe(
            vector.game, vector.paused, vector.terms, np.arange(64), 0, 64,
            result.masks, result.cells, result.rows,
        )  # fmt: skip
        assert np.array_equal(result.rows.reshape(64, -1), observed)
        assert np.array_equal(result.masks.reshape(64, -1), env.action_masks())
        vector.paused.cards[:] = kept
    assert compared > 100


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 0, 0], "whole numbers of shape (4,) are needed"),
        ([[0, 0, 0, 0]], "whole numbers of shape (4,) are needed"),
        (np.zeros((2, 2), int), "whole numbers of shape (4,) are needed"),
        (0, "whole numbers of shape (4,) are needed"),
        (np.array(0), "whole numbers of shape (4,) are needed"),
        ([0.0, 0, 0, 0], "table 0: action 0.0 is not a whole number from 0 to 5. Legal: 0 (stand)"),
        ([5, 0, 0, 0], "table 0: action 5 (insurance): it is not legal here. Legal: 0 (stand), 1"),
        ([0, 0, 7, 9], "table 2: action 7 is not a whole number from 0 to 5. Legal: 0 (stand)"),
        (
            [0, 5, 0, 5],
            "table 1: action 5 (insurance): the round is over, and 0 ends it. Legal: 0 (stand)",
        ),
    ],
)
def test_an_illegal_action_names_the_first_table_and_changes_nothing(actions, message):
    env = make(rules="6D S17 DAS LS")
    env.reset(seed=1)
    before = env._tables.paused.fields.copy()
    with pytest.raises(IllegalActionError) as caught:
        env.step(actions)
    assert message in str(caught.value)
    assert np.array_equal(env._tables.paused.fields, before)


def test_a_table_that_is_over_must_be_reset_where_nothing_resets_it():
    env = make(autoreset_mode="Disabled", rules="6D S17 DAS LS")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(4, np.int64))
    env.reset(seed=1)
    assert env.step(np.zeros(4, np.int64))[2].tolist() == [True, True, True, True]
    with pytest.raises(IllegalActionError, match="table 0: the episode is over: reset it by a re"):
        env.step(np.zeros(4, np.int64))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"rules": "lott"}, UnsupportedRuleError, 'use vectorization_mode="sync"'),
        ({"render_mode": "ansi"}, UnsupportedRuleError, 'use vectorization_mode="sync"'),
        ({"spots": 8}, RulesError, "spots=8: the rules take 1 to 7"),
        ({"threads": 0}, RulesError, "threads=0: a whole number from 1 to 256"),
        ({"threads": 1.5}, RulesError, "threads=1.5: a whole number from 1 to 256"),
        ({"tables": 1.5}, RulesError, "num_envs=1.5: a whole number from 1 to 1,048,576"),
        ({"tables": True}, RulesError, "num_envs=True: a whole number from 1 to 1,048,576"),
        ({"autoreset_mode": "Never"}, RulesError, "autoreset_mode='Never': one of NextStep, Same"),
        ({"bets": (0,)}, RulesError, "0 sits out"),
        ({"observation": "card"}, RulesError, "one of hand, cards, cell, dict, sutton-barto"),
        ({"episode": "day"}, RulesError, "episode='day': one of round, shoe"),
        ({"illegal": "hit"}, RulesError, "illegal='hit': one of raise, stand"),
        ({"rules": "INF", "count": "hi-lo"}, UnsupportedRuleError, "never run out"),
    ],
)
def test_what_many_tables_cannot_do_is_refused(options, error, message):
    with pytest.raises(error) as caught:
        make(**options)
    assert message in str(caught.value)


def test_what_a_reset_cannot_do_is_refused():
    env = make()
    with pytest.raises(UnsupportedRuleError, match="the reset option cards: use vectorization_m"):
        env.reset(options={"cards": "T T T"})
    with pytest.raises(RulesError, match="options are shuffle and reset_mask"):
        env.reset(options={"deal": 1})
    with pytest.raises(RulesError, match="table 1 was never dealt"):
        env.reset(options={"reset_mask": np.array([True, False, False, False])})
    with pytest.raises(RulesError, match="3 seeds: 4 tables take one each"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(RulesError, match="options=5: give a dictionary; the options are shuffle"):
        env.reset(options=5)


def test_without_a_copy_the_arrays_are_kept():
    env = make(rules="6D", copy=False)
    first, _ = env.reset(seed=1)
    assert np.shares_memory(first, env.step(np.zeros(4, np.int64))[0])
    copied = make(rules="6D")
    first, _ = copied.reset(seed=1)
    assert not np.shares_memory(first, copied.step(np.zeros(4, np.int64))[0])


def test_a_vector_environment_is_made_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make_vec("upcard.env:upcard/Blackjack-v1", num_envs=2, rules="6D H17 LS")
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert gymnasium.make_vec(env.spec).num_envs == 2


@pytest.mark.slow
@pytest.mark.parametrize("text", ["6D H17 LS CSM", "INF"])
def test_the_best_charts_mean_reward_is_its_exact_value(text):
    rules = upcard.Rules.parse(text)
    chart = upcard.basic_strategy(rules)
    choice = lower(Job(rules=rules, strategy=chart, seed=1)).game.choice
    answers = np.where(choice <= 4, choice, 0).astype(np.int64)
    env = make(4096, rules=rules, observation="cell", autoreset_mode="SameStep")
    cells, _ = env.reset(seed=6)
    rounds = total = squares = 0.0
    while rounds < 10_000_000:
        cells, rewards, over, _, _ = env.step(answers[cells])
        rounds += over.sum()
        total += rewards.sum()
        squares += rewards @ rewards
    mean = total / rounds
    error = ((squares / rounds - mean * mean) / rounds) ** 0.5
    assert abs(mean - upcard.expected_value(rules, strategy=chart)) < 4 * error
