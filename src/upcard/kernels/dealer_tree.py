"""The ways in which the dealer can finish from an upcard, as products of low and of high cards.

Which sets of drawn cards end a hand, and in how many orders, depends on S17 or H17 alone, not on
the decks. There are 4,634 (S17) or 4,961 (H17) pairs of upcard and set. A set is split into its
low and its high cards (see `removed_sets`): 1,361 (1,401) triples of upcard, high cards and total
remain once the low cards are summed.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import ACE, RANKS, TEN
from upcard.core.hands import BUST_LIMIT, AceRule, hand_table
from upcard.kernels.player_hands import UNITS, count_ranks
from upcard.kernels.removed_sets import FIRST_HIGH

NATURAL_COLUMN = 5
COLUMNS = 6
"""17, 18, 19, 20, 21 without a natural, natural."""


class Prefixes(NamedTuple):
    """Sets of drawn cards, the empty one first, each after the one without its last card."""

    parent: NDArray[np.uint32]
    rank: NDArray[np.uint32]
    """The rank of the last card."""
    already: NDArray[np.float64]
    """The number of cards of the rank before it."""


class DealerTree(NamedTuple):
    """The ends of the dealer's hand from one upcard.

    A sum has one column and one set of high cards; it adds up nodes, which have a set of low cards
    and a number of cards in all.
    """

    low: Prefixes
    high: Prefixes
    node_low: NDArray[np.uint32]
    node_cards: NDArray[np.uint32]
    end_node: NDArray[np.uint32]
    end_orders: NDArray[np.float64]
    """The number of orders in which the cards of an end can come without stopping earlier."""
    first_end: NDArray[np.uint32]
    """The ends of sum s are first_end[s] up to first_end[s + 1]."""
    sum_high: NDArray[np.uint32]
    first_sum: NDArray[np.uint32]
    """7 entries: the sums of column c are first_sum[c] up to first_sum[c + 1]."""


class _Ends(NamedTuple):
    """Sets of drawn cards that end the dealer's hand at 17 to 21, upcard by upcard."""

    upcard: NDArray[np.int64]
    drawn: NDArray[np.int64]
    """The number of cards of each rank, six bits per rank."""
    total: NDArray[np.int64]
    orders: NDArray[np.int64]


@cache
def dealer_tree(hits_soft_17: bool, upcard: int) -> DealerTree:  # noqa: FBT001 (a key of the cache)
    """Lower the dealer's rule from an upcard: sort the ends into sums, and number their cards."""
    every = _count_orders(hits_soft_17)
    first, last = np.searchsorted(every.upcard, (upcard, upcard + 1))
    ends = _Ends(*(column[first:last] for column in every))
    cards = _count_cards(ends.drawn)
    is_natural = (ends.total == BUST_LIMIT) & (cards == 1)
    column = np.where(is_natural, NATURAL_COLUMN, ends.total - 17)
    low_cards = ends.drawn % UNITS[FIRST_HIGH]
    low, low_of = _number_prefixes(low_cards)
    high, high_of = _number_prefixes(ends.drawn - low_cards)
    nodes, node_of = np.unique(low_of * BUST_LIMIT + cards, return_inverse=True)
    in_order = np.lexsort((node_of, high_of, column))
    keys = np.stack((column, high_of), axis=1)[in_order]
    first_end = np.flatnonzero(np.append(True, (keys[1:] != keys[:-1]).any(axis=1)))
    return DealerTree(
        low=low,
        high=high,
        node_low=(nodes // BUST_LIMIT).astype(np.uint32),
        node_cards=(nodes % BUST_LIMIT).astype(np.uint32),
        end_node=node_of[in_order].astype(np.uint32),
        end_orders=ends.orders[in_order].astype(np.float64),
        first_end=np.append(first_end, len(keys)).astype(np.uint32),
        sum_high=keys[first_end, 1].astype(np.uint32),
        first_sum=np.searchsorted(keys[first_end, 0], np.arange(COLUMNS + 1)).astype(np.uint32),
    )


@cache
def _count_orders(hits_soft_17: bool) -> _Ends:  # noqa: FBT001
    """Return the ends of all upcards; those of one upcard by number of cards, as first reached."""
    table = hand_table(AceRule.BEST)
    next_state, totals = np.array(table.next_state), np.array(table.total)
    stops = (totals > 17) | ((totals == 17) & ~(np.array(table.is_soft) & hits_soft_17))
    units = np.array(UNITS)
    upcard = np.array(RANKS)
    drawn, state, orders = np.zeros_like(upcard), next_state[0][upcard], np.ones_like(upcard)
    found: list[_Ends] = []
    while upcard.size:
        ends = stops[state]
        found.append(_Ends(upcard[ends], drawn[ends], totals[state[ends]], orders[ends]))
        go_on = np.flatnonzero(~ends)
        after = next_state[state[go_on]]
        fits = (after >= 0) & (totals[after] <= BUST_LIMIT)
        fits[:, 0] = False
        source, rank = np.nonzero(fits)
        source = go_on[source]
        key = (drawn[source] + units[rank]) * 16 + upcard[source]
        unique, first, which = np.unique(key, return_index=True, return_inverse=True)
        counted = np.zeros_like(unique)
        np.add.at(counted, which, orders[source])
        arrival = np.argsort(first)
        key, orders, state = unique[arrival], counted[arrival], after[fits][first[arrival]]
        drawn, upcard = key >> 4, key & 15
    ends_of = _Ends(*(np.concatenate(column) for column in zip(*found, strict=True)))
    by_upcard = np.argsort(ends_of.upcard, kind="stable")
    return _Ends(*(column[by_upcard] for column in ends_of))


def _number_prefixes(codes: NDArray[np.int64]) -> tuple[Prefixes, NDArray[np.int64]]:
    """Return all prefixes of sets of cards, shortest first, and the number of each set."""
    layers = [np.unique(codes)]
    while layers[-1].any():
        layers.append(np.unique(_without_last(layers[-1])))
    sets = np.unique(np.concatenate(layers))
    sets = sets[np.argsort(_count_cards(sets), kind="stable")]
    sorted_sets = np.argsort(sets)

    def number_of(some: NDArray[np.int64]) -> NDArray[np.int64]:
        found: NDArray[np.int64] = sorted_sets[np.searchsorted(sets[sorted_sets], some)]
        return found

    rank, parents = _last_rank(sets), _without_last(sets)
    already = count_ranks(parents)[np.arange(sets.size), rank]
    prefixes = Prefixes(
        parent=number_of(parents).astype(np.uint32), rank=rank.astype(np.uint32), already=already
    )
    return prefixes, number_of(codes)


def _last_rank(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the highest rank of each set of cards, 0 for the empty set."""
    last: NDArray[np.int64] = np.searchsorted(np.array(UNITS)[1:], codes, side="right")
    return last


def _without_last(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return each set of cards without one card of its highest rank."""
    fewer: NDArray[np.int64] = codes - np.array(UNITS)[_last_rank(codes)]
    return fewer


def _count_cards(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    cards: NDArray[np.int64] = count_ranks(codes).sum(axis=1).astype(np.int64)
    return cards


def natural_rank(upcard: int) -> int:
    """Return the rank that makes a natural with the upcard, 0 if none does."""
    return {ACE: TEN, TEN: ACE}.get(upcard, 0)
