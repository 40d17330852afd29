"""A number that is shown: its name, value, error and unit, and how all numbers are written."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from upcard.core.numbers import with_minus

_MOST_DIGITS: Final = 8
"""Digits after the point of a value with an error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number with its name and error, as programs read it and as people do."""

    name: str
    """Name for programs: `ev`, `house_edge`."""
    title: str
    """The name in words."""
    value: float | None
    """The number; None if it is not known."""
    error: float | None = None
    """Its standard error; None if it is exact, or the error is not known."""
    unit: str = ""
    """Unit of the number: `of a bet`, `units an hour`; may be empty."""
    text: str
    """The number with its error, written."""


def write_ev(ev: float, digits: int = 6, *, sign: str = "+") -> str:
    """Write an EV in initial bets: `−0.535400`; an infinite one in words."""
    if math.isinf(ev):
        return "infinite" if ev > 0 else "−infinite"
    return with_minus(f"{round(ev, digits) + 0.0:{sign}.{digits}f}")  # + 0.0: no -0.0


def write_percent(share: float, digits: int = 5, *, sign: str = "+") -> str:
    """Write a share of a bet in percent: `−0.50000%`."""
    return write_ev(100 * share, digits, sign=sign) + ("%" if math.isfinite(share) else "")


def with_error(
    value: float, error: float | None, suffix: str = "", *, most: int = _MOST_DIGITS
) -> str:
    """Write a value to the second digit of its error, or to the `most` digits."""
    if error is None or not math.isfinite(error) or error < 10**-_MOST_DIGITS:
        return with_minus(f"{value:,.4g}{suffix}")
    digits = min(max(1 - math.floor(math.log10(error)), 0), most)
    text = f"{round(value, digits) + 0.0:,.{digits}f}{suffix}"
    if error >= 10**-most / 2:
        text += f" ± {error:,.{digits}f}{suffix}"
    return with_minus(text)
