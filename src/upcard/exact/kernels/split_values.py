"""The values of splits, over all the hands that a pair becomes.

Consider one hand of the pair's rank X. Cards drawn by other hands of its spot affect it only by
whether they are pair cards or not, so its value is N(e, b): e extra pair cards and b other cards
are known to have left. A card that leaves unseen changes nothing on average:

    N(e, b) = p N(e + 1, b) + (1 - p) N(e, b + 1),   p = pair cards left / cards left

so N(e, b) follows from N(e, 0) alone, the hand evaluated with e pair cards removed. The number of
hands is an urn process: each second card is a pair card, which splits again while there is room, or
ends a hand. All its orders with the same number of pair cards are equally likely.

What a dealer's natural takes can depend on all hands together: `ended_hands` is for that.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from upcard.exact.kernels.dealer_hands import NATURAL_COLUMN
from upcard.exact.kernels.hand_sets import HandArrays
from upcard.exact.kernels.player_values import (
    CHOOSE,
    FOLLOW,
    HIT,
    STAND,
    HandPlan,
    Payoffs,
    Values,
    evaluate_hands,
    fill_stand,
    follow_plan,
)
from upcard.kernels.jit import Floats, kernel

NO_NATURAL: Final = -1
LEARN_NOTHING: Final = 0
"""All rows follow the given plan."""
LEARN_FIRST: Final = 1
"""The first row chooses, the others follow it."""
LEARN_EACH: Final = 2
"""Each row chooses its own actions; the recurrence then mixes their plans."""
LEARN_AND_KEEP: Final = 3
"""Each row chooses its own actions, and its plan is followed through the recurrence."""


class SplitHands(NamedTuple):
    """The hands that can follow from one card of a pair."""

    rank: int
    first_card: int
    """Index of the hand that is this one card."""
    natural: int
    """Index of the two-card hand that counts as a natural after this split, -1 if none does."""
    played: NDArray[np.int32]
    """The hands that may do better than stand, most cards first: none if each gets one card."""
    standing: NDArray[np.int32]
    """The hands whose value of standing is needed."""
    may_double: NDArray[np.int8]


class SplitOrders(NamedTuple):
    """The orders in which second cards make h hands, of which j stay pairs.

    Shapes: rows (h, j, plain, paired), the numbers of hands in all the orders together that end
    with another card and as a pair. Only the last number of hands has pairs left over.
    """

    every: Floats
    """All hands."""
    first: Floats
    """The first hand, which is asked before the others."""
    others: Floats


@cache
def count_split_orders(most_hands: int) -> SplitOrders:
    """Count the orders of second cards in a split by the number of hands."""
    orders: dict[tuple[int, int], int] = {}
    first_paired: dict[tuple[int, int], int] = {}
    layer = {(2, 2, 0, False): 1}
    while layer:
        following: dict[tuple[int, int, int, bool], int] = {}
        for (hands, waiting, pairs, is_first), count in layer.items():
            plain = (hands, waiting - 1, pairs, is_first)
            pair = (
                (hands + 1, waiting + 1, pairs, False)
                if hands < most_hands
                # While no hand has ended, the card is for the first.
                else (hands, waiting - 1, pairs + 1, is_first or waiting == hands)
            )
            for key in (plain, pair):
                if key[1] == 0:
                    end = (key[0], key[2])
                    orders[end] = orders.get(end, 0) + count
                    first_paired[end] = first_paired.get(end, 0) + count * key[3]
                else:
                    following[key] = following.get(key, 0) + count
        layer = following
    rows = [(*end, orders[end], first_paired[end]) for end in sorted(orders)]
    hands_made, pairs_left, counts, paired = np.array(rows, dtype=np.float64).T
    every = counts * (hands_made - pairs_left), counts * pairs_left
    first = counts - paired, paired
    others = every[0] - first[0], every[1] - first[1]
    return SplitOrders(
        *(np.stack([hands_made, pairs_left, *ended], axis=1) for ended in (every, first, others))
    )


@kernel
def evaluate_split(
    shoe: Floats,
    matching: int,
    pair_cards: float,
    split: SplitHands,
    outcomes: Floats,
    of_hand: NDArray[np.int32],
    hands: HandArrays,
    payoffs: Payoffs,
    learn: int,
    plan: HandPlan,
    split_orders: Floats,
    values: Values,
) -> float:
    """Return the value of splitting a pair, over the hands that `split_orders` count.

    `shoe` is without the upcard and both pair cards; `pair_cards` of its cards make a further pair.
    Row e of `of_hand` are the hands with e extra pair cards out, for as many rows as the shoe has
    pair cards or the split orders need. `learn` selects the rows that choose their own best
    actions.
    """
    extras = of_hand.shape[0]
    most_known = 2 * int(split_orders[-1, 0]) - 3
    plain = np.zeros((extras + 1, most_known + 1))
    paired = np.zeros((extras + 1, most_known + 1))
    cards_left = 0.0
    for rank in range(1, 11):
        cards_left += shoe[rank]
    own_plain = np.zeros_like(plain)
    own_paired = np.zeros_like(paired)
    # If each number of extra pair cards has a fixed plan of its own every plan must be followed
    # through the rows that its recurrence needs.
    for first in range(extras if learn == LEARN_AND_KEEP else 1):
        own_plain[:] = 0.0
        own_paired[:] = 0.0
        for extra in range(first, extras):
            if pair_cards - extra < 0 or cards_left - extra < 1:
                break
            learns = learn == LEARN_EACH or (learn != LEARN_NOTHING and extra == first)
            _evaluate_row(
                shoe, matching, pair_cards, cards_left, extra, split, outcomes, of_hand[extra],
                hands, payoffs, learns, plan, values, own_plain, own_paired,
            )  # fmt: skip
        for others in range(most_known):
            for extra in range(first, min(extras, most_known - others)):
                among = cards_left - extra - others
                chance = max(pair_cards - extra, 0.0) / among if among > 0 else 1.0
                if chance < 1.0:
                    for known in (own_plain, own_paired):
                        known[extra, others + 1] = (
                            known[extra, others] - chance * known[extra + 1, others]
                        ) / (1.0 - chance)
        if learn == LEARN_AND_KEEP:
            plain[first, :] = own_plain[first, :]
            paired[first, :] = own_paired[first, :]
        else:
            plain[:] = own_plain
            paired[:] = own_paired
    value = 0.0
    for row in range(split_orders.shape[0]):
        made, pairs = split_orders[row, 0], split_orders[row, 1]
        drawn_pairs = int(made - 2 + pairs)
        ended = int(made - pairs)
        if split_orders[row, 2] > 0:
            chance = _chance_of_cards(pair_cards, cards_left, drawn_pairs, ended - 1)
            if chance > 0:
                value += split_orders[row, 2] * chance * plain[drawn_pairs, ended - 1]
        if split_orders[row, 3] > 0:
            chance = _chance_of_cards(pair_cards, cards_left, drawn_pairs - 1, ended)
            if chance > 0:
                value += split_orders[row, 3] * chance * paired[drawn_pairs - 1, ended]
    return value


@kernel
def _evaluate_row(
    shoe: Floats,
    matching: int,
    pair_cards: float,
    cards_left: float,
    extra: int,
    split: SplitHands,
    outcomes: Floats,
    of_hand: NDArray[np.int32],
    hands: HandArrays,
    payoffs: Payoffs,
    learns: bool,  # noqa: FBT001 (compiled)
    plan: HandPlan,
    values: Values,
    plain: Floats,
    paired: Floats,
) -> None:
    """Fill `plain[extra, 0]` and `paired[extra, 0]`: a hand's value with its second card drawn.

    Weighted by the chance of a second card that ends the hand's splitting, or makes a new pair.
    """
    pairs_out = pair_cards - extra
    left = np.empty(11)
    for rank in range(11):
        left[rank] = shoe[rank]
    # `counts` already includes the hand's own card of the pair.
    left[split.rank] += 1.0 - extra
    fill_stand(outcomes, of_hand, split.standing, hands, payoffs, values)
    if split.natural >= 0 and of_hand[split.natural] >= 0:
        tied = outcomes[of_hand[split.natural], NATURAL_COLUMN]
        won = payoffs.natural_pays * (1.0 - tied)
        net = payoffs.natural_tied if payoffs.stake > 0.0 else max(payoffs.natural_tied, 0.0)
        values.stand[split.natural] = won + net * tied
    is_played = split.played.shape[0] > 0
    if is_played and learns:
        evaluate_hands(
            left, matching, split.played, hands, split.may_double, payoffs, CHOOSE, plan, values
        )
    elif is_played and (payoffs.doubled or payoffs.natural_takes_busted):
        evaluate_hands(
            left, matching, split.played, hands, split.may_double, payoffs, FOLLOW, plan, values
        )
    elif is_played:
        follow_plan(left, matching, split.played, hands, split.may_double, payoffs, plan, values)
    if split.natural >= 0:
        values.best[split.natural] = values.stand[split.natural]
    for rank in range(1, 11):
        of_rank = left[rank] - (1.0 if rank == split.rank else 0.0)
        if of_rank <= 0:
            continue
        hand = hands.next_hand[split.first_card, rank]
        value = values.best[hand] if is_played else values.stand[hand]
        wins_at_once = payoffs.wins_21 and hands.total[hand] == 21 and hand != split.natural
        if wins_at_once and not is_played:
            natural = outcomes[of_hand[hand], NATURAL_COLUMN]
            lost = payoffs.natural_takes_all * (1.0 - payoffs.natural_ties_21)
            value = 1.0 - natural - payoffs.stake * lost * natural
        again = pairs_out if rank == split.rank else 0.0
        plain[extra, 0] += (of_rank - again) / (cards_left - extra) * value
        paired[extra, 0] += again / (cards_left - extra) * value


@kernel
def mark_sets(
    of_hand: NDArray[np.int32], standing: NDArray[np.int32], wanted: NDArray[np.bool_]
) -> None:
    """Mark the sets of removed cards that the hands in `standing` have in any context."""
    for context in range(of_hand.shape[0]):
        for position in range(standing.shape[0]):
            row = of_hand[context, standing[position]]
            if row >= 0:
                wanted[row] = True


@kernel
def find_reached(
    first_card: int, order: NDArray[np.int32], hands: HandArrays, plan: HandPlan
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the hands that a plan plays on or that may win at once, and those that may stand.

    `order` are all hands that hold the card, most cards first; so are the results. Most hands never
    occur: a plan does not hit 12 against a 6.
    """
    comes_up = np.zeros(hands.cards.shape[0], np.bool_)
    may_stand = np.zeros(hands.cards.shape[0], np.bool_)
    for rank in range(1, 11):
        second = hands.next_hand[first_card, rank]
        comes_up[second] = True
        may_stand[second] = True
    for position in range(order.shape[0] - 1, -1, -1):
        hand = order[position]
        if not comes_up[hand]:
            continue
        action = plan.opening[hand] if hands.cards[hand] == 2 else plan.later[hand]
        if action == STAND:
            comes_up[hand] = hands.total[hand] == 21
            continue
        for rank in range(1, 11):
            after = hands.next_hand[hand, rank]
            if after >= 0:
                may_stand[after] = True
                if action == HIT:
                    comes_up[after] = True
    return order[comes_up[order]], order[may_stand[order]]


@kernel
def _chance_of_cards(pair_cards: float, cards_left: float, pairs: int, others: int) -> float:
    """Return the chance of `pairs` pair cards, then `others` other cards, in one given order."""
    chance = 1.0
    for drawn in range(pairs):
        chance *= max(pair_cards - drawn, 0.0)
    for drawn in range(others):
        chance *= max(cards_left - pair_cards - drawn, 0.0)
    for drawn in range(pairs + others):
        remaining = cards_left - drawn
        chance = chance / remaining if remaining > 0 else 0.0
    return chance
