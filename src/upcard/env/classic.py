"""`SuttonBartoEnv`: the game of Example 5.1 of Sutton and Barto, as in Gymnasium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from gymnasium.envs.toy_text.blackjack import BlackjackEnv as GymnasiumBlackjack


class SuttonBartoEnv(GymnasiumBlackjack):  # type: ignore[misc,unused-ignore]
    """Gymnasium's Blackjack-v1, bit for bit by seed, with faster draws.

    The rules are Gymnasium's own code: an infinite deck, hit and stick only. `sab` and `natural`
    have the meaning that they have there.
    """

    @property
    def np_random(self) -> np.random.Generator:
        """The generator, whose `choice` takes a tenth of the time."""
        return cast("np.random.Generator", _QuickChoice(super().np_random))

    @np_random.setter
    def np_random(self, value: np.random.Generator) -> None:
        self._np_random = value


class _QuickChoice:
    """A generator of NumPy, with the same `choice` from a list and without its detours."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the generator has)
        return getattr(self._generator, name)

    def choice(self, options: Sequence[Any]) -> Any:  # noqa: ANN401
        """Choose one of a list, from the same words of the stream as NumPy's `choice`."""
        return options[int(self._generator.integers(len(options)))]
