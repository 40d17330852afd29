"""Figures of the paths of a bank: shares, spreads, and comparisons with formulas."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.analysis.metrics import Figure

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_Z: Final = 3.0
"""Difference between simulation and formula, in standard errors, that counts as one."""
_Z95: Final = 1.959964


class Share(NamedTuple):
    """A share of the paths."""

    number: int
    of: int

    @property
    def value(self) -> float:
        """The share."""
        return self.number / self.of

    @property
    def standard_error(self) -> float:
        """Its binomial standard error."""
        return math.sqrt(self.value * (1 - self.value) / self.of)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the underlying chance.

        Source: E. Wilson, Journal of the American Statistical Association 22 (1927).
        """
        square = _Z95**2 / self.of
        middle = self.value + square / 2
        half = math.sqrt(square * (self.value * (1 - self.value) + square / 4))
        low = (middle - half) / (1 + square) if self.number else 0.0
        high = (middle + half) / (1 + square) if self.number < self.of else 1.0
        return low, high

    def to_json(self) -> dict[str, Any]:
        """Return the share and its error as JSON values."""
        return {
            "paths": self.number,
            "share": self.value,
            "standard_error": self.standard_error,
            "interval_95": list(self.interval),
        }


class Spread(NamedTuple):
    """Mean, its standard error and quantiles of a number that each path has."""

    size: int
    mean: float
    standard_error: float | None
    quantiles: tuple[float, ...]
    """At the shares of `QUANTILES`."""

    def to_json(self) -> dict[str, Any]:
        """Return the spread as JSON values."""
        quantiles = zip(QUANTILES, self.quantiles, strict=True)
        return {
            "paths": self.size,
            "mean": self.mean,
            "standard_error": self.standard_error,
            "quantiles": {f"{share:g}": value for share, value in quantiles},
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """A share of the paths compared with formulas."""

    name: str
    title: str
    simulated: Share
    formula: Figure
    z: float
    """Difference between them in standard errors; 0 if both are certain."""
    moved: Figure | None
    """The formula with the barriers where the paths really ended; None if none ended."""
    moved_z: float | None

    @property
    def agrees(self) -> bool:
        """Whether the unmoved formula is within errors."""
        return abs(self.z) <= MOST_Z

    @property
    def agrees_moved(self) -> bool:
        """Whether the formula with moved barriers is within errors."""
        return self.moved_z is not None and abs(self.moved_z) <= MOST_Z

    def to_json(self) -> dict[str, Any]:
        """Return both, and their difference, as JSON values."""
        return {
            "name": self.name,
            "simulated": self.simulated.value,
            "formula": self.formula.to_json(),
            "z": self.z,
            "agrees": self.agrees,
            "moved": None if self.moved is None else self.moved.to_json(),
            "moved_z": self.moved_z,
        }


def describe(numbers: NDArray[Any]) -> Spread:
    """Compute mean and quantiles; a single number has no error."""
    size = len(numbers)
    values = numbers.astype(np.float64)
    error = float(np.std(values, ddof=1)) / math.sqrt(size) if size > 1 else None
    quantiles = tuple(float(each) for each in np.quantile(values, QUANTILES))
    return Spread(size, float(values.mean()), error, quantiles)
