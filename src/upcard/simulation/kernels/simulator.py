"""The simulator's loop: shoe after shoe, round after round, in one compiled function.

It follows the table card by card (`table/engine.py` explains the order of the steps), on tables
lowered from the rules, the chart, the count and its deviations. A round's cards are ready in the
shoe before it is played; only the number of cards that rounds are likely to need is shuffled, and
a round that needed more is replayed from its start once they are ready.

Arguments that may be None are arrays, or tuples of them; the code for one that is None is not
compiled in. With `flat`, whatever its value, nothing is counted.
"""

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import inlined_kernel, lean_kernel
from upcard.simulation.kernels import loop_codes, round_play, round_steps, side_results
from upcard.simulation.kernels import luck as lucks
from upcard.simulation.kernels.game import (
    KINDS,
    MOST_HANDS,
    ROUNDS_A_FRESH_SHOE,
    LoweredGame,
    Probe,
)
from upcard.simulation.kernels.luck import LuckCall
from upcard.simulation.kernels.randomness import at, shuffle, whole
from upcard.simulation.kernels.shoes import Room, make_ready, open_shoe
from upcard.simulation.kernels.side_results import SideCall


@lean_kernel
def simulate(
    game: LoweredGame,
    room: Room,
    stream: tuple[np.uint64, np.uint64, np.uint64],
    rounds: int,
    tally: NDArray[np.int64],
    added: NDArray[np.int64],
    totals: NDArray[np.int64],
    script: NDArray[np.uint8] | None,
    log: NDArray[np.int64] | None,
    probe: Probe | None,
    many: NDArray[np.int64] | None,
    outcomes: NDArray[np.int32] | None,
    flat: NDArray[np.int64] | None,
    side: SideCall | None,
    luck: LuckCall | None,
) -> int:
    """Play `rounds` rounds of a stream: seed, chunk and first shoe; return DONE or the failure.

    Shapes: `tally` (depths, 2, counts, nets) and `added` (depths, 2, counts), flat and contiguous;
    `totals` receives shoes and cards. A `script` of kinds replaces the first shoe; the last round
    is one that its cards do not complete. `log` is (entries, LOG_FIELDS); entry 0 holds the number
    of entries used. `outcomes` receives each round in turn, as its place in a (2, counts, nets)
    table.

    With `side` its bets are settled too, hands that doubled are asked again, bust hands live and
    cards are swapped where the game says so, bonuses are paid by suits, and a script is of cards in
    full. With `luck` that of each round's cards is added up, and its sums by shoe.
    """
    limits = (game.add_positive, game.add_negative, game.least_count, game.most_count)
    seats, counts, nets = (game.leave, game.enter), game.counts, len(tally) // len(added)
    spots = round_steps.count_spots(game.spots, many)
    asks_insurance = game.insurance and round_steps.may_insure(game.insures, log, probe)
    cards = shoe_cards = room.cards
    if side is not None:
        shoe_cards = side.cards
    logged, is_again, played, cards_dealt, probed = whole(1), False, 0, 0, 0
    shoe = whole(stream[2])
    while played < rounds:
        size, position, running = len(game.deck), 0, whole(game.start_count)
        ready, kinds_shown = _begin_shoe(game, room, shoe_cards, stream, shoe, script, side)
        shoe += 1
        if luck is not None:
            lucks.begin_shoe(luck)
        rounds_here, seated = 0, game.starts_seated
        cut = ready if script is not None else game.cut
        while position < cut and played < rounds:
            if game.is_fresh and rounds_here > 0 and script is None and not is_again:
                if rounds_here == ROUNDS_A_FRESH_SHOE:
                    break
                totals[0] += 1
                position, running = 0, whole(game.start_count)
                ready = shuffle(shoe_cards, whole(0), game.shuffled_ahead, size, room.state)
                if side is not None:
                    side_results.show_kinds(side, 0, cards, 0, ready)
                    kinds_shown = ready
                if luck is not None:
                    lucks.end_shoe(luck)
                    lucks.begin_shoe(luck)
            begin, before, is_again = position, running, False
            logged_before, was_seated = logged, seated
            if probe is not None and probed == 0:
                room.met.cells[0], room.met.insurance[0] = 0, -1

            # The count before the deal decides the bet and the seat.
            count = whole(0)
            if flat is None:
                count = round_steps.convert_bet(running, begin, game.factor, limits)
                seated = round_steps.take_seat(seated, count, seats)
                count -= game.least_count
            if log is not None:
                if logged + 64 * spots * MOST_HANDS > len(log):
                    log[0, 0] = logged
                    return loop_codes.LOG_FULL
                logged = round_steps.note(
                    *(log, logged, loop_codes.LOG_ROUND, begin),
                    *(count + game.least_count, seated, shoe - 1),
                )

            up, hole, running = round_play.deal_round(
                game, cards, begin, running, room.spot_rows, spots, flat
            )
            position += game.dealt
            if luck is not None:
                lucks.begin_round(luck, game, begin)
                lucks.deal_cards(luck, game, cards, begin, spots)
            dealer_row = whole(game.opening[at(up * KINDS + hole)])

            # What is offered before the dealer looks at the hole card.
            insured, takes_even_money, surrendered = 0, whole(0), 0
            if up == loop_codes.ACE and asks_insurance:
                insured, takes_even_money, logged = round_play.offer_insurance(
                    game, room, cards, position, ready, hole, running, before, begin,
                    probe, log, logged,
                )  # fmt: skip
            if (game.early_surrender >> up) & 1:
                surrendered, logged = round_steps.offer_surrender(
                    game, up, room.spot_rows, running, before, position, begin, log, logged
                )

            if luck is not None and game.has_hole and up in (loop_codes.ACE, loop_codes.TEN):
                lucks.peek(
                    luck, game, room.spot_rows, takes_even_money, insured, up, hole, position
                )
            extra, dealer_at = insured, position
            if game.total[at(dealer_row)] == 21 and game.has_hole:
                # The peek ends the round.
                net, logged = round_steps.settle_at_look(
                    game, room.spot_rows, insured, takes_even_money, None, whole(0), log, logged
                )
            else:
                start = round_play.RoundStart(
                    whole(0), begin, before, ready, up, hole, takes_even_money, probed
                )
                swapped = 0
                if side is not None and many is not None and len(side.tables.worths) > 0:
                    swapped = side_results.swap_cards(game, side, cards, begin, up, room.spot_rows)
                    if log is not None:
                        logged = round_steps.note(
                            log, logged, loop_codes.LOG_ANSWER, 0, loop_codes.ASKED_SWITCH, swapped
                        )
                so_far = round_play.SoFar(position, running, extra, surrendered, 0, 0, 0, logged)
                for spot in range(spots):
                    ending, so_far, _ = round_play.play_spot(
                        game, room, cards, start, so_far, spot, swapped,
                        log, probe, flat, side, luck, None, (0, 0, 0, 0), 0,
                    )  # fmt: skip
                    if ending != loop_codes.DONE:
                        return whole(ending)
                dealer_at = so_far.position
                so_far, dealer_row, net, _ = round_play.meet_dealer(
                    game, room, cards, start, so_far, dealer_row, insured,
                    side, luck, flat, None, whole(0), log,
                )  # fmt: skip
                position, running, extra = so_far.position, so_far.running, so_far.extra
                logged = so_far.logged
            if flat is None and game.has_hole:
                running += game.tags[at(hole)]
            dealer_end = position
            if side is not None:
                position, running = side_results.turn_up_next(
                    game, side, cards, begin, position, running, flat
                )

            if position > ready:
                # Some of these cards are not ready yet: prepare them and replay the round.
                if script is not None:
                    logged = logged_before
                    break
                ready, size, kinds_shown = _make_cards_ready(
                    game, room, shoe_cards, begin, position, ready, size, kinds_shown, side
                )
                if ready < 0:
                    return loop_codes.TOO_FEW_CARDS
                position, running = begin, before
                logged, seated, is_again = logged_before, was_seated, True
                continue

            row = (game.depth[at(begin)] * 2 + seated) * counts + count
            if side is not None and probed == 0:
                logged = side_results.settle_side_bets(
                    game, side, spots, begin, dealer_at, dealer_end, dealer_row, row, net,
                    log, logged,
                )  # fmt: skip
            if probe is not None:
                # The round counts as it was played; the others are compared with it.
                probed = round_steps.compare(
                    probe, room.met, probed, (net, extra, position, running), count
                )
                if probed > 0:
                    position, running, seated = begin, before, was_seated
                    is_again = True
                    continue
                net, extra = room.met.round[0], room.met.round[1]
                position, running = room.met.round[2], room.met.round[3]

            tally[at(row * nets + net - game.least_net)] += 1
            if extra > 0:
                added[at(row)] += extra
            if outcomes is not None:
                outcomes[at(played)] = (seated * counts + count) * nets + net - game.least_net
            if luck is not None:
                lucks.leave_round(luck, game, cards, begin, position, row, net)
            cards_dealt += position - begin
            played += 1
            rounds_here += 1
            if log is not None:
                logged = round_steps.note_end(log, logged, shoe_cards, begin, position, net, extra)
        totals[0] += 1
        if luck is not None:
            lucks.end_shoe(luck)
        if script is not None:
            break
    if log is not None:
        log[0, 0] = logged
    totals[1] += cards_dealt
    totals[2] = played
    return loop_codes.DONE


@inlined_kernel
def _begin_shoe(
    game: LoweredGame,
    room: Room,
    shoe_cards: NDArray[np.uint8],
    stream: tuple[np.uint64, np.uint64, np.uint64],
    shoe: int,
    script: NDArray[np.uint8] | None,
    side: SideCall | None,
) -> tuple[int, int]:
    """Seed and fill a shoe; return how many cards are ready, and how many of their kinds."""
    seed, chunk, number = stream[0], stream[1], np.uint64(shoe)
    deck = game.deck
    if side is not None:
        deck = side.tables.deck
    ready = open_shoe(
        deck, game.weights, game.is_infinite, game.shuffled_ahead, shoe_cards, room.state,
        seed, chunk, number, script,
    )  # fmt: skip
    if side is not None:
        side_results.seed_suits(side, seed, chunk, number)
        is_drawn = game.is_infinite if script is None else 0
        side_results.show_kinds(side, is_drawn, room.cards, 0, len(deck))
    return ready, len(deck)


@inlined_kernel
def _make_cards_ready(
    game: LoweredGame,
    room: Room,
    shoe_cards: NDArray[np.uint8],
    begin: int,
    position: int,
    ready: int,
    size: int,
    kinds_shown: int,
    side: SideCall | None,
) -> tuple[int, int, int]:
    """Make the cards of a round ready; return how many are, of how many, and their kinds.

    With suits a round that read kinds of an earlier one is first played with those in their places:
    it takes as many cards that are not ready as without suits.
    """
    if side is not None and kinds_shown < min(position, size):
        side_results.show_kinds(side, 0, room.cards, kinds_shown, size)
        return ready, size, size
    was_ready = ready
    ready, size = make_ready(game, shoe_cards, begin, position, ready, size, room.state)
    if side is not None and ready > was_ready:
        side_results.show_kinds(side, game.is_infinite, room.cards, was_ready, ready)
        kinds_shown = ready
    return ready, size, kinds_shown
