"""Figures: a formula with its inputs, the result, and its error."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from upcard.analysis import measures, ruin  # noqa: F401 (they register their formulas)
from upcard.analysis.betting import Betting, Measurement
from upcard.analysis.formulas import FORMULAS, Formula

_LEAST: Final = 1e-12


class Kind(StrEnum):
    """Kind of quantity, which determines the format."""

    AMOUNT = "amount"
    """Units, or money."""
    SQUARE = "square"
    """Units or money squared."""
    SHARE = "share"
    """A share or a chance, written in percent."""
    ROUNDS = "rounds"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One result of a ramp."""

    name: str
    """Name for programs."""
    title: str
    kind: Kind
    value: float
    standard_error: float | None
    """None if unknown or not finite."""
    text: str
    """The formula."""
    source: str = "definition"
    inputs: tuple[tuple[str, float], ...] = ()
    """Inputs of the formula; empty for a sum over counts."""

    @classmethod
    def of(  # noqa: PLR0913 (each is named in the call)
        cls,
        law: Formula,
        given: Mapping[str, float],
        *,
        name: str,
        title: str,
        kind: Kind,
        standard_error: float | None,
    ) -> Figure:
        """Apply a formula to those of the `given` numbers that it takes."""
        inputs = law.choose(given)
        return cls(
            name=name,
            title=title,
            kind=kind,
            value=law.compute(**inputs),
            standard_error=standard_error,
            text=law.text,
            source=law.source,
            inputs=tuple(inputs.items()),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the figure, its formula and inputs as JSON values."""
        return {
            "title": self.title,
            "kind": str(self.kind),
            "value": self.value,
            "standard_error": self.standard_error,
            "formula": self.text,
            "inputs": dict(self.inputs),
            "source": self.source,
        }


def state(name: str, title: str, kind: Kind, estimate: Measurement, text: str) -> Figure:
    """Make a figure from a sum over the counts; `text` describes it."""
    value, error = estimate
    return Figure(name=name, title=title, kind=kind, value=value, standard_error=error, text=text)


def compute(
    formula: str, betting: Betting, *, name: str, title: str, kind: Kind, **fixed: float
) -> Figure:
    """Apply a formula to a betting's mean and variance, and to `fixed`.

    The error is the delta method's: the change of the result when the estimate of `ev` or of
    `variance` changes by its standard error, up and down, with their covariance.
    """
    law = FORMULAS[formula]
    given = {"ev": betting.ev, "variance": betting.variance, **fixed}
    error = _propagate(law, law.choose(given), betting)
    return Figure.of(law, given, name=name, title=title, kind=kind, standard_error=error)


def _propagate(law: Formula, inputs: dict[str, float], betting: Betting) -> float | None:
    first, both, second = betting.covariance
    errors = {"ev": math.sqrt(first), "variance": math.sqrt(second)}
    moves = {}
    for each, error in errors.items():
        if each not in inputs:
            moves[each] = 0.0
            continue
        low, high = inputs[each] - error, inputs[each] + error
        if each == "variance":
            low = max(low, _LEAST * high)
        moves[each] = (
            law.compute(**inputs | {each: high}) - law.compute(**inputs | {each: low})
        ) / 2
    if not all(map(math.isfinite, moves.values())):
        return None
    bound = errors["ev"] * errors["variance"]
    correlation = both / bound if bound else 0.0
    one, two = moves.values()
    return math.sqrt(max(one**2 + two**2 + 2 * correlation * one * two, 0.0))
