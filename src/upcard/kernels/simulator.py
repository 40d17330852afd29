"""The simulator's loop: shoe after shoe, round after round, in one compiled function.

It follows the table card by card (`table/flow.py` explains the order of the steps), on tables
lowered from the rules, the chart, the count and its deviations. A round's cards are ready in the
shoe before it is played; only the number of cards that rounds are likely to need is shuffled, and
a round that needed more is replayed from its start once they are ready.

`script`, `log`, `probe`, `many`, `outcomes` and `desk` are arrays or None; the code for an argument
that is `None` is not compiled in. With `flat`, whatever its value, nothing is counted.

With a `desk`, each round is one of a table, and is played up to the first question that has no
answer yet. `game.choice` then has the bits of the legal answers, 0 where nothing is asked.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes, desk_codes
from upcard.kernels.desk import (
    Desk,
    answer_insurance,
    answer_surrender,
    count_waiting,
    hold_two,
    make_table_ready,
    note_look,
)
from upcard.kernels.game import (
    KINDS,
    MOST_HANDS,
    MOST_HITS,
    ROUNDS_A_FRESH_SHOE,
    LoweredGame,
    Probe,
    convert_count,
    count_play,
    deviate,
    unpack_bet,
)
from upcard.kernels.jit import kernel
from upcard.kernels.randomness import STATE_WORDS, at, seed_state, shuffle, whole
from upcard.kernels.round_steps import (
    add_gain,
    count_insured,
    note,
    note_end,
    note_hit,
    note_insurance,
    offer_surrender,
    settle_at_look,
    settle_hand,
)
from upcard.kernels.shoes import fill_shoe, make_ready


@kernel
def simulate(
    game: LoweredGame,
    seed: np.uint64,
    chunk: np.uint64,
    first_shoe: np.uint64,
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
    desk: Desk | None = None,
) -> int:
    """Play `rounds` rounds from shoe `first_shoe` of a chunk on; return DONE or the failure.

    Shapes: `tally` (depths, 2, counts, nets) and `added` (depths, 2, counts), flat and contiguous;
    `totals` receives shoes and cards. A `script` of kinds replaces the first shoe; the last round
    is one that its cards do not complete. `log` is (entries, LOG_FIELDS); entry 0 holds the number
    of entries used. `outcomes` receives each round in turn, as its place in a (2, counts, nets)
    table. With a `desk`, the tables `todo[first_shoe:first_shoe + rounds]` are played instead, and
    nothing is added up.
    """
    deck, weights = game.deck, game.weights
    deck_size = len(deck)
    next_row, opening, total, stops = game.next_row, game.opening, game.total, game.stops
    choice, tags, factor = game.choice, game.tags, game.factor
    # Taken out once: each access to an array of a tuple counts a reference.
    insure_at, pair_kind, depth = game.insures, game.pair_kind, game.depth
    rows, counts = game.rows, game.counts
    least_count, most_count = game.least_count, game.most_count
    max_hands, unit, nets = game.max_hands, game.unit, len(tally) // len(added)
    if many is None:  # noqa: SIM108 (a branch that is not compiled in)
        spots = 1
    else:
        spots = game.spots
    add_positive, add_negative = game.add_positive, game.add_negative
    natural_beats_surrender = game.natural_beats_surrender
    pays = (unit, game.natural_pays, natural_beats_surrender)
    # A player who never insures need not be asked, unless the answers are logged.
    asks_insurance = game.insurance
    if log is None and probe is None:
        asks_insurance = int(game.insurance and game.insures.any())

    state = np.zeros(STATE_WORDS, np.uint64)
    if desk is None:
        cards = np.zeros(2 * deck_size + spots * MOST_HANDS * 22 + 64, np.uint8)
    else:
        cards, fields, answers, trail = desk.cards, desk.fields, desk.answers, desk.trail
        todo, holds, runnings = desk.todo, desk.held, desk.running
        levels, nets_of_hands, sitters = desk.levels, desk.nets, desk.sits_out
        takes = np.zeros(spots, np.int64)
        waiting_held = np.zeros(MOST_HANDS + 1, np.int64)
    spot_rows = np.zeros(spots, np.int64)
    results = np.zeros(spots * (MOST_HANDS + 1), np.int64)
    bets = np.zeros(spots * (MOST_HANDS + 1), np.int64)
    waiting = np.zeros(MOST_HANDS + 1, np.int64)
    hand_spots = np.zeros(spots * (MOST_HANDS + 1), np.int64)
    hit_numbers = np.zeros(MOST_HITS, np.int64)
    hit_counts = np.zeros(MOST_HITS, np.int64)
    hits, next_hit, probing = 0, 0, 0
    base_net, base_running = whole(0), whole(0)
    base_extra, base_position = 0, 0
    logged = 1
    is_again = False
    played, cards_dealt = 0, 0
    shoe = whole(first_shoe)
    # Where the cards, the answers and the hands of a table begin.
    base, first_answer, first_hand = whole(0), whole(0), whole(0)
    asked, given, stopped, cell = 0, 0, 0, whole(0)
    while played < rounds:
        if desk is not None:
            table = whole(todo[at(shoe)])
            fields_at = table * desk_codes.FIELDS
            base = table * desk.width
            first_answer, first_hand = table * desk.most_answers, table * desk.most_hands
            given = whole(fields[at(fields_at + desk_codes.GIVEN)])
            ready, size = (
                whole(fields[at(fields_at + desk_codes.READY)]),
                whole(fields[at(fields_at + desk_codes.SIZE)]),
            )
            position = whole(fields[at(fields_at + desk_codes.BEGIN)])
            sits_out = sitters[at(fields[at(fields_at + desk_codes.BET)])]
            running = whole(0)
            if flat is None:
                running = runnings[at(2 * table)]
        else:
            seed_state(state, seed, chunk, np.uint64(shoe))
            size, position = deck_size, 0
            running = whole(game.start_count)
            if script is not None:
                for place in range(deck_size):
                    cards[at(place)] = script[place]
                ready = deck_size
            else:
                ready = fill_shoe(
                    deck, weights, game.is_infinite, game.shuffled_ahead, cards, state
                )
        shoe += 1
        rounds_here = 0
        seated = game.starts_seated
        cut = ready if script is not None else game.cut
        while position < cut and played < rounds:
            if game.is_fresh and rounds_here > 0 and script is None and not is_again:
                if rounds_here == ROUNDS_A_FRESH_SHOE:
                    break
                totals[0] += 1
                position = 0
                running = whole(game.start_count)
                ready = shuffle(cards, 0, game.shuffled_ahead, size, state)
            begin, running_before = position, running
            logged_before, was_seated = logged, seated
            is_again = False
            if probe is not None and probing == 0:
                hits, next_hit = 0, 0

            # The count before the deal decides the bet and the seat.
            count = whole(0)
            if flat is None:
                bet_running = unpack_bet(running)
                count = convert_count(bet_running, begin, factor, add_positive, add_negative)
                count = min(max(count, least_count), most_count) - least_count
                if seated:
                    if count + least_count < game.leave:
                        seated = 0
                elif count + least_count >= game.enter:
                    seated = 1
            if log is not None:
                if logged + 64 * spots * MOST_HANDS > len(log):
                    log[0, 0] = logged
                    return codes.LOG_FULL
                of_bet = count + least_count
                logged = note(log, logged, codes.LOG_ROUND, begin, of_bet, seated, shoe - 1)

            # The opening deal; the hole card is not seen yet.
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
            position += game.dealt
            dealer_row = whole(opening[at(up * KINDS + hole)])

            extra, insured, insures = 0, 0, 0
            insurance_count, insurance_gain, asks = -1, 0, -1
            if desk is not None:
                asked, stopped, idle = 0, 0, 0
                for spot in range(spots):
                    takes[at(spot)] = 0
                if up == codes.ACE and game.insurance and not sits_out:
                    asked, insured, asks = answer_insurance(
                        desk, first_answer, given, game, spot_rows, takes
                    )
            elif up == codes.ACE and asks_insurance:
                index = count_play(game, running, running_before, position, begin)
                insures = whole(insure_at[at(index)])
                if probe is not None and (game.has_hole or position < ready):
                    # Any unseen card is as likely to be a ten as the hole card.
                    unseen = hole if game.has_hole else whole(cards[at(position)])
                    insurance_count = index
                    insurance_gain = unit if unseen == codes.TEN else -(unit // 2)
                if insures:
                    insured = extra = count_insured(total, spot_rows, game.even_money)
                if log is not None:
                    logged = note_insurance(game, log, logged, spot_rows, insures)
            takes_even_money = int(insures and game.even_money > 0)

            surrendered = 0
            looks = up == codes.ACE or up == codes.TEN  # noqa: PLR1714 (a tuple is slower here)
            if desk is not None:
                if game.early_surrender and looks and not sits_out and asks < 0:
                    asked, surrendered, asks = answer_surrender(
                        desk, first_answer, asked, given, game, up, spot_rows
                    )
                if asks >= 0:
                    stopped = 1
                    cell = whole(trail[at(first_answer + asked)]) & desk_codes.CELL_MASK
                    waiting_now = count_waiting(total, spot_rows, 0, spots)
                    waiting_now -= count_waiting(total, spot_rows, asks, asks + 1)
            elif game.early_surrender and looks:
                surrendered, logged = offer_surrender(
                    game, up, spot_rows, running, running_before, position, begin, log, logged
                )

            net, done = whole(0), 0
            meets_dealer, is_played = False, False
            if total[at(dealer_row)] == 21 and game.has_hole and asks < 0:
                # The peek ends the round.
                if desk is not None:
                    net = note_look(desk, first_hand, total, spot_rows, unit, takes)
                    insured_net, done = insured * unit, spots
                    net += insured_net
                else:
                    net, logged = settle_at_look(
                        total, spot_rows, unit, insured, takes_even_money, log, logged
                    )
            elif asks < 0:
                live, naturals, busts_with_more = 0, 0, 0
                for spot in range(spots):
                    row = whole(spot_rows[at(spot)])
                    if desk is not None:
                        takes_even_money = takes[at(spot)]
                        is_played = False
                    if row < 0 or total[at(row)] == 21:
                        if row < 0:
                            results[at(done)] = codes.SURRENDERED
                        else:
                            results[at(done)] = codes.NATURAL + takes_even_money
                            naturals += 1 - takes_even_money
                        bets[at(done)] = 1
                        hand_spots[at(done)] = spot
                        if desk is not None:
                            levels[at(first_hand + done)] = 0
                        done += 1
                        continue
                    hands, behind, busts = 1, 0, 0
                    context, later, more = codes.FIRST_TWO, codes.LATER, codes.SPLIT_MORE
                    if desk is not None:
                        is_played = True
                        place = base + begin + spot * game.first_step
                        held = hold_two(cards, place, place + game.second_at)
                    while True:
                        bet = 1
                        result = 0
                        while True:
                            cell = (context * rows + row) * KINDS + up
                            action = whole(choice[at(cell)])
                            if desk is not None:
                                if action == 0:
                                    action = codes.NOT_ASKED
                                elif sits_out:
                                    action = codes.STAND if stops[at(row)] else codes.HIT
                                else:
                                    place = (
                                        cell
                                        + (done << desk_codes.PLACE_SHIFT)
                                        + (behind << desk_codes.LEVEL_SHIFT)
                                    )
                                    trail[at(first_answer + asked)] = place
                                    if asked == given:
                                        stopped = 1
                                        break
                                    action = whole(answers[at(first_answer + asked)])
                                    asked += 1
                            elif action >= codes.FIRST_DEVIATION:
                                action = deviate(
                                    game, action, running, running_before, position, begin
                                )
                            if probe is not None:
                                number = whole(probe.number[cell])
                                if number > 0 and probing == 0:
                                    index = count_play(
                                        game, running, running_before, position, begin
                                    )
                                    hits = note_hit(hit_numbers, hit_counts, hits, number, index)
                                elif number > 0 and probing == number:
                                    action = whole(probe.choice[at(cell)])
                                    if action >= codes.FIRST_DEVIATION:
                                        action = deviate(
                                            game, action, running, running_before, position, begin
                                        )
                            if log is not None and action != codes.NOT_ASKED:
                                logged = note(
                                    log, logged, codes.LOG_ANSWER, done, codes.ASKED_PLAY, action
                                )
                            if action in (codes.HIT, codes.DOUBLE):
                                card = whole(cards[at(base + position)])
                                position += 1
                                if flat is None:
                                    running += tags[at(card)]
                                if desk is not None:
                                    held += whole(1) << (desk_codes.CARD_BITS * card)
                                row = whole(next_row[at(row * KINDS + card)])
                                context = later
                                if action == codes.HIT:
                                    continue
                                bet = 2
                                extra += 2
                            elif action == codes.SPLIT:
                                if hands == MOST_HANDS:
                                    if position <= ready:
                                        return codes.TOO_MANY_HANDS
                                    result = 0  # cards that are not ready: replayed anyway
                                    break
                                hands += 1
                                extra += 2
                                split_kind = whole(pair_kind[at(row)])
                                first = whole(cards[at(base + position)])
                                second = whole(cards[at(base + position + 1)])
                                position += 2
                                if flat is None:
                                    running += tags[at(first)] + tags[at(second)]
                                if desk is not None:
                                    held = whole(1) << (desk_codes.CARD_BITS * split_kind)
                                    waiting_held[at(behind)] = held
                                    waiting_held[at(behind)] += whole(1) << (
                                        desk_codes.CARD_BITS * second
                                    )
                                    held += whole(1) << (desk_codes.CARD_BITS * first)
                                row = whole(opening[at(split_kind * KINDS + first)])
                                waiting[at(behind)] = opening[at(split_kind * KINDS + second)]
                                behind += 1
                                if split_kind == codes.ACE:
                                    more = codes.ACES_MORE
                                context = more + int(hands >= max_hands)
                                later = more + 2
                                continue
                            elif action == codes.SURRENDER:
                                result = codes.SURRENDERED
                                surrendered += 1
                                break
                            result = whole(total[at(row)])
                            break
                        if stopped:
                            break
                        if desk is not None:
                            levels[at(first_hand + done)] = behind
                            idle += int(action == codes.NOT_ASKED and 0 < result < 21)
                        results[at(done)] = result
                        bets[at(done)] = bet
                        hand_spots[at(done)] = spot
                        done += 1
                        # Without branches: a bust is hard to predict.
                        is_bust = int(result == 0)
                        busts += is_bust
                        busts_with_more += is_bust * (bet - 1)
                        live += 1 - is_bust - int(result == codes.SURRENDERED)
                        if behind == 0:
                            break
                        behind -= 1
                        row = whole(waiting[at(behind)])
                        if desk is not None:
                            held = waiting_held[at(behind)]
                        context = more + int(hands >= max_hands)
                    if busts > 1:
                        busts_with_more += 1
                    if stopped:
                        break
                if desk is not None and stopped:
                    waiting_now = idle + count_waiting(total, waiting, 0, behind)
                    waiting_now += count_waiting(total, spot_rows, spot + 1, spots)
                meets_dealer = not stopped

            if meets_dealer:
                # The dealer's hand.
                has_natural = 0
                if not game.has_hole:
                    must_draw = live > 0 or (
                        looks
                        and (
                            naturals + insured > 0
                            or (surrendered > 0 and natural_beats_surrender)
                            or (game.takes_original and busts_with_more > 0)
                        )
                    )
                    if must_draw:
                        hole = whole(cards[at(base + position)])
                        position += 1
                        if flat is None:
                            running += tags[at(hole)]
                        dealer_row = whole(opening[at(up * KINDS + hole)])
                        has_natural = int(total[at(dealer_row)] == 21)
                if live > 0:
                    while stops[at(dealer_row)] == 0:
                        card = whole(cards[at(base + position)])
                        position += 1
                        if flat is None:
                            running += tags[at(card)]
                        dealer_row = whole(next_row[at(dealer_row * KINDS + card)])
                # A bust dealer is below every hand except a bust one.
                dealer_total = max(whole(total[at(dealer_row)]), 1)

                # Settlement.
                if insured > 0:
                    net = whole(insured * unit if has_natural else -(insured * unit // 2))
                if desk is not None:
                    insured_net = net
                if log is not None:
                    logged = note(log, logged, codes.LOG_INSURANCE, net)
                charged = -1
                for hand in range(done):
                    result = results[at(hand)]
                    stake = bets[at(hand)] * unit
                    hand_net = settle_hand(result, stake, dealer_total, has_natural, pays)
                    if has_natural and game.takes_original and result < codes.NATURAL:
                        spot = hand_spots[at(hand)]
                        hand_net = -unit if spot != charged else 0
                        charged = spot
                    net += hand_net
                    if desk is not None:
                        nets_of_hands[at(first_hand + hand)] = hand_net
                    if log is not None:
                        spot = hand_spots[at(hand)]
                        logged = note(log, logged, codes.LOG_HAND, spot, hand_net, bets[at(hand)])
            if game.has_hole and flat is None and desk is None:
                running += tags[at(cards[at(begin + game.hole_at)])]

            if position > ready:
                # Some of these cards are not ready yet: prepare them and replay the round.
                if script is not None:
                    logged = logged_before
                    break
                if desk is None:
                    ready, size = make_ready(game, cards, begin, position, ready, size, state)
                else:
                    ready, size = make_table_ready(game, desk, table, position, ready, size)
                if ready < 0:
                    return codes.TOO_FEW_CARDS
                position, running = begin, running_before
                logged, seated = logged_before, was_seated
                is_again = True
                continue

            if desk is not None:
                # The dealer shows a natural that ended the round; else the hole card stays down.
                is_shown = not stopped and total[at(dealer_row)] == 21
                if flat is None:
                    if game.has_hole and is_shown:
                        running += tags[at(hole)]
                    runnings[at(2 * table + 1)] = running
                if not is_played:
                    spot = asks if stopped else spots - 1
                    place = base + begin + spot * game.first_step
                    held = hold_two(cards, place, place + game.second_at)
                if not stopped:
                    if not is_played:
                        first = whole(cards[at(place)])
                        second = whole(cards[at(place + game.second_at)])
                        row = whole(opening[at(first * KINDS + second)])
                        context = codes.FIRST_TWO
                    cell = (context * rows + row) * KINDS + up
                    fields[at(fields_at + desk_codes.HANDS)] = done
                    fields[at(fields_at + desk_codes.NET)] = net
                    fields[at(fields_at + desk_codes.INSURED)] = insured_net
                    waiting_now = 0
                fields[at(fields_at + desk_codes.STATUS)] = (
                    desk_codes.ASKED if stopped else desk_codes.ENDED
                )
                fields[at(fields_at + desk_codes.POSITION)] = position
                fields[at(fields_at + desk_codes.CELL)] = cell
                fields[at(fields_at + desk_codes.WAITING)] = waiting_now
                fields[at(fields_at + desk_codes.HIDES)] = int(game.has_hole and not is_shown)
                holds[at(table)] = held
                played += 1
                break

            if probe is not None:
                # The round counts as it was played; the others are compared with it.
                if probing == 0:
                    base_net, base_extra = net, extra
                    base_position, base_running = position, running
                    if insurance_count >= 0:
                        add_gain(probe, 0, insurance_count, insurance_gain, count)
                else:
                    add_gain(probe, probing, hit_counts[next_hit - 1], net - base_net, count)
                if next_hit < hits:
                    probing = hit_numbers[next_hit]
                    next_hit += 1
                    position, running, seated = begin, running_before, was_seated
                    is_again = True
                    continue
                net, extra = base_net, base_extra
                position, running = base_position, base_running
                probing = 0

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
                logged = note_end(log, logged, cards, begin, position, net, extra)
        totals[0] += 1
        if script is not None:
            break
    if log is not None:
        log[0, 0] = logged
    totals[1] += cards_dealt
    totals[2] = played
    return codes.DONE
