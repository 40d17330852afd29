"""Steps of many lanes that draw no card of the automaton: questions to the count, and splits.

All lanes of a pass are served at once, by code that is compiled into the loop: a call passes every
array in several words, which takes longer than a step.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels import codes
from upcard.kernels.automaton import (
    ANSWERS,
    ASKS,
    DEALT,
    ENDS,
    NOTES,
    RARE,
    SPLITS,
    Automaton,
)
from upcard.kernels.counting import convert_play_count
from upcard.kernels.game import KINDS, MOST_HANDS, LoweredGame
from upcard.kernels.jit import inlined_kernel
from upcard.kernels.lanes import (
    BASE,
    BEFORE,
    BEGIN,
    LANE,
    LANE_FIELDS,
    LANE_MASK,
    PLACE,
    PLACE_MASK,
    QUEUE,
    ROW,
    RUNNING,
    STEP_MASK,
    Lanes,
    queue_lane,
)
from upcard.kernels.randomness import whole
from upcard.kernels.split_hands import (
    EXTRA,
    HANDS,
    INSURED,
    LIVE,
    MORE,
    ROWS,
    WAITING,
    forget_hands,
    needs_hole,
    note_result,
    settle_hands,
)

_u: Final = np.uint64


class RareTables(NamedTuple):
    """The arrays and numbers that rare steps need, of the game, the automaton and the lanes."""

    cards: NDArray[np.uint8]
    hands: NDArray[np.int64]
    ready: NDArray[np.int64]
    tally: NDArray[np.int64]
    added: NDArray[np.int64]
    tags: NDArray[np.int64]
    opening: NDArray[np.uint8]
    total: NDArray[np.uint8]
    factor: NDArray[np.int64]
    question_row: NDArray[np.uint16]
    by_count: NDArray[np.uint8]
    after_answer: NDArray[np.uint16]
    split_step: NDArray[np.uint16]
    rest_of: NDArray[np.uint16]
    bounds: tuple[int, int, int, int, int]
    """As `convert_play_count` takes them."""
    pays: tuple[int, int, int]
    """As `settle_hand` takes them."""
    counts: int
    rows: int
    up_at: int
    hole_at: int
    has_hole: int
    max_hands: int
    takes_original: int
    least_net: int


def gather_rare_tables(
    game: LoweredGame,
    tables: Automaton,
    lanes: Lanes,
    tally: NDArray[np.int64],
    added: NDArray[np.int64],
) -> RareTables:
    """Gather what rare steps need; `tally` and `added` receive split rounds."""
    addends = game.add_positive, game.add_negative
    return RareTables(
        lanes.cards,
        lanes.hands,
        lanes.ready,
        tally,
        added,
        game.tags,
        game.opening,
        game.total,
        game.factor,
        tables.question_row,
        tables.by_count,
        tables.after_answer,
        tables.split_step,
        tables.rest_of,
        (game.start_count, *addends, game.least_count, game.most_count),
        (game.unit, game.natural_pays, game.natural_beats_surrender),
        game.counts,
        game.rows,
        game.up_at,
        game.hole_at,
        game.has_hole,
        game.max_hands,
        game.takes_original,
        game.least_net,
    )


@inlined_kernel
def take_rare_steps(
    rare: RareTables,
    words: NDArray[np.uint64],
    after_rare: np.uint64,
    after_going: np.uint64,
    after_ended: np.uint64,
    nets: int,
) -> tuple[np.uint64, np.uint64]:
    """Take lanes on to a step without the bit `RARE`, and append them to those going or ended.

    The numbers are the places in `words` after the last lane that takes a rare step, that goes on,
    and that has ended. Returns the last two, or zeros if a hand was split too often.
    """
    cards, opening, tags = rare.cards, rare.opening, rare.tags
    for i in range(QUEUE, after_rare):
        word = words[i]
        lane = (word >> LANE) & LANE_MASK
        mine = lane * LANE_FIELDS
        base = whole(words[mine + BASE])
        begin = whole(words[mine + BEGIN])
        place = whole((word >> PLACE) & PLACE_MASK)
        step = whole(word & STEP_MASK)
        up = whole(cards[begin + rare.up_at])
        running = whole(words[mine + RUNNING])
        hands = rare.hands[lane]
        while step >= ENDS + RARE:
            if step >= ASKS:
                unseen = tags[cards[begin + rare.hole_at]] * rare.has_hole
                count = convert_play_count(
                    running - unseen,
                    whole(words[mine + BEFORE]),
                    place - base,
                    begin - base,
                    rare.factor,
                    rare.bounds,
                )
                row = whole(rare.question_row[step - ASKS])
                answer = whole(rare.by_count[row * rare.counts + count])
                step = whole(rare.after_answer[(step - ASKS) * ANSWERS + answer])
                continue
            if step < NOTES:
                if hands[HANDS] == MOST_HANDS:
                    if place - base <= rare.ready[lane]:
                        return _u(0), _u(0)
                    # Cards that are not ready: the round is played again anyway.
                    forget_hands(hands)
                    step = ENDS
                    break
                kind = (step - SPLITS) % KINDS
                if hands[HANDS] == 0:
                    hands[HANDS] = 1
                    hands[MORE] = codes.SPLIT_MORE
                    hands[INSURED] = hands[EXTRA] = (step - SPLITS) // KINDS
                hands[HANDS] += 1
                hands[EXTRA] += 2
                if kind == codes.ACE:
                    hands[MORE] = codes.ACES_MORE
                first, second = cards[place], cards[place + 1]
                place += 2
                running += tags[first] + tags[second]
                hands[ROWS + hands[WAITING]] = opening[kind * KINDS + second]
                hands[WAITING] += 1
                row = whole(opening[kind * KINDS + first])
            else:
                dealer_total = 1
                has_natural = 0
                if step < DEALT:
                    note_result(hands, step - NOTES)
                    if hands[WAITING] == 0:
                        dealer_row = whole(opening[up * KINDS + cards[begin + rare.hole_at]])
                        if not rare.has_hole and needs_hole(
                            hands, up, rare.pays[2], rare.takes_original
                        ):
                            hole = cards[place]
                            place += 1
                            running += tags[hole]
                            dealer_row = whole(opening[up * KINDS + hole])
                            has_natural = int(rare.total[dealer_row] == 21)
                        if hands[LIVE] > 0 and not has_natural:
                            step = whole(rare.rest_of[dealer_row])
                            continue
                else:
                    dealer_total = max(step - DEALT, 1)
                if step >= DEALT or hands[WAITING] == 0:
                    if place - base <= rare.ready[lane]:
                        row = whole(word >> ROW)
                        net = settle_hands(
                            hands, dealer_total, has_natural, rare.pays, rare.takes_original
                        )
                        rare.tally[row * nets + net - rare.least_net] += 1
                        rare.added[row] += hands[EXTRA]
                    forget_hands(hands)
                    step = ENDS
                    break
                hands[WAITING] -= 1
                row = whole(hands[ROWS + hands[WAITING]])
            context = hands[MORE] + int(hands[HANDS] >= rare.max_hands)
            step = whole(rare.split_step[(context * rare.rows + row) * KINDS + up])
        words[mine + RUNNING] = _u(running)
        word = (word >> ROW) << ROW | _u(place) << PLACE | lane << LANE | _u(step)
        after_going, after_ended = queue_lane(words, word, _u(step), after_going, after_ended)
    return after_going, after_ended
