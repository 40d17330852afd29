"""The input of the simulator's loop: rules, chart and count as arrays, and how a count is read."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes
from upcard.kernels.jit import lean_kernel
from upcard.kernels.randomness import at, whole

KINDS: Final = 16
"""Columns of the tables, a power of two: kinds 0 to 9 are ace to ten, 10 is a red seven."""
COUNT_BITS: Final = 40
"""Binary places of a count before it is cut to a whole number."""
MOST_HANDS: Final = 16
"""Most hands that one hand may become; if the house has no limit, more is an error."""
ROUNDS_A_FRESH_SHOE: Final = 256
"""Rounds that share a generator where the cards are shuffled every round."""

MOST_HITS: Final = 16
"""Most probed cells in one round."""


class LoweredGame(NamedTuple):
    """The rules, chart and count of the loop as tables. Rows are hand states, then pairs."""

    deck: NDArray[np.uint8]
    """The kinds of all cards of a full shoe, in any order."""
    weights: NDArray[np.int64]
    """Weight of a ten and of each other rank, for an infinite deck."""
    next_row: NDArray[np.uint8]
    """By row * KINDS + kind: the row after one more card."""
    opening: NDArray[np.uint8]
    """By kind * KINDS + kind: the row of two cards."""
    total: NDArray[np.uint8]
    """By row; 0 for a bust."""
    stops: NDArray[np.uint8]
    """By row: whether the dealer stops drawing."""
    pair_kind: NDArray[np.uint8]
    """By row: a card of the pair."""
    choice: NDArray[np.uint16]
    """By (context * rows + row) * KINDS + upcard: an action, or FIRST_DEVIATION + a number."""
    by_count: NDArray[np.uint8]
    """By deviation * counts + count: an action."""
    insures: NDArray[np.uint8]
    """By count."""
    tags: NDArray[np.int64]
    """By kind: the playing count's tag * 2**32 + the betting count's."""
    factor: NDArray[np.int64]
    """By cards dealt: the factor from running count to count, times 2**COUNT_BITS."""
    depth: NDArray[np.int64]
    """By cards dealt: the depth of the shoe."""
    rows: int
    counts: int
    least_count: int
    most_count: int
    add_positive: int
    """Added before the count is cut to a whole number, for running counts of 0 or more."""
    add_negative: int
    start_count: int
    """Both running counts after a shuffle, as `tags`."""
    cut: int
    """Rounds start as long as fewer cards have been dealt."""
    is_fresh: int
    """Whether the cards are shuffled every round."""
    is_infinite: int
    shuffled_ahead: int
    """Number of cards made ready when a shoe is shuffled."""
    spots: int
    first_step: int
    second_at: int
    """A spot's first card is at spot * first_step, its second card second_at later."""
    up_at: int
    hole_at: int
    dealt: int
    """Number of cards in an opening deal."""
    has_hole: int
    """Whether the hole card is dealt at once, and the dealer peeks."""
    takes_original: int
    insurance: int
    even_money: int
    """0 never, 1 in place of insurance, 2 before it."""
    early_surrender: int
    """Whether surrender is offered before the dealer peeks."""
    natural_beats_surrender: int
    max_hands: int
    unit: int
    natural_pays: int
    """In 1/unit."""
    least_net: int
    enter: int
    leave: int
    starts_seated: int


class Probe(NamedTuple):
    """The value of deviations: rounds replayed with another choice in some cells.

    The caller numbers the cells in question from 1; number 0 is insurance.
    """

    number: NDArray[np.uint8]
    """As `LoweredGame.choice`: the number of a cell, 0 for cells that are not in question."""
    choice: NDArray[np.uint16]
    """As `LoweredGame.choice`: the other action of the cell."""
    sums: NDArray[np.int64]
    """(numbers, counts, 5): rounds, sum and sum of squares of the other choice's gain at unit
    bet, then sum and sum of squares at the round's bet."""
    bets: NDArray[np.int64]
    """By count before the deal: the bet of a round."""


@lean_kernel
def convert_count(
    running: int, place: int, factor: NDArray[np.int64], add_positive: int, add_negative: int
) -> int:
    """Convert a running count to the count that decides, with `place` cards dealt."""
    scaled = running * factor[np.uint64(min(place, len(factor) - 1))]
    scaled += add_negative if running < 0 else add_positive
    count: int = scaled >> COUNT_BITS
    return count


@lean_kernel
def unpack_bet(running: int) -> int:
    """Return the betting count of two running counts in one word."""
    return whole(((running + (1 << 31)) & ((1 << 32) - 1)) - (1 << 31))


@lean_kernel
def count_play(
    game: LoweredGame, running: int, running_before: int, position: int, begin: int
) -> int:
    """Return the row of the playing count in the middle of a round."""
    addends = game.add_positive, game.add_negative
    bounds = (game.start_count, *addends, game.least_count, game.most_count)
    return convert_play_count(running, running_before, position, begin, game.factor, bounds)


@lean_kernel
def convert_play_count(
    running: int,
    running_before: int,
    position: int,
    begin: int,
    factor: NDArray[np.int64],
    bounds: tuple[int, int, int, int, int],
) -> int:
    """Return what `count_play` does.

    `bounds`: the start of both counts, the two addends, the least and the greatest count.
    """
    start_count, add_positive, add_negative, least_count, most_count = bounds
    if position > len(factor):
        # The shoe ran out and took the discards back: only the cards of this round are out.
        running += start_count - running_before
        position -= begin
    running = (running + (1 << 31)) >> 32
    count = convert_count(running, position, factor, add_positive, add_negative)
    return min(max(count, least_count), most_count) - least_count


@lean_kernel
def deviate(
    game: LoweredGame, action: int, running: int, running_before: int, position: int, begin: int
) -> int:
    """Return the action of a hand where the count decides; `action` is the deviation's number."""
    row = count_play(game, running, running_before, position, begin)
    return whole(game.by_count[at((action - codes.FIRST_DEVIATION) * game.counts + row)])
