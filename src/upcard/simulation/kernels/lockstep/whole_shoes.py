"""The simulator's loop for whole shoes, many side by side, by the automaton of a round.

Shoes, cards and results are those of the direct loop (`simulation.kernels.simulator`), which is the
reference. Each pass opens the rounds that can begin and draws one card for all that go on. What a
lane does next is written to every queue, of which one keeps it: no branch has to be predicted.

Rare steps come after that, all lanes of a pass at once, in code that is compiled into the loop: a
call passes every array in several words, which takes longer than a step. Without a count they are
only splits; these are queued as if their round had ended, and found before the next one. Lanes
whose shoe is over wait for the end of the pass: the loops over rounds call nothing, and keep more
in registers. A round that needed more cards than are ready, which only the last one of a shoe can,
is played again once they are.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.jit import inlined_kernel, lean_kernel
from upcard.simulation.kernels import loop_codes
from upcard.simulation.kernels.game import KINDS, ROUNDS_A_FRESH_SHOE, LoweredGame
from upcard.simulation.kernels.lockstep import automaton, lane_luck
from upcard.simulation.kernels.lockstep.lane_luck import LanesLuck
from upcard.simulation.kernels.lockstep.lanes import (
    BASE,
    BATCH,
    BEFORE,
    BEGIN,
    CUT,
    ENDED,
    LANE,
    LANE_FIELDS,
    LANE_MASK,
    LANES,
    OVER,
    PLACE,
    PLACE_MASK,
    POSITIONS,
    QUEUE,
    ROW,
    RUNNING,
    SEAT,
    STEP_MASK,
    Lanes,
    queue_lane,
    shuffle_batch,
    take_shoe,
)
from upcard.simulation.kernels.randomness import draw_independently, seed_state, shuffle, whole
from upcard.simulation.kernels.round_steps import cut_count, unpack_bet
from upcard.simulation.kernels.shoes import make_ready

_u: Final = np.uint64
_NO_STEP_MASK: Final = _u(0xFFFFFFFFFFFF0000)
_PLACE_AND_LANE: Final = (PLACE_MASK << PLACE) | (LANE_MASK << LANE)
_CARD_MASK: Final = _u(0xFF)
_ONE_CARD: Final = _u(1 << 24)
_RARE_BIT: Final = _u(14)
_RARE: Final = _u(automaton.RARE)
_ENDS: Final = _u(automaton.ENDS)
_COLUMNS: Final = _u(automaton.DRAWN_KINDS)
_OUTCOME_BITS: Final = _u(5)
_BYTE, _TWO_BYTES, _THREE_BYTES = _u(8), _u(16), _u(24)
_BACKS: Final = _u(KINDS * KINDS)
_STARTS: Final = _u(2 * KINDS * KINDS)
_ROUND: Final = np.uint32(1)
_ZERO: Final = _u(0)
_ONE: Final = _u(1)
_TWO: Final = _u(2)
_THREE: Final = _u(3)


@lean_kernel
def play_shoes(
    game: LoweredGame,
    tables: automaton.Automaton,
    lanes: Lanes,
    seed: np.uint64,
    chunk: np.uint64,
    rounds: int,
    most_rounds: int,
    tally: NDArray[np.int64],
    added: NDArray[np.int64],
    totals: NDArray[np.int64],
    luck: LanesLuck | None,
    flat: NDArray[np.int64] | None,
) -> int:
    """Play the first whole shoes of a chunk that have at most `rounds` rounds in all.

    `most_rounds` is an upper bound of the rounds of one shoe; the other arguments are those of
    `simulate`. Returns DONE or the failure, after which the sums are of no use. `totals` receives
    shoes and cards, and the rounds that were played.
    """
    draw, deal = tables.draw, lanes.deal
    deck, weights, tags = game.deck, game.weights, game.tags
    add_positive, add_negative = game.add_positive, game.add_negative
    least_count, most_count = game.least_count, game.most_count
    counts, nets = game.counts, len(tally) // len(added)
    # The rows at POSITIONS are for the seat that a shoe starts with.
    base_count = least_count + game.starts_seated * counts
    is_fresh = game.is_fresh
    # A round's first four cards are read at once; then first and second card share a byte, and so
    # do the others, as in `Lanes.deal`.
    second_shift, back_shift = _u(8 * game.second_at - 4), _u(24 - 8 * game.second_at)
    up_at, hole_at, second_at = _u(game.up_at), _u(game.hole_at), _u(game.second_at)
    deck_size, ahead, batch = len(deck), game.shuffled_ahead, lanes.batch
    cards, states, ready, sizes = lanes.cards, lanes.states, lanes.ready, lanes.sizes
    limits, rounds_here, pair_tags = lanes.limits, lanes.rounds_here, lanes.pair_tags
    words, sums = lanes.words, lanes.sums
    stride = _u(len(cards) // LANES)
    shoe, played, cards_dealt, lanes_used = whole(0), whole(0), whole(0), whole(0)
    first_ended, first_again = ENDED, ENDED + QUEUE
    after_ended = first_ended
    for lane in range(LANES):
        if (lanes_used + 1) * most_rounds > rounds:
            break
        lanes_used += 1
        words[after_ended] = (_u(lane) * stride + _u(deck_size)) << PLACE | _u(lane) << LANE
        after_ended += _ONE
    n_going = _ZERO
    while after_ended - first_ended + n_going > _ZERO:
        after_again, after_rare, after_over = first_again, QUEUE, OVER
        for i in range(first_ended, after_ended):
            word = words[i]
            if flat is not None and word & _RARE:
                words[after_rare] = word
                after_rare += _ONE
                continue
            lane = (word >> LANE) & LANE_MASK
            place = (word >> PLACE) & PLACE_MASK
            mine = lane * LANE_FIELDS
            if place >= words[mine + CUT]:
                words[after_over] = word
                after_over += _ONE
                continue
            sums[((word >> ROW) << _OUTCOME_BITS) + (word & STEP_MASK) - _ENDS] += _ROUND
            if luck is not None:
                lane_luck.end_round(
                    luck, whole(lane), whole(word >> ROW), whole((word & STEP_MASK) - _ENDS)
                )
            four = (
                _u(cards[place])
                | _u(cards[place + _ONE]) << _BYTE
                | _u(cards[place + _TWO]) << _TWO_BYTES
                | _u(cards[place + _THREE]) << _THREE_BYTES
            )
            four |= four >> second_shift
            pair = four & _CARD_MASK
            back = ((four >> back_shift) & _CARD_MASK) + _BACKS
            step = _u(deal[_STARTS + _u(deal[pair]) + _u(deal[back])])
            position = POSITIONS + (place - words[mine + BASE]) * _TWO
            row = words[position]
            slot = whole(0)
            if flat is None:
                now = whole(words[mine + RUNNING])
                factor = whole(words[position + _ONE])
                count = cut_count(unpack_bet(now), factor, add_positive, add_negative)
                count = min(max(count, least_count), most_count)
                sits = whole(count >= limits[words[mine + SEAT]])
                words[mine + SEAT] = _u(sits)
                row += _u(count - base_count + sits * counts) << ROW
                words[mine + BEFORE] = _u(now)
                words[mine + RUNNING] = _u(now + pair_tags[pair] + pair_tags[back])
                slot = count - least_count if sits else counts
            if luck is not None:
                number = deck_size - whole(place - words[mine + BASE])
                lane_luck.deal_in_lane(
                    luck.lane, game, whole(lane), number,
                    whole(cards[place + up_at]), whole(cards[place + hole_at]),
                    whole(cards[place]), whole(cards[place + second_at]), slot,
                )  # fmt: skip
            words[mine + BEGIN] = place
            word = (word & _PLACE_AND_LANE) + row + step
            n_going, after_again, after_rare = _queue(
                words, word, step, n_going, after_again, after_rare, flat
            )
        played += whole(after_ended - first_ended) - whole(after_over - OVER)
        if flat is not None:
            played -= whole(after_rare - QUEUE)
        n_left = _ZERO
        for i in range(n_going):
            word = words[i]
            place, one_card = (word >> PLACE) & PLACE_MASK, _ONE_CARD
            if luck is not None:
                lane, state = (word >> LANE) & LANE_MASK, word & STEP_MASK
                mine = lane * LANE_FIELDS
                row_of = luck.lane.steps.row_of[state]
                turns = _u(row_of & 1)
                left = deck_size - whole(place - words[mine + BASE])
                # A hole card that is turned up was dealt with the others.
                place += turns * (words[mine + BEGIN] + hole_at - place)
                one_card -= turns << PLACE
            card = _u(cards[place])
            step = _u(draw[(word & STEP_MASK) * _COLUMNS + card])
            if flat is None:
                mine = ((word >> LANE) & LANE_MASK) * LANE_FIELDS
                tag = _u(tags[card])
                if luck is not None:
                    tag *= _ONE - turns
                words[mine + RUNNING] += tag
            if luck is not None:
                lane_luck.draw_in_lane(
                    luck.lane,
                    game,
                    whole(lane),
                    whole(row_of >> 1),
                    whole(turns),
                    whole(card),
                    left,
                )
            word = ((word & _NO_STEP_MASK) + one_card) | step
            n_left, after_again, after_rare = _queue(
                words, word, step, n_left, after_again, after_rare, flat
            )
        n_going = n_left
        if after_rare > QUEUE:
            before_rare = n_going + after_again + after_rare
            n_going, after_again = _serve_rare(
                game, tables, lanes, after_rare, n_going, after_again, tally, added, luck
            )
            if n_going + after_again + QUEUE != before_rare:
                return loop_codes.TOO_MANY_HANDS
        for i in range(OVER, after_over):
            word = words[i]
            lane = (word >> LANE) & LANE_MASK
            mine = lane * LANE_FIELDS
            base = words[mine + BASE]
            after = whole(((word >> PLACE) & PLACE_MASK) - base)
            shoe_cards = cards[base : base + stride]
            begin = whole(words[mine + BEGIN])
            is_new = ready[lane] < 0
            if not is_new and after > ready[lane]:
                # Prepare the cards that the round took too early, and play it again.
                ready[lane], sizes[lane] = make_ready(
                    game, shoe_cards, begin - whole(base), after,
                    ready[lane], sizes[lane], states[lane],
                )  # fmt: skip
                if ready[lane] < 0:
                    return loop_codes.TOO_FEW_CARDS
                # The seat stays: who left it does not enter at the same count.
                words[mine + RUNNING] = words[mine + BEFORE]
                played -= 1
                if luck is not None:
                    lane_luck.begin_anew(luck, whole(lane), cards, whole(base), begin)
            else:
                if not is_new:
                    sums[((word >> ROW) << _OUTCOME_BITS) + (word & STEP_MASK) - _ENDS] += _ROUND
                    rounds_here[lane] += 1
                    cards_dealt += after
                    if luck is not None:
                        outcome = whole((word & STEP_MASK) - _ENDS)
                        lane_luck.end_round(luck, whole(lane), whole(word >> ROW), outcome)
                        lane_luck.leave_shoe(luck, whole(lane))
                if is_fresh and not is_new and rounds_here[lane] < ROUNDS_A_FRESH_SHOE:
                    fixed = whole(0)
                else:
                    if not is_new and played + lanes_used * most_rounds > rounds:
                        lanes_used -= 1
                        continue
                    if game.is_infinite:
                        seed_state(states[lane], seed, chunk, _u(shoe))
                        draw_independently(shoe_cards, 0, deck_size, weights, states[lane])
                        fixed = whole(deck_size)
                    else:
                        slot = shoe % BATCH
                        if slot == 0:
                            shuffle_batch(batch, deck, ahead, seed, chunk, _u(shoe))
                        fixed = take_shoe(batch, slot, deck_size, shoe_cards, states[lane])
                    sizes[lane] = deck_size
                    words[mine + SEAT] = _u(game.starts_seated)
                    rounds_here[lane] = 0
                    shoe += 1
                ready[lane] = shuffle(shoe_cards, fixed, ahead, deck_size, states[lane])
                totals[0] += 1
                words[mine + RUNNING] = _u(whole(game.start_count))
                begin = whole(base)
                if luck is not None:
                    lane_luck.begin_anew(luck, whole(lane), cards, begin, begin)
            # It begins in the next pass, as if a round without an outcome had ended there.
            words[after_again] = _u(begin) << PLACE | lane << LANE | _ENDS
            after_again += _ONE
        after_ended = after_again
        first_ended, first_again = first_again, first_ended
    net_of, extra_of = tables.net_of, tables.extra_of
    for row in range(len(added)):
        for outcome in range(1, len(net_of)):
            times = whole(sums[row * automaton.OUTCOMES + outcome])
            tally[row * nets + net_of[outcome] - game.least_net] += times
            added[row] += extra_of[outcome] * times
    totals[1] += cards_dealt
    totals[2] = played
    return loop_codes.DONE


@inlined_kernel
def _queue(
    words: NDArray[np.uint64],
    word: np.uint64,
    step: np.uint64,
    after_going: np.uint64,
    after_ended: np.uint64,
    after_rare: np.uint64,
    flat: NDArray[np.int64] | None,
) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Append a lane to the queue that its step asks for; return the places after all three."""
    after_going, after_ended = queue_lane(words, word, step, after_going, after_ended)
    if flat is None:
        words[after_rare] = word
        is_rare = (step >> _RARE_BIT) & _ONE
        after_ended -= is_rare
        after_rare += is_rare
    return after_going, after_ended, after_rare


@inlined_kernel
def _serve_rare(
    game: LoweredGame,
    tables: automaton.Automaton,
    lanes: Lanes,
    after_rare: np.uint64,
    after_going: np.uint64,
    after_ended: np.uint64,
    tally: NDArray[np.int64],
    added: NDArray[np.int64],
    luck: LanesLuck | None,
) -> tuple[np.uint64, np.uint64]:
    """Take lanes on to a step without the bit `RARE`, and append them to those going or ended.

    The numbers are the places in `words` after the last lane that takes a rare step, that goes on,
    and that has ended. Returns the last two, or zeros if a hand was split too often.
    """
    words, nets = lanes.words, len(tally) // len(added)
    for i in range(QUEUE, after_rare):
        word = words[i]
        lane = (word >> LANE) & LANE_MASK
        mine = lane * LANE_FIELDS
        base, ready = whole(words[mine + BASE]), lanes.ready[lane]
        place, step, running, net, extra = automaton.take_rare_steps(
            game, tables, lanes.cards, base, whole(words[mine + BEGIN]),
            whole((word >> PLACE) & PLACE_MASK), whole(word & STEP_MASK),
            whole(words[mine + RUNNING]), whole(words[mine + BEFORE]), ready, lanes.hands[lane],
            None if luck is None else luck.lane, whole(lane),
        )  # fmt: skip
        if place < 0:
            return _u(0), _u(0)
        if step == automaton.ENDS and place - base <= ready:
            row = whole(word >> ROW)
            tally[row * nets + net - game.least_net] += 1
            added[row] += extra
        words[mine + RUNNING] = _u(running)
        word = (word >> ROW) << ROW | _u(place) << PLACE | lane << LANE | _u(step)
        after_going, after_ended = queue_lane(words, word, _u(step), after_going, after_ended)
    return after_going, after_ended
