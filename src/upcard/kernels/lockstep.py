"""The simulator's loop for whole shoes, many side by side, by the automaton of a round.

Each pass opens the rounds that can begin and draws one card for all that go on. What a lane does
next is written to three queues, of which one keeps it: no branch has to be predicted. Shoes, cards
and results are those of the direct loop (`kernels.simulator`), which is the reference.

A round that needed more cards than are ready, which only the last one of a shoe can, is played
again once they are.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes
from upcard.kernels.automaton import OUTCOMES, Automaton
from upcard.kernels.counting import convert_count, unpack_bet
from upcard.kernels.game import ROUNDS_A_FRESH_SHOE, LoweredGame
from upcard.kernels.jit import lean_kernel
from upcard.kernels.lanes import LANE, LANE_MASK, LANES, PLACE, PLACE_MASK, ROW, Lanes
from upcard.kernels.randomness import seed_state, shuffle, whole
from upcard.kernels.rare_steps import RareTables, take_rare_steps
from upcard.kernels.shoes import fill_shoe, make_ready

_u: Final = np.uint64
_STATE_MASK: Final = _u(0x3FFF)
_NO_STEP_MASK: Final = _u(0xFFFFFFFFFFFF0000)
_ONE_CARD: Final = _u(1 << 24)
_ENDS_BIT: Final = _u(15)
_RARE_BIT: Final = _u(14)
_KIND_BITS: Final = _u(4)
_OUTCOME_BITS: Final = _u(5)
_ROUND: Final = np.uint32(1)
_ZERO: Final = _u(0)
_ONE: Final = _u(1)


@lean_kernel
def play_shoes(
    game: LoweredGame,
    tables: Automaton,
    lanes: Lanes,
    rare_tables: RareTables,
    seed: np.uint64,
    chunk: np.uint64,
    first_shoe: np.uint64,
    rounds: int,
    most_rounds: int,
    tally: NDArray[np.int64],
    added: NDArray[np.int64],
    totals: NDArray[np.int64],
    flat: NDArray[np.int64] | None,
) -> int:
    """Play whole shoes from `first_shoe` of a chunk on that have at most `rounds` rounds in all.

    `most_rounds` is an upper bound of the rounds of one shoe; the other arguments are those of
    `simulate`. Returns DONE or the failure, after which the sums are of no use. `totals` receives
    shoes and cards, and the rounds that were played.
    """
    draw, start, pair_of, back_of = tables.draw, tables.start, tables.pair_of, tables.back_of
    deck, weights, tags = game.deck, game.weights, game.tags
    factor, add_positive, add_negative = game.factor, game.add_positive, game.add_negative
    least_count, most_count = game.least_count, game.most_count
    counts, nets = game.counts, len(tally) // len(added)
    is_fresh, cut, start_count = game.is_fresh, _u(game.cut), game.start_count
    second_at, up_at, hole_at = _u(game.second_at), _u(game.up_at), _u(game.hole_at)
    dealt = _u(game.dealt) << PLACE
    deck_size = len(deck)
    cards, states, ready, sizes = lanes.cards, lanes.states, lanes.ready, lanes.sizes
    running, before = lanes.running, lanes.before
    seats, limits = lanes.seats, lanes.limits
    begins, rounds_here = lanes.begins, lanes.rounds_here
    pair_tags, back_tags, row_at = lanes.pair_tags, lanes.back_tags, lanes.row_at
    ended, again, going, rare = lanes.queues
    sums = lanes.sums
    stride = len(cards) // LANES
    shoe, played, cards_dealt, lanes_used = whole(0), whole(0), whole(0), whole(0)
    n_ended = _ZERO
    for lane in range(LANES):
        base = _u(lane * stride)
        if played + (lanes_used + 1) * most_rounds > rounds:
            break
        lanes_used += 1
        ended[n_ended] = (base + _u(deck_size)) << PLACE | _u(lane) << LANE
        n_ended += _ONE
    n_going = _ZERO
    while n_ended + n_going > _ZERO:
        n_again, n_rare = _ZERO, _ZERO
        for i in range(n_ended):
            word = ended[i]
            lane = (word >> LANE) & LANE_MASK
            place = (word >> PLACE) & PLACE_MASK
            base = lane * _u(stride)
            if place - base >= cut or is_fresh:
                after = whole(place - base)
                begin = whole(begins[lane] - base)
                is_new = ready[lane] < 0
                if not is_new and after > ready[lane]:
                    # Prepare the cards that the round took too early, and play it again.
                    ready[lane], sizes[lane] = make_ready(
                        game,
                        cards[base : base + _u(stride)],
                        begin,
                        after,
                        ready[lane],
                        sizes[lane],
                        states[lane],
                    )
                    if ready[lane] < 0:
                        return codes.TOO_FEW_CARDS
                    # The seat stays: who left it does not enter at the same count.
                    running[lane] = before[lane]
                    place = begins[lane]
                else:
                    if not is_new:
                        sums[((word >> ROW) << _OUTCOME_BITS) + (word & _STATE_MASK)] += _ROUND
                        played += 1
                        rounds_here[lane] += 1
                        cards_dealt += after
                    if is_fresh and not is_new and rounds_here[lane] < ROUNDS_A_FRESH_SHOE:
                        mine = cards[base : base + _u(stride)]
                        ready[lane] = shuffle(mine, 0, game.shuffled_ahead, deck_size, states[lane])
                        totals[0] += 1
                    else:
                        if not is_new and played + lanes_used * most_rounds > rounds:
                            lanes_used -= 1
                            continue
                        seed_state(states[lane], seed, chunk, first_shoe + _u(shoe))
                        mine = cards[base : base + _u(stride)]
                        ready[lane] = fill_shoe(
                            deck, weights, game.is_infinite, game.shuffled_ahead, mine, states[lane]
                        )
                        sizes[lane] = deck_size
                        seats[lane] = game.starts_seated
                        rounds_here[lane] = 0
                        totals[0] += 1
                        shoe += 1
                    running[lane] = start_count
                    place = base
            else:
                sums[((word >> ROW) << _OUTCOME_BITS) + (word & _STATE_MASK)] += _ROUND
                played += 1
            pair = _u(cards[place]) << _KIND_BITS | _u(cards[place + second_at])
            back = _u(cards[place + up_at]) << _KIND_BITS | _u(cards[place + hole_at])
            step = _u(start[_u(pair_of[pair]) + _u(back_of[back])])
            position = place - base
            row = row_at[position]
            if flat is None:
                now = running[lane]
                count = convert_count(
                    unpack_bet(now), whole(position), factor, add_positive, add_negative
                )
                count = min(max(count, least_count), most_count)
                sits = whole(count >= limits[_u(seats[lane])])
                seats[lane] = sits
                row += _u(count - least_count + sits * counts)
                before[lane] = now
                running[lane] = now + pair_tags[pair] + back_tags[back]
            else:
                row += _u(game.starts_seated * counts)
            begins[lane] = place
            word = row << ROW | lane << LANE | ((place << PLACE) + dealt) | step
            going[n_going] = word
            again[n_again] = word
            rare[n_rare] = word
            ends = step >> _ENDS_BIT
            is_rare = (step >> _RARE_BIT) & _ONE
            n_going += _ONE - ends
            n_again += ends - is_rare
            n_rare += is_rare
        n_left = _ZERO
        for i in range(n_going):
            word = going[i]
            card = _u(cards[(word >> PLACE) & PLACE_MASK])
            step = _u(draw[((word & _STATE_MASK) << _KIND_BITS) + card])
            if flat is None:
                running[(word >> LANE) & LANE_MASK] += tags[card]
            word = ((word & _NO_STEP_MASK) + _ONE_CARD) | step
            going[n_left] = word
            again[n_again] = word
            rare[n_rare] = word
            ends = step >> _ENDS_BIT
            is_rare = (step >> _RARE_BIT) & _ONE
            n_left += _ONE - ends
            n_again += ends - is_rare
            n_rare += is_rare
        if n_rare > _ZERO:
            before_rare = n_left + n_again
            n_left, n_again = take_rare_steps(
                rare_tables, rare, n_rare, going, n_left, again, n_again, stride, nets
            )
            if n_left + n_again != before_rare + n_rare:
                return codes.TOO_MANY_HANDS
        n_going = n_left
        n_ended = n_again
        ended, again = again, ended
    net_of, extra_of = tables.net_of, tables.extra_of
    for row in range(len(added)):
        for outcome in range(1, len(net_of)):
            times = whole(sums[row * OUTCOMES + outcome])
            tally[row * nets + net_of[outcome] - game.least_net] += times
            added[row] += extra_of[outcome] * times
    totals[1] += cards_dealt
    totals[2] = played
    return codes.DONE
