"""The simulator's loop: shoe after shoe, round after round, in one compiled function.

It follows the table card by card (`table/flow.py` explains the order of the steps), on tables
lowered from the rules, the chart, the count and its deviations. A round's cards are ready in the
shoe before it is played; only the number of cards that rounds are likely to need is shuffled, and
a round that needed more is replayed from its start once they are ready.

`script`, `log`, `probe`, `many` and `outcomes` are arrays or None; the code for an argument that
is `None` is not compiled in. With `flat`, whatever its value, nothing is counted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes
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
) -> int:
    """Play `rounds` rounds from shoe `first_shoe` of a chunk on; return DONE or the failure.

    Shapes: `tally` (depths, 2, counts, nets) and `added` (depths, 2, counts), flat and contiguous;
    `totals` receives shoes and cards. A `script` of kinds replaces the first shoe; the last round
    is one that its cards do not complete. `log` is (entries, LOG_FIELDS); entry 0 holds the number
    of entries used. `outcomes` receives each round in turn, as its place in a (2, counts, nets)
    table.
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
    cards = np.zeros(2 * deck_size + spots * MOST_HANDS * 22 + 64, np.uint8)
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
    while played < rounds:
        seed_state(state, seed, chunk, np.uint64(shoe))
        size = deck_size
        if script is not None:
            for place in range(deck_size):
                cards[at(place)] = script[place]
            ready = deck_size
        else:
            ready = fill_shoe(deck, weights, game.is_infinite, game.shuffled_ahead, cards, state)
        shoe += 1
        position, rounds_here = 0, 0
        running = whole(game.start_count)
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
            up = whole(cards[at(position + game.up_at)])
            if flat is None:
                running += tags[at(up)]
            for spot in range(spots):
                place = position + spot * game.first_step
                first = whole(cards[at(place)])
                second = whole(cards[at(place + game.second_at)])
                if flat is None:
                    running += tags[at(first)] + tags[at(second)]
                spot_rows[at(spot)] = opening[at(first * KINDS + second)]
            hole = whole(cards[at(position + game.hole_at)])
            position += game.dealt
            dealer_row = whole(opening[at(up * KINDS + hole)])

            extra, insured, insures = 0, 0, 0
            insurance_count, insurance_gain = -1, 0
            if up == codes.ACE and asks_insurance:
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
            if game.early_surrender and looks:
                surrendered, logged = offer_surrender(
                    game, up, spot_rows, running, running_before, position, begin, log, logged
                )

            net = whole(0)
            if total[at(dealer_row)] == 21 and game.has_hole:
                # The peek ends the round.
                net, logged = settle_at_look(
                    total, spot_rows, unit, insured, takes_even_money, log, logged
                )
            else:
                done, live, naturals, busts_with_more = 0, 0, 0, 0
                for spot in range(spots):
                    row = spot_rows[at(spot)]
                    if row < 0 or total[at(row)] == 21:
                        if row < 0:
                            results[at(done)] = codes.SURRENDERED
                        else:
                            results[at(done)] = codes.NATURAL + takes_even_money
                            naturals += 1 - takes_even_money
                        bets[at(done)] = 1
                        hand_spots[at(done)] = spot
                        done += 1
                        continue
                    hands, behind, busts = 1, 0, 0
                    context, later, more = codes.FIRST_TWO, codes.LATER, codes.SPLIT_MORE
                    while True:
                        bet = 1
                        result = 0
                        while True:
                            cell = (context * rows + row) * KINDS + up
                            action = whole(choice[at(cell)])
                            if action >= codes.FIRST_DEVIATION:
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
                                card = whole(cards[at(position)])
                                position += 1
                                if flat is None:
                                    running += tags[at(card)]
                                row = whole(next_row[at(row * KINDS + card)])
                                if action == codes.HIT:
                                    context = later
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
                                first = whole(cards[at(position)])
                                second = whole(cards[at(position + 1)])
                                position += 2
                                if flat is None:
                                    running += tags[at(first)] + tags[at(second)]
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
                        row = waiting[at(behind)]
                        context = more + int(hands >= max_hands)
                    if busts > 1:
                        busts_with_more += 1

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
                        hole = whole(cards[at(position)])
                        position += 1
                        if flat is None:
                            running += tags[at(hole)]
                        dealer_row = whole(opening[at(up * KINDS + hole)])
                        has_natural = int(total[at(dealer_row)] == 21)
                if live > 0:
                    while stops[at(dealer_row)] == 0:
                        card = whole(cards[at(position)])
                        position += 1
                        if flat is None:
                            running += tags[at(card)]
                        dealer_row = whole(next_row[at(dealer_row * KINDS + card)])
                # A bust dealer is below every hand except a bust one.
                dealer_total = max(whole(total[at(dealer_row)]), 1)

                # Settlement.
                if insured > 0:
                    net = whole(insured * unit if has_natural else -(insured * unit // 2))
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
                    if log is not None:
                        spot = hand_spots[at(hand)]
                        logged = note(log, logged, codes.LOG_HAND, spot, hand_net, bets[at(hand)])
            if game.has_hole and flat is None:
                running += tags[at(cards[at(begin + game.hole_at)])]

            if position > ready:
                # Some of these cards are not ready yet: prepare them and replay the round.
                if script is not None:
                    logged = logged_before
                    break
                ready, size = make_ready(game, cards, begin, position, ready, size, state)
                if ready < 0:
                    return codes.TOO_FEW_CARDS
                position, running = begin, running_before
                logged, seated = logged_before, was_seated
                is_again = True
                continue

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
