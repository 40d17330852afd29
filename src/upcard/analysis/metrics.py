"""Figures: a formula with its numbers put in, the result, and how sure it is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from upcard.analysis import measures, ruin  # noqa: F401 (they enter their formulas)
from upcard.analysis.formulas import FORMULAS

if TYPE_CHECKING:
    from upcard.analysis.betting import Betting, Measurement
    from upcard.analysis.formulas import Formula

_LEAST: Final = 1e-12


class Kind(StrEnum):
    """What a figure counts, and so how it is written."""

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
    """For programs."""
    title: str
    kind: Kind
    value: float
    standard_error: float | None
    """None where it is not known or not finite."""
    text: str
    """The formula."""
    source: str
    inputs: tuple[tuple[str, float], ...] = ()
    """What was put into the formula; empty where it is a sum over counts."""

    def to_json(self) -> dict[str, Any]:
        """Write the figure, its formula and what went into it."""
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
    """Make a figure of what was summed over the counts; `text` says how."""
    value, error = estimate
    return Figure(
        name=name,
        title=title,
        kind=kind,
        value=value,
        standard_error=error,
        text=text,
        source="definition",
    )


def compute(
    formula: str, betting: Betting, *, name: str, title: str, kind: Kind, **fixed: float
) -> Figure:
    """Put a betting's mean and variance, and `fixed`, into a formula.

    The error is the delta method's: how far the result moves when the estimate of `ev` or of
    `variance` moves by its standard error, up and down, both together by their covariance.
    """
    law = FORMULAS[formula]
    given = {"ev": betting.ev, "variance": betting.variance, **fixed}
    inputs = {each: given[each] for each in law.inputs}
    return Figure(
        name=name,
        title=title,
        kind=kind,
        value=law.compute(**inputs),
        standard_error=_propagate(law, inputs, betting),
        text=law.text,
        source=law.source,
        inputs=tuple(inputs.items()),
    )


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
