"""Lanes of the lockstep: what each shoe played side by side remembers, and their shuffles.

A lane is one word of 64 bits: the row of its sums (20 bits), the place of its next card (20), its
number (8) and its step of the automaton (16).

The next shoes are shuffled `BATCH` at a time, by one loop over all of them, each with its own
generator: LLVM makes vector instructions of it. The cards, the states and the numbers of ready
cards are those of `simulation.kernels.randomness.shuffle`, the reference, which ends each shoe.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import Bytes, Integers, Words, inlined_kernel, lean_kernel
from upcard.simulation.kernels import randomness
from upcard.simulation.kernels.game import KINDS, LoweredGame
from upcard.simulation.kernels.lockstep import automaton
from upcard.simulation.kernels.randomness import at, whole
from upcard.simulation.kernels.shoes import lay_out, most_round_cards

BATCH: Final = 16
"""Shoes that are shuffled together."""
_u: Final = np.uint64
_SIXES: Final = _u(6)
_S1, _S2, _S3, _PLACE, _LEFT, _WORD, _SIGN, _P0, _P1, _P2, _P3, _P4, _P5, _END = (
    _u(BATCH * row) for row in range(1, 15)
)
"""Rows of `ShoeBatch.slots`; the first one holds the first words of the states."""
_LOW: Final = _u(0xFFFFFFFF)
_HALF: Final = _u(32)
_SIXTY_THREE: Final = _u(63)
_ONE, _THREE = _u(1), _u(3)


class ShoeBatch(NamedTuple):
    """The memory of the shoes that are shuffled together."""

    cards: NDArray[np.uint32]
    """Six cards of no use, then shoe by shoe. They have 32 bits, because an AMD Zen 3 that loads a
    byte waits for the stores to its neighbours, which doubles the time of a swap."""
    slots: Words
    """By row, then by shoe: four words of a state, the place of the next card in `cards`, the
    number of cards that are not fixed, the random word, a number whose sign says that the word may
    be biased, and six products whose upper halves are the picks."""
    first: Words
    """The state of a shoe when it is seeded."""


def make_batch(size: int) -> ShoeBatch:
    """Make the memory for shoes of `size` cards."""
    return ShoeBatch(
        cards=np.zeros(6 + BATCH * size, np.uint32),
        slots=np.zeros(int(_END), np.uint64),
        first=np.zeros(randomness.STATE_WORDS, np.uint64),
    )


@lean_kernel
def shuffle_batch(
    batch: ShoeBatch, deck: Bytes, stop: int, seed: np.uint64, chunk: np.uint64, shoe: np.uint64
) -> None:
    """Shuffle the shoes from `shoe` on as far as words of all of them are needed for `stop` cards.

    What `take_shoe` then leaves is for `shuffle`: nothing, but for the last few cards of a shoe, or
    of one that lost half a word.
    """
    cards, slots, first = batch.cards, batch.slots, batch.first
    size = len(deck)
    for slot in range(BATCH):
        place = 6 + slot * size
        lay_out(deck, cards[place : place + size])
        randomness.seed_state(first, seed, chunk, shoe + _u(slot))
        for word in range(randomness.STATE_WORDS):
            slots[BATCH * word + slot] = first[word]
        slots[_PLACE + _u(slot)] = place
        slots[_LEFT + _u(slot)] = size
    for _ in range(size, max(size - stop, 5), -6):  # cards that are not fixed
        if _draw_picks(slots):
            _fix_doubtful(cards, slots)
        _swap(cards, slots)


@lean_kernel
def take_shoe(batch: ShoeBatch, slot: int, size: int, cards: Bytes, state: Words) -> int:
    """Copy a shoe to `cards` and `state`; return the first place that `shuffle` has to fix."""
    slots = batch.slots
    for word in range(randomness.STATE_WORDS):
        state[word] = slots[BATCH * word + slot]
    begin = 6 + slot * size
    lay_out(batch.cards[begin : begin + size], cards)
    return whole(slots[_PLACE + _u(slot)]) - begin


@lean_kernel
def _draw_picks(slots: Words) -> np.uint64:
    """Draw a word of each shoe and make six picks of it; return 1 if some may be biased."""
    signs = _u(0)
    for number in range(BATCH):
        slot = at(number)
        word, s0, s1, s2, s3 = randomness.advance(
            slots[slot], slots[slot + _S1], slots[slot + _S2], slots[slot + _S3]
        )
        slots[slot], slots[slot + _S1], slots[slot + _S2], slots[slot + _S3] = s0, s1, s2, s3
        slots[slot + _WORD] = word
        left = slots[slot + _LEFT] & _LOW
        first, second, third, ways = randomness.pick_three(word & _LOW, left)
        slots[slot + _P0], slots[slot + _P1], slots[slot + _P2] = first, second, third
        sign = (third & _LOW) - ways
        left = (left - _THREE) & _LOW
        first, second, third, ways = randomness.pick_three(word >> _HALF, left)
        slots[slot + _P3], slots[slot + _P4], slots[slot + _P5] = first, second, third
        sign |= (third & _LOW) - ways
        slots[slot + _LEFT] = left - _THREE
        slots[slot + _SIGN] = sign
        signs |= sign
    return signs >> _SIXTY_THREE


@lean_kernel
def _fix_doubtful(cards: NDArray[np.uint32], slots: Words) -> None:
    """Fix the cards of words that may be biased one by one, and leave no swap of them to do."""
    for number in range(BATCH):
        slot = at(number)
        if slots[slot + _SIGN] >> _SIXTY_THREE:
            place, left = slots[slot + _PLACE], slots[slot + _LEFT] + _SIXES
            word = slots[slot + _WORD]
            fixed = randomness.fix_three(cards, place, left, word & _LOW)
            fixed += randomness.fix_three(cards, place + fixed, left - fixed, word >> _HALF)
            slots[slot + _LEFT] = left - fixed
            # Six swaps of a card with itself follow.
            slots[slot + _PLACE] = place + fixed - _SIXES
            for part in range(6):
                slots[slot + _P0 + _u(part * BATCH)] = 0


@lean_kernel
def _swap(cards: NDArray[np.uint32], slots: Words) -> None:
    """Swap the next six cards of each shoe with those that were picked."""
    for number in range(BATCH):
        slot = at(number)
        place = slots[slot + _PLACE]
        for part in range(6):
            randomness.swap_picked(cards, place, slots[slot + _P0 + _u(part * BATCH)])
            place += _ONE
        slots[slot + _PLACE] = place


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

    cards: Bytes
    """The shoe of each lane, one after the other."""
    batch: ShoeBatch
    """The next shoes, shuffled together."""
    states: Words
    """By lane: the state of its generator."""
    ready: Integers
    """By lane: cards of the shoe that are ready, -1 before the first one."""
    sizes: Integers
    """By lane: cards of the shoe, with the discards that were shuffled back in."""
    rounds_here: Integers
    """By lane: finished rounds of one generator, where every round is dealt from a fresh shoe."""
    hands: Integers
    """By lane: the hands of a split round."""
    words: Words
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
    pair_tags: Integers
    """As the first two parts of `deal`: the tags of the cards that are dealt."""
    deal: NDArray[np.uint16]
    """`pair_of`, `back_of` and `start` of the automaton, in one array for the same reason. The
    index of two cards is the later one * KINDS + the earlier one; a fourth card that is not dealt
    yet makes no difference."""
    limits: Integers
    """By seat before the round: the least count with which the player sits in it."""


@inlined_kernel
def queue_lane(
    words: Words, word: np.uint64, step: np.uint64, after_going: np.uint64, after_ended: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Append a lane to those that go on or that have ended; return the places after both.

    It is written to both: which one keeps it is hard to predict, so there is no branch.
    """
    words[after_going] = word
    words[after_ended] = word
    ends = step >> _ENDS_BIT
    return after_going + (np.uint64(1) - ends), after_ended + ends


def check_fit(game: LoweredGame, rows: int) -> int:
    """Return the cards that each lane has room for, if the word of a lane holds `rows` of sums."""
    stride = 2 * len(game.deck) + most_round_cards(game)
    if rows > MOST_ROWS or (LANES + 1) * stride > MOST_PLACES:
        raise automaton.NoFitError(f"{rows} rows of sums of a shoe of {len(game.deck)} cards")
    return stride


def make_lanes(game: LoweredGame, tables: automaton.Automaton, rows: int) -> Lanes:
    """Make the memory of a call of `play_shoes` with `rows` rows of sums."""
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
        states=np.zeros((LANES, randomness.STATE_WORDS), np.uint64),
        ready=np.full(LANES, -1, np.int64),
        sizes=np.zeros(LANES, np.int64),
        rounds_here=np.zeros(LANES, np.int64),
        hands=np.zeros((LANES, automaton.HAND_FIELDS), np.int64),
        words=words,
        sums=np.zeros(rows * automaton.OUTCOMES, np.uint32),
        pair_tags=np.concatenate(
            ((tags.T + tags).ravel(), (tags + tags.T * game.has_hole).ravel())
        ),
        deal=np.concatenate(
            (tables.pair_of.reshape(KINDS, KINDS).T.ravel(), back_of.ravel(), tables.start)
        ),
        limits=np.array([game.enter, game.leave], np.int64),
    )
