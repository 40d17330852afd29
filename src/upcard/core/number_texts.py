"""Shares, amounts and whole numbers as people type them: the same texts at every door.

A number may have commas or underscores between its thousands (`1,000`, `1_000`), a magnitude
(`10k`, `1.5M`, `2G`), an exponent (`1e6`), a slash (`3/4`) and a minus sign or a hyphen before it.
A share may be in percent as well: `75%` is `3/4` and `0.75`. A comma that ends no group of three
digits is refused: `2,5` is two and a half to some people, and 25 to others.

Bounds refuse what a question cannot have: `over`, `least` and `most`. Texts that are a language of
their own, as rules, ramps and wagers, have readers of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, TypeAlias

from upcard.core.errors import NotationError, quote
from upcard.core.numbers import exact_number, format_chips

_MOST_SPREAD: Final = 1_000_000
Bound: TypeAlias = "int | float | Fraction | None"

_MAGNITUDES: Final = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}
_TYPED: Final = re.compile(
    r"([+−-]?)(?:([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?:_[0-9]+)*)?((?:\.[0-9]*)?(?:e[+−-]?[0-9]+)?)"
    r"|([0-9]+/[0-9]+))\s*([kmgb]?)",
    re.IGNORECASE,
)


def number_of(written: object) -> Fraction | None:
    """Return a number that was typed, or a number itself, exactly; None for anything else.

    >>> number_of("1,000"), number_of("1.5M"), number_of("−3"), number_of("3/4"), number_of("2,5")
    (Fraction(1000, 1), Fraction(1500000, 1), Fraction(-3, 1), Fraction(3, 4), None)
    """
    if not isinstance(written, str):
        return exact_number(written)
    match = _TYPED.fullmatch(written.strip())
    if match is None:
        return None
    sign, whole, rest, ratio, magnitude = match.groups()
    digits = (whole or "").replace(",", "").replace("_", "")
    number = exact_number(f"{sign}{ratio or digits + rest}")
    return None if number is None else number * _MAGNITUDES[magnitude.lower()]


def whole_of(written: object) -> int | None:
    """Return a whole number that was typed, or the number itself; None for anything else."""
    number = number_of(written)
    return None if number is None or number.denominator != 1 else number.numerator


def share_of(written: object) -> Fraction | None:
    """Return a share that was typed, or the number itself; None for anything else.

    >>> share_of("75%") == share_of("0.75") == share_of("3/4") == share_of(0.75)
    True
    """
    if isinstance(written, str) and (text := written.strip()).endswith("%"):
        number = number_of(text.removesuffix("%"))
        return None if number is None else number / 100
    return number_of(written)


def read_number(
    written: str | float | Fraction,
    what: str = "",
    *,
    example: str = "5000 or 2.5",
    **bounds: Bound,
) -> Fraction:
    """Read a number. Raises: NotationError, which begins with `what` was asked, if given."""
    return _check(number_of(written), written, what, "a number", example, **bounds)


def read_whole(
    written: str | float | Fraction, what: str = "", *, example: str = "1000", **bounds: Bound
) -> int:
    """Read a whole number. Raises: NotationError, which begins with `what` was asked, if given."""
    found = whole_of(written)
    exact = None if found is None else Fraction(found)
    return _check(exact, written, what, "a whole number", example, **bounds).numerator


def read_rounds(written: str | float) -> int:
    """Read a number of rounds, 0 or more. Raises: NotationError."""
    return read_whole(written, "rounds", least=0, example="1000000, 1e6, 2.5M or 1G")


def read_float(
    written: str | float, read: Callable[..., Fraction] = read_number, **bounds: Any
) -> float:
    """Read a number, or what `read` reads, as the nearest float. Raises: NotationError."""
    return float(read(written, **bounds))


def read_error(written: str | float) -> float:
    """Read a standard error to reach, a share of a bet, 0 or more. Raises: NotationError."""
    return read_float(
        written, read_share, what="standard error", least=0, example="0.01% or 0.0001"
    )


def read_spread(text: str) -> float:
    """Read the least and the largest bet; return their ratio."""
    low, dash, high = (part.strip() for part in text.partition("-"))
    least, most = number_of(low), number_of(high)
    if not dash or not least or not most or not 0 < least <= most <= _MOST_SPREAD * least:
        msg = f"spread {quote(text)}: write the least and the largest bet, such as 1-12"
        raise NotationError(msg)
    return float(most / least)


_MOST_CHIPS: Final = 10**9
_LEAST_PART: Final = 10**4
_NO_CHIPS: Final = frozenset("+/eE")


def read_chips(text: str, what: str = "bet") -> Fraction:
    """Read a positive amount of chips, to four decimals, as counted: no fraction, no exponent.

    Raises: NotationError.
    """
    amount = None if _NO_CHIPS & set(text) else number_of(text)
    if amount is None or not 0 < amount < _MOST_CHIPS or (amount * _LEAST_PART).denominator > 1:
        msg = f"{what} {quote(text)}: write a number over 0 and under a billion, such as 10 or 2.5"
        raise NotationError(msg)
    return amount


def read_share(
    written: str | float | Fraction, what: str = "", *, example: str = "5%", **bounds: Bound
) -> Fraction:
    """Read a share. Raises: NotationError, which begins with `what` was asked, if given."""
    return _check(share_of(written), written, what, "a share", example, **bounds)


def _check(  # noqa: PLR0913 (the bounds by their names)
    found: Fraction | None,
    written: object,
    what: str,
    kind: str,
    example: str,
    *,
    over: Bound = None,
    least: Bound = None,
    most: Bound = None,
) -> Fraction:
    # A bound is the decimal that it prints as: the float 0.2 is a little over a typed 0.2.
    above, low, high = (None if one is None else exact_number(one) for one in (over, least, most))
    bounds = [] if above is None else [f"over {_write(above)}"]
    if low is not None and high is not None:
        bounds.append(f"from {_write(low)} to {_write(high)}")
    elif high is not None:
        bounds.append(f"at most {_write(high)}")
    elif low is not None:
        bounds.append(f"at least {_write(low)}")

    def is_in(number: Fraction | None) -> bool:
        return number is not None and not (
            (above is not None and number <= above)
            or (low is not None and number < low)
            or (high is not None and number > high)
        )

    if found is None or not is_in(found):
        first = example.split(maxsplit=1)[0].rstrip(",")
        if not is_in(share_of(first)):  # what is named as possible is
            example = _write(high if high is not None else low or Fraction(1))
        asked = f"{what} {quote(written)}".strip()
        wanted = " ".join([kind, *filter(None, [", ".join(bounds)])])
        raise NotationError(f"{asked}: write {wanted}, such as {example}")
    return found


def _write(bound: Fraction) -> str:
    return f"{bound.numerator:,}" if bound.denominator == 1 else format_chips(bound)
