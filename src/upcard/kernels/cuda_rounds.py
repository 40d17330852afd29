"""Steps of a round on a CUDA device that draw no card: questions to the count, and splits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upcard.kernels import codes
from upcard.kernels.automaton import (
    ANSWERS,
    ASKS,
    DEALT,
    ENDS,
    NOTES,
    RARE,
    SPLITS,
)
from upcard.kernels.counting import count_play
from upcard.kernels.cuda_jit import device_function
from upcard.kernels.game import KINDS, MOST_HANDS
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

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from upcard.kernels.automaton import Automaton
    from upcard.kernels.game import LoweredGame


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
    pays = (game.unit, game.natural_pays, game.natural_beats_surrender)
    while step >= ENDS + RARE:
        if step >= ASKS:
            unseen = game.tags[cards[begin + game.hole_at]] * game.has_hole
            count = count_play(game, running - unseen, running_before, place, begin)
            row = whole(tables.question_row[step - ASKS])
            answer = whole(tables.by_count[row * game.counts + count])
            step = whole(tables.after_answer[(step - ASKS) * ANSWERS + answer])
            continue
        if step < NOTES:
            if hands[HANDS] == MOST_HANDS:
                if place <= ready:
                    return -1, step, running, 0, 0
                # Cards that are not ready: the round is played again anyway.
                forget_hands(hands)
                return place, ENDS, running, 0, 0
            kind = (step - SPLITS) % KINDS
            if hands[HANDS] == 0:
                hands[HANDS] = 1
                hands[MORE] = codes.SPLIT_MORE
                hands[INSURED] = hands[EXTRA] = (step - SPLITS) // KINDS
            hands[HANDS] += 1
            hands[EXTRA] += 2
            if kind == codes.ACE:
                hands[MORE] = codes.ACES_MORE
            first, second = whole(cards[place]), whole(cards[place + 1])
            place += 2
            running += game.tags[first] + game.tags[second]
            hands[ROWS + hands[WAITING]] = game.opening[kind * KINDS + second]
            hands[WAITING] += 1
            row = whole(game.opening[kind * KINDS + first])
        else:
            dealer_total, has_natural = 1, 0
            if step >= DEALT:
                dealer_total = max(step - DEALT, 1)
            else:
                note_result(hands, step - NOTES)
                if hands[WAITING] == 0:
                    dealer_row = whole(game.opening[up * KINDS + cards[begin + game.hole_at]])
                    if not game.has_hole and needs_hole(
                        hands, up, game.natural_beats_surrender, game.takes_original
                    ):
                        hole = whole(cards[place])
                        place += 1
                        running += game.tags[hole]
                        dealer_row = whole(game.opening[up * KINDS + hole])
                        has_natural = int(game.total[dealer_row] == 21)
                    if hands[LIVE] > 0 and not has_natural:
                        step = whole(tables.rest_of[dealer_row])
                        continue
            if hands[WAITING] == 0:
                net = settle_hands(hands, dealer_total, has_natural, pays, game.takes_original)
                extra = hands[EXTRA]
                forget_hands(hands)
                return place, ENDS, running, net, extra
            hands[WAITING] -= 1
            row = hands[ROWS + hands[WAITING]]
        context = hands[MORE] + int(hands[HANDS] >= game.max_hands)
        step = whole(tables.split_step[(context * game.rows + row) * KINDS + up])
    return place, step, running, 0, 0
