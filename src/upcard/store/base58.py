"""Bytes as a short text to pass on: base 58, which leaves out 0, O, I and l.

The first byte of what is written must not be 0, so that its length comes back.
"""

from __future__ import annotations

from typing import Final

from upcard.core.errors import NotationError

ALPHABET: Final = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
LONGEST: Final = 400
"""The most characters that a code has; no round that can be played needs as many."""
_DIGITS: Final = {letter: digit for digit, letter in enumerate(ALPHABET)}


def write_base58(data: bytes) -> str:
    """Write bytes whose first is not 0."""
    number = int.from_bytes(data, "big")
    letters: list[str] = []
    while number:
        number, digit = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[digit])
    return "".join(reversed(letters))


def read_base58(text: str) -> bytes:
    """Read bytes as `write_base58` writes them; blanks and line ends count for nothing.

    Raises: NotationError naming the first letter that cannot be in a code.
    """
    letters = "".join(text.split())
    if not letters:
        msg = "an empty code: copy all of it"
        raise NotationError(msg)
    if len(letters) > LONGEST:
        msg = f"a code of {len(letters)} characters: no code has more than {LONGEST}"
        raise NotationError(msg)
    number = 0
    for letter in letters:
        if letter not in _DIGITS:
            msg = f"code {_shorten(letters)!r}: {letter!r} is in no code"
            raise NotationError(msg)
        number = number * len(ALPHABET) + _DIGITS[letter]
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def _shorten(letters: str) -> str:
    return letters if len(letters) <= 60 else f"{letters[:57]}..."
