"""PayoffTable of hands: one table of a player's result and the dealer's, made from `Rules`.

The table asks it for every hand; the simulator's loops have it as an array of whole numbers, and
the exact solver takes its parameters from it. A new rule about ties, bonuses or pushes changes
`_decide`, and nothing else says who wins.

The dealer's 22 is a result of its own beside other busts. They pay alike under all rules of today;
an engine whose chances have no column for 22 asks `PayoffTable.splits_22` and refuses rules for
which they differ.
"""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from upcard.core.actions import Outcome
from upcard.core.hands import BUST_LIMIT
from upcard.rules.model import Rules
from upcard.rules.predicates import natural_beats_surrender

TOTALS: Final = range(BUST_LIMIT + 1)
"""Totals that are compared: 0 to 21."""
INSURANCE_PAYS: Final = 2
_ONE: Final = Fraction(1)
_NOTHING: Final = Fraction(0)


class Special(IntEnum):
    """Results of a player's hand beside its totals; the numbers follow those of totals."""

    NATURAL = 22
    EVEN_MONEY = 23
    SURRENDERED = 24
    WON = 25
    """Won at once, before the dealer plays."""
    BUST = 26


class DealerEnd(IntEnum):
    """Results of the dealer's hand beside the totals up to 21."""

    TWENTY_TWO = 22
    BUST = 23
    """Over 22."""
    NATURAL = 24


HAND_RESULTS: Final = (*TOTALS, *Special)
DEALER_RESULTS: Final = (*TOTALS, *DealerEnd)


class Payoff(NamedTuple):
    """The end of a hand: `won` times what it pays on, less `lost` times its stake."""

    outcome: Outcome
    won: Fraction = Fraction(0)
    lost: Fraction = Fraction(0)

    def net(self, stake: Fraction, pays_on: Fraction) -> Fraction:
        """Return the net of a hand, in chips."""
        if self.won is _ONE:  # quicker than a product of fractions, here and below
            return pays_on
        if self.lost is _ONE:
            return -stake
        return pays_on * self.won - stake * self.lost if self.won or self.lost else _NOTHING


class PayoffTable(NamedTuple):
    """The payoffs of a house, by `HAND_RESULTS` and `DEALER_RESULTS`."""

    rows: tuple[tuple[Payoff, ...], ...]

    @property
    def splits_22(self) -> bool:
        """Whether some hand is paid differently against 22 than against another bust."""
        return any(row[DealerEnd.TWENTY_TWO] != row[DealerEnd.BUST] for row in self.rows)

    @property
    def compares_totals(self) -> bool:
        """Whether totals are paid as in a plain game: the higher wins, equal ones push."""
        return all(
            self.rows[hand][dealer] == _compare(hand, dealer)
            for hand in TOTALS
            for dealer in (*TOTALS, DealerEnd.BUST, DealerEnd.TWENTY_TWO)
        )


def dealer_result(total: int, *, has_natural: bool) -> int:
    """Return the dealer's result as a column of the table."""
    if has_natural:
        return DealerEnd.NATURAL
    return total if total <= BUST_LIMIT + 1 else DealerEnd.BUST


def payoffs_of(rules: Rules) -> PayoffTable:
    """Return the payoffs of a house."""
    return _make_payoffs(rules.natural_pays, rules.natural_ties_21, natural_beats_surrender(rules))


@lru_cache(maxsize=64)
def _make_payoffs(
    natural_pays: Fraction,
    ties_21: bool,  # noqa: FBT001 (keys of the cache)
    beats_surrender: bool,  # noqa: FBT001
) -> PayoffTable:
    def decide(hand: int, dealer: int) -> Payoff:
        match hand:
            case Special.BUST:
                return Payoff(Outcome.BUST, lost=_ONE)
            case Special.WON:
                return Payoff(Outcome.WIN, won=_ONE)
            case Special.EVEN_MONEY:
                return Payoff(Outcome.NATURAL, won=_ONE)
            case Special.SURRENDERED:
                if dealer == DealerEnd.NATURAL and beats_surrender:
                    return Payoff(Outcome.LOSE, lost=_ONE)
                return Payoff(Outcome.SURRENDER, lost=_ONE / 2)
            case Special.NATURAL if dealer == DealerEnd.NATURAL:
                return Payoff(Outcome.PUSH)
            case Special.NATURAL:
                return Payoff(Outcome.NATURAL, won=natural_pays)
        if dealer == DealerEnd.NATURAL:
            is_tie = ties_21 and hand == BUST_LIMIT
            return Payoff(Outcome.PUSH) if is_tie else Payoff(Outcome.LOSE, lost=_ONE)
        return _compare(hand, dealer)

    rows = (tuple(decide(hand, dealer) for dealer in DEALER_RESULTS) for hand in HAND_RESULTS)
    return PayoffTable(tuple(rows))


def _compare(hand: int, dealer: int) -> Payoff:  # without a natural
    if dealer > BUST_LIMIT or hand > dealer:
        return Payoff(Outcome.WIN, won=_ONE)
    return Payoff(Outcome.PUSH) if hand == dealer else Payoff(Outcome.LOSE, lost=_ONE)
