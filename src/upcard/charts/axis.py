"""The axis of a plot: values as places in a picture, and round ticks."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Axis:
    """Values from `low` to `high` as places from `start` to `end`; values beyond stay at the ends.

    Equal limits are replaced by those of an axis of length 1 around them.
    """

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        if not low < high:
            low, high = low - 0.5, high + 0.5
        self.low, self.high, self.start = low, high, start
        self._factor = (end - start) / (high - low)

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        return self.start + (min(max(value, self.low), self.high) - self.low) * self._factor

    def ticks(self, wanted: int = 5) -> Iterator[float]:
        """Iterate over round values on the axis, about `wanted` of them."""
        step = choose_step((self.high - self.low) / wanted)
        first = math.ceil(self.low / step - 1e-9)
        for place in range(first, math.floor(self.high / step + 1e-9) + 1):
            yield place * step


def choose_step(least: float) -> float:
    """Return the smallest of 1, 2 and 5 with zeros that is at least `least`; 1 for 0."""
    if least <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next((each * power for each in (1, 2, 5) if each * power >= least), 10 * power)
