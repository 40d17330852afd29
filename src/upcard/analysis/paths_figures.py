"""What is told of the paths of a bank: shares, spreads, and comparisons with formulas."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from upcard.analysis.metrics import Figure

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_Z: Final = 3.0
"""Errors apart from which simulation and formula are said to differ."""
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
        """The 95% interval for the chance behind it.

        Source: E. Wilson, Journal of the American Statistical Association 22 (1927).
        """
        square = _Z95**2 / self.of
        middle = self.value + square / 2
        half = math.sqrt(square * (self.value * (1 - self.value) + square / 4))
        low = (middle - half) / (1 + square) if self.number else 0.0
        high = (middle + half) / (1 + square) if self.number < self.of else 1.0
        return low, high

    def to_json(self) -> dict[str, Any]:
        """Write the share and how sure it is."""
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
        """Write the spread."""
        quantiles = zip(QUANTILES, self.quantiles, strict=True)
        return {
            "paths": self.size,
            "mean": self.mean,
            "standard_error": self.standard_error,
            "quantiles": {f"{share:g}": value for share, value in quantiles},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A share of the paths and what formulas say of it."""

    name: str
    title: str
    simulated: Share
    formula: Figure
    z: float
    """Errors of the difference between them; 0 where both are certain."""
    moved: Figure | None
    """The formula with the barriers moved to where the paths really ended; None: none ended."""
    moved_z: float | None

    @property
    def agrees(self) -> bool:
        """Whether the formula as it stands is within errors."""
        return abs(self.z) <= MOST_Z

    @property
    def agrees_moved(self) -> bool:
        """Whether it is with its barriers moved."""
        return self.moved_z is not None and abs(self.moved_z) <= MOST_Z

    def to_json(self) -> dict[str, Any]:
        """Write both, and how far they are apart."""
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
    """Work out mean and quantiles; one number has no error."""
    size = len(numbers)
    values = numbers.astype(np.float64)
    error = float(np.std(values, ddof=1)) / math.sqrt(size) if size > 1 else None
    quantiles = tuple(float(each) for each in np.quantile(values, QUANTILES))
    return Spread(size, float(values.mean()), error, quantiles)
