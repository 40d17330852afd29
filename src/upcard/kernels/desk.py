"""`Desk`: many tables in the middle of a round, as flat arrays for the simulator's loop.

A round of one hand goes on from the cell of its question (`kernels.resuming`). Of any other round a
table keeps only the answers so far: a step plays it again from its first card, with one answer
more, up to the first question that has no answer yet. `choice` of its
game has the bits of the legal answers, 0 where nothing is asked. A slice of an array is an object
that is counted, so the loop adds a base to each index instead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Desk(NamedTuple):
    """Arrays of all tables; with `n` tables, table `i` has the `i`-th part of each."""

    todo: NDArray[np.int64]
    """Tables to play, in order."""
    tables: NDArray[np.int64]
    """Tables whose round has ended; room for a list."""
    fields: NDArray[np.int32]
    """n * FIELDS: a line of the processor's cache each, as every step reads them."""
    legal: NDArray[np.uint8]
    """n: bits of the actions that the table's question allows."""
    shoes: NDArray[np.int32]
    """n * 2: shoes so far, and the cards of this one."""
    cards: NDArray[np.uint8]
    """n * `width`."""
    states: NDArray[np.uint64]
    """n * STATE_WORDS: the generator of each shoe."""
    keeps_credit: int
    """Whether rounds that go on from where they stand write `trail`, `nets` and `levels`."""
    answers: NDArray[np.int8]
    """n * `most_answers`: the answers of the round."""
    trail: NDArray[np.int32]
    """As `answers`: what each answer decided about."""
    nets: NDArray[np.int32]
    """n * `most_hands`: net of each hand of a round that is over, in 1/unit."""
    levels: NDArray[np.int8]
    """As `nets`: the hands of its spot that waited when a hand was finished."""
    running: NDArray[np.int64]
    """n * 2: the running counts before the round, and now."""
    sits_out: NDArray[np.int8]
    """By choice of bet: whether another player, who plays like the dealer, takes the cards."""
    width: int
    most_answers: int
    most_hands: int
