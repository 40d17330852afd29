"""A formula: a function with its text and source for `--explain`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

Computation: TypeAlias = Callable[..., float]
Function = TypeVar("Function", bound=Callable[..., float])


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """A function of named numbers, as text.

    The text uses the names of the inputs; `N` is the standard normal distribution function, `^` a
    power. Tests compute the text where possible and compare it with the function.
    """

    name: str
    text: str
    source: str
    inputs: tuple[str, ...]
    compute: Computation

    def choose(self, given: Mapping[str, float]) -> dict[str, float]:
        """Return the inputs of the formula among `given` numbers."""
        return {name: given[name] for name in self.inputs}


FORMULAS: Final[dict[str, Formula]] = {}
"""Every formula, by the name of its function."""


def formula(text: str, *, source: str) -> Callable[[Function], Function]:
    """Enter a function of keywords into `FORMULAS`."""

    def enter(function: Function) -> Function:
        name = function.__name__
        FORMULAS[name] = Formula(
            name=name,
            text=text,
            source=source,
            inputs=tuple(inspect.signature(function).parameters),
            compute=function,
        )
        return function

    return enter
