"""Steps of a round on a CUDA device that draw no card: questions to the count, and splits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
)
from upcard.kernels.counting import count_play
from upcard.kernels.cuda_jit import device_function
from upcard.kernels.game import KINDS, MOST_HANDS
from upcard.kernels.randomness import whole
from upcard.kernels.round_steps import settle_hand

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from upcard.kernels.automaton import Automaton
    from upcard.kernels.game import LoweredGame

_HANDS, _WAITING, _DONE, _MORE, _EXTRA, _LIVE, _INSURED, _BUSTED, _SURRENDERED = range(9)
"""Hands in all, those that wait and those that are done, and sums of those that are done."""
_ROWS: Final = 16
"""From here on the rows of the hands that wait, then results and bets of those that are done."""
_RESULTS: Final = _ROWS + MOST_HANDS
_BETS: Final = _RESULTS + MOST_HANDS
HAND_FIELDS: Final = _BETS + MOST_HANDS
"""Numbers that a split round keeps; those before the rows are 0 before and after it."""


@device_function
def take_rare_steps(
    game: LoweredGame,
    tables: Automaton,
    cards: NDArray[np.uint8],
    begin: int,
    place: int,
    step: int,
    running: int,
    running_before: int,
    ready: int,
    hands: NDArray[np.int64],
) -> tuple[int, int, int, int, int]:
    """Go on from a step with the bit `RARE` to one without; return place, step and running count.

    The last two numbers are net and half bets added, where the step is `ENDS`: a split round is
    over, and the automaton has no outcome for it. The place is -1 if a hand was split too often.
    """
    up = whole(cards[begin + game.up_at])
    while step >= ENDS + RARE:
        if step >= ASKS:
            unseen = game.tags[cards[begin + game.hole_at]] * game.has_hole
            count = count_play(game, running - unseen, running_before, place, begin)
            row = whole(tables.question_row[step - ASKS])
            answer = whole(tables.by_count[row * game.counts + count])
            step = whole(tables.after_answer[(step - ASKS) * ANSWERS + answer])
            continue
        if step < NOTES:
            if hands[_HANDS] == MOST_HANDS:
                if place <= ready:
                    return -1, step, running, 0, 0
                # Cards that are not ready: the round is played again anyway.
                _forget_hands(hands)
                return place, ENDS, running, 0, 0
            kind = (step - SPLITS) % KINDS
            if hands[_HANDS] == 0:
                hands[_HANDS] = 1
                hands[_MORE] = codes.SPLIT_MORE
                hands[_INSURED] = hands[_EXTRA] = (step - SPLITS) // KINDS
            hands[_HANDS] += 1
            hands[_EXTRA] += 2
            if kind == codes.ACE:
                hands[_MORE] = codes.ACES_MORE
            first, second = whole(cards[place]), whole(cards[place + 1])
            place += 2
            running += game.tags[first] + game.tags[second]
            hands[_ROWS + hands[_WAITING]] = game.opening[kind * KINDS + second]
            hands[_WAITING] += 1
            row = whole(game.opening[kind * KINDS + first])
        else:
            dealer_total, has_natural = 1, 0
            if step >= DEALT:
                dealer_total = max(step - DEALT, 1)
            else:
                _note_result(hands, step - NOTES)
                if hands[_WAITING] == 0:
                    dealer_row = whole(game.opening[up * KINDS + cards[begin + game.hole_at]])
                    if not game.has_hole and _needs_hole(game, hands, up):
                        hole = whole(cards[place])
                        place += 1
                        running += game.tags[hole]
                        dealer_row = whole(game.opening[up * KINDS + hole])
                        has_natural = int(game.total[dealer_row] == 21)
                    if hands[_LIVE] > 0 and not has_natural:
                        step = whole(tables.rest_of[dealer_row])
                        continue
            if hands[_WAITING] == 0:
                net = _settle_hands(game, hands, dealer_total, has_natural)
                extra = hands[_EXTRA]
                _forget_hands(hands)
                return place, ENDS, running, net, extra
            hands[_WAITING] -= 1
            row = hands[_ROWS + hands[_WAITING]]
        context = hands[_MORE] + int(hands[_HANDS] >= game.max_hands)
        step = whole(tables.split_step[(context * game.rows + row) * KINDS + up])
    return place, step, running, 0, 0


@device_function
def _forget_hands(hands: NDArray[np.int64]) -> None:
    for field in range(_ROWS):
        hands[field] = 0


@device_function
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


@device_function
def _needs_hole(game: LoweredGame, hands: NDArray[np.int64], up: int) -> bool:
    """Whether the dealer draws a second card: for live hands, or to see a natural that matters."""
    if hands[_LIVE] > 0:
        return True
    if up not in (codes.ACE, codes.TEN):
        return False
    if hands[_INSURED] > 0 or (hands[_SURRENDERED] > 0 and game.natural_beats_surrender > 0):
        return True
    return game.takes_original > 0 and hands[_BUSTED] > 1


@device_function
def _settle_hands(
    game: LoweredGame, hands: NDArray[np.int64], dealer_total: int, has_natural: int
) -> int:
    """Return the net of a split round, its insurance included."""
    pays = (game.unit, game.natural_pays, game.natural_beats_surrender)
    net = 0
    if hands[_INSURED] > 0:
        net = game.unit if has_natural else -(game.unit // 2)
    charged = False
    for hand in range(hands[_DONE]):
        result, bet = hands[_RESULTS + hand], hands[_BETS + hand]
        if has_natural and game.takes_original and result < codes.NATURAL:
            net += 0 if charged else -game.unit
            charged = True
        else:
            net += settle_hand(result, bet * game.unit, dealer_total, has_natural, pays)
    return net
