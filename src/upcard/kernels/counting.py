"""How the simulator's loop reads a count: bet, insurance and deviations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes
from upcard.kernels.game import COUNT_BITS, LoweredGame
from upcard.kernels.jit import inlined_kernel
from upcard.kernels.randomness import at, whole


@inlined_kernel
def convert_count(
    running: int, place: int, factor: NDArray[np.int64], add_positive: int, add_negative: int
) -> int:
    """Convert a running count to the count that decides, with `place` cards dealt."""
    at_place = factor[np.uint64(min(place, len(factor) - 1))]
    return cut_count(running, at_place, add_positive, add_negative)


@inlined_kernel
def cut_count(running: int, factor: int, add_positive: int, add_negative: int) -> int:
    """Convert a running count by a factor to the whole count that decides."""
    return (running * factor + (add_negative if running < 0 else add_positive)) >> COUNT_BITS


@inlined_kernel
def unpack_bet(running: int) -> int:
    """Return the betting count of two running counts in one word."""
    return whole(((running + (1 << 31)) & ((1 << 32) - 1)) - (1 << 31))


@inlined_kernel
def convert_bet(
    running: int, place: int, factor: NDArray[np.int64], limits: tuple[int, int, int, int]
) -> int:
    """Return the count that decides the bet.

    `limits`: `LoweredGame.add_positive`, `add_negative`, `least_count` and `most_count`.
    """
    add_positive, add_negative, least, most = limits
    count = convert_count(unpack_bet(running), place, factor, add_positive, add_negative)
    return min(max(count, least), most)


@inlined_kernel
def take_seat(seated: int, count: int, seats: tuple[int, int]) -> int:
    """Return whether the player sits; `seats`: `LoweredGame.leave` and `enter`."""
    leave, enter = seats
    return int(count >= leave if seated else count >= enter)


@inlined_kernel
def count_play(
    game: LoweredGame, running: int, running_before: int, position: int, begin: int
) -> int:
    """Return the row of the playing count in the middle of a round."""
    addends = game.add_positive, game.add_negative
    bounds = (game.start_count, *addends, game.least_count, game.most_count)
    return convert_play_count(running, running_before, position, begin, game.factor, bounds)


@inlined_kernel
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


@inlined_kernel
def deviate(
    game: LoweredGame, action: int, running: int, running_before: int, position: int, begin: int
) -> int:
    """Return the action of a hand where the count decides; `action` is the deviation's number."""
    row = count_play(game, running, running_before, position, begin)
    return whole(game.by_count[at((action - codes.FIRST_DEVIATION) * game.counts + row)])
