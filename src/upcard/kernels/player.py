"""The player's values by backward induction over hands, in one context against one upcard.

All values are expectations over the round from here, *unnormalised* where the dealer peeks: they
count only the cases without a dealer natural. Cards are exchangeable, so the player draws with
plain odds although the hole card is known not to make a natural. With `natural_takes_all` 1 the
values include the cases with a dealer natural, as the loss of the bets.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.kernels.dealer_tree import NATURAL_COLUMN
from upcard.kernels.jit import kernel
from upcard.kernels.player_hands import HandArrays

STAND: Final = 0
HIT: Final = 1
DOUBLE: Final = 2


_SIGNS: Final = np.sign(np.arange(22)[:, np.newaxis] - np.arange(17, 22)).astype(np.float64)
"""Whether a total wins (1), ties (0) or loses (-1) against a dealer's 17 to 21. Shape: 22 x 5."""


class Payoffs(NamedTuple):
    """The rules that settle a hand that stands."""

    natural_takes_all: float
    """1 if a dealer's natural takes all bets, 0 if values exclude dealer naturals."""
    natural_ties_21: float
    """1 if a dealer's natural only ties another 21, else 0."""
    natural_pays: float
    charlie: int
    """Number of cards that win at once, 0 for no such rule."""
    wins_21: int
    """1 if a 21 wins at once unless the dealer has a natural."""


class HandPlan(NamedTuple):
    """The action for every hand: STAND, HIT or DOUBLE."""

    opening: NDArray[np.int8]
    """For hands of two cards."""
    later: NDArray[np.int8]
    """For hands of more cards."""


class Values(NamedTuple):
    """Arrays over hands, filled by `evaluate_hands`. `best` is the value of the action taken."""

    stand: NDArray[np.float64]
    hit: NDArray[np.float64]
    double: NDArray[np.float64]
    best: NDArray[np.float64]


@kernel
def fill_stand(
    outcomes: NDArray[np.float64],
    of_hand: NDArray[np.int32],
    which: NDArray[np.int32],
    hands: HandArrays,
    payoffs: Payoffs,
    values: Values,
) -> None:
    """Fill the value of standing for the hands in `which`, where the context has them.

    It is their best value too until `evaluate_hands` or `follow_plan` finds another.

    `outcomes` are the dealer's against the upcard, s x 6; `of_hand` are its rows for hands.
    """
    total, cards = hands.total, hands.cards
    for position in range(which.shape[0]):
        hand = which[position]
        row = of_hand[hand]
        if row < 0:
            continue
        natural = outcomes[row, NATURAL_COLUMN]
        if payoffs.charlie and cards[hand] >= payoffs.charlie:
            stand = 1.0 - natural * (1.0 - payoffs.natural_takes_all)
        else:
            ended = 0.0
            net = 0.0
            for column in range(NATURAL_COLUMN):
                chance = outcomes[row, column]
                ended += chance
                net += chance * _SIGNS[total[hand], column]
            bust = 1.0 - ended - natural
            loss = payoffs.natural_takes_all * natural
            if total[hand] == 21:
                loss *= 1.0 - payoffs.natural_ties_21
            stand = bust + net - loss
        values.stand[hand] = stand
        values.best[hand] = stand


@kernel
def follow_plan(
    shoe: NDArray[np.float64],
    matching: int,
    order: NDArray[np.int32],
    hands: HandArrays,
    payoffs: Payoffs,
    plan: HandPlan,
    values: Values,
) -> None:
    """Fill `values.best` for hands in `order` that follow a plan, as `evaluate_hands` does.

    Values of other actions are not computed.
    """
    counts, next_hand, total, cards = hands.counts, hands.next_hand, hands.total, hands.cards
    left = np.empty(11)
    for position in range(order.shape[0]):
        hand = order[position]
        stand = values.stand[hand]
        is_settled = payoffs.charlie > 0 and cards[hand] >= payoffs.charlie
        wins = total[hand] == 21 and payoffs.wins_21 and not is_settled
        action = plan.opening[hand] if cards[hand] == 2 else plan.later[hand]
        if not wins and (action == STAND or total[hand] == 21 or is_settled):
            values.best[hand] = stand
            continue
        cards_left = 0.0
        is_possible = True
        for rank in range(1, 11):
            left[rank] = shoe[rank] - counts[hand, rank]
            if left[rank] < 0:
                is_possible = False
            cards_left += left[rank]
        if not is_possible or cards_left < 2:
            values.best[hand] = stand
            continue
        if wins:
            natural = left[matching] / cards_left if matching else 0.0
            loss = payoffs.natural_takes_all * (1.0 - payoffs.natural_ties_21) * natural
            values.best[hand] = 1.0 - natural - loss
            continue
        following = values.best if action == HIT else values.stand
        value = 0.0
        for rank in range(1, 11):
            if left[rank] <= 0:
                continue
            chance = left[rank] / cards_left
            after = next_hand[hand, rank]
            if after >= 0:
                value += chance * following[after]
            else:
                lost = 1.0
                if matching and payoffs.natural_takes_all == 0.0:
                    matching_left = left[matching] - (1.0 if rank == matching else 0.0)
                    lost -= matching_left / (cards_left - 1)
                value -= chance * lost
        values.best[hand] = value if action == HIT else 2 * value


@kernel
def evaluate_hands(
    shoe: NDArray[np.float64],
    matching: int,
    order: NDArray[np.int32],
    hands: HandArrays,
    may_double: NDArray[np.int8],
    payoffs: Payoffs,
    optimise: int,
    plan: HandPlan,
    values: Values,
) -> None:
    """Evaluate hands in `order` (most cards first), choosing actions or following given ones.

    `shoe` is without the upcard and all other cards that have left it except the hand; `matching`
    is the rank that makes a natural with the upcard, 0 or 0. `plan` is written if `optimise`
    is 1, and followed if it is 0. `values.stand` must be filled.
    """
    counts, next_hand, total, cards = hands.counts, hands.next_hand, hands.total, hands.cards
    opening, later = plan.opening, plan.later
    left = np.empty(11)
    for position in range(order.shape[0]):
        hand = order[position]
        cards_left = 0.0
        is_possible = True
        for rank in range(1, 11):
            left[rank] = shoe[rank] - counts[hand, rank]
            if left[rank] < 0:
                is_possible = False
            cards_left += left[rank]
        stand = values.stand[hand]
        if not is_possible or cards_left < 2:
            values.hit[hand] = stand
            values.double[hand] = 2 * stand
            values.best[hand] = stand
            continue
        hit = 0.0
        double = 0.0
        for rank in range(1, 11):
            if left[rank] <= 0:
                continue
            chance = left[rank] / cards_left
            after = next_hand[hand, rank]
            if after >= 0:
                hit += chance * values.best[after]
                double += chance * values.stand[after]
            else:
                lost = 1.0
                if matching and payoffs.natural_takes_all == 0.0:
                    matching_left = left[matching] - (1.0 if rank == matching else 0.0)
                    lost -= matching_left / (cards_left - 1)
                hit -= chance * lost
                double -= chance * lost
        double *= 2
        values.hit[hand] = hit
        values.double[hand] = double
        is_settled = payoffs.charlie > 0 and cards[hand] >= payoffs.charlie
        if total[hand] == 21 and payoffs.wins_21 and not is_settled:
            natural = left[matching] / cards_left if matching else 0.0
            loss = payoffs.natural_takes_all * (1.0 - payoffs.natural_ties_21) * natural
            values.best[hand] = 1.0 - natural - loss
            continue
        if total[hand] == 21 or is_settled:
            opening[hand] = STAND
            later[hand] = STAND
            values.best[hand] = stand
            continue
        if optimise:
            action = HIT if hit > stand else STAND
            if may_double[hand] and double > max(hit, stand):
                action = DOUBLE
            if cards[hand] == 2:
                opening[hand] = action
            later[hand] = action
        action = opening[hand] if cards[hand] == 2 else later[hand]
        values.best[hand] = stand if action == STAND else (hit if action == HIT else double)
