"""The simulator's loop: shoe after shoe, round after round, in one compiled function.

It follows the table card by card (`table/engine.py` explains the order of the steps), on tables
lowered from the rules, the chart, the count and its deviations. A round's cards are ready in the
shoe before it is played; only the number of cards that rounds are likely to need is shuffled, and
a round that needed more is replayed from its start once they are ready.

Arguments that may be None are arrays, or tuples of them; the code for one that is None is not
compiled in. With `flat`, whatever its value, nothing is counted.

With a `desk`, each round is one of its tables. There are then no `totals`, and what is tested is
which of the two is not None: Numba compiles the code after `desk is None` in any case.
"""

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import lean_kernel
from upcard.simulation.kernels import desk_steps, loop_codes, round_steps, side_results
from upcard.simulation.kernels.desk_steps import Desk
from upcard.simulation.kernels.game import (
    KINDS,
    MOST_HANDS,
    ROUNDS_A_FRESH_SHOE,
    LoweredGame,
    Probe,
)
from upcard.simulation.kernels.randomness import at, shuffle, whole
from upcard.simulation.kernels.shoes import Room, make_ready, open_shoe
from upcard.simulation.kernels.side_results import SideCall


@lean_kernel
def simulate(
    game: LoweredGame,
    room: Room,
    seed: np.uint64,
    chunk: np.uint64,
    first_shoe: np.uint64,
    rounds: int,
    tally: NDArray[np.int64] | None,
    added: NDArray[np.int64] | None,
    totals: NDArray[np.int64] | None,
    script: NDArray[np.uint8] | None,
    log: NDArray[np.int64] | None,
    probe: Probe | None,
    many: NDArray[np.int64] | None,
    outcomes: NDArray[np.int32] | None,
    flat: NDArray[np.int64] | None,
    desk: Desk | None = None,
    side: SideCall | None = None,
) -> int:
    """Play `rounds` rounds from shoe `first_shoe` of a chunk on; return DONE or the failure.

    Shapes: `tally` (depths, 2, counts, nets) and `added` (depths, 2, counts), flat and contiguous;
    `totals` receives shoes and cards. A `script` of kinds replaces the first shoe; the last round
    is one that its cards do not complete. `log` is (entries, LOG_FIELDS); entry 0 holds the number
    of entries used. `outcomes` receives each round in turn, as its place in a (2, counts, nets)
    table. With a `desk`, the tables `todo[first_shoe:first_shoe + rounds]` are played instead, and
    nothing is added up.

    With `side` its bets are settled too, hands that doubled are asked again, bust hands live and
    cards are swapped where the game says so, bonuses are paid by suits, and a script is of cards in
    full.
    """
    deck, weights, deck_size = game.deck, game.weights, len(game.deck)
    next_row, opening, total, stops = game.next_row, game.opening, game.total, game.stops
    choice, tags, factor = game.choice, game.tags, game.factor
    insure_at, pair_kind, depth = game.insures, game.pair_kind, game.depth
    limits = (game.add_positive, game.add_negative, game.least_count, game.most_count)
    seats = (game.leave, game.enter)
    rows, counts, max_hands = game.rows, game.counts, game.max_hands
    doubling, free_splits, double_stake = game.doubling, game.free_splits, game.double_stake
    spots = round_steps.count_spots(game.spots, many)
    result_of, net_of = game.result_of, game.net_of

    cards, state, met = room.cards, room.state, room.met
    shoe_cards = cards
    if side is not None:
        deck, shoe_cards = side.tables.deck, side.cards
        waiting_ones, waiting_pairs = room.waiting_ones, room.waiting_pairs
    spot_rows, waiting = room.spot_rows, room.waiting
    results, wagers, hand_spots = room.results, room.wagers, room.hand_spots
    first_hand, probed = whole(0), 0
    if tally is not None and added is not None:
        hand_nets, nets = None, len(tally) // len(added)
        asks_insurance = game.insurance and round_steps.may_insure(insure_at, log, probe)
    if desk is not None:
        cards, fields, answers, trail = desk.cards, desk.fields, desk.answers, desk.trail
        todo, levels, hand_nets = desk.todo, desk.levels, desk.nets
        runnings, sitters, waiting_pairs = desk.running, desk.sits_out, room.waiting_pairs
        offers = (game.insurance, game.even_money, game.early_surrender, game.rows)
    logged, is_again, played, cards_dealt = whole(1), False, 0, 0
    shoe, base, stopped, kinds_shown = whole(first_shoe), whole(0), 0, whole(0)
    while played < rounds:
        if desk is not None:
            table = whole(todo[at(shoe)])
            fields_at, base = table * loop_codes.FIELDS, table * desk.width
            first_answer, first_hand = table * desk.most_answers, table * desk.most_hands
            at_table = desk_steps.read_table(fields, fields_at, desk.shoes, table)
            position, ready, size, given, bet = at_table
            running, sits_out = runnings[at(2 * table)], sitters[at(bet)]
        if totals is not None:
            size, position, running = deck_size, 0, whole(game.start_count)
            ready = open_shoe(
                deck, weights, game.is_infinite, game.shuffled_ahead, shoe_cards, state,
                seed, chunk, np.uint64(shoe), script,
            )  # fmt: skip
            if side is not None:
                side_results.seed_suits(side, seed, chunk, np.uint64(shoe))
                is_drawn = game.is_infinite if script is None else 0
                side_results.show_kinds(side, is_drawn, cards, 0, deck_size)
                kinds_shown = deck_size
        shoe += 1
        rounds_here, seated = 0, game.starts_seated
        cut = ready if script is not None else game.cut
        while position < cut and played < rounds:
            is_worn = game.is_fresh and rounds_here > 0 and script is None and not is_again
            if totals is not None and is_worn:
                if rounds_here == ROUNDS_A_FRESH_SHOE:
                    break
                totals[0] += 1
                position, running = 0, whole(game.start_count)
                ready = shuffle(shoe_cards, whole(0), game.shuffled_ahead, size, state)
                if side is not None:
                    side_results.show_kinds(side, 0, cards, 0, ready)
                    kinds_shown = ready
            begin, before, is_again = position, running, False
            logged_before, was_seated = logged, seated
            if probe is not None and probed == 0:
                met.cells[0], met.insurance[0] = 0, -1

            # The count before the deal decides the bet and the seat.
            count = whole(0)
            if totals is not None and flat is None:
                count = round_steps.convert_bet(running, begin, factor, limits)
                seated = round_steps.take_seat(seated, count, seats)
                count -= game.least_count
            if log is not None:
                if logged + 64 * spots * MOST_HANDS > len(log):
                    log[0, 0] = logged
                    return loop_codes.LOG_FULL
                of_bet = count + game.least_count
                logged = round_steps.note(
                    log, logged, loop_codes.LOG_ROUND, begin, of_bet, seated, shoe - 1
                )

            # The opening deal; the hole card is not counted yet.
            up = whole(cards[at(base + position + game.up_at)])
            if flat is None:
                running += tags[at(up)]
            for spot in range(spots):
                place = base + position + spot * game.first_step
                first = whole(cards[at(place)])
                second = whole(cards[at(place + game.second_at)])
                if flat is None:
                    running += tags[at(first)] + tags[at(second)]
                spot_rows[at(spot)] = opening[at(first * KINDS + second)]
            hole = whole(cards[at(base + position + game.hole_at)])
            seen_at = hole * game.seen
            position += game.dealt
            dealer_row = whole(opening[at(up * KINDS + hole)])

            extra, insured, insured_net, takes_even_money, surrendered = 0, 0, whole(0), 0, 0
            looks = up == loop_codes.ACE or up == loop_codes.TEN  # noqa: PLR1714 (a tuple is slower here)
            if desk is not None:
                asked, stopped, idle, behind, shown, begun = 0, 0, 0, 0, spots - 1, 0
                hands = 1
                drawn, last = position, position
                cell = opening_cell = (
                    loop_codes.FIRST_TWO * rows + spot_rows[at(shown)]
                ) * KINDS + up
                if looks and not sits_out:
                    asked, stopped, shown, taken = desk_steps.answer_offers(
                        answers, trail, first_answer, given, up, total, spot_rows, spots, offers
                    )
                    insured, takes_even_money, surrendered = taken
                    if stopped:
                        cell = whole(trail[at(first_answer + asked)]) & loop_codes.CELL_MASK
                pair = begin + shown * game.first_step + game.second_at
            if totals is not None and up == loop_codes.ACE and asks_insurance:
                index = round_steps.count_play(game, running, before, position, begin)
                insures = whole(insure_at[at(index)])
                if probe is not None and (game.has_hole or position < ready):
                    # Any unseen card is as likely to be a ten as the hole card.
                    unseen = hole if game.has_hole else whole(cards[at(position)])
                    round_steps.meet_insurance(game, met, index, unseen)
                if insures:
                    insured = extra = round_steps.count_insured(total, spot_rows, game.even_money)
                    takes_even_money = -int(game.even_money > 0)  # every spot
                if log is not None:
                    logged = round_steps.note_insurance(game, log, logged, spot_rows, insures)
            if totals is not None and (game.early_surrender >> up) & 1:
                surrendered, logged = round_steps.offer_surrender(
                    game, up, spot_rows, running, before, position, begin, log, logged
                )

            net, done, meets_dealer, dealer_at = whole(0), 0, False, position
            if total[at(dealer_row)] == 21 and game.has_hole and not stopped:
                # The peek ends the round.
                net, logged = round_steps.settle_at_look(
                    game, spot_rows, insured, takes_even_money, hand_nets, first_hand, log, logged
                )  # fmt: skip
                done, insured_net = spots, insured * game.insurance_pays
            elif not stopped:
                live, naturals, swapped = 0, 0, 0
                if side is not None and many is not None and len(side.tables.worths) > 0:
                    swapped = side_results.swap_cards(game, side, cards, begin, up, spot_rows)
                    if log is not None:
                        logged = round_steps.note(
                            log, logged, loop_codes.LOG_ANSWER, 0, loop_codes.ASKED_SWITCH, swapped
                        )
                for spot in range(spots):
                    row = whole(spot_rows[at(spot)])
                    if many is not None and desk is not None:
                        shown, begun, cell, drawn = spot, spot + 1, opening_cell, position
                        pair = begin + spot * game.first_step + game.second_at
                        levels[at(first_hand + done)] = 0
                    if row < 0 or (total[at(row)] == 21 and not swapped):
                        natural = loop_codes.NATURAL + ((takes_even_money >> spot) & 1)
                        results[at(done)] = loop_codes.SURRENDERED if row < 0 else natural
                        naturals += int(row >= 0 and natural == loop_codes.NATURAL)
                        wagers[at(done)] = 0
                        hand_spots[at(done)] = spot
                        done += 1
                        continue
                    hands, behind, later_wager, most_hands = 1, 0, 0, max_hands
                    if side is not None:
                        one_at = begin + spot * game.first_step
                        other_at = one_at + game.second_at
                        if swapped:
                            other_at += game.first_step * (1 - 2 * spot)
                    context, later, more = (
                        loop_codes.FIRST_TWO,
                        loop_codes.LATER,
                        loop_codes.SPLIT_MORE,
                    )
                    while True:
                        wager = later_wager
                        result = 0
                        while True:
                            cell = (context * rows + row) * KINDS + up
                            action = whole(choice[at(cell + seen_at)])
                            if desk is not None:
                                if action == 0:
                                    action = loop_codes.NOT_ASKED
                                elif sits_out:
                                    action = loop_codes.STAND if stops[at(row)] else loop_codes.HIT
                                else:
                                    trail[at(first_answer + asked)] = desk_steps.describe(
                                        cell, done, behind
                                    )
                                    if asked == given:
                                        stopped = 1
                                        break
                                    action = whole(answers[at(first_answer + asked)])
                                    asked += 1
                            if totals is not None and action >= loop_codes.FIRST_DEVIATION:
                                action = round_steps.deviate(
                                    game, action, running, before, position, begin
                                )
                            if probe is not None and probe.number[cell] > 0:
                                action = round_steps.meet_probe(
                                    game, probe, met, cell, action, probed,
                                    running, before, position, begin,
                                )  # fmt: skip
                            if log is not None:
                                logged = round_steps.note_answer(log, logged, done, action)
                            if action in (loop_codes.HIT, loop_codes.DOUBLE):
                                card = whole(cards[at(base + position)])
                                position += 1
                                if flat is None:
                                    running += tags[at(card)]
                                row = whole(next_row[at(row * KINDS + card)])
                                context = later
                                if action == loop_codes.HIT:
                                    continue
                                wager += whole(doubling[at(cell // KINDS)])
                                extra += round_steps.count_raised(wager, double_stake)
                                if side is not None and side.tables.asks_doubled:
                                    context = round_steps.find_doubled_context(wager)
                                    continue
                            elif action == loop_codes.SPLIT:
                                if hands == MOST_HANDS:
                                    if position <= ready:
                                        return loop_codes.TOO_MANY_HANDS
                                    result = 0  # cards that are not ready: replayed anyway
                                    break
                                split_kind = whole(pair_kind[at(row)])
                                is_free = (free_splits >> split_kind) & 1
                                later_wager = loop_codes.GIVEN_HAND * is_free
                                hands += 1
                                extra += 2 - 2 * is_free
                                first = whole(cards[at(base + position)])
                                second = whole(cards[at(base + position + 1)])
                                position += 2
                                if flat is None:
                                    running += tags[at(first)] + tags[at(second)]
                                if desk is not None:
                                    pair, drawn = position - 2, position
                                    waiting_pairs[at(behind)] = position - 1
                                if side is not None:
                                    waiting_ones[at(behind)] = other_at
                                    waiting_pairs[at(behind)] = position - 1
                                    other_at = position - 2
                                row = whole(opening[at(split_kind * KINDS + first)])
                                waiting[at(behind)] = opening[at(split_kind * KINDS + second)]
                                behind += 1
                                if split_kind == loop_codes.ACE:
                                    more, most_hands = loop_codes.ACES_MORE, game.max_ace_hands
                                context = more + int(hands >= most_hands)
                                later = more + 2
                                continue
                            elif action == loop_codes.SURRENDER:
                                result = loop_codes.SURRENDERED
                                surrendered += 1
                                break
                            result = whole(result_of[at(row)])
                            if side is not None and result == 0:
                                result = loop_codes.LIVING_BUST * (
                                    (side.tables.busts_live >> up) & 1
                                )
                            if side is not None and result >= loop_codes.RESULTS:
                                result = side_results.find_bonus(
                                    side, result, hands, up, (one_at, other_at, position - 1)
                                )
                            break
                        if stopped:
                            break
                        if desk is not None:
                            levels[at(first_hand + done)] = behind
                            idle += int(action == loop_codes.NOT_ASKED and 0 < result < 21)
                            cell = (context * rows + row) * KINDS + up
                        results[at(done)] = result
                        wagers[at(done)] = wager
                        hand_spots[at(done)] = spot
                        done += 1
                        # Without branches: a bust is hard to predict.
                        live += 1 - int(result == 0) - int(result >= loop_codes.NATURAL)
                        if behind == 0:
                            break
                        behind -= 1
                        row = whole(waiting[at(behind)])
                        if desk is not None:
                            pair, drawn = waiting_pairs[at(behind)], position
                        if side is not None:
                            one_at, other_at = waiting_ones[at(behind)], waiting_pairs[at(behind)]
                        context = more + int(hands >= most_hands)
                    if many is not None and desk is not None and stopped:
                        break
                last, meets_dealer = position, not stopped

            if meets_dealer:
                # The dealer's hand.
                charges = False
                if looks and not game.has_hole:
                    charges = insured > 0 or (
                        naturals > 0 and round_steps.natural_matters(net_of, loop_codes.NATURAL)
                    )
                    charges = charges or (
                        surrendered > 0
                        and round_steps.natural_matters(net_of, loop_codes.SURRENDERED)
                    )
                    takes_original = game.natural_takes == loop_codes.TAKES_ORIGINAL
                    charges = charges or (
                        takes_original
                        and round_steps.has_added_bets(game, results, wagers, hand_spots, done)
                    )
                dealer_at = position
                if side is not None:
                    live += side.tables.plays_out
                    charges = charges or side.tables.needs_second > 0
                position, running, dealer_row, has_natural = round_steps.play_dealer(
                    game, cards, base, position, running, up, dealer_row,
                    live, charges, flat,
                )  # fmt: skip
                # Settlement.
                if insured > 0:
                    won = game.insurance_pays if has_natural else -(game.unit // 2)
                    insured_net = whole(insured * won)
                    net = insured_net
                if log is not None:
                    logged = round_steps.note(log, logged, loop_codes.LOG_INSURANCE, net)
                won, logged = round_steps.settle_hands(
                    game, results, wagers, hand_spots, done,
                    whole(game.dealer_result_of[at(dealer_row)]) + has_natural,
                    hand_nets, first_hand, log, logged,
                )  # fmt: skip
                net += won
            if totals is not None and flat is None and game.has_hole:
                running += tags[at(cards[at(begin + game.hole_at)])]

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
                # It takes as many cards that are not ready as without suits: those in their places.
                is_stale = False
                if side is not None and totals is not None:
                    is_stale = kinds_shown < min(position, size)
                if side is not None and is_stale:
                    side_results.show_kinds(side, 0, cards, kinds_shown, size)
                    kinds_shown = size
                elif totals is not None:
                    was_ready = ready
                    ready, size = make_ready(game, shoe_cards, begin, position, ready, size, state)
                    if side is not None and ready > was_ready:
                        side_results.show_kinds(side, game.is_infinite, cards, was_ready, ready)
                        kinds_shown = ready
                if desk is not None:
                    ready, size = desk_steps.make_table_ready(
                        game, desk, table, position, ready, size
                    )
                if ready < 0:
                    return loop_codes.TOO_FEW_CARDS
                position, running = begin, before
                logged, seated, is_again = logged_before, was_seated, True
                continue

            if desk is not None:
                # The dealer shows a natural that ended the round; else the hole card stays down.
                hides = int(game.has_hole and (stopped or total[at(dealer_row)] != 21))
                if flat is None:
                    is_seen = game.has_hole and not hides
                    runnings[at(2 * table + 1)] = running + (tags[at(hole)] if is_seen else 0)
                if stopped:
                    row = whole(cell // KINDS % rows)
                    done = desk_steps.describe_room(waiting, behind, row, hands)
                if behind > 0:
                    idle += desk_steps.count_waiting(total, waiting, 0, behind, -1)
                if many is not None:
                    idle += desk_steps.count_waiting(total, spot_rows, begun, spots, shown)
                    fields[at(fields_at + loop_codes.SPOT)] = shown
                desk_steps.write_out(
                    fields, fields_at, stopped, position, cell, idle, hides,
                    done, net, insured if stopped else insured_net, pair, drawn, last,
                )  # fmt: skip
                played += 1
                break

            if side is not None and probed == 0:
                row = (depth[at(begin)] * 2 + seated) * counts + count
                logged = side_results.settle_side_bets(
                    game, side, spots, begin, dealer_at, dealer_end, dealer_row, row, net,
                    log, logged,
                )  # fmt: skip

            if probe is not None:
                # The round counts as it was played; the others are compared with it.
                probed = round_steps.compare(
                    probe, met, probed, (net, extra, position, running), count
                )
                if probed > 0:
                    position, running, seated = begin, before, was_seated
                    is_again = True
                    continue
                net, extra = met.round[0], met.round[1]
                position, running = met.round[2], met.round[3]

            if tally is not None and added is not None:
                row = (depth[at(begin)] * 2 + seated) * counts + count
                tally[at(row * nets + net - game.least_net)] += 1
                if extra > 0:
                    added[at(row)] += extra
                if outcomes is not None:
                    outcomes[at(played)] = (seated * counts + count) * nets + net - game.least_net
            cards_dealt += position - begin
            played += 1
            rounds_here += 1
            if log is not None:
                logged = round_steps.note_end(log, logged, shoe_cards, begin, position, net, extra)
        if totals is not None:
            totals[0] += 1
        if script is not None:
            break
    if log is not None:
        log[0, 0] = logged
    if totals is not None:
        totals[1] += cards_dealt
        totals[2] = played
    return loop_codes.DONE
