"""The generator of the simulator: xoshiro256++, its seeding, and exact draws from it.

It is our own because numpy's variate algorithms may change between versions, and a seed must
always give the same rounds. Source: Blackman and Vigna, Scrambled linear pseudorandom number
generators (2021); SplitMix64 for seeding, as they advise; Lemire, Fast random integer generation in
an interval (2019), for draws without bias.
"""

from typing import Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import Bytes, Integers, Words, inlined_kernel, lean_kernel

Card = TypeVar("Card", np.uint8, np.uint32)
STATE_WORDS: Final = 4
whole: Final = cast("type[int]", np.int64)
"""The number type of the compiled code."""
at: Final = cast("type[int]", np.uint64)
"""An unsigned index, which saves a loop the check for negative indices."""
_GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_LOW: Final = np.uint64(0xFFFFFFFF)
_RANGE: Final = np.uint64(1 << 32)
_THIRTY: Final = np.uint64(30)
_TWENTY_SEVEN: Final = np.uint64(27)
_THIRTY_ONE: Final = np.uint64(31)
_SEVENTEEN: Final = np.uint64(17)
_TWENTY_THREE: Final = np.uint64(23)
_FORTY_ONE: Final = np.uint64(41)
_FORTY_FIVE: Final = np.uint64(45)
_NINETEEN: Final = np.uint64(19)
_HALF: Final = np.uint64(32)
_SIXTY_THREE: Final = np.uint64(63)
_ONE: Final = np.uint64(1)
_TWO: Final = np.uint64(2)
_THREE: Final = np.uint64(3)


@lean_kernel
def mix(word: np.uint64) -> np.uint64:
    """Return the output of SplitMix64 for a state."""
    word = (word ^ (word >> _THIRTY)) * _FIRST
    word = (word ^ (word >> _TWENTY_SEVEN)) * _SECOND
    return np.uint64(word ^ (word >> _THIRTY_ONE))


@lean_kernel
def seed_state(state: Words, seed: np.uint64, chunk: np.uint64, shoe: np.uint64) -> None:
    """Set the generator of one shoe; no two of (seed, chunk, shoe) are likely to share a stream."""
    word = mix(mix(mix(seed + _GOLDEN) + chunk + _GOLDEN) + shoe + _GOLDEN)
    for place in range(STATE_WORDS):
        word += _GOLDEN
        state[place] = mix(word)


@inlined_kernel
def advance(
    s0: np.uint64, s1: np.uint64, s2: np.uint64, s3: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Draw 64 bits; return them and the four words of the next state."""
    total = s0 + s3
    word = ((total << _TWENTY_THREE) | (total >> _FORTY_ONE)) + s0
    shifted = s1 << _SEVENTEEN
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    return word, s0, s1, s2, (s3 << _FORTY_FIVE) | (s3 >> _NINETEEN)


@lean_kernel
def next_word(state: Words) -> np.uint64:
    """Draw 64 bits."""
    word, state[0], state[1], state[2], state[3] = advance(state[0], state[1], state[2], state[3])
    return word


@lean_kernel
def pick(half: np.uint64, size: np.uint64, state: Words) -> np.int64:
    """Turn 32 random bits into a number from 0 to size - 1, all equally likely."""
    product = half * size
    if product & _LOW < size:
        least = (_RANGE - size) % size
        while product & _LOW < least:
            product = (next_word(state) >> _HALF) * size
    return np.int64(product >> _HALF)


@inlined_kernel
def pick_three(
    half: np.uint64, left: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Pick three of `left` cards, at least three, by 32 random bits.

    Returns three products, whose upper halves are the picks, each among one card less than the one
    before, and the number of ways to pick three. The picks may be biased where the lower half of
    the third product is less than that. All factors have 32 bits, which one vector instruction
    multiplies.
    """
    second, third = (left - _ONE) & _LOW, (left - _TWO) & _LOW
    first_product = half * left
    second_product = (first_product & _LOW) * second
    third_product = (second_product & _LOW) * third
    return first_product, second_product, third_product, ((left * second) & _LOW) * third


@inlined_kernel
def swap_picked(cards: NDArray[Card], place: np.uint64, product: np.uint64) -> None:
    """Swap the card at `place` with the one that the upper half of a product picks, from it on."""
    other = place + (product >> _HALF)
    card = cards[other]
    cards[other] = cards[place]
    cards[place] = card


@inlined_kernel
def fix_three(
    cards: NDArray[Card], place: np.uint64, left: np.uint64, half: np.uint64
) -> np.uint64:
    """Fix the next three cards of a shuffle by 32 random bits; `left` cards are not fixed yet.

    Returns 3, or 0 if the picks were biased.
    """
    first, second, third, ways = pick_three(half, left)
    if third & _LOW < ways and third & _LOW < (_RANGE - ways) % ways:
        return np.uint64(0)
    swap_picked(cards, place, first)
    swap_picked(cards, place + _ONE, second)
    swap_picked(cards, place + _TWO, third)
    return _THREE


@lean_kernel
def shuffle(cards: Bytes, start: int, stop: int, size: int, state: Words) -> int:
    """Fix the cards from `start` to `stop`, or a few more, of a shuffle of `cards[:size]`.

    The method is that of Fisher and Yates: each place takes one of the cards that no earlier place
    has taken. The rest stays unshuffled until it is needed. Returns the first place that is not
    fixed.

    Each half of a random word yields three picks: the remainder of the first is the random number
    of the second, and so on; the last remainder shows whether the three were unbiased. Source:
    Brackett-Rozinsky and Lemire, Batched ranged random integer generation (2024).
    """
    place = np.uint64(start)
    last = np.uint64(stop)
    left = np.uint64(size) - place
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    while place < last and left > _TWO:
        word, s0, s1, s2, s3 = advance(s0, s1, s2, s3)
        for part in range(2):
            fixed = fix_three(cards, place, left, word & _LOW if part == 0 else word >> _HALF)
            place += fixed
            left -= fixed
            if left <= _TWO:
                break
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    if left <= _TWO:
        if left == _TWO and next_word(state) >> _SIXTY_THREE:
            card = cards[place]
            cards[place] = cards[place + _ONE]
            cards[place + _ONE] = card
        place += left
    return whole(place)


@lean_kernel
def draw_independently(
    cards: Bytes, start: int, stop: int, weights: Integers, state: Words
) -> None:
    """Fill the cards from `start` to `stop` from an infinite deck.

    `weights` are those of a ten-valued card and of each of the nine other ranks, whole numbers.
    """
    ten, other = weights[0], weights[1]
    size = np.uint64(ten + 9 * other)
    for place in range(start, stop):
        number = pick(next_word(state) >> _HALF, size, state)
        cards[place] = 9 if number < ten else (number - ten) // other
