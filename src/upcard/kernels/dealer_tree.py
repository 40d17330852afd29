"""The ways in which the dealer can finish, lowered to a tree of drawn cards for all ten upcards.

Which sets of drawn cards end a hand, and in how many orders, depends on S17 or H17 alone, not on
the decks. Keyed by the drawn cards only there are 1,668 (S17) or 1,742 (H17) distinct sets; each
costs one multiplication along a tree of prefixes. 4,634 (4,961) pairs of upcard and set then give
every total of every upcard.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import ACE, RANKS, TEN
from upcard.core.hands import BUST_LIMIT, AceRule, hand_table
from upcard.kernels.player_hands import UNITS, count_ranks

NATURAL_COLUMN = 5
COLUMNS = 6
"""17, 18, 19, 20, 21 without a natural, natural."""


class DealerTree(NamedTuple):
    """Nodes are sets of drawn cards, each after its parent.

    Ends are sorted into groups of one upcard, one column and one number of drawn cards of the
    upcard's own rank.
    """

    parent: NDArray[np.int32]
    draw: NDArray[np.int32]
    """The draw that makes a node of its parent: an index of the next three."""
    draw_rank: NDArray[np.int32]
    draw_already: NDArray[np.int32]
    """The number of cards of the rank drawn before."""
    draw_depth: NDArray[np.int32]
    """The number of all cards drawn before."""
    end_node: NDArray[np.int32]
    end_orders: NDArray[np.float64]
    """The number of orders in which the cards of an end can come without stopping earlier."""
    group_column: NDArray[np.int32]
    group_drawn: NDArray[np.int32]
    """The number of drawn cards of the upcard's own rank."""
    first_end: NDArray[np.int32]
    """The ends of group g are first_end[g] up to first_end[g + 1]."""
    first_group: NDArray[np.int32]
    """12 entries: the groups of upcard u are first_group[u] up to first_group[u + 1]."""


class _Ends(NamedTuple):
    """Sets of drawn cards that end the dealer's hand at 17 to 21, upcard by upcard."""

    upcard: NDArray[np.int64]
    drawn: NDArray[np.int64]
    """The number of cards of each rank, six bits per rank."""
    total: NDArray[np.int64]
    orders: NDArray[np.int64]


@cache
def dealer_tree(hits_soft_17: bool) -> DealerTree:  # noqa: FBT001 (a key of the cache)
    """Lower the dealer's rule: count the orders layer by layer, then number the prefixes."""
    ends = _count_orders(hits_soft_17)
    nodes, parents = _number_prefixes(ends.drawn)
    sorted_nodes = np.argsort(nodes)
    in_order = nodes[sorted_nodes]

    def node_of(codes: NDArray[np.int64]) -> NDArray[np.int64]:
        found: NDArray[np.int64] = sorted_nodes[np.searchsorted(in_order, codes)]
        return found

    rank = _last_rank(nodes)
    draws = np.stack((rank, _count_of(parents, rank), _count_cards(parents)), axis=1)
    draws, draw = np.unique(draws, axis=0, return_inverse=True)
    is_natural = (ends.total == BUST_LIMIT) & (_count_cards(ends.drawn) == 1)
    column = np.where(is_natural, NATURAL_COLUMN, ends.total - 17)
    drawn = _count_of(ends.drawn, ends.upcard)
    columns = np.stack((ends.upcard, column, drawn, node_of(ends.drawn), ends.orders), axis=1)
    columns = columns[np.lexsort(columns.T[::-1])]
    is_first = np.ones(len(columns), dtype=np.bool_)
    is_first[1:] = (columns[1:, :3] != columns[:-1, :3]).any(axis=1)
    first_end = np.flatnonzero(is_first)
    keys = columns[first_end]
    return DealerTree(
        parent=node_of(parents).astype(np.int32),
        draw=draw.ravel().astype(np.int32),
        draw_rank=draws[:, 0].astype(np.int32),
        draw_already=draws[:, 1].astype(np.int32),
        draw_depth=draws[:, 2].astype(np.int32),
        end_node=columns[:, 3].astype(np.int32),
        end_orders=columns[:, 4].astype(np.float64),
        group_column=keys[:, 1].astype(np.int32),
        group_drawn=keys[:, 2].astype(np.int32),
        first_end=np.append(first_end, len(columns)).astype(np.int32),
        first_group=np.searchsorted(keys[:, 0], np.arange(12)).astype(np.int32),
    )


@cache
def dealer_tree_against(hits_soft_17: bool, upcards: tuple[int, ...]) -> DealerTree:  # noqa: FBT001 (keys of the cache)
    """Return the tree with only the nodes that `upcards` need, in the same order.

    The groups of other upcards point nowhere.
    """
    tree = dealer_tree(hits_soft_17)
    needed = np.zeros(tree.parent.size, dtype=np.bool_)
    needed[0] = True
    for upcard in upcards:
        first, last = tree.first_end[tree.first_group[upcard : upcard + 2]]
        needed[tree.end_node[first:last]] = True
    depth = tree.draw_depth[tree.draw]
    for layer in range(int(depth.max()), 0, -1):
        needed[tree.parent[needed & (depth == layer)]] = True
    number = np.cumsum(needed, dtype=np.int32) - 1
    return tree._replace(
        parent=number[tree.parent[needed]],
        draw=tree.draw[needed],
        end_node=np.where(needed[tree.end_node], number[tree.end_node], -1).astype(np.int32),
    )


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


def _number_prefixes(drawn: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all prefixes of sets of cards as first needed, shortest first, and their parents."""
    _, first = np.unique(drawn, return_index=True)
    chain = [drawn[np.sort(first)]]
    while chain[-1].any():
        last = _last_rank(chain[-1])
        chain.append(chain[-1] - np.array(UNITS)[last])
    prefixes = np.stack(chain[::-1], axis=1).ravel()
    nodes, first = np.unique(prefixes, return_index=True)
    nodes = nodes[np.argsort(first)]
    return nodes, nodes - np.array(UNITS)[_last_rank(nodes)]


def _last_rank(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the highest rank of each set of cards, 0 for the empty set."""
    last: NDArray[np.int64] = np.searchsorted(np.array(UNITS)[1:], codes, side="right")
    return last


def _count_of(codes: NDArray[np.int64], rank: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of cards of one rank in each set."""
    counts: NDArray[np.int64] = count_ranks(codes).astype(np.int64)
    return counts[np.arange(codes.size), rank]


def _count_cards(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    cards: NDArray[np.int64] = count_ranks(codes).sum(axis=1).astype(np.int64)
    return cards


def natural_rank(upcard: int) -> int:
    """Return the rank that makes a natural with the upcard, 0 if none does."""
    return {ACE: TEN, TEN: ACE}.get(upcard, 0)
