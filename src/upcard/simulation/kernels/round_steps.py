"""Steps of a simulated round: how a count is read, settlements, probes, and what is rare."""

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import Bytes, Integers, inlined_kernel, lean_kernel
from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import COUNT_BITS, KINDS, MOST_HITS, LoweredGame, Probe
from upcard.simulation.kernels.randomness import at, whole
from upcard.simulation.kernels.shoes import Met


@inlined_kernel
def convert_count(
    running: int, place: int, factor: Integers, add_positive: int, add_negative: int
) -> int:
    """Convert a running count to the count that decides, with `place` cards dealt."""
    at_place = factor[np.uint64(min(place, len(factor) - 1))]
    return cut_count(running, at_place, add_positive, add_negative)


@inlined_kernel
def cut_count(running: int, factor: int, add_positive: int, add_negative: int) -> int:
    """Convert a running count by a factor to the whole count that decides."""
    return (running * factor + (add_negative if running < 0 else add_positive)) >> COUNT_BITS


@inlined_kernel
def unpack_bet(running: int) -> int:
    """Return the betting count of two running counts in one word."""
    return whole(((running + (1 << 31)) & ((1 << 32) - 1)) - (1 << 31))


@inlined_kernel
def convert_bet(
    running: int, place: int, factor: Integers, limits: tuple[int, int, int, int]
) -> int:
    """Return the count that decides the bet.

    `limits`: `LoweredGame.add_positive`, `add_negative`, `least_count` and `most_count`.
    """
    add_positive, add_negative, least, most = limits
    count = convert_count(unpack_bet(running), place, factor, add_positive, add_negative)
    return min(max(count, least), most)


@inlined_kernel
def take_seat(seated: int, count: int, seats: tuple[int, int]) -> int:
    """Return whether the player sits; `seats`: `LoweredGame.leave` and `enter`."""
    leave, enter = seats
    return int(count >= leave if seated else count >= enter)


@inlined_kernel
def count_play(
    game: LoweredGame, running: int, running_before: int, position: int, begin: int
) -> int:
    """Return the row of the playing count in the middle of a round."""
    if position > len(game.factor):
        # The shoe ran out and took the discards back: only the cards of this round are out.
        running += game.start_count - running_before
        position -= begin
    running = (running + (1 << 31)) >> 32
    count = convert_count(running, position, game.factor, game.add_positive, game.add_negative)
    return min(max(count, game.least_count), game.most_count) - game.least_count


@inlined_kernel
def deviate(
    game: LoweredGame, action: int, running: int, running_before: int, position: int, begin: int
) -> int:
    """Return the action of a hand where the count decides; `action` is the deviation's number."""
    row = count_play(game, running, running_before, position, begin)
    return whole(game.by_count[at((action - loop_codes.FIRST_DEVIATION) * game.counts + row)])


@inlined_kernel
def count_spots(spots: int, many: Integers | None) -> int:
    """Return the number of spots, which is 1 in code that is compiled without `many`."""
    if many is None:
        return 1
    return spots


@lean_kernel
def may_insure(insures: Bytes, log: Integers | None, probe: Probe | None) -> int:
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
    spot_rows: Integers,
    running: int,
    running_before: int,
    position: int,
    begin: int,
    log: Integers | None,
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
        action = whole(game.choice[(loop_codes.EARLY * game.rows + row) * KINDS + up])
        if action >= loop_codes.FIRST_DEVIATION:
            action = deviate(game, action, running, running_before, position, begin)
        if log is not None:
            logged = note(
                log, logged, loop_codes.LOG_ANSWER, spot, loop_codes.ASKED_SURRENDER, action
            )
        if action == loop_codes.SURRENDER:
            spot_rows[spot] = -1
            surrendered += 1
    return surrendered, logged


@lean_kernel
def count_insured(total: Bytes, spot_rows: Integers, even_money: int) -> int:
    """Return how many spots insure when asked; a natural may take even money instead."""
    insured = 0
    for row in spot_rows:
        if total[row] != 21 or even_money == 0:
            insured += 1
    return insured


@lean_kernel
def settle_at_look(
    game: LoweredGame,
    spot_rows: Integers,
    insured: int,
    takes_even_money: int,
    nets: NDArray[np.int32] | None,
    first: int,
    log: Integers | None,
    logged: int,
) -> tuple[int, int]:
    """Return the net of a round that ends with the dealer's peek, and the log's place.

    A row of -1 is a spot that surrendered; `takes_even_money` has a bit for each spot. The net of
    each hand is written from `first` on.
    """
    net = insured_net = insured * game.insurance_pays
    for spot in range(len(spot_rows)):
        row = spot_rows[spot]
        result = loop_codes.SURRENDERED
        if row >= 0:
            result = whole(game.total[row])
            if result == 21:
                result = loop_codes.NATURAL + ((takes_even_money >> spot) & 1)
        hand_net = settle_hand(game.net_of, result, 0, loop_codes.DEALER_NATURAL)
        net += hand_net
        if nets is not None:
            nets[at(first + spot)] = hand_net
        if log is not None:
            logged = note(log, logged, loop_codes.LOG_HAND, spot, hand_net, 1)
    if log is not None:
        logged = note(log, logged, loop_codes.LOG_INSURANCE, insured_net)
    return net, logged


@inlined_kernel
def settle_hand(net_of: Integers, result: int, wager: int, dealer: int) -> int:
    """Return the net of a hand, in 1/unit, by its result and the dealer's."""
    line = wager * loop_codes.DEALERS + dealer
    return whole(net_of[at(line * loop_codes.RESULTS + result)])


@inlined_kernel
def find_stake(game: LoweredGame, wager: int) -> int:
    """Return what a hand loses at most, in 1/unit."""
    return -settle_hand(game.net_of, 0, wager, 0)


@inlined_kernel
def count_added(wager: int, double_stake: int) -> int:
    """Return the half bets that a player has added to a hand by all its doubles."""
    last = count_raised(wager, double_stake)
    return 2 * last - (last >> (wager >> loop_codes.AGAIN_SHIFT))


@inlined_kernel
def count_raised(wager: int, double_stake: int) -> int:
    """Return the half bets that a player adds to a hand by its last double."""
    is_paid = wager & (loop_codes.DOUBLED | loop_codes.FREELY) == loop_codes.DOUBLED
    return (int(is_paid) * (2 * double_stake - 2)) << (wager >> loop_codes.AGAIN_SHIFT)


@inlined_kernel
def find_doubled_context(wager: int) -> int:
    """Return the context of a hand that doubled and is asked again."""
    return loop_codes.DOUBLED_ONCE + (wager >> loop_codes.AGAIN_SHIFT)


@lean_kernel
def has_added_bets(
    game: LoweredGame, results: Integers, wagers: Integers, spots: Integers, hands: int
) -> bool:
    """Whether the busted hands of a spot have more than its original bet."""
    last_spot = -1
    for hand in range(hands):
        if results[hand] == 0:
            if spots[hand] == last_spot or find_stake(game, wagers[hand]) > game.unit:
                return True
            last_spot = spots[hand]
    return False


@inlined_kernel
def natural_matters(net_of: Integers, result: int) -> bool:
    """Whether a hand that is not live is paid otherwise if the dealer has a natural."""
    natural = settle_hand(net_of, result, 0, loop_codes.DEALER_NATURAL)
    return natural != settle_hand(net_of, result, 0, 0)


@inlined_kernel
def return_added_bets(
    natural_takes: int, result: int, net: int, unit: int, charged: int
) -> tuple[int, int]:
    """Limit what a natural takes of a hand; return its net, and what is `charged` by then.

    `charged`: whether it took the original bet of the spot, or none is left to take.
    """
    takes_original = natural_takes == loop_codes.TAKES_ORIGINAL
    if result < loop_codes.NATURAL and (takes_original or result > 0):
        return (0 if charged else max(net, -unit)), 1
    return net, int(charged or natural_takes == loop_codes.TAKES_ORIGINAL_AND_BUSTED)


@inlined_kernel
def settle_hands(
    game: LoweredGame,
    results: Integers,
    wagers: Integers,
    spots: Integers,
    hands: int,
    dealer: int,
    nets: NDArray[np.int32] | None,
    first: int,
    log: Integers | None,
    logged: int,
) -> tuple[int, int]:
    """Return the net of all hands, and the log's place; write the net of each from `first` on."""
    net, spot, charged = 0, -1, 0
    for hand in range(hands):
        result = results[at(hand)]
        wager = wagers[at(hand)]
        hand_net = settle_hand(game.net_of, result, wager, dealer)
        if dealer == loop_codes.DEALER_NATURAL and game.natural_takes:
            if spots[at(hand)] != spot:
                spot, charged = spots[at(hand)], 0
            hand_net, charged = return_added_bets(
                game.natural_takes, result, hand_net, game.unit, charged
            )
        net += hand_net
        if nets is not None:
            nets[at(first + hand)] = hand_net
        if log is not None:
            stake = find_stake(game, wager) // game.unit
            logged = note(log, logged, loop_codes.LOG_HAND, spots[at(hand)], hand_net, stake)
    return net, logged


@lean_kernel
def note(
    log: Integers, place: int, kind: int, one: int, two: int = 0, three: int = 0, four: int = 0
) -> int:
    """Write an entry of the log; return the place of the next."""
    log[place, 0] = kind
    log[place, 1] = one
    log[place, 2] = two
    log[place, 3] = three
    log[place, 4] = four
    return place + 1


@lean_kernel
def note_answer(log: Integers, place: int, hand: int, action: int) -> int:
    """Log the action of a hand if it was asked; return the next place."""
    if action == loop_codes.NOT_ASKED:
        return place
    return note(log, place, loop_codes.LOG_ANSWER, hand, loop_codes.ASKED_PLAY, action)


@lean_kernel
def note_insurance(
    game: LoweredGame, log: Integers, place: int, spot_rows: Integers, insures: int
) -> int:
    """Log every spot's answers about insurance and even money; return the next place."""
    for spot in range(len(spot_rows)):
        is_natural = game.total[spot_rows[spot]] == 21
        if is_natural and game.even_money > 0:
            place = note(
                log, place, loop_codes.LOG_ANSWER, spot, loop_codes.ASKED_EVEN_MONEY, insures
            )
        if not is_natural or game.even_money == 0 or (game.even_money == 2 and not insures):
            place = note(
                log, place, loop_codes.LOG_ANSWER, spot, loop_codes.ASKED_INSURANCE, insures
            )
    return place


@lean_kernel
def note_end(
    log: Integers, place: int, cards: Bytes, begin: int, position: int, net: int, extra: int
) -> int:
    """Log the cards and the result of a round; return the place of the next entry."""
    for card in cards[begin:position]:
        place = note(log, place, loop_codes.LOG_CARD, card)
    return note(log, place, loop_codes.LOG_END, net, extra)


@lean_kernel
def meet_insurance(game: LoweredGame, met: Met, count: int, unseen: int) -> None:
    """Note the gain of insurance if the hole card were `unseen`."""
    met.insurance[0] = count
    met.insurance[1] = game.insurance_pays if unseen == loop_codes.TEN else -(game.unit // 2)


@lean_kernel
def meet_probe(
    game: LoweredGame,
    probe: Probe,
    met: Met,
    cell: int,
    action: int,
    probing: int,
    running: int,
    before: int,
    position: int,
    begin: int,
) -> int:
    """Note that a round met a probed cell; return the action, the other one if it is replayed."""
    number = whole(probe.number[cell])
    if probing == 0:
        index = count_play(game, running, before, position, begin)
        met.cells[0] = note_hit(met.numbers, met.counts, met.cells[0], number, index)
    elif number == probing:
        action = whole(probe.choice[at(cell)])
        if action >= loop_codes.FIRST_DEVIATION:
            action = deviate(game, action, running, before, position, begin)
    return action


@lean_kernel
def compare(
    probe: Probe, met: Met, probing: int, ended: tuple[int, int, int, int], count: int
) -> int:
    """Add the gain of a round that was replayed; return the number of the next cell to replay.

    `ended` is as `Met.round`; `count` is that of the bet. The number is 0 after the last cell.
    """
    if probing == 0:
        for place in range(4):
            met.round[place] = ended[place]
        if met.insurance[0] >= 0:
            add_gain(probe, 0, met.insurance[0], met.insurance[1], ended[0], count)
    else:
        gain = ended[0] - met.round[0]
        add_gain(probe, probing, met.counts[met.cells[1] - 1], gain, met.round[0], count)
    if met.cells[1] < met.cells[0]:
        met.cells[1] += 1
        return whole(met.numbers[met.cells[1] - 1])
    met.cells[0] = met.cells[1] = 0
    return 0


@lean_kernel
def note_hit(numbers: Integers, counts: Integers, hits: int, number: int, count: int) -> int:
    """Record that a round met a probed cell, once, and its count; return the number of cells."""
    for hit in range(hits):
        if numbers[hit] == number:
            return hits
    if hits == MOST_HITS:
        return hits
    numbers[hits] = number
    counts[hits] = count
    return hits + 1


@lean_kernel
def add_gain(probe: Probe, number: int, count: int, gain: int, net: int, bet_count: int) -> None:
    """Add the gain of another choice over `net` to its sums, at unit bet and at the round's bet."""
    won = gain * probe.bets[bet_count]
    sums = probe.sums
    sums[number, count, 0] += 1
    sums[number, count, 1] += gain
    sums[number, count, 2] += gain * gain
    sums[number, count, 3] += won
    sums[number, count, 4] += won * won
    sums[number, count, 5] += gain * (gain + 2 * net)
