"""The simulator's shoe: filled, shuffled as far as rounds are likely to need, and extended."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.game import LoweredGame
from upcard.kernels.jit import lean_kernel
from upcard.kernels.randomness import draw_independently, seed_state, shuffle, whole

_AHEAD = 64
"""Number of cards drawn at a time from an infinite deck."""


@lean_kernel
def lay_out(deck: NDArray[Any], cards: NDArray[Any]) -> None:
    """Copy a full shoe; a function of two arrays, because then the copy is vectorised."""
    for place in range(len(deck)):
        cards[place] = deck[place]


@lean_kernel
def fill_shoe(
    deck: NDArray[np.uint8],
    weights: NDArray[np.int64],
    is_infinite: int,
    shuffled_ahead: int,
    cards: NDArray[np.uint8],
    state: NDArray[np.uint64],
) -> int:
    """Put a fresh shoe into `cards`; return the number of cards that are ready to be dealt."""
    lay_out(deck, cards)
    if is_infinite:
        draw_independently(cards, whole(0), len(deck), weights, state)
        return len(deck)
    return shuffle(cards, whole(0), shuffled_ahead, len(deck), state)


@lean_kernel
def open_shoe(
    deck: NDArray[np.uint8],
    weights: NDArray[np.int64],
    is_infinite: int,
    shuffled_ahead: int,
    cards: NDArray[np.uint8],
    state: NDArray[np.uint64],
    seed: np.uint64,
    chunk: np.uint64,
    shoe: np.uint64,
    script: NDArray[np.uint8] | None,
) -> int:
    """Seed the generator of a shoe, and fill it, from a `script` if there is one.

    Returns the number of cards that are ready to be dealt.
    """
    seed_state(state, seed, chunk, shoe)
    if script is not None:
        lay_out(script[: len(deck)], cards)
        return len(deck)
    return fill_shoe(deck, weights, is_infinite, shuffled_ahead, cards, state)


@lean_kernel
def make_ready(
    game: LoweredGame,
    cards: NDArray[np.uint8],
    begin: int,
    position: int,
    ready: int,
    size: int,
    state: NDArray[np.uint64],
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
