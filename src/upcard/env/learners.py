"""Tabular learners: Monte Carlo control, Q-learning, SARSA and expected SARSA.

Each plays rounds in an environment and returns its table of values, which is a policy. The values
of an action are averages in which later goals weigh more: the rate after N visits is N**-0.85.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Final, TypeAlias

import gymnasium
import numpy as np
from numpy.typing import NDArray

from upcard.core.errors import RulesError
from upcard.core.numbers import read_seed
from upcard.env.observations import Mask

_RATE: Final = -0.85
_PLANS: Final = (0, 0, 0, 0, 0, 1, 1, 2, None, None)
"""The answer of a round that explores, None for none: most rounds explore the first."""

_Row: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.int64]]"
_Env: TypeAlias = "gymnasium.Env[Any, Any]"


class ValueTable:
    """The value of each action by observation; as a policy it takes the best legal action."""

    def __init__(self, actions: int) -> None:
        """Begin with 0 for every action of every observation."""
        self.actions = actions
        self.rows: dict[Hashable, _Row] = {}
        """Values and number of visits of the actions, by observation."""

    def __call__(self, observation: Any, mask: Mask) -> int:  # noqa: ANN401
        """Return the legal action with the largest value."""
        return int(np.where(mask == 1, self.values(observation), -np.inf).argmax())

    def values(self, observation: Any) -> NDArray[np.float64]:  # noqa: ANN401
        """Return the values of the actions, legal or not."""
        return self._row(observation)[0]

    def learn(self, observation: Any, action: int, goal: float) -> None:  # noqa: ANN401
        """Move the value of an action towards a goal."""
        values, visits = self._row(observation)
        visits[action] += 1
        values[action] += (goal - values[action]) * float(visits[action]) ** _RATE

    def _row(self, observation: Any) -> _Row:  # noqa: ANN401
        key = observation.tobytes() if isinstance(observation, np.ndarray) else observation
        row = self.rows.get(key)
        if row is None:
            row = self.rows[key] = np.zeros(self.actions), np.zeros(self.actions, np.int64)
        return row


def monte_carlo(env: _Env, rounds: int, *, seed: int = 0) -> ValueTable:
    """Learn by Monte Carlo control, from what each answer was credited with.

    A plan, drawn before the round, says which answer explores. Only that answer and those after it
    are learned from: to drop answers after exploring would depend on how the round went. The first
    answers of a round without exploration are learned from too.

    Raises: RulesError for an environment that reports no credit.
    """
    table, rng = _start(env, seed)
    for number in range(rounds):
        observation, info = env.reset(seed=None if number else seed)
        plan = _PLANS[rng.integers(len(_PLANS))]
        answers: list[tuple[Any, int]] = []
        while "credit" not in info:
            mask = info["action_mask"]
            explores = len(answers) == plan
            action = _any_of(mask, rng) if explores else table(observation, mask)
            answers.append((observation, action))
            observation, _, is_over, _, info = env.step(action)
            if is_over and "credit" not in info:
                raise RulesError(f"{env} reports no credit: use upcard/Blackjack-v1")
        begin = plan or 0
        credited = zip(answers[begin:], info["credit"][begin:], strict=True)
        for (seen, action), credit in credited:
            table.learn(seen, action, credit)
    return table


def q_learning(env: _Env, rounds: int, *, explore: float = 0.1, seed: int = 0) -> ValueTable:
    """Learn by Q-learning: the goal is the best value of what follows."""

    def best(values: NDArray[np.float64], _action: int) -> float:
        return float(values.max())

    return _learn_by_steps(env, rounds, best, explore, seed)


def sarsa(env: _Env, rounds: int, *, explore: float = 0.1, seed: int = 0) -> ValueTable:
    """Learn by SARSA: the goal is the value of the action that follows."""

    def taken(values: NDArray[np.float64], action: int) -> float:
        return float(values[action])

    return _learn_by_steps(env, rounds, taken, explore, seed)


def expected_sarsa(env: _Env, rounds: int, *, explore: float = 0.1, seed: int = 0) -> ValueTable:
    """Learn by expected SARSA: the goal is the mean value of the actions that may follow."""

    def mean(values: NDArray[np.float64], _action: int) -> float:
        legal = values[np.isfinite(values)]
        return float((1 - explore) * legal.max() + explore * legal.mean())

    return _learn_by_steps(env, rounds, mean, explore, seed)


def _learn_by_steps(
    env: _Env,
    rounds: int,
    follow: Callable[[NDArray[np.float64], int], float],
    explore: float,
    seed: int,
) -> ValueTable:
    """Learn after every step; `follow` values what follows, illegal actions being -inf."""
    table, rng = _start(env, seed)

    def choose(observation: Any, mask: Mask) -> int:  # noqa: ANN401
        return _any_of(mask, rng) if rng.random() < explore else table(observation, mask)

    for number in range(rounds):
        observation, info = env.reset(seed=None if number else seed)
        action, is_over = choose(observation, info["action_mask"]), False
        while not is_over:
            after, reward, is_over, _, info = env.step(action)
            goal, mask = float(reward), info["action_mask"]
            then = choose(after, mask)
            if not is_over:
                goal += follow(np.where(mask == 1, table.values(after), -np.inf), then)
            table.learn(observation, action, goal)
            observation, action = after, then
    return table


def _start(env: _Env, seed: int) -> tuple[ValueTable, np.random.Generator]:
    size = int(env.action_space.n)  # type: ignore[attr-defined]
    return ValueTable(size), np.random.default_rng(read_seed(seed))


def _any_of(mask: Mask, rng: np.random.Generator) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[rng.integers(len(legal))])
