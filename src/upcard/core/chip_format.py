"""Amounts of chips: read from text and written as text, exactly."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from upcard.core.errors import NotationError, quote
from upcard.core.numbers import exact_number

_NUMBER: Final = re.compile(r"(\d{1,9})(\.\d{1,4})?|(\.\d{1,4})", re.ASCII)


def read_chips(text: str, what: str = "bet") -> Fraction:
    """Read a positive amount of chips, to four decimals.

    Raises: NotationError for anything else: zero, negative, infinite or not a number.
    """
    amount = exact_number(text) if _NUMBER.fullmatch(text) else None
    if not amount:
        msg = f"{what} {quote(text)}: write a number over 0 and under a billion, such as 10 or 2.5"
        raise NotationError(msg)
    return amount


def format_chips(amount: Fraction | int) -> str:
    """Write an amount exactly: `10`, `2.5`, and `10/3` where no decimal is exact."""
    exact = Fraction(amount)
    if exact.denominator == 1:
        return str(exact.numerator)
    for digits in range(1, 13):
        scaled = abs(exact) * 10**digits
        if scaled.denominator == 1:
            whole, rest = divmod(scaled.numerator, 10**digits)
            return f"{'-' if exact < 0 else ''}{whole}.{rest:0{digits}d}"
    return str(exact)


def signed(amount: Fraction) -> str:
    """Write an amount with its sign; zero has none."""
    return f"+{format_chips(amount)}" if amount > 0 else format_chips(amount)


def write_chips(amount: Fraction) -> str:
    """Write an amount in decimals: `10`, `2.5`."""
    return str(amount if amount.denominator == 1 else float(amount))
