"""What a step in an environment takes, beside Gymnasium's own; resets are included."""

from __future__ import annotations

from typing import Any, Final

from benchmarks.timing import Figure, measure

_RULES: Final = "6D S17 DAS LS"
FIRST_STEP: Final = f"""
import gymnasium
name = "upcard.env:upcard/Blackjack-v1"
envs = gymnasium.make_vec(name, num_envs=2, rules={_RULES!r})
_, info = envs.reset(seed=1)
envs.step(1 - info["action_mask"][:, 0])
"""
_TABLES: Final = 4_096
_THEIR_TABLES: Final = 64
_CLASSIC: Final = "a step, SuttonBarto-v0"
_THEIRS: Final = "a step, Gymnasium's Blackjack-v1"
_ONE: Final = "one table"
_OURS: Final = f"a step, Blackjack-v1, {_RULES}, one table"
_MANY: Final = f"Blackjack-v1, {{}}, {_TABLES:,} tables, {{}}"
_NEXT, _SAME = ("NextStep", "next step"), ("SameStep", "same step")
_GAMES: Final[tuple[tuple[str, tuple[str, str], dict[str, Any]], ...]] = (
    (_RULES, _NEXT, {}),
    (_RULES, _SAME, {}),
    ("6D H17 LS CSM", _SAME, {}),
    ("INF", _SAME, {}),
    (_RULES, _SAME, {"count": "hi-lo"}),
)
"""Rules, autoreset mode and options of the compiled tables."""
_REGRET: Final = {"rewards": "regret"}
_EXACT_WARM_UP: Final = 1_000
"""Steps of all tables before those that are timed: each question is valued when it comes first."""
_EXACT: Final = {
    "6D H17 LS CSM": _REGRET,
    "INF": _REGRET,
    _RULES: {"rewards": "fresh-shoe regret"},
}
"""Rules, and the exact rewards that are compared with net ones."""
_RATIOS: Final = {
    f"{_CLASSIC}, {_TABLES:,} tables, next step": f"{_THEIRS}, {_THEIR_TABLES} tables",
    f"{_CLASSIC}, {_TABLES:,} tables, same step": f"{_THEIRS}, {_THEIR_TABLES} tables",
    f"{_CLASSIC}, {_ONE}": f"{_THEIRS}, {_ONE}",
    _OURS: f"{_THEIRS}, {_ONE}",
    **{
        f"a step, {_MANY.format(_RULES, name)}": f"{_THEIRS}, {_THEIR_TABLES} tables"
        for _, name in (_NEXT, _SAME)
    },
}
"""Each of ours, and what of Gymnasium's own it is compared with."""


def measure_environments(runs: int) -> dict[str, Figure]:
    """Time a step of each environment, playing hit below 17 or at random."""
    import upcard.env  # noqa: F401 (registers the environments)

    figures = {}
    for mode, name in (_NEXT, _SAME):
        envs = _make_tables("upcard/SuttonBarto-v0", _TABLES, autoreset_mode=mode)
        figures[f"{_CLASSIC}, {_TABLES:,} tables, {name}"] = _time_tables(envs, 200, runs)
    exact = [(rules, _SAME, options) for rules, options in _EXACT.items()]
    for rules, (mode, name), options in (*_GAMES, *exact):
        envs = _make_tables(
            "upcard/Blackjack-v1", _TABLES, rules=rules, autoreset_mode=mode, **options
        )
        if "rewards" in options:
            _time_rounds(envs, _EXACT_WARM_UP, 1)
        step, a_round = _time_rounds(envs, 100, runs)
        described = _MANY.format(" ".join([rules, *options.values()]), name)
        figures |= {f"a step, {described}": step, f"a round, {described}": a_round}
    theirs = _make_tables("Blackjack-v1", _THEIR_TABLES, vectorization_mode="sync")
    figures[f"{_THEIRS}, {_THEIR_TABLES} tables"] = _time_tables(theirs, 100, runs)
    figures[f"{_CLASSIC}, {_ONE}"] = _time_one("upcard/SuttonBarto-v0", 60_000, runs)
    figures[f"{_THEIRS}, {_ONE}"] = _time_one("Blackjack-v1", 8_000, runs)
    options = {"rules": _RULES, "illegal": "stand"}
    figures[_OURS] = _time_one("upcard/Blackjack-v1", 60_000, runs, **options)
    return figures


def compare_environments(figures: dict[str, Figure]) -> dict[str, float]:
    """Return how many times as fast as Gymnasium's own each of ours is."""
    return _compare(figures, _RATIOS)


def compare_rewards(figures: dict[str, Figure]) -> dict[str, float]:
    """Return how many times as fast as with net rewards a step with exact ones is."""
    pairs = {}
    for rules, options in _EXACT.items():
        exact = _MANY.format(" ".join([rules, *options.values()]), _SAME[1])
        pairs[f"a step, {exact}"] = f"a step, {_MANY.format(rules, _SAME[1])}"
    return _compare(figures, pairs)


def _compare(figures: dict[str, Figure], pairs: dict[str, str]) -> dict[str, float]:
    return {
        one: figures[other].yardsticks / figures[one].yardsticks for one, other in pairs.items()
    }


def _make_tables(name: str, tables: int, **options: Any) -> Any:  # noqa: ANN401
    import gymnasium

    return gymnasium.make_vec(name, num_envs=tables, **options)


def _time_tables(envs: Any, steps: int, runs: int) -> Figure:  # noqa: ANN401
    """Time random actions, drawn beforehand."""
    import numpy as np

    envs.reset(seed=1)
    rows = list(np.random.default_rng(1).integers(0, 2, (steps, envs.num_envs)))

    def play() -> None:
        for actions in rows:
            envs.step(actions)

    return _per_step(measure(play, runs=runs), steps * envs.num_envs)


def _time_rounds(envs: Any, steps: int, runs: int) -> tuple[Figure, Figure]:  # noqa: ANN401
    """Time a step, and a round, of players who hit below 17."""
    observed, info = envs.reset(seed=1)
    rounds = 0

    def play() -> None:
        nonlocal observed, info, rounds
        rounds = 0
        for _ in range(steps):
            hits = (observed[:, 0] < 17) & (info["action_mask"][:, 1] == 1)
            observed, _, over, _, info = envs.step(hits.astype(int))
            rounds += int(over.sum())

    total = measure(play, runs=runs)
    return _per_step(total, steps * envs.num_envs), _per_step(total, rounds)


def _time_one(name: str, steps: int, runs: int, **options: Any) -> Figure:
    """Time play by the total, as `make` returns the environment; the first rounds are not timed."""
    import gymnasium

    env = gymnasium.make(name, **options)
    env.reset(seed=1)

    def play() -> None:
        observation, _ = env.reset()
        for _ in range(steps):
            observation, _, is_over, _, _ = env.step(1 if observation[0] < 17 else 0)
            if is_over:
                observation, _ = env.reset()

    play()  # and `measure` once more
    return _per_step(measure(play, runs=runs), steps)


def _per_step(total: Figure, steps: int) -> Figure:
    return Figure(total.seconds / steps, total.yardsticks / steps)
