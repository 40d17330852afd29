"""A round part by part: the deal, the offer of insurance, the hands of a spot, the dealer.

The loops that play rounds compile it into themselves. An argument that may be None is an array or a
tuple of them; the code for one that is None is not compiled in.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import inlined_kernel
from upcard.simulation.kernels import loop_codes, paused_rounds, round_steps, side_results
from upcard.simulation.kernels import luck as lucks
from upcard.simulation.kernels.game import KINDS, MOST_HANDS, LoweredGame, Probe
from upcard.simulation.kernels.luck import LuckCall
from upcard.simulation.kernels.paused_rounds import PausedRounds
from upcard.simulation.kernels.randomness import at, whole
from upcard.simulation.kernels.references import find_line
from upcard.simulation.kernels.shoes import Room
from upcard.simulation.kernels.side_results import SideCall


class RoundStart(NamedTuple):
    """Values that all hands of a round share; kinds of cards, and places from `base` on."""

    base: int
    """Place of the shoe's first card."""
    begin: int
    """Cards dealt before the round."""
    before: int
    """Both running counts before the round."""
    ready: int
    """Cards that can be dealt."""
    up: int
    hole: int
    takes_even_money: int
    """A bit for each spot."""
    probing: int
    """Number of the cell whose other choice is played; 0 for none."""


class SoFar(NamedTuple):
    """State of a round while its hands are played."""

    position: int
    """Cards that are dealt."""
    running: int
    """Both running counts."""
    extra: int
    """Half bets added."""
    surrendered: int
    live: int
    """Hands that the dealer draws for."""
    naturals: int
    done: int
    """Hands that are finished."""
    logged: int
    """Place of the log's next entry."""


@inlined_kernel
def deal_round(
    game: LoweredGame,
    cards: NDArray[np.uint8],
    first_at: int,
    running: int,
    spot_rows: NDArray[np.int64],
    spots: int,
    flat: NDArray[np.int64] | None,
) -> tuple[int, int, int]:
    """Deal a round from place `first_at` on, and write the row of each spot.

    Returns the kinds of the upcard and of the hole card, which is not counted yet, and the running
    counts.
    """
    up = whole(cards[at(first_at + game.up_at)])
    if flat is None:
        running += game.tags[at(up)]
    for spot in range(spots):
        place = first_at + spot * game.first_step
        first = whole(cards[at(place)])
        second = whole(cards[at(place + game.second_at)])
        if flat is None:
            running += game.tags[at(first)] + game.tags[at(second)]
        spot_rows[at(spot)] = game.opening[at(first * KINDS + second)]
    return up, whole(cards[at(first_at + game.hole_at)]), running


@inlined_kernel
def offer_insurance(
    game: LoweredGame,
    room: Room,
    cards: NDArray[np.uint8],
    position: int,
    ready: int,
    hole: int,
    running: int,
    before: int,
    begin: int,
    probe: Probe | None,
    log: NDArray[np.int64] | None,
    logged: int,
) -> tuple[int, int, int]:
    """Offer insurance and even money; the count decides for every spot.

    Returns how many spots insure, a bit for each that takes even money, and the log's place.
    """
    index = round_steps.count_play(game, running, before, position, begin)
    insures = whole(game.insures[at(index)])
    if probe is not None and (game.has_hole or position < ready):
        # Any unseen card is as likely to be a ten as the hole card.
        unseen = hole if game.has_hole else whole(cards[at(position)])
        round_steps.meet_insurance(game, room.met, index, unseen)
    if log is not None:
        logged = round_steps.note_insurance(game, log, logged, room.spot_rows, insures)
    if not insures:
        return 0, whole(0), logged
    insured = round_steps.count_insured(game.total, room.spot_rows, game.even_money)
    return insured, whole(-int(game.even_money > 0)), logged


@inlined_kernel
def play_spot(
    game: LoweredGame,
    room: Room,
    cards: NDArray[np.uint8],
    start: RoundStart,
    so_far: SoFar,
    spot: int,
    swapped: int,
    log: NDArray[np.int64] | None,
    probe: Probe | None,
    flat: NDArray[np.int64] | None,
    side: SideCall | None,
    luck: LuckCall | None,
    paused: PausedRounds | None,
    place: tuple[int, int, int, int],
    asked: int,
) -> tuple[int, SoFar, int]:
    """Play the hands of a spot; return DONE, the failure, or ASKED, and the answers that it took.

    The table of a `paused` has its arrays at `place`, and is ASKED where it has no answer.
    """
    row = whole(room.spot_rows[at(spot)])
    position, running, extra, surrendered, live, naturals, done, logged = so_far
    base, begin, before, ready, up, hole, takes_even_money, probing = start
    results, wagers, spots, waiting = room.results, room.wagers, room.hand_spots, room.waiting
    if row < 0 or (game.total[at(row)] == 21 and not swapped):
        natural = loop_codes.NATURAL + ((takes_even_money >> spot) & 1)
        results[at(done)] = loop_codes.SURRENDERED if row < 0 else natural
        wagers[at(done)] = 0
        spots[at(done)] = spot
        naturals += int(row >= 0 and natural == loop_codes.NATURAL)
        done += 1
        so_far = SoFar(position, running, extra, surrendered, live, naturals, done, logged)
        return loop_codes.DONE, so_far, asked

    choice, rows, seen_at = game.choice, game.rows, hole * game.seen
    hands, behind, later_wager, most_hands = 1, 0, 0, game.max_hands
    one_at = begin + spot * game.first_step
    other_at = one_at + game.second_at
    if swapped:
        other_at += game.first_step * (1 - 2 * spot)
    context, later, more = loop_codes.FIRST_TWO, loop_codes.LATER, loop_codes.SPLIT_MORE
    while True:
        wager, result = later_wager, 0
        while True:
            cell = (context * rows + row) * KINDS + up
            action = whole(choice[at(cell + seen_at)])
            if paused is not None:
                action, asked, stopped = paused_rounds.take_answer(
                    game, paused, place, action, cell, row, done, behind, asked
                )
                if stopped:
                    paused_rounds.show_question(game, paused, place, waiting, cell, hands, behind)
                    return (
                        loop_codes.ASKED,
                        SoFar(position, running, extra, surrendered, live, naturals, done, logged),
                        asked,
                    )
            elif action >= loop_codes.FIRST_DEVIATION:
                action = round_steps.deviate(game, action, running, before, position, begin)
            if probe is not None and probe.number[cell] > 0:
                action = round_steps.meet_probe(
                    game, probe, room.met, cell, action, probing, running, before, position, begin
                )
            if log is not None:
                logged = round_steps.note_answer(log, logged, done, action)
            if action in (loop_codes.HIT, loop_codes.DOUBLE):
                card = whole(cards[at(base + position)])
                position += 1
                if flat is None:
                    running += game.tags[at(card)]
                drawn_to = row
                row = whole(game.next_row[at(row * KINDS + card)])
                context = later
                if action == loop_codes.HIT:
                    if luck is not None:
                        line = find_line(later, wager)
                        found = lucks.find_hit(luck.tables, line, drawn_to, luck.round[lucks.INFO])
                        number = lucks.count_left(luck, game, position - 1)
                        lucks.take_card(luck, found, card, number)
                    continue
                wager += whole(game.doubling[at(cell // KINDS)])
                if luck is not None:
                    found = lucks.find_double(luck.tables, wager, drawn_to, luck.round[lucks.INFO])
                    lucks.take_card(luck, found, card, lucks.count_left(luck, game, position - 1))
                extra += round_steps.count_raised(wager, game.double_stake)
                if side is not None and side.tables.asks_doubled:
                    context = round_steps.find_doubled_context(wager)
                    continue
            elif action == loop_codes.SPLIT:
                if hands == MOST_HANDS:
                    if position <= ready:
                        return loop_codes.TOO_MANY_HANDS, so_far, asked
                    break  # cards that are not ready: replayed anyway
                kind = whole(game.pair_kind[at(row)])
                is_free = (game.free_splits >> kind) & 1
                later_wager = loop_codes.GIVEN_HAND * is_free
                hands += 1
                extra += 2 - 2 * is_free
                first = whole(cards[at(base + position)])
                second = whole(cards[at(base + position + 1)])
                position += 2
                if flat is None:
                    running += game.tags[at(first)] + game.tags[at(second)]
                room.waiting_pairs[at(behind)] = position - 1
                if side is not None:
                    room.waiting_ones[at(behind)] = other_at
                    other_at = position - 2
                if paused is not None:
                    paused_rounds.show_hand(paused, place, position - 2, position)
                row = whole(game.opening[at(kind * KINDS + first)])
                waiting[at(behind)] = game.opening[at(kind * KINDS + second)]
                behind += 1
                if kind == loop_codes.ACE:
                    more, most_hands = loop_codes.ACES_MORE, game.max_ace_hands
                context = more + int(hands >= most_hands)
                later = more + 2
                if luck is not None:
                    lucks.split_hand(
                        luck, game, (context, kind), (wager, later_wager), (first, second), position
                    )
                continue
            elif action == loop_codes.SURRENDER:
                result = loop_codes.SURRENDERED
                surrendered += 1
                break
            result = whole(game.result_of[at(row)])
            if side is not None and result == 0:
                result = loop_codes.LIVING_BUST * ((side.tables.busts_live >> up) & 1)
            if side is not None and result >= loop_codes.RESULTS:
                places = (one_at, other_at, position - 1)
                result = side_results.find_bonus(side, result, hands, up, places)
            break
        if paused is not None:
            paused_rounds.finish_hand(
                paused, place, done, behind, action, result, (context * rows + row) * KINDS + up
            )
        results[at(done)] = result
        wagers[at(done)] = wager
        spots[at(done)] = spot
        done += 1
        # Without branches: a bust is hard to predict.
        live += 1 - int(result == 0) - int(result >= loop_codes.NATURAL)
        if behind == 0:
            break
        behind -= 1
        row = whole(waiting[at(behind)])
        if paused is not None:
            paused_rounds.show_hand(paused, place, room.waiting_pairs[at(behind)], position)
        if side is not None:
            one_at, other_at = room.waiting_ones[at(behind)], room.waiting_pairs[at(behind)]
        context = more + int(hands >= most_hands)
    so_far = SoFar(position, running, extra, surrendered, live, naturals, done, logged)
    return loop_codes.DONE, so_far, asked


@inlined_kernel
def play_dealer(
    game: LoweredGame,
    cards: NDArray[np.uint8],
    base: int,
    position: int,
    running: int,
    up: int,
    dealer_row: int,
    live: int,
    charges: int,
    flat: NDArray[np.int64] | None,
    luck: LuckCall | None,
    results: NDArray[np.int64],
    wagers: NDArray[np.int64],
    done: int,
    insured: int,
    hole_at: int,
) -> tuple[int, int, int, int]:
    """Draw the dealer's cards where hands are live, or a natural `charges` those that are not.

    Returns place and running count, the dealer's row, and whether a hole card that was drawn now
    made a natural.
    """
    has_natural = 0
    if not game.has_hole and (live > 0 or charges):
        hole = whole(cards[at(base + position)])
        position += 1
        if flat is None:
            running += game.tags[at(hole)]
        if luck is not None:
            lucks.draw_hole(luck, game, results, wagers, done, up, hole, position - 1, insured)
        dealer_row = whole(game.opening[at(up * KINDS + hole)])
        has_natural = int(game.total[at(dealer_row)] == 21)
    if luck is not None and game.has_hole and live > 0:
        hole = whole(cards[at(base + hole_at)])
        lucks.draw_hole(luck, game, results, wagers, done, up, hole, position, insured)
    if live > 0:
        while game.stops[at(dealer_row)] == 0:
            card = whole(cards[at(base + position)])
            position += 1
            if flat is None:
                running += game.tags[at(card)]
            if luck is not None:
                lucks.draw_dealer(luck, game, results, wagers, done, dealer_row, card, position - 1)
            dealer_row = whole(game.next_row[at(dealer_row * KINDS + card)])
    return position, running, dealer_row, has_natural


@inlined_kernel
def meet_dealer(
    game: LoweredGame,
    room: Room,
    cards: NDArray[np.uint8],
    start: RoundStart,
    so_far: SoFar,
    dealer_row: int,
    insured: int,
    side: SideCall | None,
    luck: LuckCall | None,
    flat: NDArray[np.int64] | None,
    nets: NDArray[np.int32] | None,
    first_hand: int,
    log: NDArray[np.int64] | None,
) -> tuple[SoFar, int, int, int]:
    """Play the dealer's hand, and settle all hands and insurance.

    Returns the state of the round, the dealer's row, its net, and that of insurance in it.
    """
    up, net_of = start.up, game.net_of
    results, wagers, spots = room.results, room.wagers, room.hand_spots
    position, running, extra, surrendered, live, naturals, done, logged = so_far
    charges = False
    looks = up == loop_codes.ACE or up == loop_codes.TEN  # noqa: PLR1714 (a tuple is slower here)
    if looks and not game.has_hole:
        charges = (
            insured > 0
            or (naturals > 0 and round_steps.natural_matters(net_of, loop_codes.NATURAL))
            or (surrendered > 0 and round_steps.natural_matters(net_of, loop_codes.SURRENDERED))
            or (
                game.natural_takes == loop_codes.TAKES_ORIGINAL
                and round_steps.has_added_bets(game, results, wagers, spots, done)
            )
        )
    if side is not None:
        live += side.tables.plays_out
        charges = charges or side.tables.needs_second > 0
    position, running, dealer_row, has_natural = play_dealer(
        game, cards, start.base, position, running, up, dealer_row, live, charges, flat,
        luck, results, wagers, done, insured, start.begin + game.hole_at,
    )  # fmt: skip
    insured_net = whole(0)
    if insured > 0:
        won = game.insurance_pays if has_natural else -(game.unit // 2)
        insured_net = whole(insured * won)
    if log is not None:
        logged = round_steps.note(log, logged, loop_codes.LOG_INSURANCE, insured_net)
    net, logged = round_steps.settle_hands(
        game, results, wagers, spots, done,
        whole(game.dealer_result_of[at(dealer_row)]) + has_natural,
        nets, first_hand, log, logged,
    )  # fmt: skip
    so_far = SoFar(position, running, extra, surrendered, live, naturals, done, logged)
    return so_far, dealer_row, insured_net + net, insured_net
