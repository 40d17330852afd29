"""Steps of a simulated round that are rare or only for a log, and settlements."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes
from upcard.kernels.counting import deviate
from upcard.kernels.game import KINDS, LoweredGame, Probe
from upcard.kernels.jit import inlined_kernel, lean_kernel
from upcard.kernels.randomness import at, whole


@inlined_kernel
def count_spots(spots: int, many: NDArray[np.int64] | None) -> int:
    """Return the number of spots, which is 1 in code that is compiled without `many`."""
    if many is None:
        return 1
    return spots


@lean_kernel
def may_insure(
    insures: NDArray[np.uint8], log: NDArray[np.int64] | None, probe: Probe | None
) -> int:
    """Return whether the player is asked: not if they never insure and no answers are recorded."""
    if log is None and probe is None:
        may = 0
        for insures_here in insures:
            may |= insures_here
        return may
    return 1


@lean_kernel
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


@lean_kernel
def count_insured(total: NDArray[np.uint8], spot_rows: NDArray[np.int64], even_money: int) -> int:
    """Return how many spots insure when asked; a natural may take even money instead."""
    insured = 0
    for row in spot_rows:
        if total[row] != 21 or even_money == 0:
            insured += 1
    return insured


@lean_kernel
def settle_at_look(
    total: NDArray[np.uint8],
    spot_rows: NDArray[np.int64],
    unit: int,
    insured: int,
    takes_even_money: int,
    nets: NDArray[np.int32] | None,
    first: int,
    log: NDArray[np.int64] | None,
    logged: int,
) -> tuple[int, int]:
    """Return the net of a round that ends with the dealer's peek, and the log's place.

    A row of -1 is a spot that surrendered; `takes_even_money` has a bit for each spot. The net of
    each hand is written from `first` on.
    """
    net = insured * unit
    for spot in range(len(spot_rows)):
        row = spot_rows[spot]
        if row < 0:
            hand_net = -(unit // 2)
        elif total[row] == 21:
            hand_net = ((takes_even_money >> spot) & 1) * unit
        else:
            hand_net = -unit
        net += hand_net
        if nets is not None:
            nets[at(first + spot)] = hand_net
        if log is not None:
            logged = note(log, logged, codes.LOG_HAND, spot, hand_net, 1)
    if log is not None:
        logged = note(log, logged, codes.LOG_INSURANCE, insured * unit)
    return net, logged


@inlined_kernel
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


@inlined_kernel
def settle_hands(
    results: NDArray[np.int64],
    bets: NDArray[np.int64],
    spots: NDArray[np.int64],
    hands: int,
    dealer_total: int,
    has_natural: int,
    takes_original: int,
    pays: tuple[int, int, int],
    nets: NDArray[np.int32] | None,
    first: int,
    log: NDArray[np.int64] | None,
    logged: int,
) -> tuple[int, int]:
    """Return the net of all hands, and the log's place; write the net of each from `first` on."""
    net, charged = 0, -1
    for hand in range(hands):
        result = results[at(hand)]
        hand_net = settle_hand(result, bets[at(hand)] * pays[0], dealer_total, has_natural, pays)
        if has_natural and takes_original and result < codes.NATURAL:
            spot = spots[at(hand)]
            hand_net = -pays[0] if spot != charged else 0
            charged = spot
        net += hand_net
        if nets is not None:
            nets[at(first + hand)] = hand_net
        if log is not None:
            logged = note(log, logged, codes.LOG_HAND, spots[at(hand)], hand_net, bets[at(hand)])
    return net, logged


@lean_kernel
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


@lean_kernel
def note_answer(log: NDArray[np.int64], place: int, hand: int, action: int) -> int:
    """Log the action of a hand if it was asked; return the next place."""
    if action == codes.NOT_ASKED:
        return place
    return note(log, place, codes.LOG_ANSWER, hand, codes.ASKED_PLAY, action)


@lean_kernel
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


@lean_kernel
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
