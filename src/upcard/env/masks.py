"""`MaskInObservation`: a wrapper for libraries that read the mask from the observation."""

from __future__ import annotations

from typing import Any, SupportsFloat

import gymnasium
from gymnasium import spaces

from upcard.env.observations import Mask


class MaskInObservation(gymnasium.Wrapper[dict[str, Any], Any, Any, Any]):
    """Make each observation a dictionary of the observation and the mask of the actions.

    `keys` are the names of the two: `("observation", "action_mask")` for PettingZoo's and
    TorchRL's convention, `("observations", "action_mask")` for RLlib's.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        keys: tuple[str, str] = ("observation", "action_mask"),
    ) -> None:
        """Wrap an environment that reports `action_mask` in `info`."""
        super().__init__(env)
        self.keys = keys
        size = int(env.action_space.n)  # type: ignore[attr-defined]
        self.observation_space = spaces.Dict(
            {keys[0]: env.observation_space, keys[1]: spaces.MultiBinary(size)}
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._add(observation, info["action_mask"]), info

    def step(self, action: Any) -> tuple[dict[str, Any], SupportsFloat, bool, bool, dict[str, Any]]:  # noqa: ANN401
        """Answer the question."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        added = self._add(observation, info["action_mask"])
        return added, reward, terminated, truncated, info

    def _add(self, observation: Any, mask: Mask) -> dict[str, Any]:  # noqa: ANN401
        return dict(zip(self.keys, (observation, mask.copy()), strict=True))
