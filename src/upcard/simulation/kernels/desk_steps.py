"""`Desk`: many tables in the middle of a round, and the steps of the loop that only they take.

A round of one hand goes on from the cell of its question (`env.kernels.table_rounds`). Of any
other round a table keeps only the answers so far: a step plays it again from its first card, with
one answer more, up to the first question that has no answer yet. `choice` of its game has the bits
of the legal answers, 0 where nothing is asked. A slice of an array is an object that is counted, so
the loop adds a base to each index instead.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import inner_kernel
from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import KINDS, LoweredGame
from upcard.simulation.kernels.randomness import STATE_WORDS, at, whole
from upcard.simulation.kernels.shoes import make_ready


class Desk(NamedTuple):
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
def read_table(
    fields: NDArray[np.int32], place: int, shoes: NDArray[np.int32], table: int
) -> tuple[int, int, int, int, int]:
    """Return fields of a table, from `place` on: begin, ready, size, answers given, and bet."""
    return (
        whole(fields[at(place + loop_codes.BEGIN)]),
        whole(fields[at(place + loop_codes.READY)]),
        whole(shoes[at(2 * table + 1)]),
        whole(fields[at(place + loop_codes.GIVEN)]),
        whole(fields[at(place + loop_codes.BET)]),
    )


@inner_kernel
def answer_offers(
    answers: NDArray[np.int8],
    trail: NDArray[np.int32],
    first: int,
    given: int,
    up: int,
    total: NDArray[np.uint8],
    spot_rows: NDArray[np.int64],
    spots: int,
    offers: tuple[int, int, int, int],
) -> tuple[int, int, int, tuple[int, int, int]]:
    """Take the answers to what is offered before the dealer looks at the hole card.

    `first` is the place of the round's first answer. `offers`: `LoweredGame.insurance`,
    `even_money`, `early_surrender` and `rows`. The row of a spot that surrenders becomes -1.
    Returns how many questions were answered, whether another was met, and the spot of that one;
    then how many spots are insured, a bit for each that takes even money, and how many surrender.
    """
    insurance, even_money, early_surrender, rows = offers
    asked, insured, takes, surrendered = 0, 0, 0, 0
    if up == loop_codes.ACE and insurance:
        for spot in range(spots):
            row = whole(spot_rows[at(spot)])
            is_natural = total[at(row)] == 21
            cell = (loop_codes.EARLY * rows + row) * KINDS + loop_codes.INSURANCE_KIND
            for is_even_money in range(1, -1, -1):
                if is_even_money == 1:
                    is_asked = is_natural and even_money > 0
                elif is_natural:
                    is_asked = even_money == 0 or (even_money == 2 and (takes >> spot) & 1 == 0)
                else:
                    is_asked = True
                if not is_asked:
                    continue
                trail[at(first + asked)] = describe(cell, spot, is_even_money)
                if asked == given:
                    return asked, 1, spot, (insured, takes, 0)
                if answers[at(first + asked)] == loop_codes.INSURE:
                    takes += is_even_money << spot
                    insured += 1 - is_even_money
                asked += 1
    if (early_surrender >> up) & 1:
        for spot in range(spots):
            row = whole(spot_rows[at(spot)])
            if total[at(row)] == 21:
                continue
            cell = (loop_codes.EARLY * rows + row) * KINDS + up
            trail[at(first + asked)] = describe(cell, spot, 0)
            if asked == given:
                return asked, 1, spot, (insured, takes, surrendered)
            if answers[at(first + asked)] == loop_codes.SURRENDER:
                surrendered += 1
                spot_rows[at(spot)] = -1
            asked += 1
    return asked, 0, spots - 1, (insured, takes, surrendered)


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


@inner_kernel
def describe_room(rows: NDArray[np.int64], behind: int, row: int, hands: int) -> int:
    """Return the hands of the spot, and from bit 6 on how many of `rows[:behind]` are `row`."""
    alike = 0
    for place in range(behind):
        alike += int(rows[at(place)] == row)
    return hands + (alike << loop_codes.ALIKE_SHIFT)


@inner_kernel
def write_out(
    fields: NDArray[np.int32],
    place: int,
    stopped: int,
    position: int,
    cell: int,
    waiting: int,
    hides: int,
    hands: int,
    net: int,
    insured: int,
    pair: int,
    drawn: int,
    last: int,
) -> None:
    """Write the fields of a table that was played, from `place` on; no net if it `stopped`."""
    fields[at(place + loop_codes.STATUS)] = loop_codes.ASKED if stopped else loop_codes.ENDED
    fields[at(place + loop_codes.POSITION)] = position
    fields[at(place + loop_codes.CELL)] = cell
    fields[at(place + loop_codes.WAITING)] = waiting if stopped else 0
    fields[at(place + loop_codes.HIDES)] = hides
    fields[at(place + loop_codes.PAIR)] = pair
    fields[at(place + loop_codes.DRAWN)] = drawn
    fields[at(place + loop_codes.LAST)] = last
    fields[at(place + loop_codes.INSURED)] = insured
    fields[at(place + loop_codes.HANDS)] = hands
    if not stopped:
        fields[at(place + loop_codes.NET)] = net


@inner_kernel
def make_table_ready(
    game: LoweredGame, desk: Desk, table: int, position: int, ready: int, size: int
) -> tuple[int, int]:
    """Make cards of a table ready, as `make_ready` does."""
    base = table * desk.width
    ready, size = make_ready(
        game,
        desk.cards[base : base + desk.width],
        desk.fields[table * loop_codes.FIELDS + loop_codes.BEGIN],
        position,
        ready,
        size,
        desk.states[table * STATE_WORDS : (table + 1) * STATE_WORDS],
    )
    desk.fields[table * loop_codes.FIELDS + loop_codes.READY] = ready
    desk.shoes[2 * table + 1] = size
    return ready, size
