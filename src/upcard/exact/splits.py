"""Value of splitting a pair on an infinite deck, with or without a limit on hands.

On an infinite deck the halves are independent, and all pairs of one rank are alike: a resplit is
worth as much now as later, so the order of the halves and the cards of the others do not matter.
Two numbers remain: halves that wait for a second card, and splits allowed.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

ROUNDING_ERROR = 1e-12
"""Gains up to this are rounding errors of sums of floats."""


class Half(NamedTuple):
    """One half of a split pair, before its second card."""

    others: float
    """Value if the second card makes no pair that may be split again, times its odds."""
    pair: float
    """Value of a new pair that is not split again."""
    pair_odds: Fraction
    """Odds that the second card makes a new pair."""


def split_value(half: Half, *, splits_left: int | None, always: bool = False) -> float:
    """Return the value of the two halves of a pair just split; infinite where resplits diverge.

    `splits_left` counts the splits still allowed after this one; None for no limit. New pairs are
    split if that is better, or `always`.
    """
    if splits_left is None:
        return 2 * _endless(half, always=always)
    odds = float(half.pair_odds)
    # values[f] is the value of f halves that wait for a card, with the splits left.
    plain = half.others + odds * half.pair
    values = [waiting * plain for waiting in range(splits_left + 3)]
    for left in range(1, splits_left + 1):
        resplit, values = values, [0.0]
        for waiting in range(1, splits_left + 3 - left):
            rest = values[waiting - 1]
            again = resplit[waiting + 1]
            paired = again if always else max(half.pair + rest, again)
            values.append(half.others + (1 - odds) * rest + odds * paired)
    return values[2]


def difference(one: float, other: float) -> float:
    """Subtract; the difference of two infinite values is 0."""
    return 0.0 if one == other else one - other


def _endless(half: Half, *, always: bool) -> float:
    """Return the value of one half with unlimited resplits.

    A split makes two halves, each a pair again with probability q: the number of hands is a
    branching process, and v = others + 2 q v. From q = 1/2 on it grows without end, and so does the
    value, if one more split is an advantage; the equation's own solution has the wrong sign there.
    """
    plain = half.others + float(half.pair_odds) * half.pair
    gain = 2 * plain - half.pair
    if gain <= ROUNDING_ERROR and not always:
        return plain
    shrinking = 1 - 2 * half.pair_odds
    if shrinking <= 0:
        return plain if abs(gain) <= ROUNDING_ERROR else math.copysign(math.inf, gain)
    return half.others / float(shrinking)
