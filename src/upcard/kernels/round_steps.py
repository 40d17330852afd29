"""Steps of a simulated round that are rare, or that only a log or a probe takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.kernels.game import (
    ASKED_EVEN_MONEY,
    ASKED_INSURANCE,
    EVEN_MONEY,
    LOG_ANSWER,
    MOST_HITS,
    NATURAL,
)
from upcard.kernels.jit import kernel
from upcard.kernels.randomness import draw_independently, shuffle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from upcard.kernels.game import Game, Probe

_AHEAD = 64
"""Cards of an infinite deck that are drawn at a time."""


@kernel
def lay_out(deck: NDArray[np.uint8], cards: NDArray[np.uint8]) -> None:
    """Copy a full shoe; a function of two arrays, because then the copy is vectorised."""
    for place in range(len(deck)):
        cards[place] = deck[place]


@kernel
def fill_shoe(
    deck: NDArray[np.uint8],
    weights: NDArray[np.int64],
    is_infinite: int,
    shuffled_ahead: int,
    cards: NDArray[np.uint8],
    state: NDArray[np.uint64],
) -> int:
    """Put a fresh shoe into `cards`; return how many of them are ready to be dealt."""
    lay_out(deck, cards)
    if is_infinite:
        draw_independently(cards, 0, len(deck), weights, state)
        return len(deck)
    return shuffle(cards, 0, shuffled_ahead, len(deck), state)


@kernel
def make_ready(
    game: Game,
    cards: NDArray[np.uint8],
    begin: int,
    position: int,
    ready: int,
    size: int,
    state: NDArray[np.uint64],
) -> tuple[int, int]:
    """Make cards ready up to `position`; return how many are, and how many there are in all.

    An empty shoe takes the discards of earlier rounds back, shuffled, once. After that there may
    still be too few.
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


@kernel
def settle_at_look(game: Game, row: int, takes_even_money: int) -> int:
    """Return what a spot nets when the look at the hole card ends the round; -1 is surrendered."""
    if row < 0:
        return -(game.unit // 2)
    if game.total[row] == 21:
        return game.unit if takes_even_money else 0
    return -game.unit


@kernel
def settle_hand(
    result: int,
    stake: int,
    dealer_total: int,
    has_natural: int,
    unit: int,
    natural_pays: int,
    natural_beats_surrender: int,
) -> int:
    """Return what a hand nets, in 1/unit; `dealer_total` is 1 if he went bust."""
    if result < NATURAL:
        if has_natural:
            return -stake
        return stake * (int(result > dealer_total) - int(result < dealer_total))
    if result == NATURAL:
        return 0 if has_natural else natural_pays
    if result == EVEN_MONEY:
        return unit
    return -unit if has_natural and natural_beats_surrender else -(unit // 2)


@kernel
def note(
    log: NDArray[np.int64],
    place: int,
    kind: int,
    one: int,
    two: int,
    three: int,
    four: int,
    five: int,
) -> int:
    """Write an entry of the log; return the place of the next."""
    log[place, 0] = kind
    log[place, 1] = one
    log[place, 2] = two
    log[place, 3] = three
    log[place, 4] = four
    log[place, 5] = five
    return place + 1


@kernel
def note_insurance(
    game: Game,
    log: NDArray[np.int64],
    place: int,
    spot_rows: NDArray[np.int64],
    insures: int,
    index: int,
    running: int,
) -> int:
    """Log what every spot was asked about insurance and even money; return the next place."""
    count = index + game.least_count
    for spot in range(len(spot_rows)):
        is_natural = game.total[spot_rows[spot]] == 21
        if is_natural and game.even_money > 0:
            place = note(log, place, LOG_ANSWER, spot, ASKED_EVEN_MONEY, insures, count, running)
        if not is_natural or game.even_money == 0 or (game.even_money == 2 and not insures):
            place = note(log, place, LOG_ANSWER, spot, ASKED_INSURANCE, insures, count, running)
    return place


@kernel
def note_hit(numbers: NDArray[np.int64], counts: NDArray[np.int64], hits: int, number: int) -> int:
    """Remember that a round met a probed cell, once; its count, still open, is -1."""
    for hit in range(hits):
        if numbers[hit] == number:
            return hits
    if hits == MOST_HITS:
        return hits
    numbers[hits] = number
    counts[hits] = -1
    return hits + 1


@kernel
def add_gain(probe: Probe, number: int, count: int, gain: int, bet_count: int) -> None:
    """Add what another choice gained to its sums, at unit bet and at that of the round."""
    won = gain * probe.bets[bet_count]
    sums = probe.sums
    sums[number, count, 0] += 1
    sums[number, count, 1] += gain
    sums[number, count, 2] += gain * gain
    sums[number, count, 3] += won
    sums[number, count, 4] += won * won
