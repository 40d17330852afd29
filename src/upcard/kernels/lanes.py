"""Lanes of the lockstep: what each of the shoes that are played side by side remembers.

A lane is one word of 64 bits: the row of its sums (20 bits), the place of its next card (20), its
number (8) and its step of the automaton (16).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.automaton import OUTCOMES, Automaton, NoFitError
from upcard.kernels.game import KINDS, LoweredGame
from upcard.kernels.jit import inlined_kernel
from upcard.kernels.randomness import STATE_WORDS
from upcard.kernels.room import most_round_cards
from upcard.kernels.shoe_batch import ShoeBatch, make_batch
from upcard.kernels.split_hands import HAND_FIELDS

LANES: Final = 64
"""Few enough that the cards of all of them stay near the processor."""
QUEUE: Final = np.uint64(LANES + 8)
ENDED: Final = np.uint64(2) * QUEUE
OVER: Final = np.uint64(4) * QUEUE
"""Places of the queues in `Lanes.words`, after those that go on and, at `QUEUE`, that are rare."""
MOST_ROWS: Final = 1 << 20
MOST_PLACES: Final = 1 << 20

LANE: Final = np.uint64(16)
PLACE: Final = np.uint64(24)
ROW: Final = np.uint64(44)
"""Places of the parts of a word: bits to the right of them."""
STEP_MASK: Final = np.uint64(0xFFFF)
LANE_MASK: Final = np.uint64(0xFF)
PLACE_MASK: Final = np.uint64(MOST_PLACES - 1)

LANE_FIELDS: Final = np.uint64(8)
_FIELDS: Final = np.uint64(5) * QUEUE
RUNNING, BEFORE, SEAT, BEGIN, BASE, CUT = (_FIELDS + np.uint64(field) for field in range(6))
"""Fields in `Lanes.words`: of a lane, at lane * LANE_FIELDS + field."""
POSITIONS: Final = _FIELDS + np.uint64(LANES) * LANE_FIELDS
"""Place of the table of positions in `Lanes.words`."""


_ENDS_BIT: Final = np.uint64(15)


class Lanes(NamedTuple):
    """The memory of the lanes, made by `make_lanes`: the compiled loop makes no array."""

    cards: NDArray[np.uint8]
    """The shoe of each lane, one after the other."""
    batch: ShoeBatch
    """The next shoes, shuffled together."""
    states: NDArray[np.uint64]
    """By lane: the state of its generator."""
    ready: NDArray[np.int64]
    """By lane: cards of the shoe that are ready, -1 before the first one."""
    sizes: NDArray[np.int64]
    """By lane: cards of the shoe, with the discards that were shuffled back in."""
    rounds_here: NDArray[np.int64]
    """By lane: finished rounds of one generator, where every round is dealt from a fresh shoe."""
    hands: NDArray[np.int64]
    """By lane: the hands of a split round."""
    words: NDArray[np.uint64]
    """Queues, fields and positions, in one array, because it has one address to keep in a register.

    The queues hold the words of the lanes that go on, that take a rare step, twice those whose
    round ended, in this pass and in the last one, and those whose shoe is over or has too few
    cards ready: `QUEUE` each.

    The fields of a lane are the running counts now and before the round, whether the player sits,
    the places of the first card of the round, of the first card of the shoe, and of the cut card.

    A position is a number of cards dealt. At POSITIONS + 2 * position stands what a round that
    begins there adds to the word, its first row of sums and the cards of a deal; then the factor
    from running count to count."""
    sums: NDArray[np.uint32]
    """By row * OUTCOMES + outcome: rounds."""
    pair_tags: NDArray[np.int64]
    """As the first two parts of `deal`: the tags of the cards that are dealt."""
    deal: NDArray[np.uint16]
    """`pair_of`, `back_of` and `start` of the automaton, in one array for the same reason. The
    index of two cards is the later one * KINDS + the earlier one; a fourth card that is not dealt
    yet makes no difference."""
    limits: NDArray[np.int64]
    """By seat before the round: the least count with which the player sits in it."""


@inlined_kernel
def queue_lane(
    words: NDArray[np.uint64],
    word: np.uint64,
    step: np.uint64,
    after_going: np.uint64,
    after_ended: np.uint64,
) -> tuple[np.uint64, np.uint64]:
    """Append a lane to those that go on or that have ended; return the places after both.

    It is written to both: which one keeps it is hard to predict, so there is no branch.
    """
    words[after_going] = word
    words[after_ended] = word
    ends = step >> _ENDS_BIT
    return after_going + (np.uint64(1) - ends), after_ended + ends


def check_fit(game: LoweredGame, rows: int) -> int:
    """Return the cards that each lane has room for, where the word of a lane holds `rows` of sums.

    Raises: NoFitError for more rows or cards than the word holds.
    """
    stride = 2 * len(game.deck) + most_round_cards(game)
    if rows > MOST_ROWS or (LANES + 1) * stride > MOST_PLACES:
        raise NoFitError(f"{rows} rows of sums of a shoe of {len(game.deck)} cards")
    return stride


def make_lanes(game: LoweredGame, tables: Automaton, rows: int) -> Lanes:
    """Make the memory of a call of `play_shoes` with `rows` rows of sums.

    Raises: NoFitError for more rows or cards than the word of a lane holds.
    """
    size = len(game.deck)
    stride = check_fit(game, rows)
    tags = np.tile(game.tags, (KINDS, 1))
    back_of = tables.back_of.reshape(KINDS, KINDS)
    if not game.has_hole:
        back_of = np.tile(back_of.diagonal(), (KINDS, 1))
    elif game.up_at < game.hole_at:
        back_of = back_of.T
    words = np.zeros(int(POSITIONS) + 2 * size, np.uint64)
    fields = words[int(_FIELDS) : int(POSITIONS)].reshape(LANES, int(LANE_FIELDS))
    fields[:, int(BASE - _FIELDS)] = np.arange(LANES) * stride
    fields[:, int(CUT - _FIELDS)] = np.arange(LANES) * stride + (1 if game.is_fresh else game.cut)
    row = (2 * game.depth + game.starts_seated) * game.counts
    positions = words[int(POSITIONS) :].reshape(size, 2)
    positions[:, 0] = (row.astype(np.uint64) << ROW) + (np.uint64(game.dealt) << PLACE)
    positions[:, 1] = game.factor[:size].astype(np.uint64)
    return Lanes(
        cards=np.zeros(LANES * stride, np.uint8),
        batch=make_batch(size),
        states=np.zeros((LANES, STATE_WORDS), np.uint64),
        ready=np.full(LANES, -1, np.int64),
        sizes=np.zeros(LANES, np.int64),
        rounds_here=np.zeros(LANES, np.int64),
        hands=np.zeros((LANES, HAND_FIELDS), np.int64),
        words=words,
        sums=np.zeros(rows * OUTCOMES, np.uint32),
        pair_tags=np.concatenate(
            ((tags.T + tags).ravel(), (tags + tags.T * game.has_hole).ravel())
        ),
        deal=np.concatenate(
            (tables.pair_of.reshape(KINDS, KINDS).T.ravel(), back_of.ravel(), tables.start)
        ),
        limits=np.array([game.enter, game.leave], np.int64),
    )
