"""Steps of many lanes that draw no card of the automaton: questions to the count, and splits.

All lanes of a pass are served by one call: a call passes every array in several words, which would
cost more than a step.
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
    KEPT_RESULTS,
    KEPT_SURRENDER,
    NOTES,
    RARE,
    SPLITS,
    Automaton,
)
from upcard.kernels.counting import convert_play_count
from upcard.kernels.game import KINDS, MOST_HANDS, LoweredGame
from upcard.kernels.jit import lean_kernel
from upcard.kernels.lanes import LANE, LANE_MASK, PLACE, PLACE_MASK, ROW, STEP_MASK, Lanes
from upcard.kernels.randomness import whole
from upcard.kernels.round_steps import settle_hand

_HANDS, _WAITING, _DONE, _MORE, _EXTRA, _LIVE, _INSURED, _BUSTED, _SURRENDERED = range(9)
"""Hands in all, those that wait and those that are done, and sums of those that are done."""
_ROWS: Final = 16
"""From here on the rows of the hands that wait, then results and bets of those that are done."""
_RESULTS: Final = _ROWS + MOST_HANDS
_BETS: Final = _RESULTS + MOST_HANDS
_u: Final = np.uint64
_ENDS_BIT: Final = _u(15)


class RareTables(NamedTuple):
    """The arrays and numbers that rare steps need, of the game, the automaton and the lanes."""

    cards: NDArray[np.uint8]
    hands: NDArray[np.int64]
    begins: NDArray[np.uint64]
    ready: NDArray[np.int64]
    running: NDArray[np.int64]
    before: NDArray[np.int64]
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
        lanes.begins,
        lanes.ready,
        lanes.running,
        lanes.before,
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


@lean_kernel
def take_rare_steps(
    rare: RareTables,
    words: NDArray[np.uint64],
    number: np.uint64,
    going: NDArray[np.uint64],
    n_going: np.uint64,
    ended: NDArray[np.uint64],
    n_ended: np.uint64,
    stride: int,
    nets: int,
) -> tuple[np.uint64, np.uint64]:
    """Take lanes on to a step without the bit `RARE`, and append them to those going or ended.

    Returns the numbers of lanes going and ended; no lane is going or ended if a hand was split too
    often.
    """
    cards, opening, tags = rare.cards, rare.opening, rare.tags
    for i in range(number):
        word = words[i]
        lane = (word >> LANE) & LANE_MASK
        base = whole(lane) * stride
        begin = whole(rare.begins[lane])
        place = whole((word >> PLACE) & PLACE_MASK)
        step = whole(word & STEP_MASK)
        up = whole(cards[begin + rare.up_at])
        running = rare.running[lane]
        hands = rare.hands[lane]
        while step >= ENDS + RARE:
            if step >= ASKS:
                unseen = tags[cards[begin + rare.hole_at]] * rare.has_hole
                count = convert_play_count(
                    running - unseen,
                    rare.before[lane],
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
                if hands[_HANDS] == MOST_HANDS:
                    if place - base <= rare.ready[lane]:
                        return _u(0), _u(0)
                    # Cards that are not ready: the round is played again anyway.
                    hands[:_ROWS] = 0
                    step = ENDS
                    break
                kind = (step - SPLITS) % KINDS
                if hands[_HANDS] == 0:
                    hands[_HANDS] = 1
                    hands[_MORE] = codes.SPLIT_MORE
                    hands[_INSURED] = hands[_EXTRA] = (step - SPLITS) // KINDS
                hands[_HANDS] += 1
                hands[_EXTRA] += 2
                if kind == codes.ACE:
                    hands[_MORE] = codes.ACES_MORE
                first, second = cards[place], cards[place + 1]
                place += 2
                running += tags[first] + tags[second]
                hands[_ROWS + hands[_WAITING]] = opening[kind * KINDS + second]
                hands[_WAITING] += 1
                row = whole(opening[kind * KINDS + first])
            else:
                dealer_total = 1
                has_natural = 0
                if step < DEALT:
                    _note_result(hands, step - NOTES)
                    if hands[_WAITING] == 0:
                        dealer_row = whole(opening[up * KINDS + cards[begin + rare.hole_at]])
                        if not rare.has_hole and _needs_hole(
                            hands, up, rare.pays[2], rare.takes_original
                        ):
                            hole = cards[place]
                            place += 1
                            running += tags[hole]
                            dealer_row = whole(opening[up * KINDS + hole])
                            has_natural = int(rare.total[dealer_row] == 21)
                        if hands[_LIVE] > 0 and not has_natural:
                            step = whole(rare.rest_of[dealer_row])
                            continue
                else:
                    dealer_total = max(step - DEALT, 1)
                if step >= DEALT or hands[_WAITING] == 0:
                    if place - base <= rare.ready[lane]:
                        row = whole(word >> ROW)
                        net = _settle_hands(
                            hands, dealer_total, has_natural, rare.pays, rare.takes_original
                        )
                        rare.tally[row * nets + net - rare.least_net] += 1
                        rare.added[row] += hands[_EXTRA]
                    hands[:_ROWS] = 0
                    step = ENDS
                    break
                hands[_WAITING] -= 1
                row = whole(hands[_ROWS + hands[_WAITING]])
            context = hands[_MORE] + int(hands[_HANDS] >= rare.max_hands)
            step = whole(rare.split_step[(context * rare.rows + row) * KINDS + up])
        rare.running[lane] = running
        word = (word >> ROW) << ROW | _u(place) << PLACE | lane << LANE | _u(step)
        # Without branches: which queue it is, is hard to predict.
        going[n_going] = word
        ended[n_ended] = word
        ends = _u(step) >> _ENDS_BIT
        n_going += _u(1) - ends
        n_ended += ends
    return n_going, n_ended


@lean_kernel
def _note_result(hands: NDArray[np.int64], kept: int) -> None:
    bet = 1 + kept // KEPT_RESULTS
    result = kept % KEPT_RESULTS
    if result == KEPT_SURRENDER:
        result = codes.SURRENDERED
        hands[_SURRENDERED] += 1
    elif result == 0:
        hands[_BUSTED] += bet
    else:
        hands[_LIVE] += 1
    hands[_RESULTS + hands[_DONE]] = result
    hands[_BETS + hands[_DONE]] = bet
    hands[_DONE] += 1
    hands[_EXTRA] += 2 * (bet - 1)


@lean_kernel
def _needs_hole(
    hands: NDArray[np.int64], up: int, natural_beats_surrender: int, takes_original: int
) -> bool:
    """Whether the dealer draws a second card: for live hands, or to see a natural that matters."""
    if hands[_LIVE] > 0:
        return True
    if up != codes.ACE and up != codes.TEN:  # noqa: PLR1714 (a tuple is slower here)
        return False
    if hands[_INSURED] > 0 or (hands[_SURRENDERED] > 0 and natural_beats_surrender > 0):
        return True
    return takes_original > 0 and hands[_BUSTED] > 1


@lean_kernel
def _settle_hands(
    hands: NDArray[np.int64],
    dealer_total: int,
    has_natural: int,
    pays: tuple[int, int, int],
    takes_original: int,
) -> int:
    """Return the net of a split round, its insurance included."""
    unit = pays[0]
    net = 0
    if hands[_INSURED] > 0:
        net = unit if has_natural else -(unit // 2)
    charged = False
    for hand in range(hands[_DONE]):
        result, bet = hands[_RESULTS + hand], hands[_BETS + hand]
        if has_natural and takes_original and result < codes.NATURAL:
            net += 0 if charged else -unit
            charged = True
        else:
            net += settle_hand(result, bet * unit, dealer_total, has_natural, pays)
    return net
