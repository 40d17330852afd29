"""The steps of an axis."""

from __future__ import annotations

import math


def choose_step(least: float) -> float:
    """Return the smallest of 1, 2 and 5 with zeros that is at least `least`; 1 for 0."""
    if least <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next((each * power for each in (1, 2, 5) if each * power >= least), 10 * power)
