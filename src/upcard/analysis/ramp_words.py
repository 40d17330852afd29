"""Words of questions about bets and of their answers, for every front-end."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final, Literal

from upcard.analysis.measures import risk_of_kelly
from upcard.analysis.metrics import Figure, Kind, compute
from upcard.analysis.plan import RampPlan, RampQuestion
from upcard.core.errors import NotationError, quote
from upcard.core.numbers import exact_number, whole_number

_MOST_SPREAD: Final = 1_000_000
_MOST_DIGITS: Final = 8
_AMOUNT: Final = Kind.AMOUNT
_LEAST_SHARE: Final = 1e-8
"""Smaller chances are shown as less than this."""


def read_wong(text: str, name: str = "wong") -> int | Literal["best"]:
    """Read the lowest count to bet at, or `best`. Raises: NotationError with the `name`."""
    if text.strip().lower() == "best":
        return "best"
    count = whole_number(text)
    if count is None:
        msg = f"{name} {quote(text)}: write the lowest count to bet at, such as -1, or best"
        raise NotationError(msg)
    return count


def read_fraction(text: str, name: str, *, example: str) -> float:
    """Read a share such as 5% or 1/2. Raises: NotationError with the `name` and an `example`."""
    word = text.strip()
    number = exact_number(word.removesuffix("%").strip())
    if number is None:
        raise NotationError(f"{name} {quote(text)}: write a share, such as {example}")
    return float(number / 100 if word.endswith("%") else number)


def read_spread(text: str, name: str = "spread") -> float:
    """Read the least and the largest bet; return their ratio. Raises: NotationError."""
    low, dash, high = (part.strip() for part in text.partition("-"))
    least, most = exact_number(low), exact_number(high)
    if not dash or not least or not most or not 0 < least <= most <= _MOST_SPREAD * least:
        msg = f"{name} {quote(text)}: write the least and the largest bet, such as 1-12"
        raise NotationError(msg)
    return float(most / least)


def name_kelly(kelly: float) -> str:
    """Write a Kelly fraction and its risk of ruin."""
    fraction = "full Kelly" if kelly == 1 else f"{kelly:.4g} of full Kelly"
    return f"{fraction}: a risk of ruin of {100 * risk_of_kelly(kelly=kelly):.4g}%"


def write_ramp(plan: RampPlan) -> str:
    """Write a ramp as `--ramp` reads it, in decimals where they are exact."""
    ramp = plan.ramp
    pairs = [(ramp.least, ramp.bets[0])]
    for count, bet in enumerate(ramp.bets[1:], start=ramp.least + 1):
        if bet != pairs[-1][1]:
            pairs.append((count, bet))
    return " ".join(f"{count}:{_write_bet(bet)}" for count, bet in pairs)


def _write_bet(bet: Fraction) -> str:
    text = f"{float(bet):.10g}"
    return text if float(text) == bet or 1000 % bet.denominator == 0 else str(bet)


def write_unit(plan: RampPlan, question: RampQuestion) -> str:
    """Write the value of a unit, with its error if it follows from the bank."""
    if question.unit is not None or question.bankroll is None or plan.unit == question.chip:
        return f"{plan.unit:,.10g}"
    terms = {"bankroll": plan.bankroll, "kelly": plan.kelly}
    figure = compute("kelly_unit", plan.betting, name="unit", title="Unit", kind=_AMOUNT, **terms)
    return with_error(plan.unit, plan.unit * (figure.standard_error or 0.0))


def write_bank(plan: RampPlan, question: RampQuestion) -> str:
    """Write the bank, with its error if it follows from the bets."""
    if question.bankroll is not None:
        return f"{plan.bankroll:,.10g}"
    terms = {"kelly": plan.kelly}
    betting, law = plan.betting, "kelly_bankroll"
    return write_figure(compute(law, betting, name=law, title="Bank", kind=_AMOUNT, **terms))


def write_figure(figure: Figure) -> str:
    """Write a figure with its error."""
    return write_value(figure.kind, figure.value, figure.standard_error)


def write_value(kind: Kind, value: float, error: float | None) -> str:
    """Write a value of a kind with its error."""
    if math.isinf(value):
        return "never" if kind is Kind.ROUNDS else "no bank is enough"
    if kind is not Kind.SHARE:
        return with_error(value, error)
    if 0 < value < _LEAST_SHARE:
        return f"< {100 * _LEAST_SHARE:.6f}%"
    return with_error(100 * value, None if error is None else 100 * error, "%")


def with_error(
    value: float, error: float | None, suffix: str = "", *, most: int = _MOST_DIGITS
) -> str:
    """Write a value to the second digit of its error, or to the `most` digits."""
    if error is None or not math.isfinite(error) or error < 10**-_MOST_DIGITS:
        return f"{value:,.4g}{suffix}"
    digits = min(max(1 - math.floor(math.log10(error)), 0), most)
    if error < 10**-most / 2:
        return f"{round(value, digits) + 0.0:,.{digits}f}{suffix}"
    return f"{round(value, digits) + 0.0:,.{digits}f}{suffix} ± {error:,.{digits}f}{suffix}"
