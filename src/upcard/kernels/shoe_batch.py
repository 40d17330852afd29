"""Shoes that are shuffled together: their random words in vectors, their cards one by one.

Shoes that follow each other are in the same place of the same loop, each with its own generator,
so LLVM turns the loop over them into vector instructions. The cards, the states and the numbers of
ready cards are those of `kernels.randomness.shuffle`, which is the reference and ends each shoe.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import lean_kernel
from upcard.kernels.randomness import (
    STATE_WORDS,
    advance,
    at,
    fix_three,
    pick_three,
    seed_state,
    swap_picked,
    whole,
)
from upcard.kernels.shoes import lay_out

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
    slots: NDArray[np.uint64]
    """By row, then by shoe: four words of a state, the place of the next card in `cards`, the
    number of cards that are not fixed, the random word, a number whose sign says that the word may
    be biased, and six products whose upper halves are the picks."""
    first: NDArray[np.uint64]
    """The state of a shoe when it is seeded."""


def make_batch(size: int) -> ShoeBatch:
    """Make the memory for shoes of `size` cards."""
    return ShoeBatch(
        cards=np.zeros(6 + BATCH * size, np.uint32),
        slots=np.zeros(int(_END), np.uint64),
        first=np.zeros(STATE_WORDS, np.uint64),
    )


@lean_kernel
def shuffle_batch(
    batch: ShoeBatch,
    deck: NDArray[np.uint8],
    stop: int,
    seed: np.uint64,
    chunk: np.uint64,
    shoe: np.uint64,
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
        seed_state(first, seed, chunk, shoe + _u(slot))
        for word in range(STATE_WORDS):
            slots[BATCH * word + slot] = first[word]
        slots[_PLACE + _u(slot)] = place
        slots[_LEFT + _u(slot)] = size
    for _ in range(size, max(size - stop, 5), -6):  # cards that are not fixed
        if _draw_picks(slots):
            _fix_doubtful(cards, slots)
        _swap(cards, slots)


@lean_kernel
def take_shoe(
    batch: ShoeBatch, slot: int, size: int, cards: NDArray[np.uint8], state: NDArray[np.uint64]
) -> int:
    """Copy a shoe to `cards` and `state`; return the first place that `shuffle` has to fix."""
    slots = batch.slots
    for word in range(STATE_WORDS):
        state[word] = slots[BATCH * word + slot]
    begin = 6 + slot * size
    lay_out(batch.cards[begin : begin + size], cards)
    return whole(slots[_PLACE + _u(slot)]) - begin


@lean_kernel
def _draw_picks(slots: NDArray[np.uint64]) -> np.uint64:
    """Draw a word of each shoe and make six picks of it; return 1 if some may be biased."""
    signs = _u(0)
    for number in range(BATCH):
        slot = at(number)
        word, s0, s1, s2, s3 = advance(
            slots[slot], slots[slot + _S1], slots[slot + _S2], slots[slot + _S3]
        )
        slots[slot], slots[slot + _S1], slots[slot + _S2], slots[slot + _S3] = s0, s1, s2, s3
        slots[slot + _WORD] = word
        left = slots[slot + _LEFT] & _LOW
        first, second, third, ways = pick_three(word & _LOW, left)
        slots[slot + _P0], slots[slot + _P1], slots[slot + _P2] = first, second, third
        sign = (third & _LOW) - ways
        left = (left - _THREE) & _LOW
        first, second, third, ways = pick_three(word >> _HALF, left)
        slots[slot + _P3], slots[slot + _P4], slots[slot + _P5] = first, second, third
        sign |= (third & _LOW) - ways
        slots[slot + _LEFT] = left - _THREE
        slots[slot + _SIGN] = sign
        signs |= sign
    return signs >> _SIXTY_THREE


@lean_kernel
def _fix_doubtful(cards: NDArray[np.uint32], slots: NDArray[np.uint64]) -> None:
    """Fix the cards of words that may be biased one by one, and leave no swap of them to do."""
    for number in range(BATCH):
        slot = at(number)
        if slots[slot + _SIGN] >> _SIXTY_THREE:
            place, left = slots[slot + _PLACE], slots[slot + _LEFT] + _SIXES
            word = slots[slot + _WORD]
            fixed = fix_three(cards, place, left, word & _LOW)
            fixed += fix_three(cards, place + fixed, left - fixed, word >> _HALF)
            slots[slot + _LEFT] = left - fixed
            # Six swaps of a card with itself follow.
            slots[slot + _PLACE] = place + fixed - _SIXES
            for part in range(6):
                slots[slot + _P0 + _u(part * BATCH)] = 0


@lean_kernel
def _swap(cards: NDArray[np.uint32], slots: NDArray[np.uint64]) -> None:
    """Swap the next six cards of each shoe with those that were picked."""
    for number in range(BATCH):
        slot = at(number)
        place = slots[slot + _PLACE]
        for part in range(6):
            swap_picked(cards, place, slots[slot + _P0 + _u(part * BATCH)])
            place += _ONE
        slots[slot + _PLACE] = place
