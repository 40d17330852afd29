"""`PausedRounds`: many tables in the middle of a round, and the steps that only they take.

A round of one hand goes on from the cell of its question (`env.kernels.table_rounds`). Of any
other round a table keeps only the answers so far: a step plays it again from its first card, with
one answer more, up to the first question that has no answer yet. `choice` of its game has the bits
of the legal answers, 0 where nothing is asked. A slice of an array is an object that is counted, so
the loop adds a base to each index instead.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import inlined_kernel, inner_kernel
from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import KINDS, LoweredGame
from upcard.simulation.kernels.randomness import at, whole


class PausedRounds(NamedTuple):
    """Arrays of all tables; with `n` tables, table `i` has the `i`-th part of each."""

    todo: NDArray[np.int64]
    """Tables to play, in order."""
    tables: NDArray[np.int64]
    """Tables whose round has ended; room for a list."""
    fields: NDArray[np.int32]
    """n * FIELDS: a line of the processor's cache each, as every step reads them."""
    legal: NDArray[np.uint8]
    """n: bits of the actions that the table's question allows."""
    shoes: NDArray[np.int32]
    """n * 2: shoes so far, and the cards of this one."""
    cards: NDArray[np.uint8]
    """n * `width`."""
    states: NDArray[np.uint64]
    """n * STATE_WORDS: the generator of each shoe."""
    keeps_credit: int
    """Whether rounds that go on from where they stand write `trail`, `nets` and `levels`."""
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
    sits_out: NDArray[np.int8]
    """By choice of bet: whether another player, who plays like the dealer, takes the cards."""
    width: int
    most_answers: int
    most_hands: int


@inner_kernel
def describe(cell: int, place: int, level: int) -> int:
    """Return an entry of the trail."""
    return whole(cell + (place << loop_codes.PLACE_SHIFT) + (level << loop_codes.LEVEL_SHIFT))


@inner_kernel
def count_waiting(
    total: NDArray[np.uint8], rows: NDArray[np.int64], first: int, stop: int, active: int
) -> int:
    """Return how many of the hands `rows[first:stop]` but the active one are still to be played.

    A row of -1 is a hand that surrendered.
    """
    waiting = 0
    for place in range(first, stop):
        row = whole(rows[at(place)])
        waiting += int(place != active and row >= 0 and total[at(row)] != 21)
    return waiting


@inlined_kernel
def take_answer(
    game: LoweredGame,
    paused: PausedRounds,
    place: tuple[int, int, int, int],
    choice: int,
    cell: int,
    row: int,
    done: int,
    behind: int,
    asked: int,
) -> tuple[int, int, int]:
    """Return what a hand does, how many questions were asked, and whether one has no answer.

    `place`: where the fields, answers and hands of the table begin, and whether its player sits
    out. `choice` has a bit for each legal action, 0 where nothing is asked.
    """
    fields_at, first_answer, _, sits_out = place
    if choice == 0:
        return loop_codes.NOT_ASKED, asked, 0
    if sits_out:
        return loop_codes.STAND if game.stops[at(row)] else loop_codes.HIT, asked, 0
    paused.trail[at(first_answer + asked)] = describe(cell, done, behind)
    if asked == paused.fields[at(fields_at + loop_codes.GIVEN)]:
        return 0, asked, 1
    return whole(paused.answers[at(first_answer + asked)]), asked + 1, 0


@inlined_kernel
def show_hand(
    paused: PausedRounds, place: tuple[int, int, int, int], pair: int, drawn: int
) -> None:
    """Note where the second card of a hand is, and the cards that it draws begin."""
    paused.fields[at(place[0] + loop_codes.PAIR)] = pair
    paused.fields[at(place[0] + loop_codes.DRAWN)] = drawn


@inlined_kernel
def finish_hand(
    paused: PausedRounds,
    place: tuple[int, int, int, int],
    done: int,
    behind: int,
    action: int,
    result: int,
    cell: int,
) -> None:
    """Note the cell of a hand that is finished, and that it waits if it was not asked."""
    is_idle = action == loop_codes.NOT_ASKED and 0 < result < 21
    paused.levels[at(place[2] + done)] = behind
    paused.fields[at(place[0] + loop_codes.WAITING)] += int(is_idle)
    paused.fields[at(place[0] + loop_codes.CELL)] = cell


@inlined_kernel
def show_question(
    game: LoweredGame,
    paused: PausedRounds,
    place: tuple[int, int, int, int],
    waiting: NDArray[np.int64],
    cell: int,
    hands: int,
    behind: int,
) -> None:
    """Note the cell of a question, the hands of its spot, and how many of them wait."""
    idle = count_waiting(game.total, waiting, 0, behind, -1)
    alike = describe_room(waiting, behind, whole(cell // KINDS % game.rows), hands)
    paused.fields[at(place[0] + loop_codes.CELL)] = cell
    paused.fields[at(place[0] + loop_codes.WAITING)] += idle
    paused.fields[at(place[0] + loop_codes.HANDS)] = alike


@inner_kernel
def describe_room(rows: NDArray[np.int64], behind: int, row: int, hands: int) -> int:
    """Return the hands of the spot, and from bit 6 on how many of `rows[:behind]` are `row`."""
    alike = 0
    for place in range(behind):
        alike += int(rows[at(place)] == row)
    return hands + (alike << loop_codes.ALIKE_SHIFT)
