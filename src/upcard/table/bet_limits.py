"""Bets between rounds: what the table accepts, what the chips cover, and the alternatives."""

from fractions import Fraction
from typing import Final, NamedTuple

from upcard.core.numbers import format_chips
from upcard.core.wager import Wager

WHOLE_CHIPS: Final = Fraction(1)
"""The smallest bet by default; every bet is a multiple of it."""
SMALLEST_UNIT: Final = Fraction(1, 10_000)
"""Smallest amount that can be typed."""
BUY_IN: Final = Fraction(100)
"""Chips brought at a time, or a multiple of it."""
DEFAULT_BET: Final = Fraction(10)
WHY_NOT_BROUGHT: Final = "chips are brought between hands, once the smallest bet is not covered"


class Shortage(NamedTuple):
    """Chips that do not cover the smallest bet on each hand."""

    balance: Fraction
    hands: int
    unit: Fraction
    """Smallest bet on a hand."""
    fewest: int = 1
    """Number of hands that a round takes at least."""

    @property
    def most_hands(self) -> int:
        """Number of hands that the chips do cover; 0 if they are too few for a round."""
        most = int(self.balance / self.unit)
        return most if most >= self.fewest else 0

    @property
    def brings(self) -> Fraction:
        """Chips to bring: 100, or as many hundreds as the smallest bets take."""
        missing = self.unit * self.hands - self.balance
        return BUY_IN * max(-int(-missing // BUY_IN), 1)

    def __str__(self) -> str:
        """Write what is missing."""
        if self.balance <= 0:
            return "You have no chips left."
        chips, unit = format_chips(self.balance), format_chips(self.unit)
        if self.hands == 1:
            return f"Your balance of {chips} does not cover the smallest bet, {unit}."
        return f"Not enough for {self.hands} hands: you have {chips}, the smallest bet is {unit}."


def find_shortage(
    balance: Fraction | None, *, hands: int, unit: Fraction, fewest: int = 1
) -> Shortage | None:
    """Return what is missing for the smallest bet on each hand; None if it is covered."""
    if balance is None or balance >= unit * hands:
        return None
    return Shortage(balance, hands, unit, fewest)


def fit_wager(wager: Wager, balance: Fraction | None, *, hands: int, unit: Fraction) -> Wager:
    """Return a wager that the chips cover on each hand: side bets go first, then the bet is lower.

    Its main bet is 0 if the chips do not cover the smallest bet.
    """
    if balance is None or wager.total * hands <= balance:
        return wager
    return Wager(fit_bet(wager.main, balance, hands=hands, unit=unit))


def fit_bet(bet: Fraction, balance: Fraction | None, *, hands: int, unit: Fraction) -> Fraction:
    """Return a bet, or the most that the chips cover on each hand, in multiples of `unit`.

    Returns 0 if they do not cover the smallest bet.
    """
    if balance is None or bet * hands <= balance:
        return bet
    return max(balance / hands // unit * unit, Fraction(0))


def round_bet(bet: Fraction, unit: Fraction, limit: Fraction | None = None) -> Fraction:
    """Round a bet down to a multiple of `unit` within `limit`; the least is `unit`."""
    within = bet if limit is None else min(bet, limit)
    return max(within // unit * unit, unit)


def why_not_unit(bet: Fraction, unit: Fraction) -> str:
    """Return why a table with this smallest bet does not accept a bet; empty if it does."""
    if not bet % unit:
        return ""
    if unit == WHOLE_CHIPS:
        return f"a bet of {format_chips(bet)}: bets are whole chips"
    return f"a bet of {format_chips(bet)}: bets are multiples of {format_chips(unit)}"


def why_not_bet(
    wager: Wager,
    balance: Fraction | None,
    *,
    hands: int,
    unit: Fraction,
    limit: Fraction | None = None,
) -> str:
    """Return why bets cannot be placed on each of the hands; empty if they can.

    Unit and limit hold for each bet, main or side, alone.
    """
    for bet in (wager.main, *(chips for _, chips in wager.side)):
        if bet <= 0:
            return f"a bet of {format_chips(bet)}: bets are over 0"
        wrong = why_not_unit(bet, unit)
        if wrong:
            return wrong
        if limit is not None and bet > limit:
            return f"the table's limit is {format_chips(limit)} a hand"
    if balance is None or wager.total * hands <= balance:
        return ""
    times = "" if hands == 1 else f" on each of {hands} hands"
    kind = f"{format_chips(wager.main)} and side bets, {format_chips(wager.total)} in all,"
    placed = kind if wager.side else format_chips(wager.main)
    return f"a bet of {placed}{times} is more than your balance of {format_chips(balance)}"
