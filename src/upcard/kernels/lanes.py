"""Lanes of the lockstep: what each of the shoes that are played side by side remembers.

A lane is one word of 64 bits: the row of its sums (20 bits), the place of its next card (20), its
number (8) and its step of the automaton (16).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.automaton import OUTCOMES, NoFitError
from upcard.kernels.game import KINDS, MOST_HANDS, LoweredGame
from upcard.kernels.randomness import STATE_WORDS
from upcard.kernels.split_hands import HAND_FIELDS

LANES: Final = 128
MOST_ROWS: Final = 1 << 20
MOST_PLACES: Final = 1 << 20

LANE: Final = np.uint64(16)
PLACE: Final = np.uint64(24)
ROW: Final = np.uint64(44)
"""Places of the parts of a word: bits to the right of them."""
STEP_MASK: Final = np.uint64(0xFFFF)
LANE_MASK: Final = np.uint64(0xFF)
PLACE_MASK: Final = np.uint64(MOST_PLACES - 1)


class Lanes(NamedTuple):
    """The memory of the lanes, made by `make_lanes`: the compiled loop makes no array."""

    cards: NDArray[np.uint8]
    """The shoe of each lane, one after the other."""
    states: NDArray[np.uint64]
    """By lane: the state of its generator."""
    ready: NDArray[np.int64]
    """By lane: cards of the shoe that are ready, -1 before the first one."""
    sizes: NDArray[np.int64]
    """By lane: cards of the shoe, with the discards that were shuffled back in."""
    running: NDArray[np.int64]
    before: NDArray[np.int64]
    """By lane: the running counts now, and before the round."""
    seats: NDArray[np.int64]
    """By lane: whether the player sits."""
    begins: NDArray[np.uint64]
    """By lane: the place of the first card of the round."""
    rounds_here: NDArray[np.int64]
    """By lane: finished rounds of one generator, where every round is dealt from a fresh shoe."""
    hands: NDArray[np.int64]
    """By lane: the hands of a split round."""
    queues: NDArray[np.uint64]
    """Words of the lanes whose round ended, ended in this pass, goes on, or takes a rare step."""
    sums: NDArray[np.uint32]
    """By row * OUTCOMES + outcome: rounds."""
    pair_tags: NDArray[np.int64]
    back_tags: NDArray[np.int64]
    """As `Automaton.pair_of` and `back_of`: the tags of the cards that are dealt."""
    row_at: NDArray[np.uint64]
    """By cards dealt: the first row of sums of a round that begins there."""
    limits: NDArray[np.int64]
    """By seat before the round: the least count with which the player sits in it."""


def make_lanes(game: LoweredGame, rows: int) -> Lanes:
    """Make the memory of a call of `play_shoes` with `rows` rows of sums.

    Raises: NoFitError for more rows or cards than the word of a lane holds.
    """
    size = len(game.deck)
    stride = 2 * size + MOST_HANDS * 22 + 64  # as the direct loop
    if rows > MOST_ROWS or (LANES + 1) * stride > MOST_PLACES:
        raise NoFitError(f"{rows} rows of sums of a shoe of {size} cards")
    tags = np.tile(game.tags, (KINDS, 1))
    # A round begins before the cards run out, or from a fresh shoe.
    depth = np.concatenate((game.depth, np.repeat(game.depth[-1:], stride - size)))
    return Lanes(
        cards=np.zeros(LANES * stride, np.uint8),
        states=np.zeros((LANES, STATE_WORDS), np.uint64),
        ready=np.full(LANES, -1, np.int64),
        sizes=np.zeros(LANES, np.int64),
        running=np.zeros(LANES, np.int64),
        before=np.zeros(LANES, np.int64),
        seats=np.zeros(LANES, np.int64),
        begins=np.zeros(LANES, np.uint64),
        rounds_here=np.zeros(LANES, np.int64),
        hands=np.zeros((LANES, HAND_FIELDS), np.int64),
        queues=np.zeros((4, LANES + 1), np.uint64),
        sums=np.zeros(rows * OUTCOMES, np.uint32),
        pair_tags=(tags.T + tags).ravel(),
        back_tags=(tags.T + tags * game.has_hole).ravel(),
        row_at=(depth * 2 * game.counts).astype(np.uint64),
        limits=np.array([game.enter, game.leave], np.int64),
    )
