"""`Room`: the memory of a call of the simulator's loop, whose compiled code makes no array."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.game import MOST_HANDS, MOST_HITS, LoweredGame
from upcard.kernels.randomness import STATE_WORDS

MOST_CARDS: Final = 22
"""More than any hand has."""
_SPARE_CARDS: Final = 64


class Met(NamedTuple):
    """Probed cells, offers and the end of a round that was played as the chart says."""

    numbers: NDArray[np.int64]
    """The probed cells that it met."""
    counts: NDArray[np.int64]
    """The counts at which it met them."""
    cells: NDArray[np.int64]
    """How many these are, and how many of them have been replayed."""
    insurance: NDArray[np.int64]
    """The count at which insurance was offered, -1 if it was not; and its gain."""
    round: NDArray[np.int64]
    """Net, half bets added, cards dealt and running counts at the end of the round."""


class Room(NamedTuple):
    """Arrays that a call fills; no two calls at the same time share one."""

    cards: NDArray[np.uint8]
    """The shoe, and discards that are shuffled back in."""
    state: NDArray[np.uint64]
    """The state of its generator."""
    spot_rows: NDArray[np.int64]
    """By spot: the row of its first hand."""
    waiting: NDArray[np.int64]
    waiting_pairs: NDArray[np.int64]
    """By split hand that waits: its row, and the place of its second card."""
    results: NDArray[np.int64]
    bets: NDArray[np.int64]
    hand_spots: NDArray[np.int64]
    """By hand that is done: its result, its bet and its spot."""
    met: Met


def most_round_cards(game: LoweredGame) -> int:
    """Return more cards than a round can take."""
    return game.spots * MOST_HANDS * MOST_CARDS + _SPARE_CARDS


def make_room(game: LoweredGame) -> Room:
    """Return room for one call of `simulate`."""
    hands = game.spots * (MOST_HANDS + 1)

    def zeros(size: int) -> NDArray[np.int64]:
        return np.zeros(size, np.int64)

    return Room(
        cards=np.zeros(2 * len(game.deck) + most_round_cards(game), np.uint8),
        state=np.zeros(STATE_WORDS, np.uint64),
        spot_rows=zeros(game.spots),
        waiting=zeros(MOST_HANDS + 1),
        waiting_pairs=zeros(MOST_HANDS + 1),
        results=zeros(hands),
        bets=zeros(hands),
        hand_spots=zeros(hands),
        met=Met(zeros(MOST_HITS), zeros(MOST_HITS), zeros(2), zeros(2), zeros(4)),
    )
