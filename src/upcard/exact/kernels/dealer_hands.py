"""The dealer's final hand for many sets of removed cards, and of a dealer who looks.

Which sets of drawn cards end a hand, and in how many orders, depends on S17 or H17 alone, not on
the decks. There are 4,634 (S17) or 4,961 (H17) pairs of upcard and set. A set is split into its
low and its high cards (see `removed_sets`): 1,361 (1,401) triples of upcard, high cards and total
remain once the low cards are summed.

The chance of a set of drawn cards is a product of (cards of the rank left) / (cards left), one
factor per card. Removed sets of one group have the same factors for the dealer's low cards and for
the cards left, so these are added up once for a group, and then multiplied by the factors of the
high cards for each of its sets.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import RANKS
from upcard.core.hands import BUST_LIMIT, AceRule, hand_table
from upcard.exact.kernels.hand_sets import FIRST_HIGH, UNITS, RemovedSets, count_ranks
from upcard.kernels.jit import Floats, Integers, kernel

Start: TypeAlias = tuple[int, ...]
"""The dealer's cards that are known before any other is drawn: the upcard, or two in order."""
NATURAL_COLUMN = 5
TWENTY_TWO_COLUMN = 6
COLUMNS = 6
"""17, 18, 19, 20, 21 without a natural, natural; where a 22 pushes it has one more."""


class Prefixes(NamedTuple):
    """Sets of drawn cards, the empty one first, each after the one without its last card."""

    parent: NDArray[np.uint32]
    rank: NDArray[np.uint32]
    """The rank of the last card."""
    already: Floats
    """The number of cards of the rank before it."""


class DealerTree(NamedTuple):
    """The ends of the dealer's hand from one start.

    A sum has one column and one set of high cards; it adds up nodes, which have a set of low cards
    and a number of cards in all.
    """

    low: Prefixes
    high: Prefixes
    node_low: NDArray[np.uint32]
    node_cards: NDArray[np.uint32]
    end_node: NDArray[np.uint32]
    end_orders: Floats
    """The number of orders in which the cards of an end can come without stopping earlier."""
    first_end: NDArray[np.uint32]
    """The ends of sum s are first_end[s] up to first_end[s + 1]."""
    sum_high: NDArray[np.uint32]
    first_sum: NDArray[np.uint32]
    """The sums of column c are first_sum[c] up to first_sum[c + 1]."""

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.first_sum) - 1


class _Ends(NamedTuple):
    """Sets of drawn cards that end the dealer's hand at 17 to 21 or 22, start by start."""

    start: Integers
    """The number of the start among those with as many cards."""
    drawn: Integers
    """The number of cards of each rank, six bits per rank."""
    total: Integers
    orders: Integers


@cache
def dealer_tree(
    hits_soft_17: bool,  # noqa: FBT001 (a key of the cache)
    start: Start,
    most_total: int = BUST_LIMIT,
) -> DealerTree:
    """Lower the dealer's rule from a start: sort the ends into sums, and number their cards.

    `most_total` is 22 to distinguish a 22 from other busts.
    """
    every = _count_orders(hits_soft_17, most_total, len(start))
    number = _list_starts(len(start)).index(start)
    first, last = np.searchsorted(every.start, (number, number + 1))
    ends = _Ends(*(column[first:last] for column in every))
    cards = _count_cards(ends.drawn)
    is_natural = (ends.total == BUST_LIMIT) & (len(start) + cards == 2)
    column = np.where(is_natural, NATURAL_COLUMN, ends.total - 17)
    column[ends.total > BUST_LIMIT] = TWENTY_TWO_COLUMN
    columns = COLUMNS + most_total - BUST_LIMIT
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
        first_sum=np.searchsorted(keys[first_end, 0], np.arange(columns + 1)).astype(np.uint32),
    )


def _list_starts(cards: int) -> list[Start]:
    return list(combinations_with_replacement(RANKS, cards))


@cache
def _count_orders(hits_soft_17: bool, most_total: int, cards: int) -> _Ends:  # noqa: FBT001
    """Return the ends of all starts with this number of cards.

    Those of one start are sorted by number of cards, as first reached.
    """
    table = hand_table(AceRule.BEST)
    next_state, totals = np.array(table.next_state), np.array(table.total)
    stops = (totals > 17) | ((totals == 17) & ~(np.array(table.is_soft) & hits_soft_17))
    units = np.array(UNITS)
    starts = _list_starts(cards)
    state = np.array([table.state_of(start) for start in starts])
    start, drawn, orders = np.arange(len(starts)), np.zeros_like(state), np.ones_like(state)
    found: list[_Ends] = []
    while start.size:
        ends = stops[state]
        found.append(_Ends(start[ends], drawn[ends], totals[state[ends]], orders[ends]))
        go_on = np.flatnonzero(~ends)
        after = next_state[state[go_on]]
        fits = (after >= 0) & (totals[after] <= most_total)
        fits[:, 0] = False
        source, rank = np.nonzero(fits)
        source = go_on[source]
        key = (drawn[source] + units[rank]) * 64 + start[source]
        unique, first, which = np.unique(key, return_index=True, return_inverse=True)
        counted = np.zeros_like(unique)
        np.add.at(counted, which, orders[source])
        arrival = np.argsort(first)
        key, orders, state = unique[arrival], counted[arrival], after[fits][first[arrival]]
        drawn, start = key >> 6, key & 63
    ends_of = _Ends(*(np.concatenate(column) for column in zip(*found, strict=True)))
    by_start = np.argsort(ends_of.start, kind="stable")
    return _Ends(*(column[by_start] for column in ends_of))


def _number_prefixes(codes: Integers) -> tuple[Prefixes, Integers]:
    """Return all prefixes of sets of cards, shortest first, and the number of each set."""
    layers = [np.unique(codes)]
    while layers[-1].any():
        layers.append(np.unique(_without_last(layers[-1])))
    sets = np.unique(np.concatenate(layers))
    sets = sets[np.argsort(_count_cards(sets), kind="stable")]
    sorted_sets = np.argsort(sets)

    def number_of(some: Integers) -> Integers:
        found: Integers = sorted_sets[np.searchsorted(sets[sorted_sets], some)]
        return found

    rank, parents = _last_rank(sets), _without_last(sets)
    already = count_ranks(parents)[np.arange(sets.size), rank]
    prefixes = Prefixes(
        parent=number_of(parents).astype(np.uint32), rank=rank.astype(np.uint32), already=already
    )
    return prefixes, number_of(codes)


def _last_rank(codes: Integers) -> Integers:
    """Return the highest rank of each set of cards, 0 for the empty set."""
    last: Integers = np.searchsorted(np.array(UNITS)[1:], codes, side="right")
    return last


def _without_last(codes: Integers) -> Integers:
    """Return each set of cards without one card of its highest rank."""
    fewer: Integers = codes - np.array(UNITS)[_last_rank(codes)]
    return fewer


def _count_cards(codes: Integers) -> Integers:
    cards: Integers = count_ranks(codes).sum(axis=1).astype(np.int64)
    return cards


_LANES: Final = 64
"""Groups that are added up side by side: enough that the compiler keeps the loops over them, where
it would unroll 32 one by one, and few enough that their numbers stay near."""
_DEEPEST: Final = 13


@kernel
def list_marked(in_order: Integers, marked: NDArray[np.bool_]) -> Integers:
    """Return the marked sets, in the order of `in_order`."""
    found = np.empty(in_order.shape[0], np.int64)
    size = np.uint64(0)
    for position in range(in_order.shape[0]):
        row = in_order[position]
        found[size] = row  # without a branch: the next one takes its place
        size += np.uint64(marked[np.uint64(row)])
    return found[:size]


@kernel
def fill_dealer_totals(
    shoe: Floats,
    removed: RemovedSets,
    rows: Integers,
    start: Integers,
    tree: DealerTree,
    outcomes: Floats,
) -> None:
    """Fill `outcomes[s, column]` for the sets s of removed cards in `rows`.

    Shapes: shoe 11, start 1 or 2, outcomes s x columns. The cards of the tree's start leave the
    shoe beside the removed cards; the outcomes sum to 1 less the probability of a bust. Rows of one
    group share its sums only if they follow each other. Indices are unsigned, as one that can be
    negative is checked each time.
    """
    counts = removed.counts
    before = shoe.copy()
    for rank in start:
        before[rank] -= 1
    left = np.zeros((FIRST_HIGH, _LANES))  # row 0: cards of all ranks
    weights = np.zeros((tree.node_low.shape[0], _LANES))
    sums = np.zeros((_LANES, tree.sum_high.shape[0]))
    chances = np.empty((removed.high_kinds, tree.high.rank.shape[0]))
    has_chances = np.zeros(removed.high_kinds, np.bool_)
    first_row = np.zeros(_LANES + 1, np.int64)
    at = 0
    while at < rows.shape[0]:
        lanes, group = 0, -1
        while at < rows.shape[0]:
            row = np.uint64(rows[at])
            if removed.group[row] != group:
                if lanes == _LANES:
                    break
                group = removed.group[row]
                left[0, lanes] = 0.0
                for rank in range(1, 11):
                    left[0, lanes] += before[rank] - counts[row, rank]
                for rank in range(1, FIRST_HIGH):
                    left[rank, lanes] = before[rank] - counts[row, rank]
                for rank in start:
                    if rank < FIRST_HIGH and left[rank, lanes] <= -1:
                        left[0, lanes] = 0.0  # there is no such card
                first_row[lanes] = at
                lanes += 1
            high = np.uint64(removed.high[row])
            if not has_chances[high]:
                has_chances[high] = True
                chances[high, 0] = 1.0
                for rank in start:
                    if rank >= FIRST_HIGH and before[rank] - counts[row, rank] <= -1:
                        chances[high, 0] = 0.0
                for node in range(1, chances.shape[1]):
                    above, rank = tree.high.parent[node], tree.high.rank[node]
                    there = before[rank] - counts[row, rank] - tree.high.already[node]
                    chances[high, node] = chances[high, above] * max(there, 0.0)
            at += 1
        first_row[lanes] = at
        _sum_low_cards(left, lanes, tree, weights, sums)
        _multiply_high_cards(
            rows, first_row[: lanes + 1], removed.high, chances, sums,
            tree.first_sum, tree.sum_high, outcomes,
        )  # fmt: skip


@kernel
def _sum_low_cards(
    left: Floats, lanes: int, tree: DealerTree, weights: Floats, sums: Floats
) -> None:
    """Fill `sums` of the first `lanes` groups from the low cards that are left in each."""
    low = np.ones((tree.low.rank.shape[0], _LANES))
    per_cards = np.ones((_DEEPEST, _LANES))
    group_sum = np.zeros(_LANES)
    for drawn in range(1, _DEEPEST):
        for lane in range(_LANES):
            others = left[0, lane] - (drawn - 1)
            per_cards[drawn, lane] = per_cards[drawn - 1, lane] / others if others > 0 else 0.0
    for node in range(1, low.shape[0]):
        above, rank = tree.low.parent[node], tree.low.rank[node]
        already = tree.low.already[node]
        for lane in range(_LANES):
            low[node, lane] = low[above, lane] * max(left[rank, lane] - already, 0.0)
    for node in range(weights.shape[0]):
        cards_low, drawn_cards = tree.node_low[node], tree.node_cards[node]
        for lane in range(_LANES):
            weights[node, lane] = low[cards_low, lane] * per_cards[drawn_cards, lane]
    for number in range(sums.shape[1]):
        group_sum[:] = 0.0
        first, last = np.int64(tree.first_end[number]), np.int64(tree.first_end[number + 1])
        in_fours = last - (last - first) % 4
        # Four ends at a time load and store the sum once; the order of adding is the same.
        for end in range(first, in_fours, 4):
            node_0, orders_0 = tree.end_node[end], tree.end_orders[end]
            node_1, orders_1 = tree.end_node[end + 1], tree.end_orders[end + 1]
            node_2, orders_2 = tree.end_node[end + 2], tree.end_orders[end + 2]
            node_3, orders_3 = tree.end_node[end + 3], tree.end_orders[end + 3]
            for lane in range(_LANES):
                one = group_sum[lane] + weights[node_0, lane] * orders_0
                two = one + weights[node_1, lane] * orders_1
                three = two + weights[node_2, lane] * orders_2
                group_sum[lane] = three + weights[node_3, lane] * orders_3
        for end in range(in_fours, last):
            node_0, orders_0 = tree.end_node[end], tree.end_orders[end]
            for lane in range(_LANES):
                group_sum[lane] += weights[node_0, lane] * orders_0
        for lane in range(lanes):
            sums[lane, number] = group_sum[lane]


@kernel
def _multiply_high_cards(
    rows: Integers,
    first_row: Integers,
    high: NDArray[np.int32],
    chances: Floats,
    sums: Floats,
    first_sum: NDArray[np.uint32],
    sum_high: NDArray[np.uint32],
    outcomes: Floats,
) -> None:
    """Fill the outcomes for the rows of each group, four at a time, the last of them repeated."""
    for lane in range(first_row.shape[0] - 1):
        last = first_row[lane + 1] - 1
        of_group = sums[lane]
        for start in range(first_row[lane], last + 1, 4):
            row_0 = np.uint64(rows[start])
            row_1 = np.uint64(rows[min(start + 1, last)])
            row_2 = np.uint64(rows[min(start + 2, last)])
            row_3 = np.uint64(rows[min(start + 3, last)])
            chances_0 = chances[np.uint64(high[row_0])]
            chances_1 = chances[np.uint64(high[row_1])]
            chances_2 = chances[np.uint64(high[row_2])]
            chances_3 = chances[np.uint64(high[row_3])]
            for column in range(outcomes.shape[1]):
                sum_0 = sum_1 = sum_2 = sum_3 = 0.0
                for number in range(first_sum[column], first_sum[column + 1]):
                    cards_high, share = sum_high[number], of_group[number]
                    sum_0 += chances_0[cards_high] * share
                    sum_1 += chances_1[cards_high] * share
                    sum_2 += chances_2[cards_high] * share
                    sum_3 += chances_3[cards_high] * share
                outcomes[row_3, column] = sum_3
                outcomes[row_2, column] = sum_2
                outcomes[row_1, column] = sum_1
                outcomes[row_0, column] = sum_0


_MOST_CARDS = 32


class DealerArrays(NamedTuple):
    """A hand table and the dealer's rule, as arrays over the table's states."""

    next_state: NDArray[np.int32]
    total: Integers
    is_soft: NDArray[np.bool_]
    was_softened: NDArray[np.bool_]
    hits_soft_17: int
    stops_ahead: int
    pushes_22: int = 0


@kernel
def _draws(table: DealerArrays, state: int, player: int) -> bool:
    """Whether the dealer takes a card, by the same rule as `rules.predicates.dealer_draws`."""
    total = table.total[state]
    if table.stops_ahead:
        if table.was_softened[state]:
            return True
        if total > player:
            return False
    if total == 17 and table.hits_soft_17:
        return bool(table.is_soft[state])
    return bool(total < 17)


@kernel
def fill_looking_dealer(
    shoe: Floats,
    counts: Floats,
    totals: Integers,
    upcard: int,
    table: DealerArrays,
    nets: Floats,
    net: Floats,
    natural: Floats,
) -> None:
    """Fill the net result of standing without a dealer natural, and the chance of a dealer natural.

    `shoe` is without the upcard; row n of `counts` are the player's cards, `totals[n]` their total.
    `nets` are those of a total against the dealer's. The first card drawn is the hole card.
    """
    left = np.empty(11)
    states = np.empty(_MOST_CARDS, np.int64)
    chances = np.empty(_MOST_CARDS)
    ranks = np.empty(_MOST_CARDS, np.int64)
    start = table.next_state[0, upcard]
    for row in range(counts.shape[0]):
        cards = 0.0
        is_possible = True
        for rank in range(1, 11):
            left[rank] = shoe[rank] - counts[row, rank]
            is_possible &= left[rank] >= 0
            cards += left[rank]
        net[row] = 0.0
        natural[row] = 0.0
        if not is_possible:
            continue
        depth = 0
        states[0], chances[0], ranks[0] = start, 1.0, 0
        while depth >= 0:
            ranks[depth] += 1
            rank = ranks[depth]
            if rank > 10:
                depth -= 1
                if depth >= 0:
                    left[ranks[depth]] += 1
                    cards += 1
                continue
            if left[rank] <= 0:
                continue
            chance = chances[depth] * left[rank] / cards
            state = table.next_state[states[depth], rank]
            total = table.total[state]
            if depth == 0 and total == 21:
                natural[row] += chance
            elif total <= 21 and _draws(table, state, totals[row]):
                left[rank] -= 1
                cards -= 1
                depth += 1
                states[depth], chances[depth], ranks[depth] = state, chance, 0
            elif total > 21:
                net[row] += 0.0 if total == 22 and table.pushes_22 else chance
            else:
                net[row] += chance * nets[totals[row], total]
