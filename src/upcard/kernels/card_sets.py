"""All sets of drawn cards up to a sum, numbered, so that a set needs no table of its own.

A layer is the sets of one size, sorted by sum; the sets up to any smaller sum come first in it. A
set's place among those of its size and sum follows from the number of ways to complete it: one sum
of table entries, no search and no hash table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.core.cards import RANKS, TEN
from upcard.kernels.jit import kernel


class CardSets(NamedTuple):
    """Numbering of the sets of cards that a shoe can deal, up to a sum of their ranks."""

    most_sum: int
    before: NDArray[np.int64]
    """10 x n x s x c: of the sets of n cards with the sum s from this rank (1 to 9) up, how many
    have fewer than c cards of it."""
    first: NDArray[np.int64]
    """n x s: the place in layer n of the first set with this sum, for sums to most_sum + 1."""

    @property
    def layers(self) -> int:
        """The number of sizes, from 0 cards up."""
        return int(self.first.shape[0])


def count_sets(shoe: NDArray[np.float64], most_sum: int) -> NDArray[np.float64]:
    """Return the number of sets by size and sum. Shape: n x s."""
    ways = np.ones((1, 1))
    for rank in RANKS:
        ways = _add_rank(ways, rank, int(shoe[rank]), most_sum)
    return ways


def number_sets(shoe: NDArray[np.float64], most_sum: int) -> CardSets:
    """Return the numbering of the sets that `shoe` can deal."""
    ways = [np.ones((1, 1))]
    for rank in reversed(RANKS):
        ways.append(_add_rank(ways[-1], rank, int(shoe[rank]), most_sum))
    sizes = ways[-1].shape[0]
    deepest = int(max(shoe[1:])) + 1
    before = np.zeros((TEN, sizes, most_sum + 1, deepest + 1), dtype=np.int64)
    for rank in RANKS[:-1]:
        above = ways[TEN - rank]
        for drawn in range(min(deepest, most_sum // rank + 1)):
            counted = before[rank, :, :, drawn + 1]
            counted[:] = before[rank, :, :, drawn]
            rows = min(above.shape[0], sizes - drawn)
            columns = min(above.shape[1], most_sum + 1 - drawn * rank)
            if rows > 0 and columns > 0:
                counted[drawn : drawn + rows, drawn * rank : drawn * rank + columns] += above[
                    :rows, :columns
                ].astype(np.int64)
    full = np.zeros((sizes, most_sum + 1), dtype=np.int64)
    full[:, : ways[-1].shape[1]] = ways[-1]
    first = np.zeros((sizes, most_sum + 2), dtype=np.int64)
    np.cumsum(full, axis=1, out=first[:, 1:])
    return CardSets(most_sum, before, first)


def _add_rank(
    ways: NDArray[np.float64], rank: int, cards: int, most_sum: int
) -> NDArray[np.float64]:
    """Return the number of sets by size and sum, with up to `cards` of one more rank."""
    cards = min(cards, most_sum // rank)
    columns = min(ways.shape[1] + cards * rank, most_sum + 1)
    more = np.zeros((ways.shape[0] + cards, columns))
    for drawn in range(cards + 1):
        wide = min(ways.shape[1], columns - drawn * rank)
        if wide > 0:
            part = more[drawn : drawn + ways.shape[0], drawn * rank : drawn * rank + wide]
            part += ways[:, :wide]
    used = np.flatnonzero(more.any(axis=1))
    return more[: used[-1] + 1]


@kernel
def find_place(
    before: NDArray[np.int64],
    first: NDArray[np.int64],
    counts: NDArray[np.int64],
    size: int,
    total: int,
) -> int:
    """Return the place of a set in its layer."""
    place: int = first[size, total]
    for rank in range(1, 10):
        drawn = counts[rank]
        place += before[rank, size, total, drawn]
        size -= drawn
        total -= drawn * rank
        if size == 0:
            break
    return place


@kernel
def fill_counts(
    before: NDArray[np.int64],
    first: NDArray[np.int64],
    shoe: NDArray[np.float64],
    size: int,
    start: int,
    end: int,
    counts: NDArray[np.int64],
) -> None:
    """Write the sets from `start` up to `end` of a layer into `counts`, row by row."""
    total = 0
    for place in range(start, end):
        while first[size, total + 1] <= place:
            total += 1
        rest = place - first[size, total]
        cards_left, sum_left = size, total
        row = counts[place - start]
        row[:] = 0
        for rank in range(1, 10):
            drawn = 0
            while (
                drawn < shoe[rank]
                and drawn < cards_left
                and before[rank, cards_left, sum_left, drawn + 1] <= rest
            ):
                drawn += 1
            rest -= before[rank, cards_left, sum_left, drawn]
            row[rank] = drawn
            cards_left -= drawn
            sum_left -= drawn * rank
        row[10] = cards_left
