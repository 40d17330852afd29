"""The simulator's loop: shoe after shoe, round after round, in one compiled function.

It follows the table card for card (`table/flow.py` says why each step is where it is), on tables
lowered from the rules, the chart, the count and its deviations. A round's cards lie ready in the
shoe before it is played; only as many are shuffled as rounds are likely to need, and a round that
needed more is played again from its start once they are there.

`script`, `log`, `probe`, `many` and `outcomes` are arrays or None; the code of what is None is not
compiled in. With `flat`, whatever it holds, nothing is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import numpy as np

from upcard.kernels.game import (
    ACE,
    ACES_LATER,
    ACES_MORE,
    ASKED_PLAY,
    ASKED_SURRENDER,
    DONE,
    DOUBLE,
    EARLY,
    EVEN_MONEY,
    FIRST_DEVIATION,
    FIRST_TWO,
    HIT,
    KINDS,
    LATER,
    LOG_ANSWER,
    LOG_CARD,
    LOG_END,
    LOG_FULL,
    LOG_HAND,
    LOG_INSURANCE,
    LOG_ROUND,
    MOST_HANDS,
    MOST_HITS,
    NATURAL,
    NOT_ASKED,
    ROUNDS_A_FRESH_SHOE,
    SPLIT,
    SPLIT_LATER,
    SPLIT_MORE,
    SURRENDER,
    SURRENDERED,
    TEN,
    TOO_FEW_CARDS,
    TOO_MANY_HANDS,
    convert_count,
    count_play,
)
from upcard.kernels.jit import kernel
from upcard.kernels.randomness import STATE_WORDS, seed_state, shuffle, whole
from upcard.kernels.round_steps import (
    add_gain,
    fill_shoe,
    make_ready,
    note,
    note_hit,
    note_insurance,
    settle_at_look,
    settle_hand,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from upcard.kernels.game import Game, Probe

_at: Final = cast("type[int]", np.uint64)
"""An index of unsigned type, which spares the loop the test for counting from the end."""


@kernel
def simulate(
    game: Game,
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
    outcomes: NDArray[np.int32] | None = None,
    flat: NDArray[np.int64] | None = None,
) -> int:
    """Play `rounds` rounds from the shoe `first_shoe` of a chunk on; return DONE or what failed.

    Shapes: `tally` (depths, 2, counts, nets) and `added` (depths, 2, counts), flat and contiguous;
    `totals` gets shoes and cards. A `script` of kinds takes the place of the first shoe; the last
    round is one that its cards do not reach to the end of. `log` is (entries, LOG_FIELDS); entry
    0 is its own: how many entries are used. `outcomes` gets each round in turn, as its place in a
    (2, counts, nets) table.
    """
    deck, weights = game.deck, game.weights
    deck_size = len(deck)
    next_row, opening, total, stops = game.next_row, game.opening, game.total, game.stops
    choice, tags, factor = game.choice, game.tags, game.factor
    # Taken out once: an array taken out of a tuple is counted as a reference each time.
    by_count, insure_at, pair_kind, depth = game.by_count, game.insures, game.pair_kind, game.depth
    rows, counts, least_count, most_count = (
        game.rows,
        game.counts,
        game.least_count,
        game.most_count,
    )
    unit, nets = game.unit, len(tally) // len(added)
    if many is None:  # noqa: SIM108 (a branch that is not compiled in)
        spots = 1
    else:
        spots = game.spots
    add_positive, add_negative = game.add_positive, game.add_negative
    natural_pays, natural_beats_surrender = game.natural_pays, game.natural_beats_surrender
    # Who never insures need not be asked, unless it is written down.
    asks_insurance = game.insurance
    if log is None and probe is None:
        asks_insurance = int(game.insurance and game.insures.any())
    half_range, low_bits = whole(1 << 31), whole((1 << 32) - 1)

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
                cards[_at(place)] = script[place]
            ready = deck_size
        else:
            ready = fill_shoe(deck, weights, game.is_infinite, game.shuffled_ahead, cards, state)
        shoe += 1
        position = 0
        running = whole(game.start_count)
        seated = game.starts_seated
        rounds_here = 0
        cut = ready if script is not None else game.cut
        while position < cut and played < rounds:
            if game.is_fresh and rounds_here > 0 and script is None and not is_again:
                if rounds_here == ROUNDS_A_FRESH_SHOE:
                    break
                totals[0] += 1
                position = 0
                running = whole(game.start_count)
                ready = shuffle(cards, 0, game.shuffled_ahead, size, state)
            begin = position
            running_before = running
            logged_before = logged
            was_seated = seated
            is_again = False
            if probe is not None and probing == 0:
                hits, next_hit = 0, 0

            # The count before the deal decides the bet and the seat.
            bet_running = whole(0)
            count = whole(0)
            if flat is None:
                bet_running = ((running + half_range) & low_bits) - half_range
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
                    return LOG_FULL
                logged = note(
                    log,
                    logged,
                    LOG_ROUND,
                    begin,
                    count + least_count,
                    seated,
                    shoe - 1,
                    bet_running,
                )

            # The opening deal; the hole card is not seen yet.
            up = whole(cards[_at(position + game.up_at)])
            if flat is None:
                running += tags[_at(up)]
            for spot in range(spots):
                place = position + spot * game.first_step
                first = whole(cards[_at(place)])
                second = whole(cards[_at(place + game.second_at)])
                if flat is None:
                    running += tags[_at(first)] + tags[_at(second)]
                spot_rows[_at(spot)] = opening[_at(first * KINDS + second)]
            hole = whole(cards[_at(position + game.hole_at)])
            position += game.dealt
            dealer_row = whole(opening[_at(up * KINDS + hole)])
            is_ace_up = up == ACE
            looks = is_ace_up or up == TEN

            extra, insured, insures = 0, 0, 0
            insurance_count, insurance_gain = -1, 0
            if is_ace_up and asks_insurance:
                index, play_running = count_play(game, running, running_before, position, begin)
                insures = whole(insure_at[_at(index)])
                if probe is not None and (game.has_hole or position < ready):
                    # Any card that nobody has seen is as likely a ten as the hole card.
                    unseen = hole if game.has_hole else whole(cards[_at(position)])
                    insurance_count = index
                    insurance_gain = unit if unseen == TEN else -(unit // 2)
                for spot in range(spots):
                    is_natural = total[_at(spot_rows[_at(spot)])] == 21
                    if insures and not (is_natural and game.even_money > 0):
                        insured += 1
                if log is not None:
                    logged = note_insurance(
                        game, log, logged, spot_rows, insures, index, play_running
                    )
                extra += insured

            takes_even_money = 1 if insures and game.even_money > 0 else 0

            # Surrender before the look, as an offer of its own.
            surrendered_early = 0
            if game.early_surrender and looks:
                for spot in range(spots):
                    row = spot_rows[_at(spot)]
                    if total[_at(row)] == 21:
                        continue
                    action = whole(choice[_at((EARLY * rows + row) * KINDS + up)])
                    index = 0
                    play_running = whole(0)
                    if action >= FIRST_DEVIATION:
                        index, play_running = count_play(
                            game, running, running_before, position, begin
                        )
                        action = whole(by_count[_at((action - FIRST_DEVIATION) * counts + index)])
                    if log is not None:
                        logged = note(
                            log,
                            logged,
                            LOG_ANSWER,
                            spot,
                            ASKED_SURRENDER,
                            action,
                            index + least_count,
                            play_running,
                        )
                    if action == SURRENDER:
                        spot_rows[_at(spot)] = -1
                        surrendered_early += 1

            net = whole(0)
            if total[_at(dealer_row)] == 21 and game.has_hole:
                # The look ends the round.
                net = whole(insured * unit)
                for spot in range(spots):
                    hand_net = settle_at_look(game, spot_rows[_at(spot)], takes_even_money)
                    net += hand_net
                    if log is not None:
                        logged = note(log, logged, LOG_HAND, spot, hand_net, 1, 0, 0)
                if log is not None:
                    logged = note(log, logged, LOG_INSURANCE, insured * unit, 0, 0, 0, 0)
            else:
                done = 0
                live = 0
                naturals = 0
                surrendered = surrendered_early
                busts_with_more = 0
                for spot in range(spots):
                    row = spot_rows[_at(spot)]
                    if row < 0:
                        results[_at(done)] = SURRENDERED
                        bets[_at(done)] = 1
                        hand_spots[_at(done)] = spot
                        done += 1
                        continue
                    if total[_at(row)] == 21:
                        results[_at(done)] = EVEN_MONEY if takes_even_money else NATURAL
                        naturals += 1 - takes_even_money
                        bets[_at(done)] = 1
                        hand_spots[_at(done)] = spot
                        done += 1
                        continue
                    hands = 1
                    behind = 0
                    busts = 0
                    split_kind = -1
                    context = FIRST_TWO
                    later = LATER
                    while True:
                        bet = 1
                        result = 0
                        while True:
                            cell = (context * rows + row) * KINDS + up
                            action = whole(choice[_at(cell)])
                            index = 0
                            play_running = whole(0)
                            if action >= FIRST_DEVIATION:
                                index, play_running = count_play(
                                    game, running, running_before, position, begin
                                )
                                action = whole(
                                    by_count[(action - FIRST_DEVIATION) * counts + index]
                                )
                            if probe is not None:
                                number = whole(probe.number[cell])
                                if number > 0 and probing == 0:
                                    hits = note_hit(hit_numbers, hit_counts, hits, number)
                                    if hit_counts[hits - 1] < 0:
                                        hit_counts[hits - 1], play_running = count_play(
                                            game, running, running_before, position, begin
                                        )
                                elif number > 0 and probing == number:
                                    action = whole(probe.choice[_at(cell)])
                                    if action >= FIRST_DEVIATION:
                                        index, play_running = count_play(
                                            game, running, running_before, position, begin
                                        )
                                        action = whole(
                                            by_count[(action - FIRST_DEVIATION) * counts + index]
                                        )
                            if log is not None and action != NOT_ASKED:
                                logged = note(
                                    log,
                                    logged,
                                    LOG_ANSWER,
                                    done,
                                    ASKED_PLAY,
                                    action,
                                    index + least_count,
                                    play_running,
                                )
                            if action == HIT:
                                card = whole(cards[_at(position)])
                                position += 1
                                if flat is None:
                                    running += tags[_at(card)]
                                row = whole(next_row[_at(row * KINDS + card)])
                                context = later
                                continue
                            if action == DOUBLE:
                                card = whole(cards[_at(position)])
                                position += 1
                                if flat is None:
                                    running += tags[_at(card)]
                                row = whole(next_row[_at(row * KINDS + card)])
                                bet = 2
                                extra += 2
                            elif action == SPLIT:
                                if hands == MOST_HANDS:
                                    if position <= ready:
                                        return TOO_MANY_HANDS
                                    result = 0  # cards that are not there: played again anyway
                                    break
                                hands += 1
                                extra += 2
                                split_kind = whole(pair_kind[_at(row)])
                                first = whole(cards[_at(position)])
                                second = whole(cards[_at(position + 1)])
                                position += 2
                                if flat is None:
                                    running += tags[_at(first)] + tags[_at(second)]
                                row = whole(opening[_at(split_kind * KINDS + first)])
                                waiting[_at(behind)] = opening[_at(split_kind * KINDS + second)]
                                behind += 1
                                context = SPLIT_MORE if split_kind != ACE else ACES_MORE
                                later = SPLIT_LATER if split_kind != ACE else ACES_LATER
                                if hands >= game.max_hands:
                                    context += 1
                                continue
                            elif action == SURRENDER:
                                result = SURRENDERED
                                surrendered += 1
                                break
                            result = whole(total[_at(row)])
                            break
                        results[_at(done)] = result
                        bets[_at(done)] = bet
                        hand_spots[_at(done)] = spot
                        done += 1
                        # Without branches: who busts is hard to foresee.
                        is_bust = int(result == 0)
                        busts += is_bust
                        busts_with_more += is_bust * (bet - 1)
                        live += 1 - is_bust - int(result == SURRENDERED)
                        if behind == 0:
                            break
                        behind -= 1
                        row = waiting[_at(behind)]
                        context = SPLIT_MORE if split_kind != ACE else ACES_MORE
                        if hands >= game.max_hands:
                            context += 1
                    if busts > 1:
                        busts_with_more += 1

                # The dealer.
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
                        hole = whole(cards[_at(position)])
                        position += 1
                        if flat is None:
                            running += tags[_at(hole)]
                        dealer_row = whole(opening[_at(up * KINDS + hole)])
                        has_natural = int(total[_at(dealer_row)] == 21)
                if live > 0:
                    while stops[_at(dealer_row)] == 0:
                        card = whole(cards[_at(position)])
                        position += 1
                        if flat is None:
                            running += tags[_at(card)]
                        dealer_row = whole(next_row[_at(dealer_row * KINDS + card)])
                # A dealer who busts is below every hand but the bust ones.
                dealer_total = max(whole(total[_at(dealer_row)]), 1)

                # Settlement.
                if insured > 0:
                    net = whole(insured * unit if has_natural else -(insured * unit // 2))
                if log is not None:
                    logged = note(log, logged, LOG_INSURANCE, net, 0, 0, 0, 0)
                charged = -1
                for hand in range(done):
                    result = results[_at(hand)]
                    hand_net = settle_hand(
                        result,
                        bets[_at(hand)] * unit,
                        dealer_total,
                        has_natural,
                        unit,
                        natural_pays,
                        natural_beats_surrender,
                    )
                    if has_natural and game.takes_original and result < NATURAL:
                        spot = hand_spots[_at(hand)]
                        hand_net = -unit if spot != charged else 0
                        charged = spot
                    net += hand_net
                    if log is not None:
                        logged = note(
                            log,
                            logged,
                            LOG_HAND,
                            hand_spots[_at(hand)],
                            hand_net,
                            bets[_at(hand)],
                            0,
                            0,
                        )
            if game.has_hole and flat is None:
                running += tags[_at(cards[_at(begin + game.hole_at)])]

            if position > ready:
                # Some of these cards are not ready yet: make them so, play the round again.
                if script is not None:
                    if log is not None:
                        log[0, 0] = logged_before
                    totals[1] += cards_dealt
                    totals[2] = played
                    return DONE
                ready, size = make_ready(game, cards, begin, position, ready, size, state)
                if ready < 0:
                    return TOO_FEW_CARDS
                position = begin
                running = running_before
                seated = was_seated
                logged = logged_before
                is_again = True
                continue

            if probe is not None:
                # The round as it was played counts; the others are compared with it.
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

            row = (depth[_at(begin)] * 2 + seated) * counts + count
            tally[_at(row * nets + net - game.least_net)] += 1
            if extra > 0:
                added[_at(row)] += extra
            if outcomes is not None:
                outcomes[_at(played)] = (seated * counts + count) * nets + net - game.least_net
            cards_dealt += position - begin
            played += 1
            rounds_here += 1
            if log is not None:
                for place in range(begin, position):
                    logged = note(log, logged, LOG_CARD, cards[_at(place)], 0, 0, 0, 0)
                logged = note(log, logged, LOG_END, net, position, extra, 0, 0)
        totals[0] += 1
        if script is not None:
            break
    if log is not None:
        log[0, 0] = logged
    totals[1] += cards_dealt
    totals[2] = played
    return DONE
