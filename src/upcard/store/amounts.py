"""Readable text forms of chips, cards, answers and numbers in the store."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from upcard.core.actions import Action
from upcard.core.cards import Card, parse_cards
from upcard.core.errors import BlackjackError, quote
from upcard.core.numbers import exact_number, whole_number
from upcard.store.errors import damaged

_LONGEST_AMOUNT: Final = 1000
"""Sums of odd fractions of chips can grow, but not to this."""


def write_amount(amount: Fraction | int) -> str:
    """Write chips exactly: `10`, `5/2`."""
    return str(Fraction(amount))


def read_amount(text: str) -> Fraction:
    """Read chips as `write_amount` writes them. Raises: StoreDamagedError."""
    amount = exact_number(text, longest=_LONGEST_AMOUNT)
    if amount is None:
        raise damaged(f"{quote(text)} is no amount of chips")
    return amount


def write_amounts(amounts: Iterable[Fraction]) -> str:
    """Write several amounts: `10 5/2`."""
    return " ".join(map(write_amount, amounts))


def read_amounts(text: str) -> tuple[Fraction, ...]:
    """Read several amounts."""
    return tuple(map(read_amount, text.split()))


def write_actions(actions: Iterable[Action]) -> str:
    """Write answers in the order given: `no insurance, hit`."""
    return ", ".join(actions)


def read_actions(text: str) -> tuple[Action, ...]:
    """Read answers as `write_actions` writes them. Raises: StoreDamagedError."""
    try:
        return tuple(Action(word) for word in text.split(", ") if word)
    except ValueError:
        raise damaged(f"{text!r} are no answers") from None


def write_numbers(numbers: Iterable[int]) -> str:
    """Write numbers of spots or answers: `0,2`."""
    return ",".join(map(str, numbers))


def read_numbers(text: str) -> tuple[int, ...]:
    """Read numbers as `write_numbers` writes them. Raises: StoreDamagedError."""
    numbers = tuple(whole_number(word) for word in text.split(",")) if text else ()
    whole = tuple(number for number in numbers if number is not None)
    if len(whole) != len(numbers):
        raise damaged(f"{quote(text)} are no numbers")
    return whole


def write_cards(cards: Iterable[Card]) -> str:
    """Write cards in deal order: `AC KD`."""
    return " ".join(map(str, cards))


def read_cards(text: str) -> tuple[Card, ...]:
    """Read cards as `write_cards` writes them. Raises: StoreDamagedError."""
    try:
        return parse_cards(text)
    except BlackjackError:
        raise damaged(f"{text!r} are no cards") from None
