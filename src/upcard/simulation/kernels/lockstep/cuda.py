"""The simulator's loop on a CUDA device: one thread a shoe, by the automaton of a round.

Shoes, cards and results are those of the direct loop (`simulation.kernels.simulator`), which is the
reference; the functions that seed, shuffle, count, take rare steps and settle are the same.

The cards of a block's shoes are in shared memory, one byte a card. Card by card, the shoes are side
by side; a shoe's column is chosen so that the 32 threads of a warp, which look at different places
of their shoes, find them in different banks. The tables are read through the cache. Each pass of
the loop opens a round if the last one ended and then draws one card, so that threads of a warp in
different rounds wait little for one another.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import KINDS, ROUNDS_A_FRESH_SHOE, LoweredGame
from upcard.simulation.kernels.lockstep.automaton import (
    ENDS,
    HAND_FIELDS,
    RARE,
    Automaton,
    take_rare_steps,
)
from upcard.simulation.kernels.randomness import STATE_WORDS, seed_state, shuffle, whole
from upcard.simulation.kernels.round_steps import convert_count, unpack_bet
from upcard.simulation.kernels.shoes import fill_shoe, make_ready


def device_kernel(function: Callable[..., None]) -> Any:  # noqa: ANN401 (numba's)
    """Compile a kernel; it is launched as `kernel[grid, block, stream, shared_bytes](...)`."""
    return cuda.jit(function)


WARP: Final = 32
"""Threads that take their steps together; a block has whole warps."""
FAILURES: Final = 8
"""A failure is the number of its shoe times this, plus its code."""

_word = np.uint64
_UINT8, _INT32, _UINT64, _INT64 = (np.dtype(name) for name in ("uint8", "int32", "uint64", "int64"))


@cache
def shoes_kernel(threads: int, *, is_counted: bool, has_sums: bool) -> Any:  # noqa: ANN401 (numba's)
    """Return the kernel for blocks of `threads` threads.

    Without `is_counted` nothing is counted; with `has_sums` a block adds up in shared memory.
    """
    columns = threads // WARP

    @device_kernel
    def play_shoes(
        game: LoweredGame,
        tables: Automaton,
        draw: NDArray[np.uint16],
        width: int,
        seed: np.uint64,
        pieces: NDArray[np.int64],
        tally: NDArray[np.int64],
        added: NDArray[np.int64],
        totals: NDArray[np.int64],
        failures: NDArray[np.int64],
    ) -> None:
        """Play shoes of several chunks: row `blockIdx.y` of the arrays is the block's chunk.

        A piece is the number of the chunk, its first shoe, the number of shoes, and the most rounds
        of each. `draw` is that of the automaton with `width` columns. `tally`, `added` and `totals`
        are as for the direct loop, with the rounds played last; `failures` the least one.
        """
        piece, thread = cuda.blockIdx.y, cuda.threadIdx.x
        chunk, first_shoe = _word(pieces[piece, 0]), pieces[piece, 1]
        shoes, most_rounds = pieces[piece, 2], pieces[piece, 3]
        start, pair_of, back_of = tables.start, tables.pair_of, tables.back_of
        net_of, extra_of = tables.net_of, tables.extra_of
        tags, factor, depth, counts = game.tags, game.factor, game.depth, game.counts
        deck_size = len(game.deck)
        nets, outcomes = tally.shape[1] // added.shape[1], len(net_of)
        sums_size = added.shape[1] * outcomes if has_sums else 0
        sums = cuda.shared.array(0, _INT32)[:sums_size]
        column = (thread % WARP) * columns + thread // WARP
        cards = cuda.shared.array(0, _UINT8)[4 * sums_size + column :: threads]
        state = cuda.local.array(STATE_WORDS, _UINT64)
        hands = cuda.local.array(HAND_FIELDS, _INT64)
        for field in range(HAND_FIELDS):
            hands[field] = 0
        if has_sums:
            for cell in range(thread, sums_size, threads):
                sums[cell] = 0
            cuda.syncthreads()
        shuffles, cards_dealt, played = 0, 0, 0
        split_net, split_extra = whole(0), whole(0)
        shoe = cuda.blockIdx.x * threads + thread
        while shoe < shoes:
            seed_state(state, seed, chunk, _word(first_shoe + shoe))
            ready = fill_shoe(
                game.deck, game.weights, game.is_infinite, game.shuffled_ahead, cards, state
            )
            size = deck_size
            begin, place, rounds_here, row = 0, 0, 0, whole(0)
            running = running_before = whole(game.start_count)
            seated = seated_before = game.starts_seated
            step = whole(ENDS)
            is_dealt = False
            while True:
                if ENDS <= step < ENDS + RARE:
                    if place > ready:
                        # Prepare the cards that the round took too early, and play it again.
                        ready, size = make_ready(game, cards, begin, place, ready, size, state)
                        if ready < 0:
                            failure = (first_shoe + shoe) * FAILURES + loop_codes.TOO_FEW_CARDS
                            cuda.atomic.min(failures, piece, failure)
                            break
                        place, running, seated = begin, running_before, seated_before
                    elif is_dealt:
                        outcome = step - ENDS
                        if has_sums and outcome > 0:
                            cuda.atomic.add(sums, row * outcomes + outcome, 1)
                        else:
                            net, extra = net_of[outcome], extra_of[outcome]
                            if outcome == 0:
                                net, extra = split_net, split_extra
                            cuda.atomic.add(tally, (piece, row * nets + net - game.least_net), 1)
                            if extra > 0:
                                cuda.atomic.add(added, (piece, row), extra)
                        rounds_here += 1
                        cards_dealt += place - begin
                        if rounds_here == most_rounds:
                            break
                        if game.is_fresh:
                            if rounds_here == ROUNDS_A_FRESH_SHOE:
                                break
                            shuffles += 1
                            place, running = 0, whole(game.start_count)
                            ready = shuffle(cards, 0, game.shuffled_ahead, size, state)
                        elif place >= game.cut:
                            break
                    begin, running_before, seated_before = place, running, seated
                    first, second = whole(cards[place]), whole(cards[place + game.second_at])
                    up, hole = whole(cards[place + game.up_at]), whole(cards[place + game.hole_at])
                    pair, back = first * KINDS + second, up * KINDS + hole
                    step = whole(start[whole(pair_of[pair]) + whole(back_of[back])])
                    count = whole(0)
                    if is_counted:
                        count = convert_count(
                            unpack_bet(running), begin, factor,
                            game.add_positive, game.add_negative,
                        )  # fmt: skip
                        count = min(max(count, game.least_count), game.most_count)
                        if seated:
                            if count < game.leave:
                                seated = 0
                        elif count >= game.enter:
                            seated = 1
                        count -= game.least_count
                        running += tags[first] + tags[second] + tags[up]
                        if game.has_hole:
                            running += tags[hole]
                    row = (depth[begin] * 2 + seated) * counts + count
                    place += game.dealt
                    is_dealt = True
                if step < ENDS:
                    card = whole(cards[place])
                    step = whole(draw[step * width + card])
                    place += 1
                    if is_counted:
                        running += tags[card]
                elif step >= ENDS + RARE:
                    place, step, running, split_net, split_extra = take_rare_steps(
                        game, tables, cards, 0, begin, place,
                        step, running, running_before, ready, hands, None, 0,
                    )  # fmt: skip
                    if place < 0:
                        failure = (first_shoe + shoe) * FAILURES + loop_codes.TOO_MANY_HANDS
                        cuda.atomic.min(failures, piece, failure)
                        break
            shuffles += 1
            played += rounds_here
            shoe += cuda.gridDim.x * threads
        cuda.atomic.add(totals, (piece, 0), shuffles)
        cuda.atomic.add(totals, (piece, 1), cards_dealt)
        cuda.atomic.add(totals, (piece, 2), played)
        if has_sums:
            cuda.syncthreads()
            for cell in range(thread, sums_size, threads):
                times, row, outcome = sums[cell], cell // outcomes, cell % outcomes
                if times > 0:
                    net_column = net_of[outcome] - game.least_net
                    cuda.atomic.add(tally, (piece, row * nets + net_column), times)
                    if extra_of[outcome] > 0:
                        cuda.atomic.add(added, (piece, row), extra_of[outcome] * times)

    return play_shoes
