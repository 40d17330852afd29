"""Numbers in text from outside: read exactly, or refused before they cost anything.

Python's own `int`, `float` and `Fraction` accept what no setting may be: `1e999999999` fills the
memory, 5,000 digits raise a ValueError of their own, `nan`, `1_000` and `٣` pass as numbers.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational
from typing import Final

from upcard.core.errors import RulesError, quote

LONGEST_NUMBER: Final = 100
"""Most characters of a number, and largest exponent."""
MOST_SEED: Final = 2**64 - 1
_LONGEST_WHOLE: Final = 18
_BITS_PER_DIGIT: Final = 4
_NUMBER: Final = re.compile(
    r"[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?)"
)
_SIGN: Final = re.compile(r"(?<![\w-])-(?=\.?[0-9])")
"""A hyphen before a number that is no part of a word, a date or a range."""
_WHOLE: Final = re.compile(rf"[+-]?[0-9]{{1,{_LONGEST_WHOLE}}}")


def exact_number(value: object, *, longest: int = LONGEST_NUMBER) -> Fraction | None:
    """Read a number exactly: a whole number, a decimal, a fraction such as `4/13`, or text of one.

    A float is read as the decimal that it prints as. Returns None for anything else: not a number,
    not finite, a bool, or too long.

    >>> exact_number("2.50"), exact_number("4/13"), exact_number("1e999999999")
    (Fraction(5, 2), Fraction(4, 13), None)
    """
    if isinstance(value, str):
        return _read_text(value.strip(), longest)
    if isinstance(value, float | Decimal):
        return _read_text(str(value), longest)
    if value is True or value is False or not isinstance(value, Rational):
        return None
    number = Fraction(int(value.numerator), int(value.denominator))  # NumPy's integers have no bits
    size = max(number.numerator.bit_length(), number.denominator.bit_length())
    return number if size <= _BITS_PER_DIGIT * longest else None


def _read_text(text: str, longest: int) -> Fraction | None:
    if len(text) > longest:
        return None
    match = _NUMBER.fullmatch(text)
    if match is None or abs(int(match[1] or 0)) > longest:
        return None
    try:
        return Fraction(text)
    except ZeroDivisionError:
        return None


def whole_number(text: str) -> int | None:
    """Read a whole number of up to 18 ASCII digits, with or without a sign; None for other text.

    >>> whole_number("12"), whole_number("-3"), whole_number("1.0"), whole_number("٣")
    (12, -3, None, None)
    """
    written = text.strip()
    return int(written) if _WHOLE.fullmatch(written) else None


def as_whole(value: object) -> int | None:
    """Return a whole number of any integer type as an `int`; None for anything else, bools too.

    >>> as_whole(12), as_whole(1.0), as_whole(True)
    (12, None, None)
    """
    if value is True or value is False or not isinstance(value, Integral):
        return None
    return int(value)


def read_seed(seed: object) -> int:
    """Return the seed of a random generator. Raises: RulesError if it is not 0 to 2^64 - 1."""
    number = as_whole(seed)
    if number is None or not 0 <= number <= MOST_SEED:
        raise RulesError(f"seed {quote(seed)}: a seed is a whole number from 0 to {MOST_SEED}")
    return number


def with_minus(text: str) -> str:
    """Write the hyphens of a number as minus signs, which have the width of a plus."""
    return text.replace("-", "−")


def with_minus_signs(sentence: str) -> str:
    """Write negative numbers in a sentence with minus signs; other hyphens stay.

    >>> with_minus_signs("A two-card hand is worth -0.54; 1-8 is a spread.")
    'A two-card hand is worth −0.54; 1-8 is a spread.'
    """
    return _SIGN.sub("−", sentence)
