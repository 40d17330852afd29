"""Tabular learners: Monte Carlo control, Q-learning, SARSA and expected SARSA.

Each trains on many tables at once, millions of rounds in seconds: the vector environment of
`upcard/Blackjack-v1` with the layout `cell` and autoreset in the same step. It returns the value of
each action by cell, an array that is a policy.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from numpy.typing import NDArray

from upcard.core.errors import RulesError
from upcard.core.numbers import read_seed
from upcard.env.observations import CELLS, FIRST_BET

Values: TypeAlias = NDArray[np.float64]
_Ints: TypeAlias = NDArray[np.int64]
_Masks: TypeAlias = NDArray[np.int8]
_Envs: TypeAlias = "VectorEnv[Any, Any, Any]"
_Follow: TypeAlias = Callable[[Values, _Ints], Values]

_RATE: Final = 0.85
_NEVER: Final = -1
_PLANS: Final = np.array([0, 0, 0, 0, 0, 1, 1, 2, _NEVER, _NEVER])
"""The answer of a round that explores: most rounds explore the first."""
_MOST_ANSWERS: Final = 64
"""More than a round has at one spot."""
_STEPS_A_BATCH: Final = 32
_FIRST_PHASE: Final = 2**16
_PHASES_GROW: Final = 4


def monte_carlo(envs: _Envs, rounds: int, *, seed: int = 0) -> Values:
    """Learn by Monte Carlo control, from what each answer was credited with.

    A plan, drawn before the round, says which answer explores; that answer and those after it are
    learned from. Values are means over a phase of training; each phase is four times as long as
    all before it, so that what a poor policy earned is forgotten.
    """
    if getattr(envs, "rewards", "net") != "net":
        raise RulesError("monte_carlo learns from the credit, which has nets: use rewards='net'")
    cells, mask, rng = _start(envs, seed)
    tables, values = envs.num_envs, np.zeros((CELLS, FIRST_BET))
    every = np.arange(tables)
    trail = np.zeros((tables, _MOST_ANSWERS * getattr(envs, "spots", 1)), np.int64)
    plan, answered = rng.choice(_PLANS, tables), np.zeros(tables, np.int64)
    sums, counts = np.zeros(values.size), np.zeros(values.size)
    done, phase_end = 0, _FIRST_PHASE
    while done < rounds:
        places, paid = [], []
        for _ in range(_STEPS_A_BATCH):
            actions = _best(values, cells, mask)
            explorers = np.flatnonzero(answered == plan)
            actions[explorers] = _any_of(mask[explorers], rng)
            trail[every, answered] = cells * FIRST_BET + actions
            answered += 1
            cells, _, over, _, info = envs.step(actions)
            mask = info["action_mask"]
            ended = np.flatnonzero(over)
            if not len(ended):
                continue
            if "credit" not in info["final_info"]:
                raise RulesError(f"{envs} reports no credit: make it with credit=True")
            credit = info["final_info"]["credit"][ended]
            number = np.arange(credit.shape[1])
            given = number < answered[ended, None]
            counted = given & (number >= plan[ended, None])
            places.append(trail[ended, : credit.shape[1]][counted])
            paid.append(credit[counted])
            plan[ended], answered[ended] = rng.choice(_PLANS, len(ended)), 0
            done += len(ended)
        where = np.concatenate(places)
        sums += np.bincount(where, np.concatenate(paid), values.size)
        counts += np.bincount(where, minlength=values.size)
        known = counts > 0
        values.reshape(-1)[known] = sums[known] / counts[known]
        if phase_end <= done < rounds / 2:
            sums[:], counts[:] = 0.0, 0.0
            phase_end *= _PHASES_GROW
    return values


def q_learning(envs: _Envs, rounds: int, *, explore: float = 0.1, seed: int = 0) -> Values:
    """Learn by Q-learning: the goal is the best value of what follows."""
    return _learn_by_steps(envs, rounds, lambda values, _: values.max(axis=1), explore, seed)


def sarsa(envs: _Envs, rounds: int, *, explore: float = 0.1, seed: int = 0) -> Values:
    """Learn by SARSA: the goal is the value of the action that follows."""
    return _learn_by_steps(
        envs, rounds, lambda values, taken: values[np.arange(len(taken)), taken], explore, seed
    )


def expected_sarsa(envs: _Envs, rounds: int, *, explore: float = 0.1, seed: int = 0) -> Values:
    """Learn by expected SARSA: the goal is the mean value of the actions that may follow."""

    def mean(values: Values, _actions: _Ints) -> Values:
        is_legal = np.isfinite(values)
        means = np.where(is_legal, values, 0.0).sum(axis=1) / is_legal.sum(axis=1)
        return np.asarray((1 - explore) * values.max(axis=1) + explore * means)

    return _learn_by_steps(envs, rounds, mean, explore, seed)


def _learn_by_steps(envs: _Envs, rounds: int, follow: _Follow, explore: float, seed: int) -> Values:
    """Learn after every step; `follow` values what follows, illegal actions being -inf.

    Goals of the same cell and action in one step are averaged; the rate after N visits is N**-0.85.
    """
    cells, mask, rng = _start(envs, seed)
    tables, values = envs.num_envs, np.zeros((CELLS, FIRST_BET))
    visits = np.zeros(values.size)

    def choose() -> _Ints:
        actions = _best(values, cells, mask)
        explorers = np.flatnonzero(rng.random(tables) < explore)
        actions[explorers] = _any_of(mask[explorers], rng)
        return actions

    actions, done = choose(), 0
    while done < rounds:
        places = cells * FIRST_BET + actions
        cells, rewards, over, _, info = envs.step(actions)
        mask = info["action_mask"]
        actions = choose()
        following = follow(np.where(mask == 1, values[cells], -np.inf), actions)
        goals = rewards + np.where(over, 0.0, following)
        counts = np.bincount(places, minlength=values.size)
        met = np.flatnonzero(counts)
        means = np.bincount(places, goals, values.size)[met] / counts[met]
        visits[met] += counts[met]
        rates = np.minimum(1.0, counts[met] / visits[met] ** _RATE)
        values.reshape(-1)[met] += rates * (means - values.reshape(-1)[met])
        done += int(over.sum())
    return values


def _start(envs: _Envs, seed: int) -> tuple[_Ints, _Masks, np.random.Generator]:
    """Reset the tables, and check that they are of the right kind."""
    has_cells = getattr(envs.single_observation_space, "n", 0) == CELLS
    in_same_step = envs.metadata.get("autoreset_mode") is AutoresetMode.SAME_STEP
    if not has_cells or not in_same_step or envs.single_action_space.n != FIRST_BET:  # type: ignore[attr-defined]
        wanted = 'observation="cell", autoreset_mode="SameStep" and one bet'
        raise RulesError(f"{envs}: a learner needs {wanted}")
    cells, info = envs.reset(seed=seed)
    return cells, info["action_mask"], np.random.default_rng(read_seed(seed))


def _best(values: Values, cells: _Ints, mask: _Masks) -> _Ints:
    return np.asarray(np.where(mask == 1, values[cells], -np.inf).argmax(axis=1))


def _any_of(mask: _Masks, rng: np.random.Generator) -> _Ints:
    """Draw one of the legal actions of each row."""
    before = mask.cumsum(axis=1)
    return np.asarray((before > (rng.random(len(mask)) * before[:, -1])[:, None]).argmax(axis=1))
