"""Options of an environment and of its resets: choices by name, numbers, and bets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from upcard.core.errors import RulesError, quote
from upcard.core.numbers import as_whole, exact_number
from upcard.rules.model import Rules
from upcard.table.state import read_bet

EPISODES: Final = ("round", "shoe")
ILLEGAL: Final = ("raise", "stand")
_NO_BET: Final = Fraction(0)


def check_option(option: str, value: str, possible: Sequence[str]) -> None:
    """Raise RulesError if the value of an option is not a possible one."""
    if value not in possible:
        raise RulesError(f"{option}={quote(value)}: one of {', '.join(possible)}")


def check_reset_options(options: object, possible: Sequence[str]) -> Mapping[str, Any]:
    """Return the options of a reset. Raises: RulesError for an unknown one."""
    known = f"the option{'s are' if len(possible) > 1 else ' is'} {' and '.join(possible)}"
    if not isinstance(options, Mapping):
        raise RulesError(f"options={quote(options)}: give a dictionary; {known}")
    for name in options:
        if name not in possible:
            raise RulesError(f"reset option {quote(name)}: {known}")
    return options


def read_number(option: str, value: object, most: int) -> int:
    """Read a whole number from 1 on. Raises: RulesError for anything else."""
    number = as_whole(value)
    if number is None or not 1 <= number <= most:
        raise RulesError(f"{option}={quote(value)}: a whole number from 1 to {most:,}")
    return number


def read_spots(spots: int, rules: Rules) -> int:
    """Read a number of spots. Raises: RulesError if the rules do not take it."""
    most, number = rules.max_spots, as_whole(spots)
    if number is None or not 1 <= number <= most:
        possible = "1" if most == 1 else f"1 to {most}"
        raise RulesError(f"spots={quote(spots)}: the rules take {possible}")
    return number


def read_bets(bets: Sequence[int | float | str | Fraction]) -> tuple[Fraction, ...]:
    """Read a choice of bets; 0 sits out.

    Raises: RulesError if there is none, or two are equal, or one is not a bet.
    """
    given = bets.tolist() if hasattr(bets, "tolist") else bets
    if not isinstance(given, list | tuple) or not given:
        raise RulesError(f"bets={quote(bets)}: give a sequence of bets, such as (1, 2, 4)")
    read = tuple(_NO_BET if exact_number(bet) == 0 else read_bet(bet) for bet in given)
    if len(set(read)) < len(read):
        raise RulesError(f"bets={quote(bets)}: two of them are equal")
    if read == (_NO_BET,):
        raise RulesError(f"bets={quote(bets)}: 0 sits out, which needs another bet to choose from")
    return read
