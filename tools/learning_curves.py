"""Train MaskablePPO by net rewards and by exact ones, and draw the regret of its charts by steps.

    python tools/learning_curves.py                     draw the picture of docs/rl.md
    python tools/learning_curves.py --seeds 1 --steps 50000 -o curves.svg

It needs `pip install sb3-contrib` and the extra `rl`, and takes about a minute for
each seed and kind of rewards. All have the same settings.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

import gymnasium
import numpy as np

import upcard
import upcard.env  # registers the environments
from upcard.charts.svg_plots import Panel, PlotLine, draw_for_file
from upcard.core.numbers import with_minus
from upcard.env.policy_charts import evaluate

try:
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as error:
    raise SystemExit(f"MaskablePPO needs {error.name}: pip install sb3-contrib") from None

PICTURE: Final = Path(__file__).resolve().parent.parent / "docs" / "img" / "regret-by-steps.svg"
RULES: Final = "6D H17 LS"
TONES: Final = {"net": "is-bad", "fresh-shoe regret": "is-plain"}
"""Looks of lines by the kind of rewards."""
_SIZES: Final = (22, 2, 11, 11, 2, 2, 4, 6)
"""Numbers that each entry of the layout `hand` may be, as far as they are told apart."""
_FIRST: Final = np.cumsum((0, *_SIZES[:-1]))
_TABLES: Final = 64
_STEPS: Final = 128
"""Of each table between two updates."""
_SETTINGS: Final[dict[str, Any]] = {
    "n_steps": _STEPS,
    "batch_size": 2048,
    "gamma": 1.0,
    "learning_rate": 1e-3,
    "ent_coef": 0.01,
    "device": "cpu",
}


class Point(NamedTuple):
    """Exact regret of the chart that was learned so far. Unit: initial bets a round."""

    rewards: str
    seed: int
    steps: int
    regret: float


def mark(rows: Any) -> Any:  # noqa: ANN401
    """Return a 1 for each entry of rows of the layout `hand`, at the place of its number."""
    places = np.minimum(rows, np.array(_SIZES) - 1).astype(int) + _FIRST
    marks = np.zeros((*places.shape[:-1], sum(_SIZES)), np.float32)
    np.put_along_axis(marks, places, 1, axis=-1)
    return marks


class Tables(VecEnv):
    """Native tables in the form of Stable-Baselines3, with their action masks."""

    def __init__(self, rewards: str) -> None:
        """Open the tables."""
        self.envs = gymnasium.make_vec(
            "upcard/Blackjack-v1",
            num_envs=_TABLES,
            rules=RULES,
            autoreset_mode="SameStep",
            rewards=rewards,
        )
        self.render_mode = None
        seen = gymnasium.spaces.Box(0, 1, (sum(_SIZES),), np.float32)
        super().__init__(_TABLES, seen, self.envs.single_action_space)
        self._actions: Any = None

    def reset(self) -> Any:  # noqa: ANN401
        """Deal at all tables."""
        seed = self._seeds[0]
        self._reset_seeds()
        return mark(self.envs.reset(seed=seed)[0])

    def step_async(self, actions: Any) -> None:  # noqa: ANN401
        """Take the actions of the next step."""
        self._actions = actions

    def step_wait(self) -> Any:  # noqa: ANN401
        """Give each table its action."""
        seen, rewards, over, _, info = self.envs.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(_TABLES)]
        for table in np.flatnonzero(over):
            infos[table]["terminal_observation"] = mark(info["final_obs"][table])
        return mark(seen), rewards.astype(np.float32), over, infos

    def env_method(self, name: str, *_args: Any, **_options: Any) -> list[Any]:
        """Return the masks."""
        return list(getattr(self.envs, name)())

    def has_attr(self, name: str) -> bool:
        """Whether the tables have a method or an attribute."""
        return hasattr(self.envs, name)

    def get_attr(self, name: str, indices: Any = None) -> list[Any]:  # noqa: ANN401, ARG002
        """Return an attribute, once for each table."""
        return [getattr(self, name, None)] * _TABLES

    def set_attr(self, name: str, value: Any, indices: Any = None) -> None:  # noqa: ANN401, ARG002
        """Set an attribute."""
        setattr(self, name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:  # noqa: ANN401, ARG002
        """Say that no table is wrapped."""
        return [False] * _TABLES

    def close(self) -> None:
        """Close the tables."""
        self.envs.close()


class Watcher(BaseCallback):
    """Values the chart of the network at marks."""

    def __init__(self, rewards: str, seed: int, every: int) -> None:
        """Value it every so many steps."""
        super().__init__()
        self.points: list[Point] = []
        self._named, self._every, self._next = (rewards, seed), every, 0

    def _on_rollout_start(self) -> None:
        if self.num_timesteps >= self._next:
            self.value()
            self._next += self._every

    def _on_step(self) -> bool:
        return True

    def value(self) -> None:
        """Value the chart of the network as it is."""

        def decide(seen: Any, legal: Any) -> int:  # noqa: ANN401
            action, _ = self.model.predict(mark(seen), action_masks=legal, deterministic=True)
            return int(action)

        regret = evaluate(decide, RULES).regret
        self.points.append(Point(*self._named, self.num_timesteps, regret))
        print(*self._named, self.num_timesteps, f"{regret:.4%}", sep="\t", flush=True)


def train(rewards: str, seed: int, steps: int, every: int) -> list[Point]:
    """Train one network, and return the regret of its charts."""
    watcher = Watcher(rewards, seed, every)
    model = MaskablePPO("MlpPolicy", Tables(rewards), seed=seed, **_SETTINGS)
    begun = time.process_time()
    model.learn(steps, callback=watcher)
    watcher.value()
    print(f"{rewards}, seed {seed}: {time.process_time() - begun:.0f} s of the processor")
    return watcher.points


def draw(points: list[Point], path: Path) -> None:
    """Draw all seeds, thin, and the mean of each kind of rewards."""
    faint, means = [], []
    for rewards, tone in TONES.items():
        own = [point for point in points if point.rewards == rewards]
        for seed in sorted({point.seed for point in own}):
            line = [(point.steps, point.regret) for point in own if point.seed == seed]
            faint.append(PlotLine(line, f"{tone} is-faint"))
        steps = sorted({point.steps for point in own})
        mean = [(at, fmean(point.regret for point in own if point.steps == at)) for at in steps]
        means.append(PlotLine(mean, tone))
    panel = Panel(
        title="Regret of the chart, in bets a round",
        unit="%",
        lines=(*faint, *means),
        logs="y",
        across="Steps",
        height=340,
        key=[*TONES.items()],
    )
    seeds = len({point.seed for point in points})
    about = with_minus(f"{RULES}; MaskablePPO, {seeds} seeds and their mean")
    source = f"upcard {upcard.__version__}: python tools/learning_curves.py"
    title = "The same network learns faster from exact rewards"
    path.write_text(draw_for_file([panel], title, (about, source)), encoding="utf-8")


def main() -> None:
    """Read the options and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seeds", type=int, default=4, help="of each kind of rewards (4)")
    parser.add_argument("--steps", type=int, default=300_000, help="of each network (300000)")
    parser.add_argument("--every", type=int, default=16_384, help="steps between charts (16384)")
    parser.add_argument("-o", dest="path", type=Path, default=PICTURE, help="the picture")
    given = parser.parse_args()
    torch.set_num_threads(1)
    points = [
        point
        for seed in range(1, given.seeds + 1)
        for rewards in TONES
        for point in train(rewards, seed, given.steps, given.every)
    ]
    draw(points, given.path)


if __name__ == "__main__":
    main()
