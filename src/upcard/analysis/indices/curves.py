"""Gain of an action by count, and the index that follows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


PER: Final = 100.0
"""Gains are given per this number of rounds."""
LEAST_SLOPE: Final = 3.0
"""Standard errors by which the slope of a fitted line must differ from 0."""


class Curve(NamedTuple):
    """Gain of an action over its alternative, by whole count. One entry per count."""

    counts: NDArray[np.int64]
    """The whole counts; the first and the last include counts beyond."""
    exact_counts: Floats
    """Mean of the count before rounding; NaN if none came up."""
    share: Floats
    """Share of the rounds in which the question comes up at this count."""
    gain: Floats
    """Gain a round: mean gain where the question comes up, times `share`; units of a bet."""
    variance: Floats
    """Square of the standard error of `gain`; 0 in an exact curve."""

    @property
    def mean(self) -> Floats:
        """Mean gain where the question comes up; NaN if it does not."""
        mean = np.full(len(self.gain), np.nan)
        np.divide(self.gain, self.share, out=mean, where=self.share > 0)
        return mean


@dataclass(frozen=True, slots=True)
class Index:
    """Count from which an action gains, with its error."""

    index: int
    at_or_above: bool
    """Whether the action gains from the index up; if not, below it."""
    crossing: float
    """Count at which the gain changes its sign, before rounding."""
    error: float
    """Standard error of `crossing`; 0 if it is exact."""


class Gain(NamedTuple):
    """Gain of a play over the chart, per 100 rounds, in units."""

    value: float
    standard_error: float


def find_index(curve: Curve) -> Index | None:
    """Return the index that gains most; None if one action is better at every count."""
    known = np.flatnonzero(curve.share > 0)
    if len(known) < 2:
        return None
    gain, counts = curve.gain[known], curve.counts[known]
    above = np.cumsum(gain[::-1])[::-1]
    below = np.cumsum(gain)
    # Act from place i up, or below place i.
    up, down = int(np.argmax(above)), int(np.argmax(below)) + 1
    best = max(above[up], below[down - 1], 0.0)
    if up > 0 and above[up] == best:
        place, at_or_above = up, True
    elif down < len(known) and below[down - 1] == best:
        place, at_or_above = down, False
    else:
        return None
    means, exact = curve.mean[known], curve.exact_counts[known]
    step = means[place] - means[place - 1]
    share = -means[place - 1] / step if step else 0.5
    crossing = exact[place - 1] + min(max(share, 0.0), 1.0) * (exact[place] - exact[place - 1])
    return Index(int(counts[place]), at_or_above, float(crossing), error=0.0)


class Fit(NamedTuple):
    """A straight line fitted to a simulated curve."""

    found: Index | None
    """Count at which it crosses zero; None if its slope is too uncertain."""
    errors_apart: float
    """Its distance from zero at the exact crossing, in standard errors; above 0 if the simulated
    index is the higher one."""


def fit_index(curve: Curve, exact: Index, *, width: float, tolerance: float) -> Fit | None:
    """Fit a line to a simulated curve, by weighted least squares, within `width` of an exact index.

    `tolerance` is the standard error allowed to the exact crossing. None if there are too few
    counts to fit. The two are compared in gains at the exact crossing, because a quotient of two
    estimates, as the crossing of the line is, has no good standard error if the slope is small.
    """
    is_near = np.abs(curve.exact_counts - exact.crossing) <= width
    used = np.flatnonzero((curve.variance > 0) & is_near & (curve.share > 0))
    if len(used) < 3:
        return None
    x, y = curve.exact_counts[used], curve.mean[used]
    weights = curve.share[used] ** 2 / curve.variance[used]
    total = weights.sum()
    middle = (weights @ x) / total
    spread = weights @ (x - middle) ** 2
    slope = (weights @ ((x - middle) * y)) / spread
    level = (weights @ y) / total
    direction = 1.0 if exact.at_or_above else -1.0
    away = exact.crossing - middle
    error = math.sqrt(1 / total + away**2 / spread + (slope * tolerance) ** 2)
    apart = float(-direction * (level + slope * away) / error)
    steepness = float(direction * slope * math.sqrt(spread))
    if steepness < LEAST_SLOPE:
        # A line that falls where the exact gain rises disagrees too, wherever it crosses zero.
        return Fit(None, steepness if -steepness > abs(apart) else apart)
    crossing = middle - level / slope
    crossing_error = math.sqrt(1 / total + (crossing - middle) ** 2 / spread) / abs(slope)
    # Whole counts beyond the crossing gain on average.
    beyond = curve.counts[curve.exact_counts > crossing]
    index = int(beyond[0]) if len(beyond) else int(curve.counts[-1]) + 1
    return Fit(Index(index, exact.at_or_above, float(crossing), float(crossing_error)), apart)


def gain_over_chart(curve: Curve, index: Index, *, chart_acts: bool) -> Gain:
    """Return the gain of a play per 100 rounds, where it differs from the chart."""
    acts = (curve.counts >= index.index) == index.at_or_above
    changed = acts != chart_acts
    sign = -1.0 if chart_acts else 1.0
    gain = sign * curve.gain[changed].sum()
    return Gain(float(PER * gain), float(PER * math.sqrt(curve.variance[changed].sum())))
