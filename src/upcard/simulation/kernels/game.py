"""The input of the simulator's loop: rules, chart and count as arrays."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

KINDS: Final = 16
"""Columns of the tables, a power of two: kinds 0 to 9 are ace to ten, 10 is a red seven."""
RANK_OF_KIND: Final = (*range(1, 11), 7)
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
    result_of: NDArray[np.uint8]
    """By row: the result of a hand that ends there, its total unless it wins at once. It may be
    BY_SUIT_678 or BY_SUIT_777."""
    stops: NDArray[np.uint8]
    """By row: whether the dealer stops drawing."""
    dealer_result_of: NDArray[np.uint8]
    """By row: the dealer's result, its total, unless it is bust."""
    pair_kind: NDArray[np.uint8]
    """By row: a card of the pair."""
    choice: NDArray[np.uint16]
    """By (context * rows + row) * KINDS + upcard: an action, or FIRST_DEVIATION + a number; `seen`
    entries for each kind of a hole card that is seen."""
    doubling: NDArray[np.uint8]
    """By context * rows + row: the bits of a wager that a double adds."""
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
    net_of: NDArray[np.int64]
    """By (wager * DEALERS + the dealer's result) * RESULTS + a hand's: its net, in 1/unit."""
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
    seen: int
    """Entries of `choice` for a kind of hole card; 0 if the player does not see it."""
    natural_takes: int
    """TAKES_ALL to TAKES_BUSTED_AND_ONE."""
    double_stake: int
    """Bets on a hand that doubled once."""
    free_splits: int
    """By kind, a bit each: whether the house pays for the split of a pair."""
    insurance: int
    insurance_pays: int
    """Net of an insurance bet that wins, in 1/unit."""
    even_money: int
    """0 never, 1 in place of insurance, 2 before it."""
    early_surrender: int
    """By kind of upcard, a bit each: whether surrender is offered before the dealer peeks."""
    max_hands: int
    max_ace_hands: int
    unit: int
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
    """(numbers, counts, 6): rounds, sum and sum of squares of the other choice's gain at unit
    bet, sum and sum of squares at the round's bet, and what it adds to the square of the net."""
    bets: NDArray[np.int64]
    """By count before the deal: the bet of a round."""
