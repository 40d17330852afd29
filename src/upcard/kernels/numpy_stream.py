"""NumPy's generator in compiled code: PCG64, and `Generator.integers` for less than 2**32 numbers.

It draws what NumPy draws from the same state, bit for bit. Sources: O'Neill, PCG: A family of
simple fast space-efficient statistically good algorithms for random number generation (2014);
Lemire, Fast random integer generation in an interval (2019).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import inlined_kernel

STATE_HIGH, STATE_LOW, STEP_HIGH, STEP_LOW, HAS_HALF, HALF = range(6)
STREAM_WORDS: Final = 6
"""The words of a stream: state and increment of PCG64, and the half of a word that is left over."""
_FACTOR_HIGH: Final = np.uint64(0x2360ED051FC65DA4)
_FACTOR_LOW: Final = np.uint64(0x4385DF649FCCF645)
_LOW: Final = np.uint64(0xFFFFFFFF)
_HALF_BITS: Final = np.uint64(32)
_ROTATION: Final = np.uint64(58)
_WORD_BITS: Final = np.uint64(64)
_LAST_BIT: Final = np.uint64(63)
_NONE: Final = np.uint64(0)
_ONE: Final = np.uint64(1)
_WORD_MASK: Final = (1 << 64) - 1


def read_stream(generator: np.random.Generator) -> tuple[int, ...]:
    """Return the words of a generator's stream.

    Raises: ValueError if it is not a PCG64.
    """
    state: dict[str, Any] = dict(generator.bit_generator.state)
    if state["bit_generator"] != "PCG64":
        raise ValueError(f"a stream of {state['bit_generator']}: only PCG64 is known")
    value, step = state["state"]["state"], state["state"]["inc"]
    halves = (value >> 64, value & _WORD_MASK, step >> 64, step & _WORD_MASK)
    return (*halves, state["has_uint32"], state["uinteger"])


@inlined_kernel
def _multiply_high(one: np.uint64, other: np.uint64) -> np.uint64:
    """Return the upper 64 bits of a product of 128."""
    low, high = one & _LOW, one >> _HALF_BITS
    other_low, other_high = other & _LOW, other >> _HALF_BITS
    first = low * other_high
    second = high * other_low
    middle = ((low * other_low) >> _HALF_BITS) + (first & _LOW) + (second & _LOW)
    return np.uint64(
        high * other_high + (first >> _HALF_BITS) + (second >> _HALF_BITS) + (middle >> _HALF_BITS)
    )


@inlined_kernel
def next_half(streams: NDArray[np.uint64], begin: int) -> np.uint64:
    """Draw 32 bits from the stream whose words begin there: the lower half of a word first."""
    if streams[begin + HAS_HALF] != _NONE:
        streams[begin + HAS_HALF] = _NONE
        return np.uint64(streams[begin + HALF])
    high, low = streams[begin + STATE_HIGH], streams[begin + STATE_LOW]
    product = low * _FACTOR_LOW
    next_low = product + streams[begin + STEP_LOW]
    next_high = _multiply_high(low, _FACTOR_LOW) + high * _FACTOR_LOW + low * _FACTOR_HIGH
    next_high += streams[begin + STEP_HIGH]
    if next_low < product:
        next_high += _ONE
    streams[begin + STATE_HIGH] = next_high
    streams[begin + STATE_LOW] = next_low
    folded = next_high ^ next_low
    turn = next_high >> _ROTATION
    word = (folded >> turn) | (folded << ((_WORD_BITS - turn) & _LAST_BIT))
    streams[begin + HAS_HALF] = _ONE
    streams[begin + HALF] = word >> _HALF_BITS
    return np.uint64(word & _LOW)


@inlined_kernel
def draw_below(streams: NDArray[np.uint64], begin: int, size: np.uint64) -> np.uint64:
    """Draw a number from 0 to size - 1."""
    product = next_half(streams, begin) * size
    if product & _LOW < size:
        least = (_LOW - (size - _ONE)) % size
        while product & _LOW < least:
            product = next_half(streams, begin) * size
    return np.uint64(product >> _HALF_BITS)
