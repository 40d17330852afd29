"""Lower a `CountSystem`: tags by kind of card, and the conversion of running counts.

A count is `floor(running * factor + addend)` in whole numbers with `COUNT_BITS` binary places. The
factor is rounded; an addend far smaller than the least gap between two counts and far larger than
that error makes the floor exact. `tests/unit/simulation` compares every value with
`CountSystem.convert`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import Card
from upcard.core.errors import UnsupportedRuleError
from upcard.kernels.game import COUNT_BITS, KINDS
from upcard.strategy.count_system import CountBy, CountSystem, Rounding

MOST_TRUE: Final = 40
"""True counts are distinguished from -40 to +40."""
_RUNNING_SWING: Final = 60
_MOST_SCALE: Final = 400
_NUDGE: Final = 1 << 20
_ONE: Final = 1 << COUNT_BITS
CARD_OF_KIND: Final = (*["AS", "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "7H"],)


class CountTable(NamedTuple):
    """A count for the kernel; the fields are those of `kernels.game.Game`."""

    tags: NDArray[np.int64]
    factor: NDArray[np.int64]
    least_count: int
    most_count: int
    add_positive: int
    add_negative: int
    start_count: int


def no_count(cards: int) -> CountTable:
    """Return the table of a player who does not count: every count is 0."""
    return CountTable(np.zeros(KINDS, np.int64), np.zeros(cards, np.int64), 0, 0, 0, 0, 0)


def lower_count(system: CountSystem, decks: int | None, cards: int) -> CountTable:
    """Lower a count for a shoe of `cards` cards.

    Raises: UnsupportedRuleError for a count with an infinite deck, and for tags finer than the
    kernel's whole numbers can hold.
    """
    engine = "simulator"
    if decks is None:
        reason = "an infinite deck never changes, so there is nothing to count"
        raise UnsupportedRuleError(engine, f"count {system.name}", reason)
    scale = system.scale
    if scale > _MOST_SCALE:
        reason = f"its tags need steps of 1/{scale}, and the kernel's are 1/{_MOST_SCALE} at finest"
        raise UnsupportedRuleError(engine, f"count {system.name}", reason)
    start = system.initial_count(decks)
    least, most = count_range(system, decks)
    add_positive, add_negative = _addends(system)
    return CountTable(
        tags=_pack_tags(system, scale),
        factor=np.array([_factor(system, scale, cards - dealt) for dealt in range(cards)]),
        least_count=least,
        most_count=most,
        add_positive=add_positive,
        add_negative=add_negative,
        start_count=_pack(int(start * scale), int(start * scale)),
    )


def count_range(system: CountSystem, decks: int) -> tuple[int, int]:
    """Return the smallest and the largest distinguished count; counts beyond are added to them."""
    if system.by is CountBy.TRUE:
        return -MOST_TRUE, MOST_TRUE
    start = system.initial_count(decks)
    drift = decks * sum((4 * tag for tag in system.tags[1:10]), 16 * system.tags[10])
    if system.red_7 is not None:
        drift += decks * 2 * (system.red_7 - system.tags[7])
    low, high = min(start, start + drift), max(start, start + drift)
    return int(low) - _RUNNING_SWING, int(high) + _RUNNING_SWING


def _pack_tags(system: CountSystem, scale: int) -> NDArray[np.int64]:
    tags = np.zeros(KINDS, np.int64)
    for kind, name in enumerate(CARD_OF_KIND):
        card = Card(name)
        tags[kind] = _pack(int(system.tag(card) * scale), int(system.betting_tag(card) * scale))
    return tags


def _pack(play: int, bet: int) -> int:
    """Pack both running counts into one word, so that one addition counts a card."""
    return (play << 32) + bet


def _factor(system: CountSystem, scale: int, cards_left: int) -> int:
    if system.by is CountBy.RUNNING:
        return round(Fraction(_ONE, scale))
    return round(Fraction(_ONE) / (scale * system.estimate_decks(cards_left)))


def _addends(system: CountSystem) -> tuple[int, int]:
    """Return the addends of counts from 0 and of counts below 0, before taking the floor."""
    if system.by is CountBy.RUNNING or system.rounding is Rounding.FLOOR:
        return _NUDGE, _NUDGE
    if system.rounding is Rounding.TRUNCATE:
        return _NUDGE, _ONE - _NUDGE
    return _ONE // 2 + _NUDGE, _ONE // 2 - _NUDGE
