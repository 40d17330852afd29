"""The luck of the cards in a round, taken while it is played; and the sums that errors need.

The luck of a card is its value less the mean over the cards that are really left, both from a row
of `References`; the row is chosen before the card is drawn. It is left in where cards come from the
discards, after the last card of a shoe, and where there is no row: both are known before the card.

Rounds of a shoe share what its composition is worth, so that without their luck they are far from
independent: shoes are. A shoe's sums are by slot: a betting count, or the last slot for all rounds
that the player sat out. Products of two slots, added up over shoes, give the error of any bets.
They are whole numbers in floating point, exact and so the same in every order, with nets rounded to
`PRODUCT_BITS` binary places.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import Floats, Integers, inlined_kernel, lean_kernel, multiply_shorts
from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import KINDS, LoweredGame
from upcard.simulation.kernels.randomness import at, whole
from upcard.simulation.kernels.references import (
    HOLE_ROWS,
    LEAST_TRUE,
    MEAN_BITS,
    NO_KIND,
    RECIPROCAL_BITS,
    SECOND_ROWS,
    TAG_BITS,
    UPCARD_ROW,
    WIDTH_BITS,
    References,
)

PRODUCT_BITS: Final = 12
"""Binary places of a shoe's net, in bets, in the products."""
_ROOM_BITS: Final = 8
"""Binary places of a mean that are left out where it is multiplied by a reciprocal."""
PRODUCTS: Final = 3
"""Rounds by rounds, nets by rounds, nets by nets."""
LUCK, BASE, INFO, HIDDEN, BARRED, FIELDS = range(6)
"""Of a round: its luck so far, the first row of its reference, what is known of the dealer, whether
there is a hidden hole card, and a kind that it is known not to have."""


class LuckCall(NamedTuple):
    """Tables, memory and sums of a call of the loops that takes luck out."""

    tables: References
    left: NDArray[np.int16]
    """By kind: the cards that were left before the round."""
    now: NDArray[np.int16]
    """By kind: those that are left in the round."""
    round: Integers
    """By field."""
    sums: Integers
    """By row of the tally: nets without luck, in 1/(unit * 2**(bits + MEAN_BITS)) of a bet."""
    shoe_nets: Integers
    """By slot: those of the shoe."""
    shoe_rounds: Integers
    """By slot."""
    visited: Integers
    """Number of slots with rounds, then these."""
    products: Floats
    """By (product * slots + slot) * slots + slot."""
    shift: int
    """Binary places of a net that the products leave out."""


def open_luck(tables: References, unit: int, rows: int, counts: int) -> LuckCall:
    """Return the memory of a call with sums of nothing, for `rows` rows of the tally."""
    slots = counts + 1
    return LuckCall(
        tables=tables,
        left=tables.deck.copy(),
        now=tables.deck.copy(),
        round=np.zeros(FIELDS, np.int64),
        sums=np.zeros(rows, np.int64),
        shoe_nets=np.zeros(slots, np.int64),
        shoe_rounds=np.zeros(slots, np.int64),
        visited=np.zeros(slots + 1, np.int64),
        products=np.zeros(PRODUCTS * slots * slots, np.float64),
        shift=find_shift(tables, unit),
    )


def find_shift(tables: References, unit: int) -> int:
    """Return how many binary places of a net the products leave out."""
    return max(tables.bits + MEAN_BITS + (unit - 1).bit_length() - PRODUCT_BITS, 0)


@inlined_kernel
def choose_reference(tables: References, left: NDArray[np.int16], first: int, number: int) -> int:
    """Return the reference for the `number` cards left, whose kinds begin at `left[first]`."""
    dot = multiply_shorts(left, first, tables.tags, 0)
    mean = -52 * dot * tables.inverse[at(number)]
    place = (mean >> (RECIPROCAL_BITS + TAG_BITS + WIDTH_BITS)) - (LEAST_TRUE >> WIDTH_BITS)
    return whole(min(max(place, 0), tables.last))


@inlined_kernel
def multiply(rows: NDArray[np.int16], row: int, left: NDArray[np.int16], first: int) -> int:
    """Return the sum of a row's values over the cards left."""
    return multiply_shorts(rows, row * KINDS, left, first)


@inlined_kernel
def subtract_mean(value: int, dot: int, inverse: int) -> int:
    """Return the luck of a card by its value, and by the sum over the cards left."""
    return (value << MEAN_BITS) - ((dot * inverse) >> (RECIPROCAL_BITS - MEAN_BITS))


@inlined_kernel
def subtract_hidden_mean(
    value: int, dot: int, barred: tuple[int, int], inverse: Integers, number: int
) -> int:
    """Return the luck of a card that is drawn while a hole card is hidden.

    `dot` is the sum over the `number` cards that are not seen, the hole card among them, and
    `barred` how many of them the hole card cannot be, and their value. If any card may be the hole
    card, one drawn is any of them. Else it is any but the hole card, whose mean is taken off first.
    """
    cards, worth = barred
    others = inverse[at(max(number - cards, 0))]
    hole = ((dot - cards * worth) * others) >> (RECIPROCAL_BITS - MEAN_BITS)
    if cards > 0:
        rest = inverse[at(number - 1)]
        less = ((hole >> _ROOM_BITS) * rest) >> (RECIPROCAL_BITS - _ROOM_BITS)
        hole = ((dot * rest) >> (RECIPROCAL_BITS - MEAN_BITS)) - less
    return whole((value << MEAN_BITS) - hole)


@inlined_kernel
def measure(luck: LuckCall, row: int, kind: int, number: int) -> int:
    """Return the luck of a card by the row of a reference, with `number` cards that are not seen.

    Any of them may be the card.
    """
    place = luck.round[BASE] + row
    dot = multiply(luck.tables.rows, place, luck.now, 0)
    value = whole(luck.tables.rows[at(place * KINDS + kind)])
    return subtract_mean(value, dot, luck.tables.inverse[at(number)])


@inlined_kernel
def count_left(luck: LuckCall, game: LoweredGame, position: int) -> int:
    """Return the number of cards left with `position` cards dealt, not over 0 for discards."""
    if game.is_infinite:
        return luck.tables.cards
    return len(game.deck) - position


@inlined_kernel
def take_card(luck: LuckCall, row: int, kind: int, number: int) -> None:
    """Add the luck of a card that is drawn with `number` cards left, and take it from them."""
    if number > 0:
        tables, hidden, kind_barred = luck.tables, luck.round[HIDDEN], luck.round[BARRED]
        place = (luck.round[BASE] + row) * KINDS
        dot = multiply_shorts(tables.rows, place, luck.now, 0)
        value = whole(tables.rows[at(place + kind)])
        barred = (
            luck.now[at(kind_barred)] * tables.taken,
            whole(tables.rows[at(place + kind_barred)]),
        )
        luck.round[LUCK] += subtract_hidden_mean(
            value, dot, barred, tables.inverse, number + hidden
        )
        luck.now[at(kind)] -= tables.taken


@lean_kernel
def begin_shoe(luck: LuckCall) -> None:
    """Begin with all cards."""
    for kind in range(KINDS):
        luck.left[kind] = luck.tables.deck[kind]


@lean_kernel
def begin_round(luck: LuckCall, game: LoweredGame, begin: int) -> None:
    """Choose the reference of a round."""
    for kind in range(KINDS):
        luck.now[kind] = luck.left[kind]
    reference = choose_reference(luck.tables, luck.left, 0, count_left(luck, game, begin))
    luck.round[BASE] = reference * luck.tables.size
    luck.round[LUCK] = luck.round[HIDDEN] = 0
    luck.round[BARRED] = NO_KIND


@lean_kernel
def deal_cards(
    luck: LuckCall, game: LoweredGame, cards: NDArray[np.uint8], begin: int, spots: int
) -> None:
    """Add the luck of the deal: the upcard, which all spots share, and then each spot's cards.

    A hole card that is seen is drawn with the upcard, a hidden one later.
    """
    number = count_left(luck, game, begin)
    up = whole(cards[at(begin + game.up_at)])
    hole = whole(cards[at(begin + game.hole_at)])
    info = luck.round[INFO] = luck.tables.info_of[at(up * KINDS + hole)]
    luck.round[HIDDEN], luck.round[BARRED] = 0, NO_KIND
    if number < game.dealt:
        return
    luck.round[LUCK] += (spots - 1) * measure(luck, whole(UPCARD_ROW), up, number)
    take_card(luck, whole(UPCARD_ROW), up, number)
    if game.seen:
        number -= luck.tables.taken
        luck.round[LUCK] += (spots - 1) * measure(luck, HOLE_ROWS + up, hole, number)
        take_card(luck, HOLE_ROWS + up, hole, number)
    for spot in range(spots):
        place = begin + spot * game.first_step
        first, second = whole(cards[at(place)]), whole(cards[at(place + game.second_at)])
        row = SECOND_ROWS + info * (1 + KINDS)
        number -= luck.tables.taken
        take_card(luck, row, first, number)
        number -= luck.tables.taken
        take_card(luck, row + 1 + first, second, number)
    luck.round[HIDDEN] = luck.tables.taken * int(game.has_hole and not game.seen)


@lean_kernel
def peek(
    luck: LuckCall,
    game: LoweredGame,
    spot_rows: Integers,
    takes_even_money: int,
    insured: int,
    up: int,
    hole: int,
    position: int,
) -> None:
    """Add the luck of a peek, for hands that have not surrendered or taken even money."""
    number = count_left(luck, game, position)
    if number < 0 or game.seen:
        return
    number += luck.tables.taken
    if insured > 0:
        luck.round[LUCK] += insured * measure(luck, luck.tables.insurance, hole, number)
    for spot in range(len(spot_rows)):
        hand = spot_rows[spot]
        is_even = hand >= 0 and game.total[hand] == 21 and (takes_even_money >> spot) & 1
        if hand >= 0 and not is_even:
            row = whole(luck.tables.peeks[hand * KINDS + up])
            luck.round[LUCK] += measure(luck, row, hole, number)
    luck.round[BARRED] = luck.tables.barred[up]


@inlined_kernel
def find_hit(tables: References, line: int, row: int, info: int) -> int:
    """Return the row of a hit."""
    return whole(tables.hits[at((line * tables.hands + row) * tables.infos + info)])


@inlined_kernel
def find_double(tables: References, wager: int, row: int, info: int) -> int:
    """Return the row of a double; the wager is with it."""
    return whole(tables.doubles[at((wager * tables.hands + row) * tables.infos + info)])


@inlined_kernel
def find_pair(tables: References, context: int, wager: int, kind: int, info: int) -> int:
    """Return the row of the second card of a hand of a split, in its context."""
    given = wager // loop_codes.GIVEN_HAND % 2
    return whole(tables.pairs[at(((context * 2 + given) * KINDS + kind) * tables.infos + info)])


@lean_kernel
def split_hand(
    luck: LuckCall,
    game: LoweredGame,
    hand: tuple[int, int],
    wagers: tuple[int, int],
    cards: tuple[int, int],
    position: int,
) -> None:
    """Add the luck of the second cards of two hands: their context and kind, wagers and cards."""
    context, kind = hand
    for place in range(2):
        row = find_pair(luck.tables, context, wagers[place], kind, luck.round[INFO])
        take_card(luck, row, cards[place], count_left(luck, game, position - 2 + place))


@lean_kernel
def draw_hole(
    luck: LuckCall,
    game: LoweredGame,
    results: Integers,
    wagers: Integers,
    done: int,
    up: int,
    hole: int,
    position: int,
    insured: int,
) -> None:
    """Add the luck of a hole card that is turned up or drawn after the hands, for all of them."""
    tables, left = luck.tables, count_left(luck, game, position)
    barred = luck.now[luck.round[BARRED]]
    if left <= 0 or game.seen:
        return
    dot, value = whole(0), whole(0)
    for hand in range(done):
        place = (wagers[hand] * loop_codes.RESULTS + results[hand]) * KINDS + up
        with_insurance = int(hand == 0 and insured > 0)
        row = luck.round[BASE] + whole(tables.holes[place * 2 + with_insurance])
        dot += multiply(tables.rows, row, luck.now, 0)
        value += whole(tables.rows[row * KINDS + hole])
    if insured > 1 and not game.has_hole:
        row = luck.round[BASE] + tables.insurance
        dot += (insured - 1) * multiply(tables.rows, row, luck.now, 0)
        value += (insured - 1) * whole(tables.rows[row * KINDS + hole])
    number = left + luck.round[HIDDEN] - barred
    luck.round[LUCK] += subtract_mean(value, dot, tables.inverse[at(max(number, 0))])
    luck.round[HIDDEN], luck.round[BARRED] = 0, NO_KIND
    luck.now[hole] -= tables.taken


@lean_kernel
def draw_dealer(
    luck: LuckCall,
    game: LoweredGame,
    results: Integers,
    wagers: Integers,
    done: int,
    row: int,
    card: int,
    position: int,
) -> None:
    """Add the luck of a card of the dealer, for all hands."""
    tables, number = luck.tables, count_left(luck, game, position)
    if number <= 0:
        return
    dot, value = whole(0), whole(0)
    for hand in range(done):
        if 0 < results[hand] < loop_codes.NATURAL:
            place = (wagers[hand] * loop_codes.RESULTS + results[hand]) * tables.hands + row
            found = luck.round[BASE] + whole(tables.dealer[place])
            dot += multiply(tables.rows, found, luck.now, 0)
            value += whole(tables.rows[found * KINDS + card])
    luck.round[LUCK] += subtract_mean(value, dot, tables.inverse[number])
    luck.now[card] -= tables.taken


@lean_kernel
def leave_round(
    luck: LuckCall,
    game: LoweredGame,
    cards: NDArray[np.uint8],
    begin: int,
    position: int,
    row: int,
    net: int,
) -> None:
    """Add a round to the sums of its row and of its shoe, and take its cards from those left."""
    net = (net << (luck.tables.bits + MEAN_BITS)) - luck.round[LUCK]
    luck.sums[row] += net
    seat, count = row // game.counts % 2, row % game.counts
    slot = count if seat else game.counts
    if luck.shoe_rounds[slot] == 0:
        luck.visited[0] += 1
        luck.visited[luck.visited[0]] = slot
    luck.shoe_rounds[slot] += 1
    luck.shoe_nets[slot] += net
    if not game.is_infinite:
        for card in cards[begin : min(position, len(game.deck))]:
            luck.left[card] -= 1


@lean_kernel
def end_shoe(luck: LuckCall) -> None:
    """Add the products of a shoe's sums, and forget these."""
    add_products(
        luck.products, luck.shoe_rounds, luck.shoe_nets, whole(0), luck.visited, whole(0),
        len(luck.shoe_rounds), luck.shift,
    )  # fmt: skip


@inlined_kernel
def add_products(
    products: Floats,
    rounds: Integers,
    nets: Integers,
    first: int,
    visited: Integers,
    listed: int,
    slots: int,
    shift: int,
) -> None:
    """Add the products of a shoe, whose sums begin at `first` and whose slots at `listed`."""
    number = visited[listed]
    half = (1 << shift) >> 1
    for one in range(number):
        slot = visited[listed + 1 + one]
        nets[first + slot] = (nets[first + slot] + half) >> shift
    for one in range(number):
        slot = visited[listed + 1 + one]
        own_rounds, own_net = float(rounds[first + slot]), float(nets[first + slot])
        line = slot * slots
        for two in range(number):
            other = visited[listed + 1 + two]
            other_rounds = float(rounds[first + other])
            other_net = float(nets[first + other])
            products[line + other] += own_rounds * other_rounds
            products[slots * slots + line + other] += own_net * other_rounds
            products[2 * slots * slots + line + other] += own_net * other_net
    for one in range(number):
        slot = visited[listed + 1 + one]
        rounds[first + slot] = nets[first + slot] = 0
    visited[listed] = 0
