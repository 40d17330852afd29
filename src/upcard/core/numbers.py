"""Numbers, amounts of chips, bytes: read from text exactly or refused, written exactly.

Python's own `int`, `float` and `Fraction` accept what no setting may be: `1e999999999` fills the
memory, 5,000 digits raise a ValueError of their own, `nan`, `1_000` and `٣` pass as numbers. Its
URL-safe Base64 skips foreign letters, but for + and /, which it reads and from Python 3.15 on warns
of.
"""

import base64
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache
from numbers import Integral, Rational
from types import MethodType
from typing import Any, Final, TypeVar

from upcard.core.cards import Card
from upcard.core.errors import RulesError, quote

Kind = TypeVar("Kind")
ROUNDS_PER_HOUR: Final = 100
"""Length of an hour where none is saved or given: the one by which SCORE is stated."""
LONGEST_NUMBER: Final = 100
"""Most characters of a number, and largest exponent."""
MOST_SEED: Final = 2**64 - 1
_LONGEST_WHOLE: Final = 18
_BITS_PER_DIGIT: Final = 4
_NUMBER: Final = re.compile(
    r"[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?)"
)
_SIGN: Final = re.compile(r"(?<![\w-])(?<!\w\()-(?=\.?[0-9])")
"""A hyphen before a number that is no part of a word, a date, a range or a call of a formula."""
_WHOLE: Final = re.compile(rf"[+-]?[0-9]{{1,{_LONGEST_WHOLE}}}")
_LETTERS: Final = re.compile(r"[A-Za-z0-9_-]*")


def exact_number(value: object, *, longest: int = LONGEST_NUMBER) -> Fraction | None:
    """Read a number exactly: a whole number, a decimal, a fraction such as `4/13`, or text of one.

    A float is read as the decimal that it prints as. Returns None for anything else: not a number,
    not finite, a bool, or too long.

    >>> exact_number("2.50"), exact_number("4/13"), exact_number("1e999999999")
    (Fraction(5, 2), Fraction(4, 13), None)
    """
    if isinstance(value, str):
        return _read_text(_with_hyphens(value.strip()), longest)
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
    written = _with_hyphens(text.strip())
    return int(written) if _WHOLE.fullmatch(written) else None


def digits_of(text: str) -> int | None:
    """Read up to 18 ASCII digits and nothing else, as in an address; None for other text."""
    return whole_number(text) if text.isascii() and text.isdecimal() else None


def as_whole(value: object) -> int | None:
    """Return a whole number of any integer type as an `int`; None for anything else, bools too.

    >>> as_whole(12), as_whole(1.0), as_whole(True)
    (12, None, None)
    """
    if value is True or value is False or not isinstance(value, Integral):
        return None
    return int(value)


def finite(number: float | None) -> float | None:
    """Return a number that JSON can write, or None."""
    return number if number is not None and math.isfinite(number) else None


def read_seed(seed: object) -> int:
    """Return the seed of a random generator."""
    number = as_whole(seed)
    if number is None or not 0 <= number <= MOST_SEED:
        raise RulesError(f"seed {quote(seed)}: a seed is a whole number from 0 to {MOST_SEED}")
    return number


def _with_hyphens(text: str) -> str:
    """Return a number as Python reads it: what is shown with a minus sign can be typed again."""
    return text.replace("−", "-")


def with_minus(text: str) -> str:
    """Write the hyphens of a number as minus signs, which have the width of a plus."""
    return text.replace("-", "−")


def with_minus_signs(sentence: str) -> str:
    """Write negative numbers in a sentence with minus signs; other hyphens stay.

    >>> with_minus_signs("A two-card hand is worth -0.54; 1-8 is a spread.")
    'A two-card hand is worth −0.54; 1-8 is a spread.'
    """
    return _SIGN.sub("−", sentence)


_MOST_DIGITS: Final = 8
"""Digits after the point of a value with an error."""


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


def signed(amount: Fraction | int, minus: str = "−") -> str:
    """Write an amount for people, with its sign; zero has none: `+10`, `−7.5`."""
    sign = "+" if amount > 0 else minus if amount < 0 else ""
    return f"{sign}{format_chips(abs(Fraction(amount)))}"


def write_letters(data: bytes) -> str:
    """Write bytes as the letters of a code: URL-safe Base64 without padding."""
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def read_letters(letters: str) -> bytes | None:
    """Read bytes that `write_letters` wrote; return None for any other text.

    >>> read_letters("abcd") == read_letters("abcd="), read_letters("ab+d")
    (False, None)
    """
    if not _LETTERS.fullmatch(letters) or len(letters) % 4 == 1:
        return None
    data = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    return data if write_letters(data) == letters else None


def count_of(number: int, word: str) -> str:
    """Write a number with its noun: `1 round`, `2 rounds`."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def write_chips(amount: Fraction) -> str:
    """Write an amount in decimals: `10`, `2.5`."""
    return str(amount if amount.denominator == 1 else float(amount))


def fields_of(source: object, *names: str) -> dict[str, Any]:
    """Return attributes of an object by their names (default: all fields of a dataclass)."""
    if not names and is_dataclass(source):
        names = tuple(one.name for one in fields(source))
    return {name: getattr(source, name) for name in names}


def as_object(keys: str = "") -> Callable[[type[Kind]], type[Kind]]:
    """Let JSON have objects of a named tuple, with the keys of `list_json` (default: its fields).

    A named tuple that is not marked so is a list.
    """

    def mark(kind: type[Kind]) -> type[Kind]:
        names: Any = kind
        names.json_keys = keys or " ".join(names._fields)
        return kind

    return mark


@cache
def list_json(kind: type[Any]) -> tuple[tuple[str, str, str], ...]:
    """Return the parts of the JSON of a class: key, path of the value, and what leaves it out.

    They are its fields, but for those with `json` false in their metadata. Where other ones are
    needed its text `json_keys` has them, with blanks between: `seed`, `seed=run.job.seed` for a
    part of a part, or `plan?is_counted` for one that is there only where that attribute is: not
    None, false or empty.
    """
    if (keys := getattr(kind, "json_keys", None)) is None:
        shown = (one.name for one in fields(kind) if one.metadata.get("json", True))
        return tuple((name, name, "") for name in shown)
    found = re.findall(r"([^\s=?]+)(?:=([^\s?]+))?(?:\?(\S+))?", keys)
    return tuple((key, path or key, condition) for key, path, condition in found)


def _follow(value: object, path: str) -> Any:  # noqa: ANN401 (any)
    """Return a part of a part; a method is called, and what is not known has no parts."""
    for name in path.split("."):
        if value is None:
            return None
        value = value[name] if isinstance(value, Mapping) else getattr(value, name)
        value = value() if isinstance(value, MethodType) else value
    return value


def _is_there(found: object) -> bool:
    return found is not False and (found == 0 or bool(found))


def to_json(value: object, *, amount: Callable[[Fraction], Any] = format_chips) -> Any:  # noqa: ANN401 (what json.dumps takes)
    """Return a value as JSON: a fraction is exact text and a float is a number, everywhere.

    An infinite number is the text "infinite", a card its text, a dataclass an object of what
    `list_json` lists, or its text where its `json_keys` is `str`.
    `amount` writes the fractions (default: exact text, `2.5` or `10/3`).

    >>> to_json([Fraction(5, 2), 2.5, -math.inf])
    ['2.5', 2.5, '-infinite']
    """
    match value:
        case Enum():
            return value.value
        case float() if math.isinf(value):
            return "infinite" if value > 0 else "-infinite"
        case None | str() | int() | float():
            return value
        case Fraction():
            return amount(value)
        case Card():
            return str(value)
        case Mapping():
            return {str(key): to_json(item, amount=amount) for key, item in value.items()}
    keys = getattr(value, "json_keys", None)
    if keys is str:
        return str(value)
    if keys is None and isinstance(value, tuple | list):
        return [to_json(item, amount=amount) for item in value]
    if keys is None and not is_dataclass(value):
        raise TypeError(f"JSON has no {type(value).__name__}")
    kind: Any = type(value)
    return {
        key: to_json(_follow(value, path), amount=amount)
        for key, path, condition in list_json(kind)
        if not condition or _is_there(_follow(value, condition))
    }
