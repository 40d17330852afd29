"""`upcard/SuttonBarto-v0` against Gymnasium's own environment, and against its exact optimum."""

from functools import cache

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import upcard.env  # noqa: F401 (registers the environments)

FLAGS = ({}, {"sab": False}, {"sab": False, "natural": True})
ODDS = {card: (4 if card == 10 else 1) / 13 for card in range(1, 11)}


MODES = (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP)
CASES = [(flags, mode, 20_000) for flags in FLAGS for mode in MODES]


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(("flags", "mode", "steps"), [({}, MODES[0], 800), *CASES])
def test_it_is_gymnasiums_blackjack_bit_for_bit_by_seed(flags, mode, steps):
    tables = 40
    theirs, ours = (
        gymnasium.make_vec(
            name,
            num_envs=tables,
            vectorization_mode="sync",
            vector_kwargs={"autoreset_mode": mode},
            **flags,
        )
        for name in ("Blackjack-v1", "upcard/SuttonBarto-v0")
    )
    assert same(theirs.reset(seed=7)[0], ours.reset(seed=7)[0])
    rng = np.random.default_rng(0)
    for _ in range(steps // tables):
        actions = rng.integers(0, 2, tables)
        one, two = theirs.step(actions), ours.step(actions)
        assert same(one[0], two[0])
        assert all(np.array_equal(a, b) for a, b in zip(one[1:4], two[1:4], strict=True))


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


# --- the optimum, by a dynamic programme of ten lines that shares nothing with upcard ---


def total_of(hard, has_ace):
    return hard + 10 if has_ace and hard <= 11 else hard


@cache
def dealer(hard, has_ace):
    """Chances of the dealer's final scores, 0 for a bust."""
    total = total_of(hard, has_ace)
    if total >= 17:
        return {total if total <= 21 else 0: 1.0}
    scores = {}
    for card, odds in ODDS.items():
        for score, chance in dealer(hard + card, has_ace or card == 1).items():
            scores[score] = scores.get(score, 0.0) + odds * chance
    return scores


def stand(total, upcard, is_natural, *, sab, natural):
    ev = 0.0
    for hole, odds in ODDS.items():
        for score, chance in dealer(upcard + hole, 1 in (upcard, hole)).items():
            reward = float((total > score) - (total < score))
            if is_natural and sab and {upcard, hole} != {1, 10}:
                reward = 1.0
            elif is_natural and not sab and natural and reward == 1:
                reward = 1.5
            ev += odds * chance * reward
    return ev


def optimum(*, sab, natural):
    """Return the value of the game, and the best action by hand."""
    best = {}

    @cache
    def value(hard, has_ace, upcard, is_natural):
        stands = stand(total_of(hard, has_ace), upcard, is_natural, sab=sab, natural=natural)
        hits = sum(
            odds * (-1 if hard + card > 21 else value(hard + card, has_ace or card == 1, upcard, 0))
            for card, odds in ODDS.items()
        )
        if not is_natural:
            soft = int(has_ace and hard <= 11)
            best[total_of(hard, has_ace), upcard, soft] = int(hits > stands)
        return max(stands, hits)

    ev = sum(
        ODDS[up]
        * ODDS[one]
        * ODDS[two]
        * value(one + two, 1 in (one, two), up, {one, two} == {1, 10})
        for up in ODDS
        for one in ODDS
        for two in ODDS
    )
    return ev, best


@pytest.mark.parametrize(
    ("sab", "natural", "ev"),
    [(True, False, -0.043113), (False, False, -0.046556), (False, True, -0.025729)],
)
def test_the_optimum_is_the_one_that_the_tutorial_states(sab, natural, ev):
    assert optimum(sab=sab, natural=natural)[0] == pytest.approx(ev, abs=5e-7)


@pytest.mark.slow
def test_the_best_policy_reaches_the_optimum():
    ev, best = optimum(sab=True, natural=False)
    policy = np.zeros((32, 11, 2), np.int64)
    for hand, action in best.items():
        policy[hand] = action
    env = gymnasium.make("upcard/SuttonBarto-v0").unwrapped
    env.reset(seed=3)
    rewards = np.zeros(60_000)
    for number in range(len(rewards)):
        observation, _ = env.reset()
        is_over = False
        while not is_over:
            observation, reward, is_over, _, _ = env.step(int(policy[observation]))
        rewards[number] = reward
    error = rewards.std() / len(rewards) ** 0.5
    assert abs(rewards.mean() - ev) < 4 * error
