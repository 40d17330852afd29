"""Side bets in the simulator's loop: cards with suits and faces, and tables of what they pay.

The loop reads kinds of cards, and with side bets a second array has the cards in full. Both are
one shuffle: it moves cards by their places, so that the main game of a seed is the same with and
without suits.

A card in full is a byte: its kind in the lower four bits, its suit in the next two, and which of
the ten-valued cards it is in the last two. What a bet looks at, its looks, are numbers below 256
too. Each adds an offset, and the sum is the place of the outcome in a table.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import inlined_kernel, lean_kernel
from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import KINDS, LoweredGame
from upcard.simulation.kernels.randomness import at, next_word, seed_state, whole
from upcard.simulation.kernels.round_steps import note

SUIT_SHIFT: Final = 4
FACE_SHIFT: Final = 6
SPADES: Final = 3
"""Number of a suit."""
_SEVEN: Final = 6
BYTES: Final = 256
"""Values of a look."""
NO_CARD: Final = 255
"""In place of a card that there is not."""

PLAYER_1, PLAYER_2, UPCARD, HOLE, NEXT, NATURAL, THIRD, LAST, SIZE, ROW = range(10)
"""Looks: cards, whether the dealer has a natural, and the dealer's final hand: its third card if it
has three, its last card, its number of cards, and its row."""
LOOKS: Final = 10
SHORT: Final = 3
"""A dealer's hand of this number of cards or fewer has a table of its own."""
_KIND_BITS: Final = np.uint8(KINDS - 1)
_STREAM: Final = np.uint64(0x5EED5EED5EED5EED)
"""Makes the stream of an infinite deck's suits another one than that of its ranks."""
_SIX_BITS: Final = np.uint64(63)


class SideTables(NamedTuple):
    """The side bets of a house, and what else only some houses have.

    Bet b has two tables: 2 * b, and 2 * b + 1 for a short hand.
    """

    deck: NDArray[np.uint8]
    """The cards of a full shoe in full, their kinds in the order of `LoweredGame.deck`."""
    bonus_of: NDArray[np.uint8]
    """By (result - BY_SUIT_678) * SUITS_OF_BONUS + suits: the result of three cards by suit."""
    asks_doubled: int
    """Whether a hand that doubled is asked again."""
    busts_live: int
    """By kind of upcard, a bit each: whether a bust hand is compared with the dealer."""
    worths: NDArray[np.int32]
    """By (upcard * KINDS + first) * KINDS + second: what two cards as dealt are worth, then what
    they are after a swap; empty in a house without one."""
    plays_out: int
    """Whether the dealer always plays out."""
    needs_second: int
    """Whether the dealer always takes a second card."""
    needs_next: int
    """Whether a card is turned up where no hand took one after the deal."""
    bets: int
    width: int
    """Most outcomes of a bet; the first is the loss."""
    looks: NDArray[np.int64]
    """By 2 * table: its first look, and the end of them."""
    look: NDArray[np.int64]
    """By look: what is looked at."""
    offset: NDArray[np.int32]
    """By look * BYTES + value."""
    start: NDArray[np.int64]
    """By table: where it starts in `outcome`."""
    outcome: NDArray[np.uint8]
    pays: NDArray[np.uint8]
    """Bits of `outcome`: set where it is not the loss. An eighth of the size stays in the cache."""
    net: NDArray[np.int64]
    """By bet * width + outcome: the net of a unit, in whole numbers."""


class SideCall(NamedTuple):
    """The side bets of one call: tables, cards, and sums by row of the tally."""

    tables: SideTables
    cards: NDArray[np.uint8]
    """The shoe in full."""
    state: NDArray[np.uint64]
    """The generator of an infinite deck's suits."""
    seen: NDArray[np.int64]
    """Values of the looks in a round."""
    nets: NDArray[np.int64]
    """By bet: its net in a round, over all spots."""
    counts: NDArray[np.int64]
    """By (row * bets + bet) * width + outcome: how often."""
    products: NDArray[np.int64]
    """By row: sums of products of nets, of the main bet and each side bet, and of each side bet
    and those from itself on, in the order (main, 0), (0, 0) .. (0, n), (main, 1), (1, 1) .."""


def count_products(bets: int) -> int:
    """Return the number of products of a round."""
    return bets * (bets + 3) // 2


@lean_kernel
def show_kinds(
    side: SideCall, is_infinite: int, kinds: NDArray[np.uint8], start: int, stop: int
) -> None:
    """Copy the kinds of cards from `start` to `stop`; those of an infinite deck get their suits."""
    if is_infinite:
        for place in range(start, stop):
            bits = np.uint8(next_word(side.state) & _SIX_BITS)
            kind = side.cards[place] & _KIND_BITS
            if kind != loop_codes.TEN:
                bits &= np.uint8(3)
            side.cards[place] = kind | np.uint8(bits << np.uint8(SUIT_SHIFT))
    mask_kinds(side.cards[start:stop], kinds[start:stop])


@lean_kernel
def mask_kinds(cards: NDArray[np.uint8], kinds: NDArray[np.uint8]) -> None:
    """Copy kinds; a function of two arrays, because then the copy is vectorised."""
    for place in range(len(kinds)):
        kinds[place] = cards[place] & _KIND_BITS


@lean_kernel
def seed_suits(side: SideCall, seed: np.uint64, chunk: np.uint64, shoe: np.uint64) -> None:
    """Seed the generator of an infinite deck's suits for a shoe."""
    seed_state(side.state, seed ^ _STREAM, chunk, shoe)


@lean_kernel
def find_bonus(side: SideCall, result: int, hands: int, up: int, places: tuple[int, ...]) -> int:
    """Return the result of three cards at `places` by their suits; `up` is the upcard's kind."""
    if result == loop_codes.BY_SUIT_777 and hands == 1 and up in (_SEVEN, loop_codes.RED_7):
        result = loop_codes.BY_SUIT_777_V_7
    suit, suits = 0, 1
    for place in places:
        of_card = side.cards[at(place)] >> np.uint8(SUIT_SHIFT) & np.uint8(3)
        if place != places[0] and of_card != suit:
            suits = 0
        suit = of_card
    if suits == 1 and suit == SPADES:
        suits = 2
    row = result - loop_codes.BY_SUIT_678
    return whole(side.tables.bonus_of[at(row * loop_codes.SUITS_OF_BONUS + suits)])


@inlined_kernel
def swap_cards(
    game: LoweredGame,
    side: SideCall,
    kinds: NDArray[np.uint8],
    begin: int,
    up: int,
    spot_rows: NDArray[np.int64],
) -> int:
    """Swap the second cards of two hands if they are worth more then; return whether they are."""
    other, later = begin + game.first_step, game.second_at
    one, two = whole(kinds[at(begin)]), whole(kinds[at(begin + later)])
    three, four = whole(kinds[at(other)]), whole(kinds[at(other + later)])
    worths, row = side.tables.worths, up * KINDS
    dealt = worths[at((row + one) * KINDS + two)] + worths[at((row + three) * KINDS + four)]
    row += KINDS * KINDS
    swapped = worths[at((row + one) * KINDS + four)] + worths[at((row + three) * KINDS + two)]
    if swapped > dealt:
        spot_rows[at(0)] = game.opening[at(one * KINDS + four)]
        spot_rows[at(1)] = game.opening[at(three * KINDS + two)]
        return 1
    return 0


@inlined_kernel
def turn_up_next(
    game: LoweredGame,
    side: SideCall,
    kinds: NDArray[np.uint8],
    begin: int,
    position: int,
    running: int,
    flat: NDArray[np.int64] | None,
) -> tuple[int, int]:
    """Turn a card up where a bet is on it, and no hand took it; return place and running count."""
    if side.tables.needs_next and position == begin + game.dealt:
        if flat is None:
            running += game.tags[at(kinds[at(position)])]
        position += 1
    return position, running


@inlined_kernel
def settle_side_bets(
    game: LoweredGame,
    side: SideCall,
    spots: int,
    begin: int,
    dealer_at: int,
    dealer_end: int,
    dealer_row: int,
    row: int,
    net: int,
    log: NDArray[np.int64] | None,
    logged: int,
) -> int:
    """Settle a unit on every side bet of every spot, and add it up; return the log's place.

    The dealer drew the cards from `dealer_at` to `dealer_end`; `net` is that of the main bets.
    """
    tables, cards, seen, nets = side.tables, side.cards, side.seen, side.nets
    bets, width = tables.bets, tables.width
    up, is_short = cards[at(begin + game.up_at)], 0
    seen[UPCARD], seen[NEXT] = up, cards[at(begin + game.dealt)]
    if tables.needs_second:
        has_hole, drawn = game.has_hole, dealer_end - dealer_at
        hole = cards[at(begin + game.hole_at if has_hole else dealer_at)]
        size = 1 + has_hole + drawn
        opening = game.opening[at((up & _KIND_BITS) * KINDS + (hole & _KIND_BITS))]
        seen[HOLE], seen[NATURAL] = hole, int(game.total[at(opening)] == 21)
        seen[THIRD] = cards[at(dealer_end - 1)] if size == SHORT else NO_CARD
        seen[LAST] = up if has_hole and game.hole_at < game.up_at else hole
        if drawn > 0:
            seen[LAST] = cards[at(dealer_end - 1)]
        seen[SIZE], seen[ROW] = size, dealer_row
        is_short = int(size <= SHORT)
    for bet in range(bets):
        nets[at(bet)] = 0
    for spot in range(spots):
        place = begin + spot * game.first_step
        seen[PLAYER_1], seen[PLAYER_2] = cards[at(place)], cards[at(place + game.second_at)]
        for bet in range(bets):
            table = 2 * bet + is_short
            index = whole(tables.start[at(table)])
            for look in range(tables.looks[at(2 * table)], tables.looks[at(2 * table + 1)]):
                value = seen[at(tables.look[at(look)])]
                index += tables.offset[at(look * BYTES + value)]
            outcome = whole(0)
            if (tables.pays[at(index >> 3)] >> np.uint8(index & 7)) & np.uint8(1):
                outcome = whole(tables.outcome[at(index)])
            side.counts[at((row * bets + bet) * width + outcome)] += 1
            nets[at(bet)] += tables.net[at(bet * width + outcome)]
            if log is not None:
                logged = note(log, logged, loop_codes.LOG_SIDE, spot, bet, outcome)
    place = row * (bets * (bets + 3) // 2)
    for bet in range(bets):
        won = nets[at(bet)]
        side.products[at(place)] += won * net
        place += 1
        for other in range(bet, bets):
            side.products[at(place)] += won * nets[at(other)]
            place += 1
    return logged
