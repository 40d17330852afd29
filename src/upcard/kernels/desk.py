"""`Desk`: many tables in the middle of a round, as flat arrays for the simulator's loop.

A table keeps nothing of its round but the answers so far: a step plays the round again from its
first card, with one answer more, up to the next question. A slice of an array is an object that is
counted, so the loop adds a base to each index instead.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes, desk_codes
from upcard.kernels.game import KINDS, LoweredGame
from upcard.kernels.jit import kernel
from upcard.kernels.randomness import STATE_WORDS, whole
from upcard.kernels.shoes import make_ready


class Desk(NamedTuple):
    """Arrays of all tables; with `n` tables, table `i` has the `i`-th part of each."""

    todo: NDArray[np.int64]
    """Tables to play, in order."""
    tables: NDArray[np.int64]
    """Tables whose round has ended; room for a list."""
    fields: NDArray[np.int32]
    """n * FIELDS."""
    cards: NDArray[np.uint8]
    """n * `width`."""
    states: NDArray[np.uint64]
    """n * STATE_WORDS: the generator of each shoe."""
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
    held: NDArray[np.int64]
    """n: how many cards of each kind the hand has, desk_codes.CARD_BITS for each kind."""
    sits_out: NDArray[np.int8]
    """By choice of bet: whether another player, who plays like the dealer, takes the cards."""
    nothing: NDArray[np.int64]
    """Takes the place of sums that are ignored."""
    width: int
    most_answers: int
    most_hands: int


@kernel
def answer_insurance(
    desk: Desk,
    first: int,
    given: int,
    game: LoweredGame,
    spot_rows: NDArray[np.int64],
    takes: NDArray[np.int64],
) -> tuple[int, int, int]:
    """Take the answers about insurance; return their number, spots insured, and the spot asked.

    `first` is the place of the round's first answer. `takes` receives who takes even money. The
    spot is -1 if all are answered.
    """
    asked, insured = 0, 0
    for spot in range(len(spot_rows)):
        row = spot_rows[spot]
        is_natural = game.total[row] == 21
        cell = (codes.EARLY * game.rows + row) * KINDS + desk_codes.INSURANCE_KIND
        for is_even_money in range(1, -1, -1):
            if is_even_money == 1:
                is_asked = is_natural and game.even_money > 0
            elif is_natural:
                is_asked = game.even_money == 0 or (game.even_money == 2 and takes[spot] == 0)
            else:
                is_asked = True
            if not is_asked:
                continue
            place = first + asked
            desk.trail[place] = (
                cell + (spot << desk_codes.PLACE_SHIFT) + (is_even_money << desk_codes.LEVEL_SHIFT)
            )
            if asked == given:
                return asked, insured, spot
            if desk.answers[place] == codes.INSURE:
                takes[spot] = is_even_money
                insured += 1 - is_even_money
            asked += 1
    return asked, insured, -1


@kernel
def answer_surrender(
    desk: Desk,
    first: int,
    asked: int,
    given: int,
    game: LoweredGame,
    up: int,
    spot_rows: NDArray[np.int64],
) -> tuple[int, int, int]:
    """Take the answers to early surrender; return answers so far, number taken, and the spot asked.

    The row of a spot that surrenders becomes -1. The spot is -1 if all are answered.
    """
    surrendered = 0
    for spot in range(len(spot_rows)):
        row = spot_rows[spot]
        if game.total[row] == 21:
            continue
        place = first + asked
        desk.trail[place] = (
            (codes.EARLY * game.rows + row) * KINDS + up + (spot << desk_codes.PLACE_SHIFT)
        )
        if asked == given:
            return asked, surrendered, spot
        if desk.answers[place] == codes.SURRENDER:
            spot_rows[spot] = -1
            surrendered += 1
        asked += 1
    return asked, surrendered, -1


@kernel
def note_look(
    desk: Desk,
    first: int,
    total: NDArray[np.uint8],
    spot_rows: NDArray[np.int64],
    unit: int,
    takes: NDArray[np.int64],
) -> int:
    """Write the nets of hands that the dealer's natural ends; return their sum.

    `first` is the place of the table's first hand.
    """
    net = 0
    for spot in range(len(spot_rows)):
        row = spot_rows[spot]
        if row < 0:
            hand_net = -(unit // 2)
        elif total[row] == 21:
            hand_net = takes[spot] * unit
        else:
            hand_net = -unit
        desk.nets[first + spot] = hand_net
        desk.levels[first + spot] = 0
        net += hand_net
    return net


@kernel
def count_waiting(total: NDArray[np.uint8], rows: NDArray[np.int64], first: int, stop: int) -> int:
    """Return how many of the hands from `first` to `stop` are still to be played."""
    waiting = 0
    for place in range(first, stop):
        row = rows[place]
        if row >= 0 and total[row] != 21:
            waiting += 1
    return waiting


@kernel
def hold_two(cards: NDArray[np.uint8], first: int, second: int) -> int:
    """Return a hand of the two cards at these places, as `Desk.held`."""
    return (whole(1) << (desk_codes.CARD_BITS * whole(cards[first]))) + (
        whole(1) << (desk_codes.CARD_BITS * whole(cards[second]))
    )


@kernel
def make_table_ready(
    game: LoweredGame, desk: Desk, table: int, position: int, ready: int, size: int
) -> tuple[int, int]:
    """Make cards of a table ready, as `make_ready` does."""
    base = table * desk.width
    ready, size = make_ready(
        game,
        desk.cards[base : base + desk.width],
        desk.fields[table * desk_codes.FIELDS + desk_codes.BEGIN],
        position,
        ready,
        size,
        desk.states[table * STATE_WORDS : (table + 1) * STATE_WORDS],
    )
    desk.fields[table * desk_codes.FIELDS + desk_codes.READY] = ready
    desk.fields[table * desk_codes.FIELDS + desk_codes.SIZE] = size
    return ready, size
