"""Options of an environment: choices by name, and bets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from upcard.core.errors import RulesError
from upcard.core.numbers import exact_number
from upcard.rules.model import Rules
from upcard.table.state import read_bet

EPISODES: Final = ("round", "shoe")
ILLEGAL: Final = ("raise", "stand")
_NO_BET: Final = Fraction(0)


def check_option(option: str, value: str, possible: Sequence[str]) -> None:
    """Raise RulesError if the value of an option is not a possible one."""
    if value not in possible:
        raise RulesError(f"{option}={value!r}: one of {', '.join(possible)}")


def read_spots(spots: int, rules: Rules) -> int:
    """Read a number of spots. Raises: RulesError if the rules do not take it."""
    most = rules.max_spots
    if spots not in range(1, most + 1):
        possible = "1" if most == 1 else f"1 to {most}"
        raise RulesError(f"spots={spots!r}: the rules take {possible}")
    return int(spots)


def read_bets(bets: Sequence[int | float | str | Fraction]) -> tuple[Fraction, ...]:
    """Read a choice of bets; 0 sits out.

    Raises: RulesError if there is none, or two are equal, or one is not a bet.
    """
    if isinstance(bets, str) or not len(bets):
        raise RulesError(f"bets={bets!r}: give a sequence of bets, such as (1, 2, 4)")
    read = tuple(_NO_BET if exact_number(bet) == 0 else read_bet(bet) for bet in bets)
    if len(set(read)) < len(read):
        raise RulesError(f"bets={bets!r}: two of them are equal")
    if read == (_NO_BET,):
        raise RulesError(f"bets={bets!r}: 0 sits out, which needs another bet to choose from")
    return read
