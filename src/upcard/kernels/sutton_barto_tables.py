"""Many tables of the game of Sutton and Barto, dealt by NumPy's generator in compiled code.

It draws what NumPy draws from the same state, bit for bit. Sources: O'Neill, PCG: A family of
simple fast space-efficient statistically good algorithms for random number generation (2014);
Lemire, Fast random integer generation in an interval (2019).

A table is the FIELDS numbers of its hands and the STREAM_WORDS words of its stream; both are in
flat arrays, table after table.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import inlined_kernel, lean_kernel
from upcard.kernels.rounds.randomness import whole

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


HARD, HAS_ACE, IS_NATURAL, UPCARD, DEALER_HARD, DEALER_HAS_ACE, DEALER_IS_NATURAL = range(7)
FIELDS: Final = 8
"""Numbers of a table. HARD is the sum of the player's cards with aces as 1; the last is unused."""
ALL_LEGAL: Final = -1
_CARDS: Final = np.uint64(13)
_SUITS: Final = np.uint64(4)
_FACES: Final = np.uint64(3)
_MOST: Final = 21
_TEN: Final = 10


@inlined_kernel
def _draw_card(streams: NDArray[np.uint64], begin: int) -> int:
    return min(whole(draw_below(streams, begin, _CARDS)) + 1, _TEN)


@inlined_kernel
def _total(hard: int, has_ace: int) -> int:
    return hard + _TEN if has_ace and hard + _TEN <= _MOST else hard


@inlined_kernel
def _deal(streams: NDArray[np.uint64], hands: NDArray[np.int64], table: int) -> None:
    """Deal the dealer two cards, the player two, and draw what a picture shows of the upcard."""
    stream, place = table * STREAM_WORDS, table * FIELDS
    upcard = _draw_card(streams, stream)
    hole = _draw_card(streams, stream)
    first = _draw_card(streams, stream)
    second = _draw_card(streams, stream)
    draw_below(streams, stream, _SUITS)
    if upcard == _TEN:
        draw_below(streams, stream, _FACES)
    has_ace = first == 1 or second == 1
    dealer_has_ace = upcard == 1 or hole == 1
    hands[place + HARD] = first + second
    hands[place + HAS_ACE] = has_ace
    hands[place + IS_NATURAL] = has_ace and first + second == _TEN + 1
    hands[place + UPCARD] = upcard
    hands[place + DEALER_HARD] = upcard + hole
    hands[place + DEALER_HAS_ACE] = dealer_has_ace
    hands[place + DEALER_IS_NATURAL] = dealer_has_ace and upcard + hole == _TEN + 1


@inlined_kernel
def _observe(hands: NDArray[np.int64], table: int, seen: NDArray[np.int64], tables: int) -> None:
    """Write total, upcard and usable ace of a table; `seen` has those of all tables in a row."""
    place = table * FIELDS
    hard = hands[place + HARD]
    total = _total(hard, hands[place + HAS_ACE])
    seen[table] = total
    seen[tables + table] = hands[place + UPCARD]
    seen[2 * tables + table] = total != hard


@inlined_kernel
def _stand(
    streams: NDArray[np.uint64], hands: NDArray[np.int64], table: int, sab: int, natural: int
) -> float:
    """Play the dealer's hand; return the reward."""
    place = table * FIELDS
    hard, has_ace = hands[place + DEALER_HARD], hands[place + DEALER_HAS_ACE]
    dealer = _total(hard, has_ace)
    while dealer < 17:
        card = _draw_card(streams, table * STREAM_WORDS)
        hard += card
        has_ace |= card == 1
        dealer = _total(hard, has_ace)
    player = _total(hands[place + HARD], hands[place + HAS_ACE])
    score = dealer if dealer <= _MOST else 0
    reward = float(int(player > score) - int(player < score))
    if hands[place + IS_NATURAL]:
        if sab and not hands[place + DEALER_IS_NATURAL]:
            reward = 1.0
        elif not sab and natural and reward > 0.0:
            reward = 1.5
    return reward


@lean_kernel
def deal_tables(
    streams: NDArray[np.uint64],
    hands: NDArray[np.int64],
    is_dealt: NDArray[np.bool_],
    over: NDArray[np.bool_],
    seen: NDArray[np.int64],
) -> None:
    """Deal the marked tables another round, and write what is seen at all tables."""
    tables = len(over)
    for table in range(tables):
        if is_dealt[table]:
            _deal(streams, hands, table)
            over[table] = False
        _observe(hands, table, seen, tables)


@lean_kernel
def find_illegal(
    actions: NDArray[np.int64], over: NDArray[np.bool_], deals_over: int, waits_over: int
) -> int:
    """Return the first table whose action is not 0 or 1, or whose round is over; -1 if none.

    `deals_over`: the next step deals tables that are over, whatever their action; `waits_over`: it
    may not be taken.
    """
    for table in range(len(actions)):
        if over[table]:
            if waits_over:
                return table
            if deals_over:
                continue
        if actions[table] != 0 and actions[table] != 1:
            return table
    return ALL_LEGAL


@lean_kernel
def step_tables(
    actions: NDArray[np.int64],
    streams: NDArray[np.uint64],
    hands: NDArray[np.int64],
    over: NDArray[np.bool_],
    seen: NDArray[np.int64],
    last_seen: NDArray[np.int64],
    rewards: NDArray[np.float64],
    sab: int,
    natural: int,
    deals_over: int,
    deals_at_once: int,
) -> int:
    """Take an action (0 stand, 1 hit) at each table; return the number of tables that are over.

    `deals_over`: a table that was over is dealt another round instead. `deals_at_once`: a table
    that is over now is dealt another, and `last_seen` receives what was seen there, three numbers a
    table.
    """
    tables = len(actions)
    ended = 0
    for table in range(tables):
        if deals_over and over[table]:
            _deal(streams, hands, table)
            over[table] = False
            rewards[table] = 0.0
            _observe(hands, table, seen, tables)
            continue
        reward, is_over = 0.0, True
        if actions[table] == 1:
            place = table * FIELDS
            card = _draw_card(streams, table * STREAM_WORDS)
            hands[place + HARD] += card
            hands[place + HAS_ACE] |= card == 1
            hands[place + IS_NATURAL] = 0
            is_over = hands[place + HARD] > _MOST
            if is_over:
                reward = -1.0
        else:
            reward = _stand(streams, hands, table, sab, natural)
        rewards[table] = reward
        over[table] = is_over
        _observe(hands, table, seen, tables)
        if is_over:
            ended += 1
            if deals_at_once:
                for part in range(3):
                    last_seen[3 * table + part] = seen[part * tables + table]
                _deal(streams, hands, table)
                _observe(hands, table, seen, tables)
    return ended
