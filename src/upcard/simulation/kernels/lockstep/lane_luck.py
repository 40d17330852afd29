"""Luck side by side: what each lane remembers of it, and where a step of the automaton finds a row.

The luck of a round is that of the direct loop (`simulation.kernels.luck`), to the last bit. The
cards of a split round are drawn one after the other, in the code of rare steps: their values go by
the hole card, which the steps of split hands leave out.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import Integers, inlined_kernel, multiply_shorts
from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import KINDS, LoweredGame
from upcard.simulation.kernels.luck import (
    LuckCall,
    add_products,
    choose_reference,
    find_double,
    find_hit,
    find_pair,
    multiply,
    subtract_hidden_mean,
    subtract_mean,
)
from upcard.simulation.kernels.randomness import at, whole
from upcard.simulation.kernels.references import (
    LINES,
    NO_KIND,
    SECOND_ROWS,
    UPCARD_ROW,
    References,
)

NET, SLOT, HOLE, BASE, INFO, HIDDEN, BARRED, FIELDS = range(8)
"""Of a lane: the net of a split round less the luck of the round, its slot, the hole card, and as
in `simulation.kernels.luck` the rest. A slot beyond the last is that of no round."""
INSURES: Final = {(False, False): 0, (False, True): 0, (True, True): 1, (True, False): 2}
"""Whether hands insure: never, always, or as the count says."""
REST: Final = 1 << 24
"""In `LuckSteps.split_of`: a dealer's row is more than this."""


class LuckSteps(NamedTuple):
    """Rows of references by step of an automaton."""

    tables: References
    row_of: NDArray[np.int32]
    """By state, twice the row of the card that it draws, which in a split round is that of zeros;
    and 1 more if it turns up the hole card in place of drawing a card."""
    split_of: NDArray[np.int32]
    """By state of a split round: line * rows + row of a hit, -1 - (wager * rows + row) of a double,
    or `REST` and the dealer's row."""
    net_of: Integers
    """By outcome: the net of the round in the unit of luck; 0 for outcome 0."""
    insures: int
    """One of `INSURES`."""


class LaneLuck(NamedTuple):
    """The luck of the lanes."""

    steps: LuckSteps
    left: NDArray[np.int16]
    """By lane * KINDS + kind: the cards left, without a hidden hole card. The 16 numbers of a lane
    are read at once, long after one of them was written: a processor waits for such a write."""
    fields: Integers
    """By lane * FIELDS + field."""


class LanesLuck(NamedTuple):
    """All that a call of `play_shoes` needs to take luck out."""

    lane: LaneLuck
    nets: Integers
    """By lane * (slots + 1) + slot; the last one is of no use."""
    rounds: Integers
    visited: Integers
    """By lane * (slots + 2): the number of slots with rounds, then these."""
    call: LuckCall


def make_lanes_luck(call: LuckCall, steps: LuckSteps, lanes: int) -> LanesLuck:
    """Make the memory of a call of `play_shoes`."""
    slots = len(call.shoe_rounds)
    fields = np.zeros((lanes, FIELDS), np.int64)
    fields[:, SLOT] = slots
    return LanesLuck(
        LaneLuck(steps, np.zeros(lanes * KINDS, np.int16), fields.ravel()),
        np.zeros(lanes * (slots + 1), np.int64),
        np.zeros(lanes * (slots + 1), np.int64),
        np.zeros(lanes * (slots + 2), np.int64),
        call,
    )


@inlined_kernel
def _add_hidden(luck: LaneLuck, field: int, place: int) -> int:
    """Return the value of the hidden hole card, if there is one, by the place of a row."""
    hidden = luck.fields[at(field + HIDDEN)]
    return whole(hidden) * whole(luck.steps.tables.rows[at(place + luck.fields[at(field + HOLE)])])


@inlined_kernel
def measure_lane(luck: LaneLuck, lane: int, row: int, kind: int, number: int) -> int:
    """Return the luck of a card that may be any of the `number` cards that are not seen."""
    tables, field = luck.steps.tables, lane * FIELDS
    row += luck.fields[at(field + BASE)]
    dot = multiply(tables.rows, row, luck.left, lane * KINDS)
    dot += _add_hidden(luck, field, row * KINDS)
    value = whole(tables.rows[at(row * KINDS + kind)])
    return subtract_mean(value, dot, whole(tables.inverse[at(max(number, 0))]))


@inlined_kernel
def draw_in_lane(
    luck: LaneLuck, game: LoweredGame, lane: int, row: int, turns: int, kind: int, number: int
) -> None:
    """Take the luck of a card out of a lane's round, with `number` cards left in the shoe.

    Where it `turns` the hole card up, that is the card.
    """
    if game.is_infinite:
        number = luck.steps.tables.cards
    if number > 0:
        tables, field, left_at = luck.steps.tables, lane * FIELDS, lane * KINDS
        place = (row + luck.fields[at(field + BASE)]) * KINDS
        dot = multiply_shorts(tables.rows, place, luck.left, left_at)
        dot += _add_hidden(luck, field, place)
        value = whole(tables.rows[at(place + kind)])
        kind_barred = luck.fields[at(field + BARRED)]
        cards = whole(luck.left[at(left_at + kind_barred)])
        barred = (cards * (1 - turns) * tables.taken, whole(tables.rows[at(place + kind_barred)]))
        number += luck.fields[at(field + HIDDEN)] - cards * turns
        luck.fields[at(field + NET)] -= subtract_hidden_mean(
            value, dot, barred, tables.inverse, number
        )
        luck.fields[at(field + HIDDEN)] *= 1 - turns
        luck.fields[at(field + BARRED)] = max(kind_barred, turns * NO_KIND)
        luck.left[at(left_at + kind)] -= tables.taken * (1 - turns)


@inlined_kernel
def deal_in_lane(
    luck: LaneLuck,
    game: LoweredGame,
    lane: int,
    number: int,
    up: int,
    hole: int,
    first: int,
    second: int,
    slot: int,
) -> None:
    """Open a round of a lane with `number` cards left: its reference, and the luck of its deal."""
    tables, left, left_at, field = luck.steps.tables, luck.left, lane * KINDS, lane * FIELDS
    taken = tables.taken
    if game.is_infinite:
        number = tables.cards
    base = choose_reference(tables, left, left_at, max(number, 1)) * tables.size
    info = whole(tables.info_of[at(up * KINDS)])
    luck.fields[at(field + BASE)] = base
    luck.fields[at(field + INFO)] = info
    luck.fields[at(field + SLOT)] = slot
    luck.fields[at(field + HOLE)] = hole
    luck.fields[at(field + NET)] = luck.fields[at(field + HIDDEN)] = 0
    luck.fields[at(field + BARRED)] = NO_KIND
    if number >= game.dealt:
        rows, inverse = tables.rows, tables.inverse
        row = base + UPCARD_ROW
        dot = multiply(rows, row, left, left_at)
        net = -subtract_mean(whole(rows[at(row * KINDS + up)]), dot, whole(inverse[at(number)]))
        row = base + SECOND_ROWS + info * (1 + KINDS)
        number -= taken
        dot = multiply(rows, row, left, left_at) - taken * whole(rows[at(row * KINDS + up)])
        value = whole(rows[at(row * KINDS + first)])
        net -= subtract_mean(value, dot, whole(inverse[at(number)]))
        row += 1 + first
        number -= taken
        dot = multiply(rows, row, left, left_at) - taken * whole(rows[at(row * KINDS + up)])
        dot -= taken * whole(rows[at(row * KINDS + first)])
        value = whole(rows[at(row * KINDS + second)])
        net -= subtract_mean(value, dot, whole(inverse[at(number)]))
        number -= taken
        luck.fields[at(field + NET)] = net
        left[at(left_at + up)] -= taken
        left[at(left_at + first)] -= taken
        left[at(left_at + second)] -= taken
        if game.has_hole:
            luck.fields[at(field + HIDDEN)] = taken
            left[at(left_at + hole)] -= taken
            barred = tables.barred[at(up)]
            luck.fields[at(field + BARRED)] = barred
            if barred != NO_KIND:
                _peek_in_lane(luck, game, lane, up, hole, first, second, number)


@inlined_kernel
def _peek_in_lane(
    luck: LaneLuck,
    game: LoweredGame,
    lane: int,
    up: int,
    hole: int,
    first: int,
    second: int,
    number: int,
) -> None:
    """Take the luck of the peek out, unless it waits for an answer about insurance.

    `number` is that of the cards not seen, the hole card among them.
    """
    if up == loop_codes.ACE and luck.steps.insures == 1:
        left = number - luck.steps.tables.taken
        answer_insurance(luck, game, lane, whole(1), first, second, hole, left)
        return
    may_wait = up == loop_codes.ACE and luck.steps.insures > 0
    if may_wait and _may_take_even_money(game, first, second):
        return
    hand = whole(game.opening[at(first * KINDS + second)])
    row = whole(luck.steps.tables.peeks[at(hand * KINDS + up)])
    luck.fields[at(lane * FIELDS + NET)] -= measure_lane(luck, lane, row, hole, number)


@inlined_kernel
def _may_take_even_money(game: LoweredGame, first: int, second: int) -> bool:
    row = whole(game.opening[at(first * KINDS + second)])
    return game.total[at(row)] == 21 and game.even_money > 0


@inlined_kernel
def answer_insurance(
    luck: LaneLuck,
    game: LoweredGame,
    lane: int,
    answer: int,
    first: int,
    second: int,
    hole: int,
    number: int,
) -> None:
    """Take the luck of the peek out that follows an answer, with `number` cards left in the shoe.

    It is that of insurance, and of a hand whose luck had to wait for the answer.
    """
    if not game.has_hole or (number < 0 and not game.is_infinite):
        return
    tables = luck.steps.tables
    number += tables.taken
    if game.is_infinite:
        number = tables.cards
    is_even = _may_take_even_money(game, first, second)
    found = whole(0)
    if answer and not is_even:
        found += measure_lane(luck, lane, tables.insurance, hole, number)
    if (luck.steps.insures == 1 and not is_even) or (is_even and not answer):
        hand = whole(game.opening[at(first * KINDS + second)])
        row = whole(tables.peeks[at(hand * KINDS + loop_codes.ACE)])
        found += measure_lane(luck, lane, row, hole, number)
    luck.fields[at(lane * FIELDS + NET)] -= found


@inlined_kernel
def split_in_lane(
    luck: LaneLuck,
    game: LoweredGame,
    lane: int,
    hand: tuple[int, int],
    wagers: tuple[int, int],
    cards: tuple[int, int],
    number: int,
) -> None:
    """Take the luck of two second cards out: context and kind of the hands, wagers and cards."""
    tables, info = luck.steps.tables, luck.fields[at(lane * FIELDS + INFO)]
    row = find_pair(tables, hand[0], wagers[0], hand[1], info)
    draw_in_lane(luck, game, lane, row, 0, cards[0], number)
    row = find_pair(tables, hand[0], wagers[1], hand[1], info)
    draw_in_lane(luck, game, lane, row, 0, cards[1], number - tables.taken)


@inlined_kernel
def draw_for_split(
    luck: LaneLuck, game: LoweredGame, lane: int, step: int, wager: int, card: int, number: int
) -> None:
    """Take the luck of a card of a hand of a split out; `wager` is the hand's before it doubles."""
    tables, info = luck.steps.tables, luck.fields[at(lane * FIELDS + INFO)]
    found = whole(luck.steps.split_of[at(step)])
    if found >= 0:
        line = found // tables.hands + LINES // 2 * (wager // loop_codes.GIVEN_HAND % 2)
        row = find_hit(tables, line, found % tables.hands, info)
    else:
        found = -1 - found
        row = find_double(tables, found // tables.hands + wager, found % tables.hands, info)
    draw_in_lane(luck, game, lane, row, 0, card, number)


@inlined_kernel
def draw_for_hands(
    luck: LaneLuck,
    game: LoweredGame,
    lane: int,
    hands: Integers,
    ended: tuple[int, int, int],
    row: int,
    up: int,
    insured: int,
    card: int,
    number: int,
) -> None:
    """Take the luck of a card that the dealer draws for a split round out.

    `ended`: number of hands, and where their results and wagers begin in `hands`. For a hole card,
    turned up or drawn, the dealer's row is -1.
    """
    if game.is_infinite:
        number = luck.steps.tables.cards
    if number <= 0:
        return
    tables, field, left_at = luck.steps.tables, lane * FIELDS, lane * KINDS
    base = luck.fields[at(field + BASE)]
    done, results_at, wagers_at = ended
    dot, value = whole(0), whole(0)
    for hand in range(done):
        result = hands[at(results_at + hand)]
        place = hands[at(wagers_at + hand)] * loop_codes.RESULTS + result
        if row < 0:
            with_insurance = int(hand == 0 and insured > 0)
            found = base + whole(tables.holes[at((place * KINDS + up) * 2 + with_insurance)])
        elif 0 < result < loop_codes.NATURAL:
            found = base + whole(tables.dealer[at(place * tables.hands + row)])
        else:
            continue
        dot += multiply(tables.rows, found, luck.left, left_at)
        dot += _add_hidden(luck, field, found * KINDS)
        value += whole(tables.rows[at(found * KINDS + card)])
    taken = tables.taken
    if row < 0:
        taken *= 1 - int(game.has_hole)
        number += luck.fields[at(field + HIDDEN)]
        number -= luck.left[at(left_at + luck.fields[at(field + BARRED)])]
        luck.fields[at(field + HIDDEN)] = 0
        luck.fields[at(field + BARRED)] = NO_KIND
    luck.fields[at(field + NET)] -= subtract_mean(
        value, dot, whole(tables.inverse[at(max(number, 0))])
    )
    luck.left[at(left_at + card)] -= taken


@inlined_kernel
def end_round(luck: LanesLuck, lane: int, row: int, outcome: int) -> None:
    """Add a round that has ended to the sums of its row and of its shoe."""
    field, slots = lane * FIELDS, len(luck.call.shoe_rounds)
    net = luck.lane.steps.net_of[at(outcome)] + luck.lane.fields[at(field + NET)]
    luck.call.sums[at(row)] += net
    slot = luck.lane.fields[at(field + SLOT)]
    cell, listed = lane * (slots + 1) + slot, lane * (slots + 2)
    visited, rounds = luck.visited, luck.rounds
    number = visited[at(listed)]
    visited[at(listed + 1 + number)] = slot
    visited[at(listed)] = number + int(slot < slots) * int(rounds[at(cell)] == 0)
    rounds[at(cell)] += 1
    luck.nets[at(cell)] += net


@inlined_kernel
def leave_shoe(luck: LanesLuck, lane: int) -> None:
    """Add the products of a shoe that is over."""
    slots = len(luck.call.shoe_rounds)
    add_products(
        luck.call.products, luck.rounds, luck.nets, lane * (slots + 1),
        luck.visited, lane * (slots + 2), slots, luck.call.shift,
    )  # fmt: skip


@inlined_kernel
def begin_anew(luck: LanesLuck, lane: int, cards: NDArray[np.uint8], first: int, stop: int) -> None:
    """Let a lane begin a round after the cards from `first` to `stop`, with none behind it."""
    tables = luck.lane.steps.tables
    for kind in range(KINDS):
        luck.lane.left[at(lane * KINDS + kind)] = tables.deck[at(kind)]
    for place in range(first, stop):
        luck.lane.left[at(lane * KINDS + whole(cards[at(place)]))] -= tables.taken
    luck.lane.fields[at(lane * FIELDS + NET)] = luck.lane.fields[at(lane * FIELDS + HIDDEN)] = 0
    luck.lane.fields[at(lane * FIELDS + SLOT)] = len(luck.call.shoe_rounds)
