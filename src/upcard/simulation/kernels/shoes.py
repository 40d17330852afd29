"""The simulator's shoe, filled, shuffled and extended; `Room`, the memory of a call."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import Bytes, Integers, Words, lean_kernel
from upcard.simulation.kernels import randomness
from upcard.simulation.kernels.game import MOST_HANDS, MOST_HITS, LoweredGame
from upcard.simulation.kernels.randomness import draw_independently, shuffle, whole

_AHEAD = 64
"""Number of cards drawn at a time from an infinite deck."""


@lean_kernel
def lay_out(deck: NDArray[Any], cards: NDArray[Any]) -> None:
    """Copy a full shoe; a function of two arrays, because then the copy is vectorised."""
    for place in range(len(deck)):
        cards[place] = deck[place]


@lean_kernel
def fill_shoe(
    deck: Bytes,
    weights: Integers,
    is_infinite: int,
    shuffled_ahead: int,
    cards: Bytes,
    state: Words,
) -> int:
    """Put a fresh shoe into `cards`; return the number of cards that are ready to be dealt."""
    lay_out(deck, cards)
    if is_infinite:
        draw_independently(cards, whole(0), len(deck), weights, state)
        return len(deck)
    return shuffle(cards, whole(0), shuffled_ahead, len(deck), state)


@lean_kernel
def open_shoe(
    deck: Bytes,
    weights: Integers,
    is_infinite: int,
    shuffled_ahead: int,
    cards: Bytes,
    state: Words,
    seed: np.uint64,
    chunk: np.uint64,
    shoe: np.uint64,
    script: Bytes | None,
) -> int:
    """Seed the generator of a shoe, and fill it, from a `script` if there is one.

    Returns the number of cards that are ready to be dealt.
    """
    randomness.seed_state(state, seed, chunk, shoe)
    if script is not None:
        lay_out(script[: len(deck)], cards)
        return len(deck)
    return fill_shoe(deck, weights, is_infinite, shuffled_ahead, cards, state)


@lean_kernel
def make_ready(
    game: LoweredGame, cards: Bytes, begin: int, position: int, ready: int, size: int, state: Words
) -> tuple[int, int]:
    """Make cards ready up to `position`; return the number of ready cards, and of all cards.

    An empty shoe shuffles the discards of earlier rounds back in, once. There may still be too few
    cards after that.
    """
    if game.is_infinite:
        stop = min(position + _AHEAD, len(cards))
        draw_independently(cards, ready, stop, game.weights, state)
        return stop, size
    if position <= size:
        return shuffle(cards, ready, position, size, state), size
    if ready < size:
        return shuffle(cards, ready, size, size, state), size
    if size == len(game.deck) and begin > 0:
        for place in range(begin):
            cards[size + place] = cards[place]
        return shuffle(cards, size, size + begin, size + begin, state), size + begin
    return -1, size


MOST_CARDS: Final = 22
"""More than any hand has."""
_SPARE_CARDS: Final = 64


class Met(NamedTuple):
    """Probed cells, offers and the end of a round that was played as the chart says."""

    numbers: Integers
    """The probed cells that it met."""
    counts: Integers
    """The counts at which it met them."""
    cells: Integers
    """How many these are, and how many of them have been replayed."""
    insurance: Integers
    """The count at which insurance was offered, -1 if it was not; and its gain."""
    round: Integers
    """Net, half bets added, cards dealt and running counts at the end of the round."""


class Room(NamedTuple):
    """Arrays that a call fills; no two calls at the same time share one."""

    cards: Bytes
    """The shoe, and discards that are shuffled back in."""
    state: Words
    """The state of its generator."""
    spot_rows: Integers
    """By spot: the row of its first hand."""
    waiting: Integers
    waiting_ones: Integers
    waiting_pairs: Integers
    """By split hand that waits: its row, and the places of its first card and its second."""
    results: Integers
    wagers: Integers
    hand_spots: Integers
    """By hand that is done: its result, its wager and its spot."""
    met: Met


def most_round_cards(game: LoweredGame) -> int:
    """Return more cards than a round can take."""
    return game.spots * MOST_HANDS * MOST_CARDS + _SPARE_CARDS


def count_room_cards(game: LoweredGame) -> int:
    """Return the number of cards that a call has room for."""
    return 2 * len(game.deck) + most_round_cards(game)


def make_room(game: LoweredGame) -> Room:
    """Return room for one call of `simulate`."""
    hands = game.spots * (MOST_HANDS + 1)

    def zeros(size: int) -> Integers:
        return np.zeros(size, np.int64)

    return Room(
        cards=np.zeros(count_room_cards(game), np.uint8),
        state=np.zeros(randomness.STATE_WORDS, np.uint64),
        spot_rows=zeros(game.spots),
        waiting=zeros(MOST_HANDS + 1),
        waiting_ones=zeros(MOST_HANDS + 1),
        waiting_pairs=zeros(MOST_HANDS + 1),
        results=zeros(hands),
        wagers=zeros(hands),
        hand_spots=zeros(hands),
        met=Met(zeros(MOST_HITS), zeros(MOST_HITS), zeros(2), zeros(2), zeros(4)),
    )
