"""Hand arithmetic as one transition table.

A hand's state is a small int. `next_state[state][rank]` is the state after one more card,
`total[state]` the hand's total, `is_soft[state]` whether an ace in it counts 11. Table, solver and
kernels index the same tables; a non-standard ace rule is another table, not an `if`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from upcard.core.cards import ACE, RANKS, Rank

BUST_LIMIT: Final = 21
EMPTY_HAND: Final = 0
NO_STATE: Final = -1


class AceRule(StrEnum):
    """How aces count."""

    BEST = "best"
    """One ace counts 11 wherever that does not bust: the ordinary rule."""
    ONE_SOFTENED = "one-softened"
    """At most one ace of a hand ever counts 1 (document 000, THE ACE CONDITIONS)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandTable:
    """The transition table of one ace rule.

    Shapes: `next_state` is states x 11, indexed by rank 1 to 10 (column 0 is unused); the others
    have one entry per state. State 0 is the empty hand. A bust hand (total over 21) takes no card:
    its row is all -1. `was_softened` is set where the last card turned an ace from 11 to 1.
    """

    next_state: tuple[tuple[int, ...], ...]
    total: tuple[int, ...]
    is_soft: tuple[bool, ...]
    was_softened: tuple[bool, ...]

    def state_of(self, ranks: Iterable[Rank]) -> int:
        """Return the state of a hand dealt `ranks` in this order; -1 after a bust."""
        state = EMPTY_HAND
        for rank in ranks:
            if state == NO_STATE:
                return NO_STATE
            state = self.next_state[state][rank]
        return state


class _Count(NamedTuple):
    """The properties of a hand that an ace rule depends on; `total` is its current total."""

    total: int = 0
    is_soft: bool = False
    cards: int = 0
    has_ace_as_one: bool = False
    was_softened: bool = False


def _add_best(count: _Count, rank: Rank) -> _Count:
    """Add a card by the ordinary rule: at most one ace counts 11, and only if it fits."""
    hard = count.total - 10 * count.is_soft + rank
    has_ace = count.is_soft or rank == ACE
    if has_ace and hard + 10 <= BUST_LIMIT:
        return _Count(hard + 10, is_soft=True)
    return _Count(hard)


def _add_one_softened(count: _Count, rank: Rank) -> _Count:
    """Add a card by the rule of document 000.

    A new ace counts 11 if it fits; if not, it counts 1, unless the hand already has an ace that
    counts 1: then it counts 11, and busts. When another card takes the total over 21, an ace among
    the first two cards that counts 11 becomes 1, again only if no ace counts 1 already. `is_soft`
    means that there is such an ace.
    """
    total, is_soft, cards, has_one, _ = count
    opening = cards < 2
    cards = min(cards + 1, 2)
    if rank == ACE:
        if total + 11 <= BUST_LIMIT:
            return _Count(total + 11, is_soft or (opening and not has_one), cards, has_one)
        if has_one:
            return _Count(total + 11, cards=cards, has_ace_as_one=True)
        # A second ace in the opening hand: 11 + 11 = 22, and one of the two becomes 1.
        return _Count(total + 1, False, cards, True, opening)
    if total + rank > BUST_LIMIT and is_soft:
        return _Count(total + rank - 10, False, cards, True, True)
    return _Count(total + rank, is_soft, cards, has_one)


_ADD_CARD = {AceRule.BEST: _add_best, AceRule.ONE_SOFTENED: _add_one_softened}


@cache
def hand_table(ace_rule: AceRule) -> HandTable:
    """Build the table of an ace rule: every state that cards can reach from the empty hand."""
    add = _ADD_CARD[ace_rule]
    states = [_Count()]
    numbers = {states[0]: 0}
    rows: list[tuple[int, ...]] = []
    for count in states:  # grows during the loop: a breadth-first search
        if count.total > BUST_LIMIT:
            rows.append((NO_STATE,) * 11)
            continue
        row = [NO_STATE]
        for rank in RANKS:
            after = add(count, rank)
            if after not in numbers:
                numbers[after] = len(states)
                states.append(after)
            row.append(numbers[after])
        rows.append(tuple(row))
    return HandTable(
        next_state=tuple(rows),
        total=tuple(count.total for count in states),
        is_soft=tuple(count.is_soft for count in states),
        was_softened=tuple(count.was_softened for count in states),
    )
