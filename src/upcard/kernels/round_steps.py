"""Steps of a simulated round that are rare or only for a log or a probe, and settlements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes
from upcard.kernels.game import KINDS, MOST_HITS, LoweredGame, Probe, deviate
from upcard.kernels.jit import kernel, lean_kernel
from upcard.kernels.randomness import whole


@kernel
def offer_surrender(
    game: LoweredGame,
    up: int,
    spot_rows: NDArray[np.int64],
    running: int,
    running_before: int,
    position: int,
    begin: int,
    log: NDArray[np.int64] | None,
    logged: int,
) -> tuple[int, int]:
    """Offer surrender to every spot before the peek; return the number taken, and the log's place.

    The row of a spot that surrenders becomes -1.
    """
    surrendered = 0
    for spot in range(len(spot_rows)):
        row = spot_rows[spot]
        if game.total[row] == 21:
            continue
        action = whole(game.choice[(codes.EARLY * game.rows + row) * KINDS + up])
        if action >= codes.FIRST_DEVIATION:
            action = deviate(game, action, running, running_before, position, begin)
        if log is not None:
            logged = note(log, logged, codes.LOG_ANSWER, spot, codes.ASKED_SURRENDER, action)
        if action == codes.SURRENDER:
            spot_rows[spot] = -1
            surrendered += 1
    return surrendered, logged


@kernel
def count_insured(total: NDArray[np.uint8], spot_rows: NDArray[np.int64], even_money: int) -> int:
    """Return how many spots insure when asked; a natural may take even money instead."""
    insured = 0
    for row in spot_rows:
        if total[row] != 21 or even_money == 0:
            insured += 1
    return insured


@kernel
def settle_at_look(
    total: NDArray[np.uint8],
    spot_rows: NDArray[np.int64],
    unit: int,
    insured: int,
    takes_even_money: int,
    log: NDArray[np.int64] | None,
    logged: int,
) -> tuple[int, int]:
    """Return the net of a round that ends with the dealer's peek, and the log's place.

    A row of -1 is a spot that surrendered.
    """
    net = insured * unit
    for spot in range(len(spot_rows)):
        row = spot_rows[spot]
        if row < 0:
            hand_net = -(unit // 2)
        elif total[row] == 21:
            hand_net = takes_even_money * unit
        else:
            hand_net = -unit
        net += hand_net
        if log is not None:
            logged = note(log, logged, codes.LOG_HAND, spot, hand_net, 1)
    if log is not None:
        logged = note(log, logged, codes.LOG_INSURANCE, insured * unit)
    return net, logged


@lean_kernel
def settle_hand(
    result: int, stake: int, dealer_total: int, has_natural: int, pays: tuple[int, int, int]
) -> int:
    """Return the net of a hand, in 1/unit; `dealer_total` is 1 if the dealer went bust.

    `pays`: the unit, the payout of a natural, and whether the dealer's natural beats a surrender.
    """
    if result < codes.NATURAL:
        if has_natural:
            return -stake
        return stake * (int(result > dealer_total) - int(result < dealer_total))
    unit, natural_pays, natural_beats_surrender = pays
    if result == codes.NATURAL:
        return 0 if has_natural else natural_pays
    if result == codes.EVEN_MONEY:
        return unit
    return -unit if has_natural and natural_beats_surrender else -(unit // 2)


@kernel
def note(
    log: NDArray[np.int64],
    place: int,
    kind: int,
    one: int,
    two: int = 0,
    three: int = 0,
    four: int = 0,
) -> int:
    """Write an entry of the log; return the place of the next."""
    log[place, 0] = kind
    log[place, 1] = one
    log[place, 2] = two
    log[place, 3] = three
    log[place, 4] = four
    return place + 1


@kernel
def note_insurance(
    game: LoweredGame,
    log: NDArray[np.int64],
    place: int,
    spot_rows: NDArray[np.int64],
    insures: int,
) -> int:
    """Log every spot's answers about insurance and even money; return the next place."""
    for spot in range(len(spot_rows)):
        is_natural = game.total[spot_rows[spot]] == 21
        if is_natural and game.even_money > 0:
            place = note(log, place, codes.LOG_ANSWER, spot, codes.ASKED_EVEN_MONEY, insures)
        if not is_natural or game.even_money == 0 or (game.even_money == 2 and not insures):
            place = note(log, place, codes.LOG_ANSWER, spot, codes.ASKED_INSURANCE, insures)
    return place


@kernel
def note_end(
    log: NDArray[np.int64],
    place: int,
    cards: NDArray[np.uint8],
    begin: int,
    position: int,
    net: int,
    extra: int,
) -> int:
    """Log the cards and the result of a round; return the place of the next entry."""
    for card in cards[begin:position]:
        place = note(log, place, codes.LOG_CARD, card)
    return note(log, place, codes.LOG_END, net, extra)


@kernel
def note_hit(
    numbers: NDArray[np.int64], counts: NDArray[np.int64], hits: int, number: int, count: int
) -> int:
    """Record that a round met a probed cell, once, and its count; return the number of cells."""
    for hit in range(hits):
        if numbers[hit] == number:
            return hits
    if hits == MOST_HITS:
        return hits
    numbers[hits] = number
    counts[hits] = count
    return hits + 1


@kernel
def add_gain(probe: Probe, number: int, count: int, gain: int, bet_count: int) -> None:
    """Add the gain of another choice to its sums, at unit bet and at the bet of the round."""
    won = gain * probe.bets[bet_count]
    sums = probe.sums
    sums[number, count, 0] += 1
    sums[number, count, 1] += gain
    sums[number, count, 2] += gain * gain
    sums[number, count, 3] += won
    sums[number, count, 4] += won * won
